/** What the engine's errors say, in Russian. */

import type { MessageWords } from "./en-messages.ts";

export const messages: MessageWords = {
  "value-number": (thing) => `Value принимает вещественное число, а не ${thing}`,
  "input-value": (thing) => `вход должен быть Value, а не ${thing}`,
  "local-count": (inputs, given) =>
    `входов ${inputs}, и локальных градиентов нужно столько же, а не ${given}`,
  "operand-value": (op, thing) => `${op} принимает Value или вещественное число, а не ${thing}`,
  "operand-count": (op, least, most, given) => {
    const wanted = least === most ? `${most}` : `от ${least} до ${most}`;
    return `у ${op} должно быть операндов: ${wanted}, а дано ${given}`;
  },
  "snapshot-value": (thing) => `snapshot принимает Value, а не ${thing}`,
  "buffers-busy": () => "эти Buffers заняты вызовом backward(), который ещё не закончился",

  "no-node-id": (id, last) => `узла ${id} нет: номера идут от 0 до ${last}`,
  "no-node": (name, known) => `узла ${name} нет; в этом графе есть ${known.join(", ")}`,
  "no-node-list": (thing) => `в графе должен быть список узлов, а не ${thing}`,
  "not-contract": (id, thing) => `узел ${id} не соответствует контракту: ${thing}`,
  "not-number": (id, thing) => `в узле ${id} вместо числа стоит ${thing}`,
  "bad-columns": (part) => `эти байты — не граф в столбцах: ошибка в ${part}`,
  "no-path": (root, to) => `от ${root} к ${to} нет пути`,
  "value-in-graph": () => "Value нельзя искать в Graph: назовите узел или дайте его номер",
  "not-in-graph": (value, root) => `${value} нет в графе ${root}`,
  "no-bug": (name, known) => `ошибки ${name} нет; есть ${known.join(", ")}`,
  "order-and-bug": (bug) => `свой порядок сочетается только с ошибкой overwrite, а не с ${bug}`,
  "too-many-visits": (visits, nodes, most) =>
    `без множества visited сортировка делает посещений: ${visits}, а узлов ${nodes}; возьмите граф поменьше, до ${most} посещений`,
  "order-twice": (names) =>
    `в порядке дважды стоит ${names.join(", ")}; каждый узел нужен ровно один раз`,
  "order-missing": (names) => `в порядке нет ${names.join(", ")}; каждый узел нужен ровно один раз`,

  "parse-text": (thing) => `parse принимает str, а не ${thing}`,
  "too-long": (bytes) => `текст длиннее ${bytes} байт: разбейте его на несколько выражений`,
  "leaf-number": (name, thing) => `${name} принимает вещественное число, а не ${thing}`,
  "no-value": (name) => `у ${name} нет значения: задайте его, например ${name}=1`,
  "computed-here": (name) => `${name} вычисляется здесь: не задавайте ему значение`,
  "no-variable": (name, remedy) => `переменной ${name} нет: ${remedy}`,
  beyond: (number) => `${number} больше самого большого double, 1.8e308`,
  keyword: (word, remedy) => `${word} — ключевое слово Python: ${remedy}`,
  unexpected: (sign, remedy) => `здесь не ждали ${sign}: ${remedy}`,
  "dotted-function": (call, written) => `функции пишутся без точки: ${call} вместо ${written}`,
  "dotted-name": (name, written) => `в имени нет точки: пишите ${name} вместо ${written}`,
  empty: () => "выражения нет: напишите его, например (a + b) * c",
  "named-function": (name) => `${name} — это функция: назовите значение иначе, например d = a*b`,
  "bare-function": (name, call) => `${name} — это функция: пишите ${call}`,
  "call-count": (wrong, call) => `${wrong}: пишите ${call}`,
  "no-function": (name, remedy) => `функции ${name} нет: ${remedy}`,
  "other-name": (name, written) => `${name} пишется ${written}`,
  strict: () =>
    "строгий режим: показатель должен быть числом, потому что правилу для x**n, n * x**(n-1), нужно постоянное n; выключите --strict, чтобы дифференцировать обе стороны",
  "too-deep": (most) =>
    `вложенность больше ${most}: сначала назовите часть, например d = a*b; d + 1`,
  "dropped-comparison": () => "== сравнивает: чтобы назвать значение, пишите =, например d = a*b",
  unclosed: () => "эта ( не закрыта: нужна )",
  unopened: () => "эта ) ничего не закрывает: нужен знак операции или конец",
  comma: () => "запятая только разделяет операнды функции; дробная часть идёт после точки: 1.5",
  "late-equals": () =>
    "= называет значение в начале оператора, например d = a*b; сравнение пишется ==",
  chained: () => "сравнения нельзя объединять в цепочку: пишите одно, например where(a < b, a, b)",
  "nothing-inside": () => "между ( и ) нужно выражение",
  "no-left": (sign) => `перед ${sign} нужен операнд`,
  "no-right": (sign) => `после ${sign} нужен операнд`,
  "no-operator": (left, right) =>
    `перед ${right} нужен знак операции: может быть, ${left}*${right}?`,

  "did-you-mean": (name) => `может быть, ${name}?`,
  "variables-are": (names) => `переменные: ${names.join(", ")}`,
  "no-variables": () => "в выражении нет переменных",
  "to-multiply": (name) => `чтобы умножить, пишите ${name}*(…)`,
  "with-others": () => "запишите её через другие, например exp, log, where",
  rename: (name) => `назовите переменную ${name}_`,
  write: (written) => `пишите ${written}`,
  "write-power": () => "степень пишется **, например a**2",
  "write-out": () => "пишите полностью, например a = a + 1",
  "write-name": () => "значение называют через =, например d = a*b",
  "write-times": () => "умножение пишется *",
  "write-divide": () => "деление пишется /",
  "write-minus": () => "минус пишется -",
  "write-root": () => "квадратный корень пишется sqrt(x)",
  "write-unequal": () => "«не равно» пишется !=",
  "write-where": () => "выбор пишется where(условие, x, y)",
  "no-quotes": () => "кавычки в выражении не нужны: уберите их",
  "no-brackets": () => "для группировки годятся только ( и )",
  "no-dot": () => "точка стоит внутри числа, например 0.5",
  "no-comments": () => "комментарии в выражении не нужны: уберите",
  digits: () => "цифры — от 0 до 9, а степень пишется **, например a**2",
  symbols: () => "в выражении бывают числа, имена, ( ) и + - * / // % **",
};

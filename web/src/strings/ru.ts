/** Every word of the lab, in Russian. The terms are those of docs/terms.md. */

import { en, type Strings } from "./en.ts";
import { pluralIn } from "./plural.ts";
import { gpt } from "./ru-gpt.ts";
import { messages } from "./ru-messages.ts";
import { moons } from "./ru-moons.ts";
import { plan } from "./ru-plan.ts";
import { RULES } from "./ru-rules.ts";

const LANG = "ru";
const plural = pluralIn(LANG);
const number = (x: number): string => x.toLocaleString(LANG);

/** A word in the three forms that Russian has for a count: 1 узел, 2 узла, 5 узлов. */
const counted = (count: number | bigint, one: string, few: string, many: string): string =>
  plural(count, { one: `# ${one}`, few: `# ${few}`, many: `# ${many}`, other: `# ${few}` });

const nodes = (count: number): string => counted(count, "узел", "узла", "узлов");
const steps = (count: number): string => counted(count, "шаг", "шага", "шагов");
const bytes = (count: number): string => counted(count, "байт", "байта", "байтов");
/** Genitive, after a preposition: «после 21 шага», «после 5 шагов». */
const ofSteps = (count: number): string => counted(count, "шага", "шагов", "шагов");

const scoreText = (tries: number, checks: number, right: number, all: number): string =>
  `${counted(tries, "опыт", "опыта", "опытов")}, ${counted(checks, "проверка", "проверки", "проверок")}, ${right} из ${counted(all, "диагноза", "диагнозов", "диагнозов")}`;

export const ru: Strings = {
  lang: LANG,
  messages,
  plan,
  gpt,
  moons,
  rule: (op, reason) =>
    RULES[op] ??
    reason ??
    (op ? `у ${op} своя локальная производная` : "у этого узла своя локальная производная"),
  product: "gradwalk",
  pages: {
    sandbox: "Песочница",
    learn: "Уроки",
    walk: "Обход",
    order: "Порядок",
    bugs: "Ошибки",
    descend: "Спуск",
    checks: "Проверка",
    program: "Программа",
    plan: "План",
    gpt: "Обучение GPT",
    moons: "Луны",
  },
  titles: {
    sandbox: "Песочница: введите выражение и смотрите, как текут градиенты",
    learn: "Уроки: от a + b до GPT, маленькими шагами",
    walk: "Обратный обход: одно нажатие — одно событие",
    order: "Задача о порядке: какой узел посетить раньше?",
    bugs: "Лаборатория ошибок: неверное рядом с верным",
    descend: "Спуск: шаг против градиента — и выход уменьшается",
    checks: "Проверка: посчитайте сами, потом сверьтесь",
    program: "Программа: во что компилируется выражение",
    plan: "План: модель из блоков, внутри которых её граф",
    gpt: "GPT: смотрите, как модель учится, и сломайте её",
    moons: "Луны: сеть учится различать точки",
  },
  skip: "Перейти к графу",
  navigation: "Страницы",
  theme: { auto: "Тема: как в системе", light: "Тема: светлая", dark: "Тема: тёмная" },
  language: "Язык",
  help: "Клавиши и справка",
  copyLink: "Скопировать ссылку",
  copyPython: "Скопировать код на Python",
  copied: "Скопировано",
  copyFailed: "Браузер не дал скопировать. Ссылка есть в адресной строке.",
  undo: "Отменить",
  redo: "Вернуть",
  close: "Закрыть",

  expression: "Выражение",
  expressionHint: "Годятся + − * / **, relu, exp, log, tanh …  Часть можно назвать: d = a*b; d + a",
  lastGood: "Граф показывает последнее верное выражение.",
  presets: "Примеры",
  presetOwn: "своё",
  presetNames: {
    x1: "(a + b) · c",
    x2: "один нейрон",
    x3: "a · a",
    x4: "a + a",
    x5: "два общих входа",
    x6: "ромб",
    x7: "длинный путь и короткий",
    x8: "закрытый relu",
    x9: "мёртвый нейрон",
    learn: "нейрон учится",
    bowl: "чаша",
    x9s: "сигмоида из частей",
  },
  strict: "Строгие степени",
  variables: "Значения",
  slider: (name) => `${name}, ползунок`,
  box: (name) => `${name}, значение`,
  notNumber: "Введите число, например 3, −0.5 или 1/3",

  grad: "grad",
  notYet: "пока неизвестно",
  tags: { const: "конст.", derived: "составная" },
  cardConst: (value) => `константа ${value}`,
  cardLabel: (name, value, grad, equation) =>
    `${name}: ${equation ? `${equation}, ` : ""}значение ${value}, градиент ${grad}`,
  edgePlain: (source, target) => `ребро от ${source} к ${target}`,
  edgeAsked: (source, target) =>
    `ребро от ${source} к ${target}, спрашивается локальная производная`,
  edgeLabel: (source, target, local) =>
    `ребро от ${source} к ${target}, локальная производная ${local}`,
  graphLabel: (count) => `Граф вычислений: ${nodes(count)}`,
  pillLost: (amount) => `✗ ${amount} потеряно`,
  pillLocal: (local) => `лок. = ${local}`,
  pillMany: (arrived, count) => `${arrived} из ${counted(count, "стрелки", "стрелок", "стрелок")}`,

  group: {
    sign: en.group.sign,
    title: {
      scope: (name, _count) => name,
      sum: (_name, count) => counted(count + 1, "слагаемое", "слагаемых", "слагаемых"),
      product: (_name, count) => counted(count + 1, "множитель", "множителя", "множителей"),
      run: (_name, count) => steps(count),
      repeat: (name, _count) => name || "листья",
      unit: (name, _count) => name,
      block: (_name, count) => nodes(count),
    },
    few: (count) => number(count + 1),
    label: (title, count, value, grad) =>
      `${title}: группа, ${nodes(count)}, значение ${value}, градиент ${grad}. Enter открывает её.`,
    range: (low, high) => `${low} … ${high}`,
    open: "открыть",
    close: (title) => `Закрыть ${title}`,
    closeAll: "Закрыть все блоки",
  },
  find: {
    label: "Найти узел",
    hint: "Найти узел",
    found: (place, count) => `${place} из ${count}`,
    none: "не найдено",
  },
  map: "Обзор. Нажмите, чтобы перейти туда.",

  phases: { forward: "Вперёд", sort: "Сортировка", backward: "Назад" },
  phaseSwitch: "Фаза",
  play: "Пуск",
  pause: "Пауза",
  step: "Шаг",
  stepBack: "Шаг назад",
  toStart: "В начало",
  toEnd: "В конец",
  time: "Время",
  speed: "Скорость",
  speeds: (speed) => `${number(speed)}×`,
  startForward: "Шаг вперёд",
  startSort: "Начать сортировку",
  startBackward: "Начать обратный проход",

  final: "Итоговые градиенты",
  unfold: "Раскрыть составные",
  predict: "Сначала угадать",
  view2d: "2D",
  view3d: "3D",
  viewSwitch: "Вид",
  fit: "Вписать",
  zoomIn: "Увеличить",
  zoomOut: "Уменьшить",
  details: "Подробности",
  flat3d: (count, most) =>
    `В 3D помещается до ${counted(most, "карточки", "карточек", "карточек")}, а здесь их ${count}. Закройте несколько блоков или перейдите в 2D.`,
  turn3d: "Повернуть картинку: стрелками или мышью",
  hint3d: "Чем выше карточка, тем больше её градиент. Тяните, чтобы повернуть.",

  narration: {
    rule: (rule) => `Правило: ${rule}.`,
    idle: "Нажмите «Пуск» или шагайте клавишей →",
    idleWhy: "Сначала значения идут вперёд, потом градиенты возвращаются назад.",
    compute: (name, equation) => `${name} вычисляет ${equation}`,
    computeWhy: (count) =>
      count === 1
        ? "Его вход известен, значит, можно вычислить значение."
        : "Все его входы известны, значит, можно вычислить значение.",
    gradOf: (name) => `${name}.grad`,
    seed: (output) => `${output}.grad = 1`,
    seedWhy: (output) =>
      `Обратный проход начинается с выхода: если ${output} сдвинется на 1, то ${output} сдвинется на 1.`,
    push: (from, to, product) => `${from} → ${to}   ${product}`,
    sum: (to, sum) => `${to}.grad: ${sum}. += прибавляет к тому, что уже есть.`,
    set: (to, before, after) => `${to}.grad = ${after}, а ${before} пропало`,
    skip: (name) => `У ${name} градиент 0`,
    skipWhy: "0, умноженный на что угодно, — это 0: передавать нечего, обход идёт дальше.",
    leaf: (name, grad) => `${name} — лист: его градиент ${grad} окончательный`,
    leafWhy: "У него нет входов, передавать некому.",
    lost: (from, to, amount) => `${from} → ${to}   ${amount} потеряно`,
    lostWhy: (to, from) =>
      `${to} посетили раньше, чем ${from}, а посещённый узел больше не принимает.`,
    sortPop: (name, index) => `снять (${name}, ${index})`,
    sortPush: (name) => `положить ${name}: ещё не встречался`,
    sortVisited: (name) => `${name} уже посещён: дальше`,
    sortDone: (name) => `все входы ${name} на месте: ставим ${name}`,
    sortLeaf: (name) => `у ${name} нет входов: ставим его`,
  },

  said: {
    idle: "Готово. Нажмите «Пуск» или сделайте шаг.",
    operation: (op, numbers) => {
      const between = {
        "+": "плюс",
        "-": "минус",
        "*": "умножить на",
        "/": "разделить на",
        "**": "в степени",
      }[op];
      if (between && numbers.length === 2) return `${numbers[0]} ${between} ${numbers[1]}`;
      if (op === "neg") return `минус ${numbers[0]}`;
      return `${op} от ${numbers.join(", ")}`;
    },
    compute: (name, operation, value) => `${name}: ${operation}, получается ${value}.`,
    seed: (name) => `Начинается обратный проход. Градиент выхода ${name} равен 1.`,
    push: (from, to, incoming, local, contribution) =>
      `${from} передаёт в ${to}: ${incoming} умножить на ${local}, получается ${contribution}.`,
    first: (to, after) => `Градиент ${to} пока ${after}.`,
    sum: (to, before, after) => `Градиент ${to} меняется с ${before} на ${after}.`,
    set: (to, before, after) => `Градиент ${to} был ${before}, теперь вместо него ${after}.`,
    skip: (name) => `Градиент ${name} равен 0.`,
    leaf: (name, grad) => `${name} — лист. Его градиент ${grad}.`,
    lost: (from, to, amount) =>
      `${from} передал бы ${amount} в ${to}, но тот уже посещён. Вклад потерян.`,
    sortPush: (name, input) => `Сортировка у ${name}. Его вход ${input} новый, он ложится в стек.`,
    sortVisited: (name, input) => `Сортировка у ${name}. Его вход ${input} уже встречался.`,
    sortDone: (name) => `Все входы ${name} на месте, ставим ${name}.`,
    sortLeaf: (name) => `У ${name} нет входов, ставим его.`,
    edge: (source, target, local) =>
      `Стрелка от ${source} к ${target}. Её локальная производная ${local}.`,
  },
  strangeOutput: (output, value) =>
    `${output} равно ${value}, это не конечное число: сдвигать нечего.`,
  strange: {
    nan: "nan значит «не число»: здесь нет значения, как у log(−1) или inf − inf. Всё, что вычислено из него, тоже nan.",
    inf: "inf значит, что число слишком велико для double (больше 1.8e308) или что делили на 0.",
  },

  events: {
    title: "События",
    caption: "Все события обхода по порядку. Выберите любое, чтобы перейти к нему.",
    number: "№",
    what: "событие",
    how: "вычисление",
    result: "итог",
    goto: (index, what) => `Перейти к событию ${index}: ${what}`,
  },
  equation: {
    title: "Правило цепочки",
    idle: "Каждая обратная стрелка умножает пришедшее на локальную производную. Шагните дальше, и это появится здесь.",
    sorting:
      "Производных пока нет. Сортировка ищет порядок, в котором каждый узел стоит после своих входов; обратный проход идёт по нему с конца.",
    keeps: "Для обратного пути он запоминает локальные производные, по одной на стрелку:",
    local: (arrow) => (arrow ? `локальная, стрелка ${arrow}` : "локальная"),
    path: (place, count, complete) =>
      `путь ${place} из ${count}${complete ? ": сумма полная" : ""}`,
    contribution: (place, count, complete) =>
      `вклад ${place} из ${count}${complete ? ": сумма полная" : ""}`,
  },
  code: { title: "Движок по строкам", caption: "Строка, которая выполняется сейчас" },
  numbers: {
    title: "Числа",
    caption: "Все узлы: значение и градиент",
    node: "узел",
    value: "значение",
    grad: "градиент",
    select: (name) => `Выбрать ${name}`,
  },
  proof: {
    title: "Проверить в Python",
    button: "Проверить в Python",
    how: "Python сдвигает каждую переменную чуть вверх и чуть вниз, измеряет, как сдвинулся результат, и сравнивает.",
    begins: "Спрашиваем Python …",
    progress: "Проверено переменных",
    checked: (done, total) =>
      `${done} из ${counted(total, "переменной", "переменных", "переменных")}`,
    agree: "Все градиенты совпали с наклонами, которые измерил Python.",
    differ: "Градиент и измеренный наклон расходятся.",
    failed: "Python не смог это проверить.",
    variable: "переменная",
    here: "эта страница",
    python: "Python",
    measured: "измеренный наклон",
    verdict: "совпало",
    kink: "излом: годится любой наклон между левым и правым",
  },
  trace: {
    sort: "Этап 1: сортировка",
    backward: "Этап 2: обратный проход",
    pop: "снято",
    stack: "стек после",
    visited: "посещены",
    sorted: "порядок",
    node: "узел (grad)",
    pushes: "прибавляет к входам",
    skipped: "лист: пропуск",
    skippedZero: "градиент 0: пропуск",
    leaf: "лист",
    done: "готов",
    already: (name) => `${name} уже посещён`,
    empty: "пусто",
  },
  inspect: {
    edge: (source, target) => `Ребро ${source} → ${target}`,
    node: (name) => `Узел ${name}`,
    wiggle: (source, target, local) =>
      `По одной этой стрелке изменение ${target} равно изменению ${source}, умноженному на ${local}.`,
    paths: (count, name, output) =>
      count === 1n
        ? `Один путь от ${output} к ${name}`
        : `${counted(count, "путь", "пути", "путей")} от ${output} к ${name}, и они складываются`,
    noPath: "Константа: в неё ничего не течёт.",
    scope: (name) => `Создан в ${name}`,
  },

  predictBox: {
    ask: (from, to, incoming) => `У ${from} градиент ${incoming}. Что он передаст в ${to}?`,
    input: "ваш ответ",
    rule: (incoming) => `Умножьте ${incoming} на локальную производную этой стрелки.`,
    check: "Проверить",
    hint: "Подсказка",
    show: "Показать",
    notIt: (typed) => `${typed} — неверно.`,
    hintText: (reason) => `Подсказка: ${reason}.`,
    right: "Верно.",
    wrong: (typed, product) => `Вы ответили ${typed}, а правильно ${product}.`,
    was: (product) => `Правильно ${product}.`,
    score: (right, all, hinted) =>
      `верно ${right} из ${all}${hinted ? `, с подсказкой ${hinted}` : ""}`,
    again: "Ещё раз",
    all: "Вы угадали все вклады.",
    some: "Попробуйте ещё раз: сколько выйдет без подсказки?",
    hidden: "Скрыто, пока вы угадываете.",
    start: "Шагайте: о каждом вкладе вас спросят до того, как он появится.",
  },

  tries: {
    title: "Попробуйте",
    done: "сделано",
    well: "Сделано.",
    rows: {
      predict: [
        "Угадать и проверить",
        "Верно назовите, что передаёт назад каждая из четырёх стрелок (a + b) · c.",
      ],
      dead: ["Погасить relu", "Двигайте b в relu(x·w + b) вниз, пока все градиенты не станут 0."],
      square: ["Случай a · a", "Один вход, две стрелки. Его градиент складывается: 3 + 3 = 6."],
      negative: [
        "Найти отрицательный градиент",
        "Двигайте ползунки, пока градиент какого-нибудь листа не станет ▼.",
      ],
    },
  },

  order: {
    rule: "Правило: посещённый узел больше ничего не принимает. Константам место в порядке не нужно.",
    task: "Расставьте узлы в том порядке, в котором их должен посещать обратный проход, и запустите.",
    tray: "Порядок посещения",
    run: "Запустить этот порядок",
    again: "Изменить порядок",
    shuffle: "Перемешать",
    right: "Показать верный",
    place: (name, place, count) =>
      `${name}, место ${place} из ${count}. Переставляется клавишами Alt и стрелками.`,
    earlier: (name) => `Посетить ${name} раньше`,
    later: (name) => `Посетить ${name} позже`,
    moved: (name, place) => `${name} теперь на месте ${place}`,
    won: "Дошли все вклады. Порядок верный.",
    lost: (count) =>
      plural(count, {
        one: "Потерян # вклад.",
        few: "Потеряны # вклада.",
        many: "Потеряно # вкладов.",
        other: "Потеряно # вклада.",
      }),
    starved:
      "По дороге ничего не потерялось, но некоторые узлы посетили раньше, чем до них что-то дошло, и они ничего не передали.",
    lostRow: (amount, path) => `${amount} на пути ${path}`,
    starvedRow: (name) => `${name} посетили раньше, чем пришёл его градиент, и он передал 0`,
    got: "вышло",
    should: "верно",
    showPath: "Показать путь",
    insight:
      "Посещайте потребителей раньше их входов: тогда к моменту посещения градиент уже полный.",
    count: (count) =>
      `В этом графе ${nodes(count)}. Для задачи годится не больше 24: возьмите выражение поменьше.`,
  },

  bugs: {
    choose: "Включите ошибку",
    names: {
      overwrite: "= вместо +=",
      "wrong-order": "не тот порядок",
      "no-reset": "без обнуления",
      "no-visited": "без множества visited",
      recursion: "рекурсия",
    },
    what: {
      overwrite: "Второй вклад затирает первый. Безвредно, пока узел не используют дважды.",
      "wrong-order": "Список не развёрнут: входы передают дальше, не дождавшись своего градиента.",
      "no-reset": "backward() запускают второй раз, а градиенты не обнулены.",
      "no-visited":
        "Сортировка забывает, что уже видела: общий узел ставится ещё раз и передаёт ещё раз.",
      recursion:
        "Сортировка вызывает себя на каждом уровне. Python останавливает её примерно после 1 000 кадров.",
    },
    code: en.bugs.code,
    rightLine: "верно",
    wrongLine: "с ошибкой",
    missing: "(строки нет)",
    table: "Неверное рядом с верным",
    node: "узел",
    wrong: "с ошибкой",
    right: "верно",
    same: "Этот граф прячет ошибку: все градиенты выходят верными.",
    showcase: "Взять граф, где её видно",
    tooMany: "Без множества visited на этом графе слишком много посещений. Возьмите поменьше.",
    differs: (count) =>
      plural(count, {
        one: "# градиент неверен.",
        few: "# градиента неверны.",
        many: "# градиентов неверны.",
        other: "# градиента неверны.",
      }),
    depth: "Длина цепочки",
    count: number,
    depthText: (n) =>
      n === 1
        ? "x + 1, глубина 1"
        : `x + 1 + 1 + …, глубина ${counted(n, "операция", "операции", "операций")}`,
    recursive: "Рекурсивная сортировка",
    iterative: "Явный стек",
    frames: (n) => `${counted(n, "кадр", "кадра", "кадров")} в стеке вызовов Python`,
    entries: (n) => `${counted(n, "запись", "записи", "записей")} в списке`,
    overflow: en.bugs.overflow,
    fine: "доходит до конца: x.grad = 1",
    limit: "предел: 1 000",
    between: (n) => `… ещё ${number(n)} …`,
    mode: "Режим",
    explore: "Исследовать",
    diagnose: "Поставить диагноз",
    game: "Эти числа получились из-за одной из ошибок. Какой?",
    next: "Следующий случай",
    correct: (name) => `Да: ${name}.`,
    was: (name) => `Это было: ${name}.`,
    incorrect: (name) => `Нет. При ошибке «${name}» числа были бы такими:`,
    evidence: "Что её выдаёт:",
    clues: {
      overwrite: "У узла, который используется дважды, остался только последний вклад.",
      "wrong-order":
        "Градиент не проходит дальше первого шага: всё, что дальше от выхода, равно 0.",
      "no-reset": "Числа слишком велики, будто обратный проход прошёл дважды.",
      "no-visited": "Узлы за общим узлом передают вклад не один раз, и он учтён повторно.",
    },
    score: (right, all) => `верно ${right} из ${all}`,
  },

  checks: {
    intro:
      "Посчитайте на бумаге, введите число, проверьте. После первой ошибки — подсказка, после второй — пути.",
    ask: (output, leaf) => `∂${output}/∂${leaf} = ?`,
    question: (output, leaf) => `Чему равен градиент ${output} по ${leaf}?`,
    answer: "ваш ответ",
    check: "Проверить",
    hint: "Подсказка",
    hintText: (count, leaf, output) =>
      count === 1n
        ? `Подсказка: от ${output} к ${leaf} ведёт один путь. Перемножьте локальные производные вдоль него.`
        : `Подсказка: от ${output} к ${leaf} — ${counted(count, "путь", "пути", "путей")}. Перемножьте локальные производные вдоль каждого, потом сложите.`,
    reveal: "Показать пути",
    next: "Следующий вопрос",
    right: "Верно.",
    done: "решено",
    wrong: (typed) => `${typed} — неверно.`,
    onePath: "Путь только один, и градиент — его произведение.",
    manyPaths: (count, leaf) =>
      count === 1n
        ? `${leaf} влияет на выход по одному пути. Перемножьте вдоль него.`
        : `У ${leaf} до выхода ${counted(count, "путь", "пути", "путей")}. Перемножьте вдоль каждого, потом сложите.`,
    generated: "Ещё один",
    generate: "Придумать вопрос",
    own: "По моему выражению",
    easy: "лёгкий",
    medium: "средний",
    hard: "трудный",
    level: "Уровень",
    solved: (right, all) => `решено ${right} из ${all}`,
    list: "Вопросы",
    where: (values) => `при ${values}`,
    diagnosis: {
      onePath: (path) => `Это один путь ${path}. Пути складываются.`,
      overwrite: "Это один последний вклад: так вышло бы с = вместо +=.",
      flipped: "Величина верная, знак — нет. Проследите минусы вдоль каждого пути.",
      value: (name) => `Это значение ${name}, а не его градиент.`,
      product: "Вы перемножили пути. Вдоль пути умножают, а пути складывают.",
      local: "Это одна локальная производная. Умножьте её на то, что приходит справа.",
    },
  },

  learn: {
    loading: "Уроки загружаются …",
    title: "Уроки",
    tabs: {
      lessons: "Уроки",
      traces: "Трассировка вручную",
      write: "Напишите сами",
      glossary: "Словарь",
    },
    head: "От a + b до GPT",
    intro:
      "Пятнадцать коротких уроков. Каждый сначала спрашивает, потом рассказывает: угадайте, проверьте, посмотрите почему. Картинка рядом с текстом — сама лаборатория, с каждым шагом можно играть.",
    progress: (done, all) => `пройдено уроков: ${done} из ${all}`,
    start: "Начать",
    resume: "Продолжить",
    all: "Все уроки пройдены",
    complete: "пройден",
    completed: "Урок пройден.",
    minutes: (count) => counted(count, "минута", "минуты", "минут"),
    solved: (right, all) => `${right} из ${counted(all, "вопроса", "вопросов", "вопросов")}`,
    save: "Сохранить прогресс",
    load: "Загрузить прогресс",
    unreadable: "В этом файле нет прогресса лаборатории.",
    text: "Урок",
    back: "Все уроки",
    before: "Назад",
    next: "Дальше",
    finish: "Закончить",
    steps: "Шаги этого урока",
    step: (place, count) => `Шаг ${place} из ${count}`,
    teach: "Вести урок",
    unteach: "Закончить показ",
    notes: "Для учителя",
    held: "Обход пойдёт дальше, когда вы ответите.",
    question: "Вопрос",
    choices: "Варианты",
    show: "Показать ответ",
    answer: "Ответ:",
    nudge: (name, output) =>
      `Подсказка: если бы ${name} было больше на 1, насколько больше было бы ${output}?`,
    look: "Посмотрите на картинку: последнее событие говорит, что приходит, а стрелка — на что умножить.",
    own: "Вы изменили числа, поэтому вопрос теперь о ваших.",
    paths: (count, leaf) =>
      count === 1n
        ? `К ${leaf} ведёт один путь: перемножьте вдоль него.`
        : `К ${leaf} — ${counted(count, "путь", "пути", "путей")}: перемножьте вдоль каждого, потом сложите.`,
    source: (name) => `Исходный текст движка: ${name}`,
    rules: {
      "+": ["Сложение копирует", "Каждый вход получает градиент без изменений."],
      "*": [
        "Умножение меняет местами и масштабирует",
        "Каждый вход получает градиент, умноженный на другой вход.",
      ],
    },
  },

  write: {
    title: "Напишите Value сами",
    intro:
      "Класс с data и grad, с + и *, и с backward(). Судья запускает его на вашем компьютере, в песочнице, и сверяет с движком и с измеренными наклонами. Он скажет, где подвело правило, порядок или +=.",
    editor: "Ваш класс на Python",
    judge: "Проверить класс",
    running: "Проверяется …",
    save: "Сохранить в файл",
    restart: "Начать заново",
    verdict: "Вердикт",
    nothing: "Здесь появится вердикт.",
    unloaded: "Это не удалось запустить.",
    right: "Все градиенты верны.",
    wrong: "Часть градиентов неверна.",
    score: (passed, all) =>
      `пройдено ${passed} из ${counted(all, "проверки", "проверок", "проверок")}`,
    sturdy: "Ещё не надёжно: глубокий граф или второй backward() дают ошибку.",
    more: (count) =>
      plural(count, {
        one: "Не прошла ещё # проверка.",
        few: "Не прошли ещё # проверки.",
        many: "Не прошло ещё # проверок.",
        other: "Не прошло ещё # проверки.",
      }),
    missing: "Не проверялось, потому что этого ещё нет:",
    alone:
      "Судья работает в Python. Запустите gradwalk lab и откройте адрес, который он выведет; или сохраните файл и запустите gradwalk judge my_value.py.",
    starter: `class Value:
    def __init__(self, data, inputs=(), local_grads=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.local_grads = local_grads

    def __add__(self, other):
        # Какие две локальные производные у суммы?
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        # А у произведения?
        return Value(self.data * other.data, (self, other), (0.0, 0.0))

    def backward(self):
        # Отсортировать граф, начать с 1, пройти его с конца.
        self.grad = 1.0
`,
  },
  traces: {
    title: "Заполните трассировку вручную",
    intro:
      "Побудьте движком. Сначала сортировка: что снято, что лежит в стеке после этого, что поставлено. Пишите пары, как в первой строке, через пробел; если ничего нет, оставьте ячейку пустой. Потом обратный проход, стрелка за стрелкой.",
    choose: "Граф",
    arrow: "стрелка",
    contribution: "вклад",
    after: "grad после",
    grade: "Проверить",
    show: "Заполнить ответами",
    right: "верно",
    wrong: "пока неверно",
    score: (right, all) => `верно ${right} из ${counted(all, "ячейки", "ячеек", "ячеек")}`,
  },

  program: {
    title: "Скомпилировано",
    head: "Записано один раз, выполняется как машинный код",
    how: "Выберите инструкцию, и выделится её узел; и наоборот.",
    stages: "Этапы компилятора",
    names: {
      recorded: "запись",
      tidy: "упрощение",
      chains: "цепочки",
      adjoint: "сопряжённая",
      blocks: "блоки",
    },
    explained: {
      recorded: "Что делает выражение: по строке на операцию.",
      tidy: "Константы вычислены, одинаковые инструкции объединены, лишние убраны.",
      chains: "Цепочки умножений и сложений стали одной суммой или одним скалярным произведением.",
      adjoint: "Добавлен градиент: его инструкции идут после инструкций значения.",
      blocks: "Что выполняется: инструкции одного вида рядом, одним циклом.",
    },
    lines: (count) =>
      plural(count, { one: "строка", few: "строки", many: "строк", other: "строки" }),
    caption: "Программа на этом этапе. Выберите инструкцию, чтобы найти её узел.",
    id: "id",
    instruction: "инструкция",
    select: (id, text) => `Найти узел инструкции %${id}, ${text}`,
    result: "результат",
    gradient: (name) => `градиент ${name}`,
    loop: (count, first, last) =>
      `${plural(count, { one: "# раз", few: "# раза", many: "# раз", other: "# раза" })}, %${first} … %${last}`,
    branches: (count) =>
      plural(count, {
        one: "# ветвление",
        few: "# ветвления",
        many: "# ветвлений",
        other: "# ветвления",
      }),
    branchesWhy:
      "Вычисляются обе стороны, и одна из них выбирается. Измените число: счётчики показывают, как часто выбиралась каждая сторона.",
    now: "сейчас",
    yes: (count) => `да ${count}`,
    no: (count) => `нет ${count}`,
    ifYes: "да →",
    ifNo: "нет →",
    cost: (value, both) =>
      `Программе нужно ${bytes(value)} для значения и ${bytes(both)} вместе со всеми градиентами.`,
    asking: "Компилируется …",
    inPage:
      "Python на этой странице работает без C, поэтому дальнейших этапов здесь нет. Установленный gradwalk lab показывает их все.",
    failed: "Это не удалось скомпилировать.",
    alone:
      "Компилятор работает в Python, а у этой страницы его нет. Запустите gradwalk lab и откройте адрес, который он выведет.",
    given: "В этом файле граф без выражения. Чтобы увидеть компиляцию, запустите gradwalk lab.",
  },

  title: (page, expression) => `${expression ? `${page}: ${expression}` : page} · gradwalk`,
  tools: "Инструменты",
  lettersOn: "Буквенные клавиши: включены",
  lettersOff: "Буквенные клавиши: выключены",
  lettersWhy:
    "Клавиши с одним символом, например g, можно отключить. Пробел, стрелки и Esc продолжат работать.",
  about: {
    title: "О программе",
    text: "gradwalk показывает, как вычисляется градиент: число за числом, в этом браузере. Это свободная программа под лицензией MIT.",
    uses: "Использованы Lit (BSD-3-Clause, © Google LLC) и CodeMirror (MIT, © Marijn Haverbeke и другие).",
    licences: "Тексты лицензий",
  },
  server: {
    gone: "Сервер не отвечает. Запустите gradwalk lab снова и откройте адрес, который он выведет.",
    broke:
      "Сервер остановился, не закончив. Запустите gradwalk lab снова и откройте адрес, который он выведет.",
    status: (status) => `Сервер ответил кодом ${status}.`,
    unloaded: "Python не загрузился. Обновите страницу, чтобы попробовать снова.",
    slow: (seconds) =>
      `Python на этой странице остановлен: он работал дольше ${seconds} с. Установленный на компьютере gradwalk во много раз быстрее.`,
    ended: "Python на этой странице остановлен. Спросите снова, и он запустится заново.",
    loading: "Python загружается. Всё остальное тем временем работает.",
  },

  helpRows: [
    [["Пробел"], "пуск или пауза"],
    [["→", "←"], "событие вперёд, событие назад"],
    [["Shift →", "Shift ←"], "следующая фаза, предыдущая фаза"],
    [["Home", "End"], "в начало, в конец"],
    [["/"], "к выражению"],
    [["f"], "вписать картинку"],
    [["+", "−"], "масштаб"],
    [["3"], "2D или 3D"],
    [["g"], "итоговые градиенты"],
    [["d"], "раскрыть составные операции"],
    [["p"], "сначала угадать"],
    [["Ctrl Z"], "отменить"],
    [["Tab, стрелки"], "в графе: вдоль рёбер"],
    [["Page Down", "Page Up"], "на карточке: её стрелки по одной"],
    [["Enter"], "на карточке: изменить лист или открыть числа"],
    [["?"], "этот список"],
    [["Esc"], "назад"],
  ],
  progress: "Ваш прогресс хранится только в этом браузере.",
  forget: "Стереть мой прогресс",
  forgotten: "Стёрто",
  helpTitle: "Клавиши",
  helpRead: "Как читать картинку",
  legend: {
    forward: "значения идут вперёд",
    backward: "градиенты возвращаются; чем больше, тем толще",
    pos: "▲ увеличивает выход",
    neg: "▼ уменьшает его",
    zero: "0 · не влияет",
    unfilled: "пока неизвестно",
    unnamed: "шаг без имени",
  },
  descend: {
    controls: "Спуск",
    run: "Спускаться",
    step: "Один шаг",
    reset: "К началу",
    rate: "Размер шага",
    start: (output, value) => `${output} = ${value}`,
    fell: (output, before, after, count) =>
      `${output}: ${before} → ${after} после ${ofSteps(count)}`,
    rule: "Каждый шаг сдвигает все обучаемые листья против градиента: значение −= размер шага × градиент.",
    strange: "Числа ушли в бесконечность. Вернитесь к началу и возьмите шаг поменьше.",
    still: "Больше ничего не движется: все градиенты почти 0. Это дно или ровное место.",
    up: "Выход только растёт: шаг слишком велик. Вернитесь к началу и возьмите шаг поменьше.",
    curve: (output) => `${output} по шагам`,
    noCurve: "Сделайте шаг: здесь будет график выхода.",
    curveSaid: (output, before, after, count) =>
      `${output} меняется с ${before} на ${after} за ${steps(count)}`,
    steps,
    surface: "Вид сверху",
    noSurface: "Пусть учатся два листа: здесь появится вид сверху: как выход зависит от обоих.",
    surfaceSaid: (first, second, low, high) =>
      `Как выход зависит от ${first} и ${second}, от ${low} до ${high}, и путь вниз`,
    axes: (first, x0, x1, second, y0, y1) =>
      `→ ${first} от ${x0} до ${x1}, ↑ ${second} от ${y0} до ${y1}; чем синее, тем выше`,
    leaves: "Листья",
    learns: "учится",
  },
  share: {
    title: "Поделиться",
    save: "Сохранить",
    html: "Один HTML-файл",
    svg: "Картинка SVG",
    png: "Картинка PNG",
    saveWhy:
      "HTML-файл — это лаборатория в том виде, в каком она перед вами. Он открывается где угодно, без сети.",
    link: "Ссылка",
    copy: "Скопировать",
    copyFailed: "Браузер не дал скопировать. Выделите текст и скопируйте его сами.",
    local:
      "Этот адрес работает только на вашем компьютере. Чтобы поделиться, выложите копию лаборатории в сеть (gradwalk site DIR) и впишите её адрес сюда:",
    home: "Адрес вашей копии",
    score: (tries, checks, right, all) =>
      `Отправить и мой результат: ${scoreText(tries, checks, right, all)}`,
    sent: (tries, checks, right, all) =>
      `Результат, присланный с этой ссылкой: ${scoreText(tries, checks, right, all)}`,
    embed: "Вставить в веб-страницу",
    saved: (name) => `Сохранено как ${name}`,
    failed: "Здесь это сохранить не удалось.",
  },
  welcome: {
    label: "Что это",
    text: "Лаборатория вычисляет формулу, а потом идёт по ней назад и находит градиент каждого входа: насколько он сдвигает результат.",
    close: "Закрыть эту подсказку",
    nudge: (name, by, output, moves) =>
      `Сдвиньте ${name} на ${by}, и ${output} сдвинется примерно на ${moves}.`,
    tryIt: "Попробовать",
    moved: (output, before, after, by) =>
      `${output} было ${before}, стало ${after}: сдвиг на ${by}.`,
    said: (product) => `Градиент обещал ${product}.`,
    bend: "Остальное — из-за кривизны.",
    back: "Вернуть как было",
  },
};

/** The words of the floor plan, in Russian. */

import type { Strings } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("ru");
const counted = (count: number | bigint, one: string, few: string, many: string): string =>
  plural(count, { one: `# ${one}`, few: `# ${few}`, many: `# ${many}`, other: `# ${few}` });

export const plan: Strings["plan"] = {
  title: "План",
  model: "Модель",
  models: {
    neuron: "один нейрон",
    mlp: "MLP",
    block: "блок трансформера",
    gpt: "microGPT целиком",
    run: "шаг вашего обучения",
  },
  document: "Читает",
  load: "Показать",
  loading: "Строим граф …",
  alone:
    "Эту модель строит Python. Запустите лабораторию командой gradwalk lab. Нейрон и MLP страница строит сама.",
  failed: "Граф показать не удалось.",
  view: "План. Стрелки ведут от карточки к карточке, Enter раскрывает блок, Escape выходит из него, плюс и минус меняют масштаб.",
  nodes: (count) => counted(count, "узел", "узла", "узлов"),
  count: "узлов",
  whole: "Вся модель",
  where: "Вы здесь",
  inside: (name) => (name ? `Внутри ${name}.` : "Вся модель."),
  box: (name, count) =>
    `${name}, блок: ${counted(count, "узел", "узла", "узлов")}. Enter раскрывает его.`,
  node: (name, value, grad) => `${name}: значение ${value}, градиент ${grad}. Enter выбирает узел.`,
  port: {
    input: (name) => `Читает из ${name}.`,
    output: (name) => (name ? `Отсюда читает ${name}.` : "Выход."),
  },
  rooms: "Внутри",
  roomsEmpty: "Загрузка …",
  largest: "наибольший градиент",
  picked: "Узел",
  pickHint: "Щёлкните по узлу или найдите его, чтобы увидеть его числа и пути его градиента.",
  op: "операция",
  made: "создан в",
  line: "строка кода",
  value: "значение",
  grad: "градиент",
  inputs: "Входы",
  consumers: "Потребители",
  more: (count) => `и ещё ${count}`,
  follow: "Проследить градиент",
  paths: (count, name, root) =>
    plural(count, {
      one: `От ${root} к ${name} ведёт # путь. Самый большой вклад:`,
      few: `От ${root} к ${name} ведут # пути. Самые большие вклады:`,
      many: `От ${root} к ${name} ведёт # путей. Самые большие вклады:`,
      other: `От ${root} к ${name} ведут # пути. Самые большие вклады:`,
    }),
  path: (place, product, steps) =>
    `Путь ${place}: вклад ${product}, ${counted(steps, "шаг", "шага", "шагов")}`,
  rest: (rest, total) => `Все остальные: ${rest}. Сумма всех — градиент, ${total}.`,
  all: (total) => `Их сумма — градиент, ${total}.`,
  noPath: "Туда не ведёт ни один путь: это константа.",
  clear: "Больше не следить",
  shares: "Где проходит путь, от потерь к узлу:",
  walk: {
    start: "Пройти по событиям",
    legend:
      "Зелёный: градиент положительный. Розовый, с чёрточкой или ▼: отрицательный. Серый: ноль или пока неизвестно. Чем ярче, тем больше.",
    leave: "Закончить обход",
    until: (name) => `К событию, после которого ${name}.grad готов`,
  },
  legend:
    "Зелёный: градиент положительный. Розовый, с чёрточкой или ▼: отрицательный. Серый: ноль. Чем ярче, тем больше.",
  size: (nodes, edges) => `узлов: ${nodes}, рёбер: ${edges}`,
};

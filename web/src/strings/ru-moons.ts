/** The words of the page on which an MLP learns two moons, in Russian. */

import type { Strings } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("ru");
const counted = (count: number, one: string, few: string, many: string): string =>
  plural(count, { one: `# ${one}`, few: `# ${few}`, many: `# ${many}`, other: `# ${few}` });

export const moons: Strings["moons"] = {
  play: "Обучать",
  pause: "Пауза",
  step: "Один шаг",
  reset: "Начать заново",
  rate: "Размер шага",
  optimiser: "Оптимизатор",
  optimisers: { sgd: "SGD", adam: "Adam" },
  now: (steps, loss, accuracy) =>
    `${counted(steps, "шаг", "шага", "шагов")}: потери ${loss}, ${accuracy} точек на своей стороне.`,
  strange: "Числа ушли в бесконечность: начните сначала с меньшим размером шага.",
  surface: "Ответ модели в каждой точке плоскости",
  surfaceSaid: (count, accuracy) =>
    `Плоскость, окрашенная по ответу модели: синий — выше 0, фиолетовый — ниже, между ними граница. ${counted(count, "точка", "точки", "точек")}, ${accuracy} на своей стороне.`,
  hint: "Щелчок по плоскости добавляет точку. Щелчок по точке показывает её граф.",
  adds: "Щелчок добавляет",
  kinds: { "1": "▲ +1", "-1": "▼ −1" },
  x: "x",
  y: "y",
  add: "Добавить точку",
  clear: "Убрать все точки",
  fresh: "Две луны",
  csv: "Точки в CSV",
  csvHint: "По точке на строку: x, y, класс. Класс больше 0 — ▲, иначе ▼. До 200 точек.",
  csvUse: "Взять эти точки",
  csvBad: (count) => `Пропущено: ${counted(count, "строка", "строки", "строк")}.`,
  few: "Нужны хотя бы две точки разных классов.",
  loss: "Потери по шагам",
  noLoss: "Сделайте шаг: здесь появятся потери.",
  graph: (x, y, kind) => `Граф точки (${x}, ${y}), ${kind}`,
  table: "Параметры",
  parameter: "параметр",
  value: "значение",
  grad: "градиент",
  update: "следующий шаг прибавит",
  select: (name) => `Показать ${name} в графе`,
};

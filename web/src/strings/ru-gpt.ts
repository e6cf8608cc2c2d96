/** The words of the page with a GPT in training, in Russian. */

import type { Strings } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("ru");
const counted = (count: number, one: string, few: string, many: string): string =>
  plural(count, { one: `# ${one}`, few: `# ${few}`, many: `# ${many}`, other: `# ${few}` });

export const gpt: Strings["gpt"] = {
  alone: "Модель обучает Python. Запустите лабораторию командой gradwalk lab.",
  inPage:
    "Python работает на этой странице без C, то есть медленно: следить лучше за крошечной моделью. Установленный gradwalk lab в сотни раз быстрее.",
  start: "Обучать",
  pause: "Пауза",
  resume: "Продолжить",
  stop: "Стоп",
  steps: "Шагов",
  size: "Размер",
  sizes: { tiny: "крошечный", reference: "как у microGPT", deep: "два слоя" },
  seed: "Зерно",
  pace: "Скорость",
  paces: { "20": "20 шагов в секунду", "100": "100 шагов в секунду", "0": "без ограничения" },
  text: "Свой текст",
  textHint: "По документу на строку: имена, слова, короткие фразы. Пусто: 2400 имён.",
  status: {
    starting: "Запуск …",
    running: "Обучение",
    paused: "Пауза",
    done: "Готово",
    stopped: "Остановлено",
    failed: "Обучение не удалось.",
  },
  now: (status, step, all, loss) => `${status}: шаг ${step} из ${all}, потери ${loss}`,
  model: (parameters, documents) =>
    `${counted(parameters, "параметр", "параметра", "параметров")}, ${counted(documents, "документ", "документа", "документов")}`,
  idle: "Нажмите «Обучать». Модель начинает со случайных чисел и учится придумывать имена.",
  loss: "Потери по шагам",
  mean: (count) => `тонкая линия: среднее по ${count} точкам`,
  lossSaid: (name, first, last, step) =>
    `${name}: потери с ${first} до ${last}, ${counted(step, "шаг", "шага", "шагов")}`,
  noLoss: "Здесь появится кривая, пока модель учится.",
  step: "Шаг",
  open: (step) => `Открыть граф шага ${step}`,
  opening: "Ещё раз обучаем до этого шага …",
  opened: (step) => `Шаг ${step}: граф его потерь`,
  back: "К обучению",
  samples: "Что она придумывает",
  noSamples: "Здесь появятся примеры: от шума к именам.",
  at: (step) => `шаг ${step}`,
  attention: "Куда смотрит каждый токен",
  attentionSaid: (layer, head, document) =>
    `Внимание, слой ${layer}, голова ${head}, читается ${document}. Строка — токен, который смотрит, столбец — токен, на который он смотрит.`,
  head: (layer, head) => `слой ${layer}, голова ${head}`,
  noAttention: "Здесь появятся карты внимания.",
  parts: "Норма градиента каждой части",
  noParts: "Цвет каждой матрицы модели показывает норму её градиента.",
  part: (name, shape, norm) => `${name}, ${shape}: норма градиента ${norm}`,
  histograms: "Параметры и градиенты",
  noHistograms: "Здесь появятся гистограммы.",
  parameterBins: (low, high) => `Параметры, от ${low} до ${high}`,
  gradientBins: (zeros) =>
    `Величины градиентов по степеням десяти${zeros ? `; равны 0: ${zeros}` : ""}`,
  break: "Сломать",
  breakWhy: "Уберите одну часть, обучите с тем же зерном и сравните кривые.",
  breakStart: "Обучать сломанную",
  unbroken: "без поломки",
  breaks: {
    "no-residual": "без остаточной связи: каждый слой заменяет x",
    "no-rmsnorm": "без rmsnorm: длина векторов не нормируется",
    "no-position": "без позиций: модель не знает, где какой токен",
    "no-attention": "без внимания: токен видит только себя",
    "no-relu": "без relu: две матрицы подряд",
    "overwrite-grads": "= вместо +=",
    "no-zero-grad": "градиенты не обнуляются",
    "no-decay": "размер шага не убывает",
  },
  watched: (status, title, step, loss) => `${title}. ${status}: шаг ${step}, потери ${loss}.`,
  openNext: "Открыть граф следующего шага",
  script: "ваша программа",
  anomaly: {
    title: (step) => `Первое неконечное число, шаг ${step}`,
    line: "Получено в строке",
    noLine: "Запустите gradwalk watch --lines, чтобы увидеть строку кода.",
    operands: "Входы:",
    path: "Его путь к потерям:",
    open: "Открыть граф",
  },
  runs: "Запуски",
  run: "запуск",
  final: "потери",
  clear: "Убрать завершённые",
};

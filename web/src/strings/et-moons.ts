/** The words of the page on which an MLP learns two moons, in Estonian. */

import type { Strings } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("et");

export const moons: Strings["moons"] = {
  play: "Treeni",
  pause: "Paus",
  step: "Üks samm",
  reset: "Alusta uuesti",
  rate: "Sammu suurus",
  optimiser: "Optimeerija",
  optimisers: { sgd: "SGD", adam: "Adam" },
  now: (steps, loss, accuracy) =>
    `${plural(steps, { one: "# samm", other: "# sammu" })}: kadu ${loss}, ${accuracy} punktidest on oma poolel.`,
  strange: "Arvud läksid lõpmatusse: alusta uuesti väiksema sammuga.",
  surface: "Mudeli vastus tasandi igas punktis",
  surfaceSaid: (count, accuracy) =>
    `Tasand, värvitud mudeli vastuse järgi: sinine üle 0, violetne alla selle, nende vahel on piir. ${plural(count, { one: "# punkt", other: "# punkti" })}, ${accuracy} oma poolel.`,
  hint: "Klõps tasandil lisab punkti. Klõps punktil näitab selle graafi.",
  adds: "Klõps lisab",
  kinds: { "1": "▲ +1", "-1": "▼ −1" },
  x: "x",
  y: "y",
  add: "Lisa see punkt",
  clear: "Eemalda kõik punktid",
  fresh: "Kaks kuud",
  csv: "Punktid CSV-na",
  csvHint:
    "Üks punkt rea kohta: x, y, klass. Kui klass on üle 0, siis ▲, muidu ▼. Kuni 200 punkti.",
  csvUse: "Kasuta neid punkte",
  csvBad: (count) => plural(count, { one: "# rida jäi välja.", other: "# rida jäi välja." }),
  few: "Vaja on vähemalt kaht punkti, kummastki klassist üht.",
  loss: "Kadu sammude kaupa",
  noLoss: "Tee samm: kadu joonistub siia.",
  graph: (x, y, kind) => `Punkti (${x}, ${y}) graaf, ${kind}`,
  table: "Parameetrid",
  parameter: "parameeter",
  value: "väärtus",
  grad: "gradient",
  update: "järgmine samm lisab",
  select: (name) => `Näita graafis: ${name}`,
};

/** The words of the page on which an MLP learns two moons, in Estonian. */

import type { Strings } from "./en.ts";
import type { Translated } from "./words.ts";

export const moons: Translated<Strings["moons"]> = {
  play: "Treeni",
  pause: "Paus",
  step: "Üks samm",
  reset: "Alusta uuesti",
  rate: "Sammu suurus",
  optimiser: "Optimeerija",
  optimisers: { sgd: "SGD", adam: "Adam" },
  now: "{0|# samm|# sammu}: kadu {1}, {2} punktidest on oma poolel.",
  strange: "Arvud läksid lõpmatusse: alusta uuesti väiksema sammuga.",
  net: "Mida iga neuron igast kohast ütleb",
  hint: "Iga ring on neuron: klõps näitab selle kaale. Klõps väljundil lisab punkti, klõps punktil näitab selle graafi.",
  inputs: "Sisendid",
  layer: "{0}. kiht",
  output: "Väljund",
  neuron: "{0}. kiht, {1}. neuron",
  positive: "positiivne kaal",
  negative: "negatiivne, kriipsjoon",
  wider: "laiem on suurem",
  sets: { moons: "Kaks kuud", rings: "Rõngad", corners: "Nurgad" },
  points: "Punktid",
  surfaceSaid:
    "Tasand, värvitud mudeli vastuse järgi: sinine üle 0, oranž alla selle, hele joon nende vahel on piir. {0|# punkt|# punkti}, {1} oma poolel.",
  adds: "Klõps lisab",
  kinds: { "1": "▲ +1", "-1": "▼ −1" },
  x: "x",
  y: "y",
  add: "Lisa see punkt",
  csv: "Punktid CSV-na",
  csvHint:
    "Üks punkt rea kohta: x, y, klass. Kui klass on üle 0, siis ▲, muidu ▼. Kuni 200 punkti.",
  csvUse: "Kasuta neid punkte",
  csvBad: "{0|# rida jäi välja.|# rida jäi välja.}",
  few: "Vaja on vähemalt kaht punkti, kummastki klassist üht.",
  loss: "Kadu sammude kaupa",
  noLoss: "Tee samm: kadu joonistub siia.",
  graph: "Punkti ({0}, {1}) graaf, {2}",
  value: "väärtus",
  grad: "gradient",
  update: "järgmine samm lisab",
  select: "Näita graafis: {0}",
};

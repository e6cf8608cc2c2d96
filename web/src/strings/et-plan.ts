/** The words of the floor plan, in Estonian. */

import type { Strings } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("et");

export const plan: Strings["plan"] = {
  title: "Plaan",
  model: "Mudel",
  models: {
    neuron: "üks neuron",
    mlp: "MLP",
    block: "transformeri plokk",
    gpt: "terve microGPT",
    run: "sinu treeningu samm",
  },
  document: "Loeb",
  load: "Näita",
  loading: "Graafi koostatakse …",
  alone:
    "Selle mudeli koostab Python. Käivita labor käsuga gradwalk lab. Neuroni ja MLP koostab leht ise.",
  failed: "Graafi ei saa näidata.",
  view: "Plaan. Nooleklahvid viivad kaardilt kaardile, Enter avab kasti, Escape väljub sellest, pluss ja miinus muudavad suurendust.",
  nodes: (count) => plural(count, { one: "# tipp", other: "# tippu" }),
  count: "tippe",
  whole: "Kogu mudel",
  where: "Oled siin",
  inside: (name) => (name ? `Kasti ${name} sees.` : "Kogu mudel."),
  box: (name, count) =>
    `${name}, kast: ${plural(count, { one: "# tipp", other: "# tippu" })}. Enter avab selle.`,
  node: (name, value, grad) => `${name}: väärtus ${value}, gradient ${grad}. Enter valib tipu.`,
  port: {
    input: (name) => `Loeb kastist ${name}.`,
    output: (name) => (name ? `Seda loeb ${name}.` : "Väljund."),
  },
  rooms: "Siin sees",
  roomsEmpty: "Laadimine …",
  largest: "suurim gradient",
  picked: "Tipp",
  pickHint: "Klõpsa tipul või leia see, et näha selle arve ja gradiendi teid.",
  op: "tehe",
  made: "loodud kastis",
  line: "koodirida",
  value: "väärtus",
  grad: "gradient",
  inputs: "Sisendid",
  consumers: "Tarbijad",
  more: (count) => `ja veel ${count}`,
  follow: "Jälgi gradienti",
  paths: (count, name, root) =>
    plural(count, {
      one: `Väljundist ${root} tippu ${name} viib # tee. Suurim panus:`,
      other: `Väljundist ${root} tippu ${name} viib # teed. Suurimad panused:`,
    }),
  path: (place, product, steps) =>
    `${place}. tee: panus ${product}, ${plural(steps, { one: "# samm", other: "# sammu" })}`,
  rest: (rest, total) => `Kõik teised: ${rest}. Kõigi summa on gradient, ${total}.`,
  all: (total) => `Nende summa on gradient, ${total}.`,
  noPath: "Sinna ei vii ükski tee: see on konstant.",
  clear: "Lõpeta jälgimine",
  shares: "Kust tee läbi läheb, kaost tipuni:",
  walk: {
    start: "Läbi graaf sündmushaaval",
    legend:
      "Roheline: positiivne gradient. Roosa, kriipsu või ▼-ga: negatiivne. Hall: null või veel teadmata. Mida erksam, seda suurem.",
    leave: "Lõpeta läbimine",
    until: (name) => `Sinna, kus ${name}.grad on valmis`,
  },
  legend:
    "Roheline: positiivne gradient. Roosa, kriipsu või ▼-ga: negatiivne. Hall: null. Mida erksam, seda suurem.",
  size: (nodes, edges) => `${nodes} tippu, ${edges} kaart`,
};

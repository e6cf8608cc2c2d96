/** The words of the floor plan, in Estonian. */

import type { Strings } from "./en.ts";
import type { Translated } from "./words.ts";

export const plan: Translated<Strings["plan"]> = {
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
  count: "tippe",
  whole: "Kogu mudel",
  where: "Oled siin",
  inside: "Kasti {0} sees.",
  box: "{0}, kast: {1|# tipp|# tippu}. Enter avab selle.",
  node: "{0}: väärtus {1}, gradient {2}. Enter valib tipu.",
  port: {
    input: "Loeb kastist {0}.",
    output: "Seda loeb {0}.",
    end: "Väljund.",
  },
  rooms: "Siin sees",
  roomsEmpty: "Laadimine …",
  largest: "suurim gradient",
  picked: "Tipp",
  pickHint: "Klõpsa tipul või leia see, et näha selle arve ja gradiendi teid.",
  op: "tehe",
  made: "loodud kastis",
  line: "koodirida",
  inputs: "Sisendid",
  consumers: "Tarbijad",
  more: "ja veel {0}",
  follow: "Jälgi gradienti",
  paths:
    "{0|Väljundist {2} tippu {1} viib # tee. Suurim panus:|Väljundist {2} tippu {1} viib # teed. Suurimad panused:}",
  path: "{0}. tee: panus {1}, {2|# samm|# sammu}",
  rest: "Kõik teised: {0}. Kõigi summa on gradient, {1}.",
  all: "Nende summa on gradient, {0}.",
  noPath: "Sinna ei vii ükski tee: see on konstant.",
  clear: "Lõpeta jälgimine",
  shares: "Kust tee läbi läheb, kaost tipuni:",
  walk: {
    start: "Läbi graaf sündmushaaval",
    legend:
      "Roheline: positiivne gradient. Roosa, kriipsu või ▼-ga: negatiivne. Hall: null või veel teadmata. Mida erksam, seda suurem.",
    leave: "Lõpeta läbimine",
    until: "Sinna, kus {0}.grad on valmis",
  },
  size: "{0} tippu, {1} kaart",
};

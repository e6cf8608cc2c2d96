/** The words of the page with a GPT in training, in Estonian. */

import type { Strings } from "./en.ts";
import { pluralIn } from "./plural.ts";

const plural = pluralIn("et");

export const gpt: Strings["gpt"] = {
  alone: "Mudelit treenib Python. Käivita labor käsuga gradwalk lab.",
  start: "Treeni",
  pause: "Paus",
  resume: "Jätka",
  stop: "Lõpeta",
  steps: "Samme",
  size: "Suurus",
  sizes: { tiny: "väike", reference: "nagu microGPT", deep: "kaks kihti" },
  seed: "Seeme",
  pace: "Kiirus",
  paces: { "20": "20 sammu sekundis", "100": "100 sammu sekundis", "0": "nii kiiresti kui saab" },
  text: "Oma tekst",
  textHint: "Üks dokument rea kohta: nimed, sõnad, lühikesed laused. Tühi: 2400 eesnime.",
  status: {
    starting: "Käivitamine …",
    running: "Treening",
    paused: "Pausil",
    done: "Valmis",
    stopped: "Peatatud",
    failed: "Treening ebaõnnestus.",
  },
  now: (status, step, all, loss) => `${status}: samm ${step} / ${all}, kadu ${loss}`,
  model: (parameters, documents) =>
    `${plural(parameters, { one: "# parameeter", other: "# parameetrit" })}, ${plural(documents, { one: "# dokument", other: "# dokumenti" })}`,
  idle: "Vajuta „Treeni“. Mudel alustab juhuarvudest ja õpib nimesid välja mõtlema.",
  loss: "Kadu sammude kaupa",
  lossSaid: (name, first, last, step) =>
    `${name}: kadu ${first} kuni ${last}, ${plural(step, { one: "# samm", other: "# sammu" })}`,
  guessing: (loss) => `juhuslikult: ${loss}`,
  noLoss: "Siia joonistub kõver, kui mudel õpib.",
  step: "Samm",
  open: (step) => `Ava sammu ${step} graaf`,
  opening: "Treenime uuesti selle sammuni …",
  opened: (step) => `Samm ${step}: selle kao graaf`,
  back: "Tagasi treeningu juurde",
  samples: "Mida ta välja mõtleb",
  noSamples: "Siia ilmuvad näited: mürast nimedeni.",
  at: (step) => `samm ${step}`,
  attention: "Kuhu iga token vaatab",
  attentionSaid: (layer, head, document) =>
    `Tähelepanu, kiht ${layer}, pea ${head}, loetakse ${document}. Rida on token, mis vaatab, veerg on token, mida vaadatakse.`,
  head: (layer, head) => `kiht ${layer}, pea ${head}`,
  noAttention: "Siia ilmuvad tähelepanu kaardid.",
  parts: "Iga osa gradiendi norm",
  noParts: "Mudeli iga maatriksi värv on selle gradiendi norm.",
  part: (name, shape, norm) => `${name}, ${shape}: gradiendi norm ${norm}`,
  histograms: "Parameetrid ja gradiendid",
  noHistograms: "Siia ilmuvad histogrammid.",
  parameterBins: (low, high) => `Parameetrid, ${low} kuni ${high}`,
  gradientBins: (zeros) =>
    `Gradientide suurused kümne astmete kaupa${zeros ? `; nulle: ${zeros}` : ""}`,
  break: "Lõhu see",
  breakWhy: "Võta üks osa välja, treeni sama seemnega ja võrdle kõveraid.",
  breakStart: "Treeni lõhutuna",
  sound: "terve",
  breaks: {
    "no-residual": "ilma jäägita: iga kiht asendab x-i",
    "no-rmsnorm": "ilma rmsnormita: vektorid jäävad oma suurusega",
    "no-position": "ilma asukohata: mudel ei tea, kus tokenid asuvad",
    "no-attention": "ilma tähelepanuta: token näeb ainult ennast",
    "no-relu": "ilma reluta: kaks maatriksit järjest",
    "overwrite-grads": "= märgi += asemel",
    "no-zero-grad": "gradiente ei nullita",
    "no-decay": "sammu suurus ei kahane",
  },
  runs: "Treeningud",
  run: "treening",
  final: "kadu",
  clear: "Eemalda lõpetatud",
};

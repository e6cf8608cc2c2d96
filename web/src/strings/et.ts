/** Every word of the lab, in Estonian. The terms are those of docs/terms.md. */

import { en, type Strings } from "./en.ts";
import { gpt } from "./et-gpt.ts";
import { messages } from "./et-messages.ts";
import { moons } from "./et-moons.ts";
import { plan } from "./et-plan.ts";
import { RULES } from "./et-rules.ts";
import { pluralIn } from "./plural.ts";

const LANG = "et";
const plural = pluralIn(LANG);
const number = (x: number): string => x.toLocaleString(LANG);

/** A word in the two forms that Estonian has for a count: 1 tipp, 2 tippu. */
const counted = (count: number | bigint, one: string, other: string): string =>
  plural(count, { one: `# ${one}`, other: `# ${other}` });

const nodes = (count: number): string => counted(count, "tipp", "tippu");
const steps = (count: number): string => counted(count, "samm", "sammu");
const bytes = (count: number): string => counted(count, "bait", "baiti");

export const et: Strings = {
  lang: LANG,
  messages,
  plan,
  gpt,
  moons,
  rule: (op, reason) =>
    RULES[op] ??
    reason ??
    (op ? `tehtel ${op} on oma lokaalne tuletis` : "sellel tipul on oma lokaalne tuletis"),
  product: "gradwalk",
  doors: { play: "Katseta", learn: "Õpi", puzzles: "Ülesanded", models: "Mudelid" },
  pages: {
    sandbox: "Impulss",
    learn: "Õppetunnid",
    walk: "Tabelid",
    order: "Järjekord",
    bugs: "Vead",
    descend: "Laskumine",
    checks: "Kontroll",
    traces: "Tabelid käsitsi",
    write: "Kirjuta ise",
    program: "Kompileeritud",
    plan: "Plaan",
    gpt: "GPT treening",
    moons: "Kuud",
  },
  titles: {
    sandbox: "Impulss: kirjuta avaldis ja vaata, kuidas gradiendid voolavad",
    learn: "Õppetunnid: avaldisest a + b GPT-ni, väikeste sammudega",
    walk: "Tabelid: sorteerimine pinuga, siis tagasilevi, üks klõps, üks sündmus",
    order: "Järjekorraülesanne: millist tippu tuleb enne külastada?",
    bugs: "Vigade labor: vale õige kõrval",
    descend: "Laskumine: samm vastu gradienti ja väljund väheneb",
    checks: "Kontroll: arvuta ise ja siis võrdle",
    traces: "Täida mõlemad tabelid käsitsi",
    write: "Kirjuta ise ja lase hinnata",
    program: "Kompileeritud: milleks avaldis saab",
    plan: "Plaan: mudel kastidena, mille sees on selle graaf",
    gpt: "GPT: vaata, kuidas mudel õpib, ja lõhu see",
    moons: "Kuud: võrk õpib punkte eristama",
  },
  tool: { undo: "Tagasi", redo: "Uuesti", theme: "Teema", help: "Abi" },
  now: "Praegu",
  skip: "Otse graafi juurde",
  navigation: "Lehed",
  theme: { auto: "Teema: nagu süsteemis", light: "Teema: hele", dark: "Teema: tume" },
  language: "Keel",
  help: "Klahvid ja abi",
  copyPython: "Kopeeri Pythoni kood",
  copied: "Kopeeritud",
  undo: "Võta tagasi",
  redo: "Tee uuesti",
  close: "Sulge",
  missing: "Seda lehe osa ei õnnestunud laadida.",
  again: "Laadi uuesti",

  expression: "Avaldis",
  expressionHint:
    "Sobivad + − * / **, relu, exp, log, tanh …  Osale saab nime anda: d = a*b; d + a",
  lastGood: "Graaf näitab viimast korrektset avaldist.",
  presets: "Näited",
  presetOwn: "sinu oma",
  presetNames: {
    x1: "(a + b) · c",
    x2: "üks neuron",
    x3: "a · a",
    x4: "a + a",
    x5: "kaks ühist sisendit",
    x6: "romb",
    x7: "pikk tee, lühike tee",
    x8: "suletud relu",
    x9: "surnud neuron",
    learn: "neuron õpib",
    bowl: "kauss",
    x9s: "sigmoid osadest",
  },
  strict: "Ranged astmed",
  variables: "Väärtused",
  slider: (name) => `${name}, liugur`,
  box: (name) => `${name}, väärtus`,
  notNumber: "Kirjuta arv, näiteks 3, −0.5 või 1/3",

  grad: "grad",
  notYet: "veel teadmata",
  tags: { const: "konst", derived: "liittehe" },
  cardConst: (value) => `konstant ${value}`,
  cardLabel: (name, value, grad, equation) =>
    `${name}: ${equation ? `${equation}, ` : ""}väärtus ${value}, gradient ${grad}`,
  edgePlain: (source, target) => `kaar tipust ${source} tippu ${target}`,
  edgeAsked: (source, target) =>
    `kaar tipust ${source} tippu ${target}, küsitakse lokaalset tuletist`,
  edgeLabel: (source, target, local) =>
    `kaar tipust ${source} tippu ${target}, lokaalne tuletis ${local}`,
  graphLabel: (count) => `Arvutusgraaf: ${nodes(count)}`,
  pillLost: (amount) => `✗ ${amount} läks kaduma`,
  pillLocal: (is) => `lok. ${is}`,
  pillMany: (arrived, count) => `${arrived}/${counted(count, "nool", "noolt")}`,

  group: {
    sign: en.group.sign,
    title: {
      scope: (name, _count) => name,
      sum: (_name, count) => counted(count + 1, "liidetav", "liidetavat"),
      product: (_name, count) => counted(count + 1, "tegur", "tegurit"),
      run: (_name, count) => steps(count),
      repeat: (name, _count) => name || "lehed",
      unit: (name, _count) => name,
      block: (_name, count) => nodes(count),
    },
    few: (count) => number(count + 1),
    label: (title, count, value, grad) =>
      `${title}: rühm, ${nodes(count)}, väärtus ${value}, gradient ${grad}. Enter avab selle.`,
    range: (low, high) => `${low} … ${high}`,
    open: "ava",
    close: (title) => `Sulge ${title}`,
    closeAll: "Sulge kõik kastid",
  },
  find: {
    label: "Otsi tippu",
    found: (place, count) => `${place}/${count}`,
    none: "ei leidu",
  },
  map: "Ülevaade. Klõpsa, et sinna minna.",

  phases: { forward: "Edasi", sort: "Sorteerimine", backward: "Tagasi" },
  phaseSwitch: "Faas",
  play: "Käivita",
  pause: "Paus",
  step: "Samm",
  stepBack: "Samm tagasi",
  toStart: "Algusesse",
  toEnd: "Lõppu",
  time: "Aeg",
  speed: "Kiirus",
  speeds: (speed) => `${number(speed)}×`,

  final: "Lõplikud gradiendid",
  unfold: "Ava liittehted",
  predict: "Kõigepealt ennusta",
  view2d: "2D",
  view3d: "3D",
  viewSwitch: "Vaade",
  fit: "Mahuta",
  zoomIn: "Suurenda",
  zoomOut: "Vähenda",
  flat3d: {
    many: (count, most) =>
      `3D näitab kuni ${most} kaarti, siin on neid ${count}. Sulge mõni kast või mine 2D-vaatesse.`,
    narrow: "3D vajab laiemat ala: pööra telefoni või tee aken laiemaks. See on pilt 2D-s.",
    webgl: "See veebilehitseja ei paku WebGL 2, mida 3D vajab. See on pilt 2D-s.",
  },
  turn3d: "Pööra pilti: nooleklahvid või lohistamine",
  hint3d: "Mida kõrgemal kaart, seda suurem gradient. Lohista, et pöörata.",

  narration: {
    rule: (rule) => `Reegel: ${rule}.`,
    idle: "Vajuta „Käivita“ või astu klahviga →",
    idleWhy: "Kõigepealt liiguvad väärtused edasi, siis tulevad gradiendid tagasi.",
    compute: (name, equation) => `${name} arvutab ${equation}`,
    computeWhy: (count) =>
      count === 1
        ? "Sisend on teada, seega saab väärtuse arvutada."
        : "Kõik sisendid on teada, seega saab väärtuse arvutada.",
    gradOf: (name) => `${name}.grad`,
    seed: (output) => `${output}.grad = 1`,
    seedWhy: (output) =>
      `Tagasilevi algab väljundist: kui ${output} nihkub 1 võrra, siis nihkub ${output} 1 võrra.`,
    push: (from, to, product) => `${from} → ${to}   ${product}`,
    sum: (to, sum) => `${to}.grad: ${sum}. += liidab sellele, mis seal juba oli.`,
    set: (to, before, is) => `${to}.grad ${is} ja ${before} on kadunud`,
    skip: (name) => `${name}: gradient on 0`,
    skipWhy: "0 korda ükskõik mis on 0: edasi anda pole midagi, läbimine jätab selle vahele.",
    leaf: (name, grad) => `${name} on leht: tema gradient ${grad} on lõplik`,
    leafWhy: "Tal pole sisendeid, kellele midagi edasi anda.",
    lost: (from, to, amount) => `${from} → ${to}   ${amount} läheb kaduma`,
    lostWhy: (to, from) =>
      `Tippu ${to} külastati enne tippu ${from}, aga külastatud tipp enam midagi vastu ei võta.`,
    sortPop: (name, index) => `pinust (${name}, ${index})`,
    sortPush: (name) => `lisa pinusse ${name}: uus`,
    sortVisited: (name) => `${name} juba külastatud: edasi`,
    sortDone: (name) => `sisendid paigas: ${name} paika`,
    sortLeaf: (name) => `sisendeid pole: ${name} paika`,
  },

  said: {
    idle: "Valmis. Käivita või astu samm.",
    operation: (op, numbers) => {
      const between = {
        "+": "pluss",
        "-": "miinus",
        "*": "korda",
        "/": "jagatud",
        "**": "astmes",
      }[op];
      if (between && numbers.length === 2) return `${numbers[0]} ${between} ${numbers[1]}`;
      if (op === "neg") return `miinus ${numbers[0]}`;
      return `${op} arvust ${numbers.join(", ")}`;
    },
    about: (x) => `umbes ${x}`,
    compute: (name, operation, value) => `${name}: ${operation}, tulemus on ${value}.`,
    seed: (name) => `Algab tagasilevi. Väljundi ${name} gradient on 1.`,
    push: (from, to, incoming, local, contribution) =>
      `${from} annab tipule ${to} edasi ${incoming} korda ${local}, see on ${contribution}.`,
    first: (to, after) => `Tipu ${to} gradient on praegu ${after}.`,
    sum: (to, before, after) => `Tipu ${to} gradient oli ${before}, nüüd on see ${after}.`,
    set: (to, before, after) => `Tipu ${to} gradient oli ${before}, selle asemel on nüüd ${after}.`,
    skip: (name) => `Tipu ${name} gradient on 0.`,
    leaf: (name, grad) => `${name} on leht. Tema gradient on ${grad}.`,
    lost: (from, to, amount) =>
      `${from} annaks tipule ${to} edasi ${amount}, aga see on juba külastatud. Panus läheb kaduma.`,
    sortPush: (name, input) =>
      `Sorteerimine on tipus ${name}. Tema sisend ${input} on uus ja läheb pinusse.`,
    sortVisited: (name, input) =>
      `Sorteerimine on tipus ${name}. Tema sisendit ${input} on juba nähtud.`,
    sortDone: (name) => `Tipu ${name} kõik sisendid on paigas, seega pannakse paika ${name}.`,
    sortLeaf: (name) => `Tipul ${name} pole sisendeid, seega pannakse ta paika.`,
    edge: (source, target, local) =>
      `Nool tipust ${source} tippu ${target}. Selle lokaalne tuletis on ${local}.`,
  },
  strangeOutput: (output, value) =>
    `${output} on ${value}, see pole lõplik arv: nihutada pole midagi.`,
  strange: {
    nan: "nan tähendab „pole arv“: siin pole väärtust, nagu log(−1) või inf − inf korral. Kõik, mis sellest arvutatakse, on samuti nan.",
    inf: "inf tähendab, et arv on double’i jaoks liiga suur (üle 1.8e308) või et jagati nulliga.",
  },

  events: {
    title: "Sündmused",
    caption: "Läbimise kõik sündmused järjekorras. Vali üks, et sinna minna.",
    number: "nr",
    what: "sündmus",
    how: "arvutus",
    result: "tulemus",
    folded: (count, result) => `1–${count}, edasi: ${result}`,
    goto: (index, what) => `Mine sündmuse ${index} juurde: ${what}`,
  },
  equation: {
    title: "Ahelreegel",
    idle: "Iga tagasi minev nool korrutab saabuva lokaalse tuletisega.",
    stepOn: "Astu edasi, siis näed seda siin.",
    sorting:
      "Tuletisi veel pole. Sorteerimine otsib järjekorda, kus iga tipp on pärast oma sisendeid; tagasilevi käib selle lõpust algusse.",
    keeps: "Tagasitee jaoks jätab ta meelde lokaalsed tuletised, ühe iga noole kohta:",
    local: (arrow) => (arrow ? `lokaalne, nool ${arrow}` : "lokaalne"),
    path: (place, count, complete) => `tee ${place}/${count}${complete ? ": summa on valmis" : ""}`,
    contribution: (place, count, complete) =>
      `panus ${place}/${count}${complete ? ": summa on valmis" : ""}`,
  },
  code: { title: "Mootor rida-realt", caption: "Rida, mida praegu täidetakse" },
  numbers: {
    title: "Arvud",
    caption: "Kõik tipud: väärtus ja gradient",
    node: "tipp",
    value: "väärtus",
    grad: "gradient",
    select: (name) => `Vali ${name}`,
  },
  proof: {
    title: "Kontrolli Pythoniga",
    button: "Kontrolli Pythoniga",
    how: "Python nihutab iga muutujat veidi üles ja veidi alla, mõõdab, kuidas tulemus nihkub, ja võrdleb.",
    begins: "Küsin Pythonilt …",
    progress: "Kontrollitud muutujaid",
    checked: (done, total) => `${done}/${counted(total, "muutuja", "muutujat")}`,
    agree: "Iga gradient langeb kokku kaldega, mille Python mõõtis.",
    differ: "Gradient ja mõõdetud kalle ei lange kokku.",
    failed: "Python ei saanud seda kontrollida.",
    variable: "muutuja",
    here: "see leht",
    python: "Python",
    measured: "mõõdetud kalle",
    verdict: "klapib",
    kink: "murdekoht: sobib iga kalle vasakpoolse ja parempoolse vahel",
  },
  trace: {
    sort: "1. etapp: sorteerimine",
    backward: "2. etapp: tagasilevi",
    pop: "pinust",
    stack: "pinu pärast",
    visited: "külastatud",
    sorted: "järjekord",
    node: "tipp (grad)",
    pushes: "liidab sisenditele",
    skipped: "leht: jääb vahele",
    skippedZero: "gradient 0: jääb vahele",
    leaf: "leht",
    done: "valmis",
    already: (name) => `${name} on juba külastatud`,
    empty: "tühi",
  },
  inspect: {
    edge: (source, target) => `Kaar ${source} → ${target}`,
    node: (name) => `Tipp ${name}`,
    wiggle: (source, target, local) =>
      `Ainult seda noolt pidi on tipu ${target} muutus ${local} korda tipu ${source} muutus.`,
    paths: (count, name, output) =>
      count === 1n
        ? `Üks tee: ${output} → ${name}`
        : `${counted(count, "tee", "teed")}: ${output} → ${name}, ja need liidetakse`,
    noPath: "Konstant: sellesse ei voola midagi.",
    scope: (name) => `Loodud kastis ${name}`,
  },

  predictBox: {
    ask: (from, to, incoming) =>
      `Tipul ${from} on gradient ${incoming}. Mida annab ta tipule ${to}?`,
    input: "sinu ennustus",
    rule: (incoming) => `Korruta ${incoming} selle noole lokaalse tuletisega.`,
    check: "Kontrolli",
    hint: "Vihje",
    show: "Näita",
    notIt: (typed) => `${typed} pole õige.`,
    hintText: (reason) => `Vihje: ${reason}.`,
    right: "Õige.",
    wrong: (typed, product) => `Sinu vastus oli ${typed}, õige on ${product}.`,
    was: (product) => `Õige on ${product}.`,
    score: (right, all, hinted) => `õigesti ${right}/${all}${hinted ? `, vihjega ${hinted}` : ""}`,
    again: "Proovi uuesti",
    all: "Sa ennustasid kõik panused õigesti.",
    some: "Proovi uuesti: mitu saad ilma vihjeta?",
    hidden: "Peidetud, kuni sa ennustad.",
    start: "Astu edasi: iga panuse kohta küsitakse enne, kui sa seda näed.",
  },

  tries: {
    title: "Proovi",
    done: "tehtud",
    well: "Tehtud.",
    rows: {
      predict: [
        "Ennusta ja kontrolli",
        "Ütle õigesti, mida avaldise (a + b) · c kõik neli noolt tagasi annavad.",
      ],
      dead: [
        "Sureta relu",
        "Nihuta avaldises relu(x·w + b) muutujat b alla, kuni kõik gradiendid on 0.",
      ],
      square: [
        "Juhtum a · a",
        "Üks sisend, kaks noolt. Selle gradient liidetakse kokku: 3 + 3 = 6.",
      ],
      negative: ["Leia negatiivne gradient", "Liiguta liugureid, kuni mõne lehe gradient on ▼."],
    },
  },

  order: {
    rule: "Reegel: külastatud tipp ei võta enam midagi vastu. Konstantidel pole järjekorras kohta vaja.",
    task: "Sea tipud järjekorda, milles tagasilevi peaks neid külastama, ja käivita.",
    tray: "Külastuste järjekord",
    run: "Käivita see järjekord",
    again: "Muuda järjekorda",
    shuffle: "Sega",
    right: "Näita õiget",
    place: (name, place, count) => `${name}, koht ${place}/${count}. Nooleklahvid nihutavad.`,
    earlier: (name) => `Külasta tippu ${name} varem`,
    later: (name) => `Külasta tippu ${name} hiljem`,
    moved: (name, place) => `${name} on nüüd kohal ${place}`,
    won: "Kõik panused jõudsid kohale. See järjekord on õige.",
    lost: (count) =>
      plural(count, { one: "Üks panus läks kaduma.", other: "# panust läks kaduma." }),
    starved:
      "Teel ei läinud midagi kaduma, kuid mõnda tippu külastati enne, kui sinna midagi jõudis, ja see ei andnud midagi edasi.",
    lostRow: (amount, path) => `${amount} teel ${path}`,
    starvedRow: (name) =>
      `tippu ${name} külastati enne, kui selle gradient kohale jõudis, ja edasi läks 0`,
    got: "tuli",
    verdict: "õige või vale",
    should: "õige",
    showPath: "Näita teed",
    insight: "Külasta tarbijad enne nende sisendeid: siis on gradient oma korra ajaks täielik.",
    count: (count) =>
      `Selles graafis on ${nodes(count)}. Ülesandeks sobib kuni 24: võta väiksem avaldis.`,
  },

  bugs: {
    choose: "Lülita viga sisse",
    names: {
      overwrite: "+= asemel =",
      "wrong-order": "vale järjekord",
      "no-reset": "nullimata",
      "no-visited": "ilma visited-hulgata",
      recursion: "rekursioon",
    },
    what: {
      overwrite: "Teine panus kirjutab esimese üle. Ohutu, kuni tippu ei kasutata kaks korda.",
      "wrong-order":
        "Loendit pole ümber pööratud: sisendid annavad edasi enne, kui nende gradient on kohal.",
      "no-reset": "backward() käivitatakse teist korda, aga gradiendid on nullimata.",
      "no-visited":
        "Sorteerimine unustab, mida ta on näinud: ühine tipp läheb kirja ja annab edasi mitu korda.",
      recursion:
        "Sorteerimine kutsub end igal tasemel uuesti välja. Python peatab selle umbes 1000 kaadri juures.",
    },
    code: en.bugs.code,
    rightLine: "õige",
    wrongLine: "veaga",
    missing: "(rida puudub)",
    table: "Vale õige kõrval",
    node: "tipp",
    wrong: "veaga",
    right: "õige",
    same: "See graaf peidab vea: kõik gradiendid tulevad õiged.",
    showcase: "Võta graaf, kus seda näha on",
    tooMany: "Ilma visited-hulgata oleks sellel graafil liiga palju külastusi. Võta väiksem.",
    differs: (count) =>
      plural(count, { one: "Üks gradient on vale.", other: "# gradienti on valed." }),
    depth: "Ahela pikkus",
    count: number,
    depthText: (n) =>
      plural(n, { one: "x + 1, # tehe sügav", other: "x + 1 + 1 + …, # tehet sügav" }),
    recursive: "Rekursiivne sorteerimine",
    iterative: "Oma pinu",
    frames: (n) => `${counted(n, "kaader", "kaadrit")} Pythoni kutsepinus`,
    entries: (n) => `${counted(n, "kirje", "kirjet")} loendis`,
    overflow: en.bugs.overflow,
    fine: "jõuab lõpuni: x.grad = 1",
    limit: "piir: 1000",
    between: (n) => `… veel ${number(n)} …`,
    mode: "Režiim",
    explore: "Uuri",
    diagnose: "Pane diagnoos",
    game: "Üks vigadest andis need arvud. Milline?",
    next: "Järgmine juhtum",
    correct: (name) => `Jah: ${name}.`,
    was: (name) => `See oli: ${name}.`,
    incorrect: (name) => `Ei. Vea „${name}“ korral oleksid arvud sellised:`,
    evidence: "Mis selle reedab:",
    clues: {
      overwrite: "Kaks korda kasutatud tipul on ainult viimane panus.",
      "wrong-order":
        "Gradient ei jõua esimesest sammust kaugemale: kõik, mis on väljundist kaugemal, on 0.",
      "no-reset": "Arvud on liiga suured, nagu oleks tagasilevi käinud kaks korda.",
      "no-visited":
        "Ühise tipu taga olevad tipud annavad panuse edasi mitu korda ja see läheb topelt arvesse.",
    },
    score: (right, all) => `õigesti ${right}/${all}`,
  },

  checks: {
    intro:
      "Arvuta paberil, kirjuta arv, kontrolli. Esimese eksimuse järel tuleb vihje, teise järel teed.",
    ask: (output, leaf) => `∂${output}/∂${leaf} = ?`,
    question: (output, leaf) => `Kui suur on väljundi ${output} gradient muutuja ${leaf} järgi?`,
    answer: "sinu vastus",
    check: "Kontrolli",
    hint: "Vihje",
    hintText: (count, leaf, output) =>
      count === 1n
        ? `Vihje: tipust ${output} tippu ${leaf} viib üks tee. Korruta selle tee lokaalsed tuletised omavahel.`
        : `Vihje: tipust ${output} tippu ${leaf} viib ${counted(count, "tee", "teed")}. Korruta iga tee lokaalsed tuletised omavahel ja liida siis tulemused.`,
    reveal: "Näita kõiki teid",
    next: "Järgmine küsimus",
    right: "Õige.",
    done: "lahendatud",
    wrong: (typed) => `${typed} pole õige.`,
    onePath: "On ainult üks tee, seega on gradient selle korrutis.",
    manyPaths: (count, leaf) =>
      count === 1n
        ? `${leaf} jõuab väljundini üht teed pidi. Korruta mööda seda.`
        : `${leaf} jõuab väljundini mitut teed pidi: neid on ${number(Number(count))}. Korruta mööda igaüht, siis liida.`,
    generate: "Koosta küsimus",
    own: "Minu avaldisest",
    easy: "kerge",
    medium: "keskmine",
    hard: "raske",
    level: "Tase",
    solved: (right, all) => `lahendatud ${right}/${all}`,
    list: "Küsimused",
    where: (values) => `kui ${values}`,
    diagnosis: {
      onePath: (path) => `See on ainult tee ${path}. Teed liidetakse.`,
      overwrite: "See on ainult viimane panus: nii tuleks, kui += asemel oleks =.",
      flipped: "Suurus on õige, märk mitte. Jälgi igal teel miinuseid.",
      value: (name) => `See on tipu ${name} väärtus, mitte gradient.`,
      product: "Sa korrutasid teed omavahel. Ühe tee piires korruta, eri teed liida.",
      local: "See on üks lokaalne tuletis. Korruta see sellega, mis paremalt tuleb.",
    },
  },

  learn: {
    loading: "Õppetunde laaditakse …",
    title: "Õppetunnid",
    tabs: { lessons: "Õppetunnid", glossary: "Sõnastik" },
    head: "Avaldisest a + b GPT-ni",
    intro:
      "Viisteist lühikest õppetundi. Iga tund küsib enne, kui ütleb: ennusta, kontrolli ja vaata siis, miks. Pilt teksti kõrval on labor ise, nii et iga sammuga saab mängida.",
    progress: (done, all) => `läbitud õppetunde: ${done}/${all}`,
    start: "Alusta",
    resume: "Jätka",
    all: "Kõik õppetunnid on läbitud",
    complete: "läbitud",
    completed: "Õppetund on läbitud.",
    minutes: (count) => counted(count, "minut", "minutit"),
    solved: (right, all) => `${right}/${counted(all, "küsimus", "küsimust")}`,
    save: "Salvesta minu edenemine",
    load: "Laadi edenemine",
    unreadable: "See ei ole labori edenemisfail.",
    text: "Õppetund",
    back: "Kõik õppetunnid",
    before: "Tagasi",
    next: "Edasi",
    finish: "Lõpeta",
    steps: "Selle õppetunni sammud",
    step: (place, count) => `Samm ${place}/${count}`,
    teach: "Õpeta",
    unteach: "Lõpeta õpetamine",
    notes: "Õpetajale",
    waits: "Läbimine ootab su vastust.",
    held: "Läbimine läheb edasi, kui oled vastanud.",
    question: "Küsimus",
    choices: "Vastusevariandid",
    show: "Näita vastust",
    answer: "Vastus on",
    nudge: (name, output) =>
      `Vihje: kui ${name} oleks ühe võrra suurem, kui palju suurem oleks ${output}?`,
    compute:
      "Vihje: alusta kaartidest, millel on juba arv. Iga muu kaart arvutatakse nendest, kust kaared temani viivad.",
    look: "Viimane sündmus ütleb, mis saabub. Leia selle noole lokaalne tuletis ja korruta.",
    own: "Sa muutsid arve, seega on küsimus nüüd sinu arvude kohta.",
    paths: (count, leaf) =>
      count === 1n
        ? `Tippu ${leaf} viib üks tee: korruta mööda seda.`
        : `Tippu ${leaf} viib ${counted(count, "tee", "teed")}: korruta mööda igaüht, siis liida.`,
    source: (name) => `Mootori lähtekood: ${name}`,
    rules: {
      "+": ["Liitmine kopeerib", "Iga sisend saab gradiendi muutmata."],
      "*": [
        "Korrutamine vahetab ja skaleerib",
        "Iga sisend saab gradiendi, korrutatud teise sisendiga.",
      ],
    },
  },

  write: {
    title: "Kirjuta Value ise",
    intro:
      "Klass, millel on data ja grad, + ja * ning backward(). Kohtunik käivitab selle sinu arvutis, liivakastis, ning võrdleb mootori ja mõõdetud kalletega. Ta ütleb, milline reegel, järjekord või += vedas alt.",
    editor: "Sinu klass Pythonis",
    judge: "Hinda klassi",
    running: "Hindan …",
    save: "Salvesta failina",
    restart: "Alusta uuesti",
    verdict: "Otsus",
    nothing: "Otsus ilmub siia.",
    unloaded: "Seda ei saanud käivitada.",
    right: "Kõik gradiendid on õiged.",
    wrong: "Mõned gradiendid on valed.",
    score: (passed, all) => `läbitud ${passed}/${counted(all, "kontroll", "kontrolli")}`,
    sturdy: "Pole veel töökindel: sügav graaf või teine backward() läheb valesti.",
    more: (count) =>
      plural(count, {
        one: "Läbi kukkus veel # kontroll.",
        other: "Läbi kukkus veel # kontrolli.",
      }),
    missing: "Proovimata, sest seda veel pole:",
    alone:
      "Kohtunik töötab Pythonis. Käivita gradwalk lab ja ava aadress, mille see kuvab; või salvesta fail ja käivita gradwalk judge my_value.py.",
    starter: `class Value:
    def __init__(self, data, inputs=(), local_grads=()):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.local_grads = local_grads

    def __add__(self, other):
        # Millised on summa kaks lokaalset tuletist?
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        # Ja korrutise omad?
        return Value(self.data * other.data, (self, other), (0.0, 0.0))

    def backward(self):
        # Sorteeri graaf, alusta ühest, käi see tagurpidi läbi.
        self.grad = 1.0
`,
  },
  traces: {
    title: "Täida läbimise tabelid käsitsi",
    intro:
      "Ole ise mootor. Kõigepealt sorteerimine: mis võetakse pinust, mis jääb pärast seda pinusse, mis pannakse paika. Kirjuta paarid nagu esimeses reas, tühikutega eraldatult; kui midagi pole, jäta lahter tühjaks. Siis tagasilevi, nool noole haaval.",
    choose: "Graaf",
    arrow: "nool",
    contribution: "panus",
    after: "grad pärast",
    grade: "Hinda",
    show: "Täida vastustega",
    right: "õige",
    wrong: "veel vale",
    score: (right, all) => `õigeid lahtreid ${right}/${all}`,
  },

  program: {
    title: "Kompileeritud",
    how: "Vali käsk, ja selle tipp märgitakse ära; ning vastupidi.",
    stages: "Kompilaatori etapid",
    names: {
      recorded: "salvestus",
      tidy: "lihtsustus",
      chains: "ahelad",
      adjoint: "kaasprogramm",
      blocks: "plokid",
    },
    explained: {
      recorded: "Mida avaldis teeb, üks rida tehte kohta.",
      tidy: "Konstandid on arvutatud, võrdsed käsud ühendatud, kasutamata käsud eemaldatud.",
      chains: "Korrutiste ja summade ahelad koondati üheks summaks või skalaarkorrutiseks.",
      adjoint: "Lisatud on gradient: selle käsud on väärtuse käskude järel.",
      blocks: "Mida tegelikult täidetakse: ühesugused käsud kõrvuti, ühe tsüklina.",
    },
    lines: (count) => plural(count, { one: "rida", other: "rida" }),
    caption: "Programm selles etapis. Vali käsk, et leida selle tipp.",
    id: "id",
    instruction: "käsk",
    select: (id, text) => `Vali käsu %${id} tipp, ${text}`,
    result: "tulemus",
    gradient: (name) => `${name}: gradient`,
    loop: (count, first, last) =>
      `${plural(count, { one: "# kord", other: "# korda" })}, %${first} … %${last}`,
    branches: (count) => plural(count, { one: "# hargnemine", other: "# hargnemist" }),
    branchesWhy:
      "Arvutatakse mõlemad pooled ja üks neist valitakse. Muuda arvu: loendurid näitavad, kui sageli kumbki pool valiti.",
    now: "praegu",
    yes: (count) => `jah ${count}`,
    no: (count) => `ei ${count}`,
    ifYes: "jah →",
    ifNo: "ei →",
    cost: (value, both) =>
      `Programm võtab ${bytes(value)} väärtuse jaoks ja ${bytes(both)} koos kõigi gradientidega.`,
    asking: "Kompileerin …",
    inPage:
      "Python töötab sellel lehel ilma C-ta, seega hilisemaid etappe siin pole. Paigaldatud gradwalk lab näitab neid kõiki.",
    failed: "Seda ei saanud kompileerida.",
    alone:
      "Kompilaator töötab Pythonis, aga sellel lehel Pythonit pole. Käivita gradwalk lab ja ava aadress, mille see kuvab.",
    given:
      "Selles failis on graaf, aga mitte avaldis. Kompileerimise nägemiseks käivita gradwalk lab.",
  },

  title: (page, expression) => `${expression ? `${page}: ${expression}` : page} – gradwalk`,
  tools: "Tööriistad",
  lettersOn: "Tähtklahvid: sees",
  lettersOff: "Tähtklahvid: väljas",
  lettersWhy:
    "Ühe märgiga klahve, näiteks g, saab välja lülitada. Tühik, nooled ja Esc jäävad tööle.",
  about: {
    title: "Teave",
    text: "gradwalk näitab, kuidas gradienti arvutatakse: arv arvu haaval, siin brauseris. See on vaba tarkvara MIT-litsentsiga.",
    uses: "Kasutatud on Liti (BSD-3-Clause, © Google LLC) ja CodeMirrorit (MIT, © Marijn Haverbeke jt).",
    licences: "Litsentside tekstid",
  },
  server: {
    gone: "Labori server ei vasta. Käivita gradwalk lab uuesti ja ava aadress, mille see kuvab.",
    broke:
      "Labori server peatus enne lõppu. Käivita gradwalk lab uuesti ja ava aadress, mille see kuvab.",
    status: (status) => `Labori server vastas olekuga ${status}.`,
    unloaded: "Pythoni laadimine ebaõnnestus. Uuesti proovimiseks värskenda lehte.",
    slow: (seconds) =>
      `Python peatati sellel lehel, sest töö kestis kauem kui ${seconds} s. Arvutisse paigaldatud gradwalk on mitu korda kiirem.`,
    ended: "Python peatati sellel lehel. Küsi uuesti ja see käivitub taas.",
    loading: "Pythonit laaditakse. Kõik muu töötab seni.",
  },

  helpRows: [
    [["Tühik"], "käivita või peata"],
    [["→", "←"], "sündmus edasi, sündmus tagasi"],
    [["Shift →", "Shift ←"], "järgmine faas, eelmine faas"],
    [["Home", "End"], "algusesse, lõppu"],
    [["/"], "avaldise juurde"],
    [["f"], "mahuta pilt"],
    [["+", "−"], "suurendus"],
    [["3"], "2D või 3D"],
    [["g"], "lõplikud gradiendid"],
    [["d"], "ava liittehted"],
    [["p"], "kõigepealt ennusta"],
    [["Ctrl Z"], "võta tagasi"],
    [["Tab, nooled"], "graafis: mööda kaari"],
    [["Page Down", "Page Up"], "kaardil: selle nooled ükshaaval"],
    [["Enter"], "kaardil: muuda lehte või ava arvud"],
    [["?"], "see loend"],
    [["Esc"], "tagasi"],
  ],
  progress: "Sinu edenemine jääb ainult sellesse brauserisse.",
  forget: "Unusta minu edenemine",
  forgotten: "Unustatud",
  helpTitle: "Klahvid",
  helpRead: "Kuidas pilti lugeda",
  legend: {
    forward: "väärtused liiguvad edasi",
    backward: "gradiendid tulevad tagasi, suuremad jämedamalt",
    pos: "▲ suurendab väljundit",
    neg: "▼ vähendab seda",
    zero: "0 ei mõjuta",
    unfilled: "veel teadmata",
    unnamed: "nimetu samm",
  },
  descend: {
    controls: "Laskumine",
    run: "Lasku",
    step: "Üks samm",
    reset: "Tagasi algusesse",
    rate: "Sammu suurus",
    start: (output, is) => `${output} ${is}`,
    fell: (output, before, after, count) =>
      plural(count, {
        one: `${output}: ${before} → ${after} pärast # sammu`,
        other: `${output}: ${before} → ${after} pärast # sammu`,
      }),
    rule: "Iga samm nihutab kõiki õppivaid lehti vastu gradienti: väärtus −= sammu suurus × gradient.",
    strange: "Arvud läksid lõpmatusse. Mine tagasi algusesse ja võta väiksem samm.",
    still: "Enam ei liigu midagi: kõik gradiendid on peaaegu 0. See on org või tasandik.",
    up: "Väljund ainult kasvab: samm on liiga suur. Mine tagasi algusesse ja võta väiksem.",
    curve: (output) => `${output} sammhaaval`,
    noCurve: "Astu samm: siia joonistatakse väljund sammhaaval.",
    curveSaid: (output, before, after, count) =>
      `${output} muutub ${before} → ${after}, kokku ${steps(count)}`,
    steps,
    surface: "Pealtvaade",
    noSurface: "Lase kahel lehel õppida: siia ilmub pealtvaates, kuidas väljund neist sõltub.",
    surfaceSaid: (first, second, low, high) =>
      `Kuidas väljund sõltub muutujatest ${first} ja ${second}, ${low} kuni ${high}, ja tee alla`,
    axes: (first, x0, x1, second, y0, y1) =>
      `→ ${first} ${x0} kuni ${x1}, ↑ ${second} ${y0} kuni ${y1}; mida sinisem, seda kõrgem`,
    leaves: "Lehed",
    learns: "õpib",
  },
  share: {
    title: "Jaga",
    save: "Salvesta",
    html: "Üks HTML-fail",
    svg: "SVG-pilt",
    png: "PNG-pilt",
    saveWhy: "HTML-fail on seesama labor, mida sa praegu näed. See avaneb kõikjal, ilma võrguta.",
    link: "Link",
    copy: "Kopeeri",
    copyFailed: "Brauser ei lubanud kopeerida. Märgi tekst ära ja kopeeri ise.",
    local:
      "See aadress töötab ainult sinu arvutis. Jagamiseks pane labori koopia võrku (gradwalk site DIR) ja kirjuta selle aadress siia:",
    home: "Sinu koopia aadress",
    embed: "Lisa veebilehele",
    saved: (name) => `Salvestatud: ${name}`,
    failed: "Siin ei saanud seda salvestada.",
  },
  welcome: {
    label: "Mis see on",
    text: "Labor arvutab valemi ja käib selle siis tagurpidi läbi, et leida iga sisendi gradient: kui palju see tulemust nihutab.",
    close: "Sulge see vihje",
    nudge: (name, by, output, moves) =>
      `Nihuta muutujat ${name} ${by} võrra ja ${output} nihkub umbes ${moves} võrra.`,
    tryIt: "Proovi",
    moved: (output, before, after, by) => `${output} oli ${before}, nüüd ${after}: nihe ${by}.`,
    said: (product) => `Gradient lubas ${product}.`,
    bend: "Ülejäänu tuleb kõvera kumerusest.",
    back: "Taasta",
  },
};

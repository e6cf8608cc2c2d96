/** What the engine's errors say, in Estonian. */

import type { MessageWords } from "./en-messages.ts";

export const messages: MessageWords = {
  "value-number": (thing) => `Value vajab reaalarvu, mitte ${thing}`,
  "input-value": (thing) => `sisend peab olema Value, mitte ${thing}`,
  "local-count": (inputs, given) =>
    `sisendeid on ${inputs} ja lokaalseid gradiente peab olema sama palju, mitte ${given}`,
  "operand-value": (op, thing) => `${op} vajab Value-objekti või reaalarvu, mitte ${thing}`,
  "operand-count": (op, least, most, given) => {
    const wanted = least === most ? `${most}` : `${least} kuni ${most}`;
    return `tehtel ${op} peab olema operande ${wanted}, anti ${given}`;
  },
  "snapshot-value": (thing) => `snapshot vajab Value-objekti, mitte ${thing}`,
  "buffers-busy": () => "neid Buffers-objekte kasutab backward(), mis pole veel lõpetanud",

  "no-node-id": (id, last) => `tippu ${id} pole: numbrid on 0 kuni ${last}`,
  "no-node": (name, known) => `tippu ${name} pole; selles graafis on ${known.join(", ")}`,
  "no-node-list": (thing) => `graafis on tippude loend, mitte ${thing}`,
  "not-contract": (id, thing) => `tipp ${id} ei vasta lepingule: ${thing}`,
  "not-number": (id, thing) => `tipus ${id} on arvu asemel ${thing}`,
  "bad-columns": (part) => `need baidid ei ole graaf veergudena: viga on kohas ${part}`,
  "no-path": (root, to) => `tipust ${root} tippu ${to} ei vii ükski tee`,
  "value-in-graph": () => "Value-objekti ei saa graafist otsida: anna tipu nimi või number",
  "not-in-graph": (value, root) => `${value} ei ole tipu ${root} graafis`,
  "no-bug": (name, known) => `viga ${name} pole; vead on ${known.join(", ")}`,
  "order-and-bug": (bug) => `oma järjekord sobib kokku ainult veaga overwrite, mitte veaga ${bug}`,
  "too-many-visits": (visits, nodes, most) =>
    `ilma visited-hulgata teeb sorteerimine ${visits} külastust ${nodes} tipu kohta; võta väiksem graaf, kuni ${most} külastust`,
  "order-twice": (names) => `järjekorras on kaks korda ${names.join(", ")}; iga tipp olgu üks kord`,
  "order-missing": (names) => `järjekorrast puudub ${names.join(", ")}; iga tipp olgu üks kord`,

  "parse-text": (thing) => `parse vajab sõnet, mitte ${thing}`,
  "too-long": (bytes) => `tekst on pikem kui ${bytes} baiti: jaga see mitmeks avaldiseks`,
  "leaf-number": (name, thing) => `${name} vajab reaalarvu, mitte ${thing}`,
  "no-value": (name) => `muutujal ${name} pole väärtust: anna see, näiteks ${name}=1`,
  "computed-here": (name) => `${name} arvutatakse siin: ära anna sellele väärtust`,
  "no-variable": (name, remedy) => `muutujat ${name} pole: ${remedy}`,
  beyond: (number) => `${number} on suurem kui suurim double, 1.8e308`,
  keyword: (word, remedy) => `${word} on Pythoni võtmesõna: ${remedy}`,
  unexpected: (sign, remedy) => `siia ei sobi ${sign}: ${remedy}`,
  "dotted-function": (call, written) =>
    `funktsioon on ilma punktita: kirjuta ${call}, mitte ${written}`,
  "dotted-name": (name, written) => `nimes pole punkti: kirjuta ${name}, mitte ${written}`,
  empty: () => "avaldist pole: kirjuta see, näiteks (a + b) * c",
  "named-function": (name) => `${name} on funktsioon: anna väärtusele teine nimi, näiteks d = a*b`,
  "bare-function": (name, call) => `${name} on funktsioon: kirjuta ${call}`,
  "call-count": (wrong, call) => `${wrong}: kirjuta ${call}`,
  "no-function": (name, remedy) => `funktsiooni ${name} pole: ${remedy}`,
  "other-name": (name, written) => `${name} kirjutatakse ${written}`,
  strict: () =>
    "range režiim: astendaja peab olema arv, sest x**n reegel n * x**(n-1) vajab kindlat n-i; mõlema poole diferentseerimiseks jäta --strict ära",
  "too-deep": (most) =>
    `pesastus on sügavam kui ${most}: anna osale enne nimi, näiteks d = a*b; d + 1`,
  "dropped-comparison": () => "== võrdleb: väärtusele nime andmiseks kirjuta =, näiteks d = a*b",
  unclosed: () => "see ( jääb sulgemata: puudub )",
  unopened: () => "see ) ei sulge midagi: siia sobib tehtemärk või lõpp",
  comma: () => "koma ainult eraldab funktsiooni operande; kümnendmurrus on punkt: 1.5",
  "late-equals": () => "= annab nime lause alguses, näiteks d = a*b; võrdlus kirjutatakse ==",
  chained: () => "võrdlusi ei saa aheldada: kirjuta üks, näiteks where(a < b, a, b)",
  "nothing-inside": () => "märkide ( ja ) vahel peab olema avaldis",
  "no-left": (sign) => `märgi ${sign} ees puudub operand`,
  "no-right": (sign) => `märgi ${sign} järel puudub operand`,
  "no-operator": (left, right) => `enne ${right} puudub tehtemärk: kas mõtlesid ${left}*${right}?`,

  "did-you-mean": (name) => `kas mõtlesid ${name}?`,
  "variables-are": (names) => `muutujad on ${names.join(", ")}`,
  "no-variables": () => "avaldises pole ühtegi",
  "to-multiply": (name) => `korrutamiseks kirjuta ${name}*(…)`,
  "with-others": () => "kirjuta see teiste abil, näiteks exp, log, where",
  rename: (name) => `pane muutujale nimeks ${name}_`,
  write: (written) => `kirjuta ${written}`,
  "write-power": () => "astendamine kirjutatakse **, näiteks a**2",
  "write-out": () => "kirjuta välja, näiteks a = a + 1",
  "write-name": () => "väärtusele antakse nimi märgiga =, näiteks d = a*b",
  "write-times": () => "korrutamine kirjutatakse *",
  "write-divide": () => "jagamine kirjutatakse /",
  "write-minus": () => "miinus kirjutatakse -",
  "write-root": () => "ruutjuur kirjutatakse sqrt(x)",
  "write-unequal": () => "„ei võrdu“ kirjutatakse !=",
  "write-where": () => "valik kirjutatakse where(tingimus, x, y)",
  "no-quotes": () => "jutumärgid avaldisse ei kuulu: jäta need ära",
  "no-brackets": () => "rühmitamiseks sobivad ainult ( ja )",
  "no-dot": () => "punkt käib arvu sisse, näiteks 0.5",
  "no-comments": () => "kommentaarid avaldisse ei kuulu: jäta see ära",
  digits: () => "numbrid on 0 kuni 9 ja astendamine kirjutatakse **, näiteks a**2",
  symbols: () => "avaldises on arvud, nimed, ( ) ja + - * / // % **",
};

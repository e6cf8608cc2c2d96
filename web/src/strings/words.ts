/**
 * Sentences with holes. `{0}` is the first argument, a list with commas; `{0|# node|# nodes}` takes
 * the form that a language has for that number, which `#` writes as its readers do. A form for one
 * number alone begins with it: `{0|=1 the only node|# nodes}`.
 */

export type Told = string | number | bigint | readonly string[];

/** Texts as they are written: what no hole can say is a function. */
type Hole<S> = S extends `${string}{${infer At}${infer Rest}` ? At | Hole<Rest> : never;
type Taken<At, A extends Told[] = []> = [At] extends [never]
  ? A
  : Taken<Exclude<At, `${A["length"]}`>, [...A, Told]>;
export type Said<T> = T extends string
  ? [Hole<T>] extends [never]
    ? string
    : (...args: Taken<Hole<T>>) => string
  : T extends (...args: never[]) => string
    ? T
    : { -readonly [K in keyof T]: Said<T[K]> };

/** The same sentences, to be written in another language. */
export type Translated<T> = T extends string
  ? string
  : T extends (...args: infer A) => string
    ? string | ((...args: A) => string)
    : { readonly [K in keyof T]: Translated<T[K]> };

/** A whole language, held to the shape of another. */
export function translated<S>(lang: string, texts: Translated<S>): S {
  return words(lang, texts) as unknown as S;
}

const HOLE = /\{(\d)(?:\|((?:[^{}]|\{\d\})*))?\}/g;
/** The order in which the forms of a word stand; a language has some of them. */
const FORMS: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];

export function words<const T>(lang: string, texts: T): Said<T> {
  const rules = new Intl.PluralRules(lang);
  const numbers = new Intl.NumberFormat(lang);
  const { pluralCategories } = rules.resolvedOptions();
  const order = FORMS.filter((form) => pluralCategories.includes(form));
  const counted = (count: number | bigint, forms: readonly string[]): string => {
    const only = forms.find((form) => form.startsWith(`=${count} `));
    if (only) return only.slice(only.indexOf(" ") + 1);
    const kinds = forms.filter((form) => !form.startsWith("="));
    // Fewer forms than the language has: the last one stands for the rest.
    const at = Math.min(order.indexOf(rules.select(Number(count))), kinds.length - 1);
    return kinds[at].replace("#", numbers.format(count));
  };
  const filled = (text: string, args: readonly Told[]): string =>
    text.replace(HOLE, (_, at: number, forms?: string) => {
      const arg = args[at];
      if (forms !== undefined) return filled(counted(arg as number, forms.split("|")), args);
      return Array.isArray(arg) ? arg.join(", ") : String(arg);
    });
  const said = (text: unknown): unknown => {
    if (typeof text === "string")
      return /\{\d/.test(text) ? (...args: readonly Told[]) => filled(text, args) : text;
    if (Array.isArray(text)) return text.map(said);
    if (typeof text !== "object" || text === null) return text;
    return Object.fromEntries(Object.entries(text).map(([key, one]) => [key, said(one)]));
  };
  return said(texts) as Said<T>;
}

/** Words by number, by the rules of a language: `Intl` knows which form a number takes. */

export type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** A function for one language: `plural(2, { one: "# node", other: "# nodes" })` is "2 nodes". */
export function pluralIn(lang: string): (count: number | bigint, forms: Forms) => string {
  const rules = new Intl.PluralRules(lang);
  const numbers = new Intl.NumberFormat(lang);
  return (count, forms) => {
    // Above what a double holds, every count takes the general form.
    const form = forms[rules.select(Number(count))] ?? forms.other;
    return form.replace("#", numbers.format(count));
  };
}

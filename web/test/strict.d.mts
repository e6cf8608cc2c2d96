export interface Statement {
  readonly text: string;
  readonly sign: "=" | "≈";
  readonly isExact: boolean;
  readonly off: number;
}
export function statementsIn(text: string): Statement[];
export function mistakesIn(text: string): string[];

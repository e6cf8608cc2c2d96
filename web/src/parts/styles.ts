/**
 * The style sheets of every element that has a shadow root: those that all share, and its own.
 *
 * What an element does not adopt cannot match in it, so a name may mean something else in another.
 */

import { type CSSResult, unsafeCSS } from "lit";
import palette from "../../../src/gradwalk/render/palette.css";
import base from "./styles/base.css";
import charts from "./styles/charts.css";
import dock from "./styles/dock.css";
import embed from "./styles/embed.css";
import learn from "./styles/learn.css";
import modes from "./styles/modes.css";
import pages from "./styles/pages.css";
import play from "./styles/play.css";
import quiz from "./styles/quiz.css";
import share from "./styles/share.css";
import shell from "./styles/shell.css";
import stage from "./styles/stage.css";
import theme from "./styles/theme.css";

const [first, last] = [[palette, theme, base, charts, stage, dock], [modes]].map((sheets) =>
  sheets.map((text) => unsafeCSS(text)),
);

/** What all share, and some sheets more; calm motion, forced colours and print override both. */
export function styled(...sheets: readonly string[]): CSSResult[] {
  return [...first, ...sheets.map((text) => unsafeCSS(text)), ...last];
}

export const labStyles: CSSResult[] = styled(shell, pages, quiz, learn, play, share, embed);

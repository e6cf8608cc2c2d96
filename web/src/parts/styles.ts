/** The style sheets, shared by every element that has a shadow root; `small` overrides, so it is last. */

import { type CSSResult, unsafeCSS } from "lit";
import base from "./styles/base.css";
import charts from "./styles/charts.css";
import checks from "./styles/checks.css";
import dock from "./styles/dock.css";
import learn from "./styles/learn.css";
import pages from "./styles/pages.css";
import play from "./styles/play.css";
import shell from "./styles/shell.css";
import small from "./styles/small.css";
import stage from "./styles/stage.css";
import theme from "./styles/theme.css";

export const labStyles: CSSResult[] = [
  theme,
  base,
  charts,
  shell,
  stage,
  dock,
  pages,
  checks,
  learn,
  play,
  small,
].map((text) => unsafeCSS(text));

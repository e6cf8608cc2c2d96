/** Errors of the engine, in the words of the language in use. */

import type { Argument, Message } from "../core/index.ts";
import { t } from "./index.ts";

export function messageText({ code, args }: Message): string {
  const words = t.messages[code] as (...args: readonly unknown[]) => string;
  return words(...args.map((arg) => (isMessage(arg) ? messageText(arg) : arg)));
}

function isMessage(arg: Argument): arg is Message {
  return typeof arg === "object" && "code" in arg;
}

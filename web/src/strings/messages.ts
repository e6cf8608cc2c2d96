/** Errors of the engine, in the words of the language in use. */

import type { Argument, Message } from "../core/index.ts";
import { t } from "./index.ts";

export function messageText({ code, args }: Message): string {
  const words = t.messages[code] as string | ((...args: readonly unknown[]) => string);
  if (typeof words === "string") return words;
  return words(...args.map((arg) => (isMessage(arg) ? messageText(arg) : arg)));
}

function isMessage(arg: Argument): arg is Message {
  return typeof arg === "object" && "code" in arg;
}

/** Errors by their code, in words. */

import { ServerError } from "../server.ts";
import { en } from "./en.ts";

export function troubleText(error: unknown): string {
  if (!(error instanceof ServerError)) return String(error);
  const words = en.server;
  switch (error.code) {
    case "said":
      return error.detail;
    case "status":
      return words.status(Number(error.detail));
    default:
      return words[error.code];
  }
}

/**
 * Starts the floor plan's worker, a file beside this one.
 *
 * The page's policy lets no text become the address of a script. This is the one address that may.
 */

interface Policy {
  createScriptURL(url: string): string;
}
interface Trusted {
  createPolicy(name: string, rules: Policy): Policy;
}

const own = (): string => new URL("./plan-worker.js", import.meta.url).href;
const trusted = (globalThis as { trustedTypes?: Trusted }).trustedTypes;
const policy = trusted?.createPolicy("gradwalk-worker", { createScriptURL: own });

export function planWorker(): Worker {
  return new Worker(policy ? policy.createScriptURL("") : own(), { type: "module" });
}

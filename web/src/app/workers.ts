/**
 * Starts the lab's workers, files beside this one.
 *
 * The page's policy lets no text become the address of a script. These are the ones that may.
 */

interface Policy {
  createScriptURL(name: string): string;
}
interface Trusted {
  createPolicy(name: string, rules: Policy): Policy;
}

const FILES = { "plan-worker": "./plan-worker.js" } as const;
export type WorkerName = keyof typeof FILES;

const rules: Policy = {
  createScriptURL: (name) => new URL(FILES[name as WorkerName], import.meta.url).href,
};
const trusted = (globalThis as { trustedTypes?: Trusted }).trustedTypes;
let policy: Policy | undefined;

export function startWorker(name: WorkerName): Worker {
  policy ??= trusted?.createPolicy("gradwalk-worker", rules) ?? rules;
  return new Worker(policy.createScriptURL(name), { type: "module" });
}

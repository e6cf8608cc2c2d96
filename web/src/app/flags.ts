/** What this build can do; the bundler knows. */

declare global {
  var GRADWALK_ALONE: boolean | undefined;
}

/** The licence texts are a file beside the page; one that travels alone has them inside. */
export const HAS_LICENCES: boolean = !(globalThis.GRADWALK_ALONE ?? false);

/** What this build can do; the bundler knows. A file for export leaves the 3D view out. */

declare global {
  var GRADWALK_3D: boolean | undefined;
}

export const HAS_3D: boolean = globalThis.GRADWALK_3D ?? true;

/** The licence texts are a file beside the page; one that travels alone has them inside. */
export const HAS_LICENCES: boolean = HAS_3D;

/** Python for the pages of the docs, which run their examples in it: docs/_static/page.js. */

export { frames } from "../app/python.ts";

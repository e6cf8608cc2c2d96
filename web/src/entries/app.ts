/** The lab as a page: one element, and the state in the address. */

import "../shell/lab.ts";

/** Both elements, for pages of others: `<gradwalk-graph>` and `<gradwalk-lab embedded>`. */

import "../shell/graph.ts";

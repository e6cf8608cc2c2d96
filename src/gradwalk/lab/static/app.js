import"./chunk-chunk-URTEVZJC.js";import"./chunk-chunk-AO4JZIDS.js";

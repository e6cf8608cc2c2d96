import"./chunk-chunk-LCAKH7YX.js";import"./chunk-chunk-HXCGLJOL.js";

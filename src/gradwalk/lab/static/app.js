import"./chunk-chunk-CYJWYODX.js";import"./chunk-chunk-V7LFUT3M.js";

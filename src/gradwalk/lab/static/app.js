import"./chunk-chunk-GBTNJ5BJ.js";import"./chunk-chunk-V7LFUT3M.js";

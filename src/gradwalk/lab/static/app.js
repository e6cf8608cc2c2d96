import"./chunk-chunk-KX66CYTT.js";import"./chunk-chunk-V7LFUT3M.js";

import"./chunk-chunk-CMGGUF25.js";import"./chunk-chunk-V7LFUT3M.js";

import"./chunk-chunk-2KBZ4JIV.js";import"./chunk-chunk-B44K7OAL.js";

import"./chunk-chunk-DVHZWU6T.js";

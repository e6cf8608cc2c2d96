import"./chunk-chunk-FH6MRGC3.js";

import"./chunk-chunk-UDBPJKWO.js";

import"./chunk-chunk-HRY2TMLO.js";

import"./chunk-chunk-RJJSDSM2.js";import"./chunk-chunk-6GRJDTEJ.js";

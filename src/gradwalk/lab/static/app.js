import"./chunk-chunk-SVIGHGEG.js";import"./chunk-chunk-ON7VRHTR.js";

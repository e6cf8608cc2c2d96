import"./chunk-chunk-GA6J2GLN.js";import"./chunk-chunk-6GRJDTEJ.js";

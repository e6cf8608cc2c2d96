import"./chunk-chunk-QPV5KOXC.js";import"./chunk-chunk-6GRJDTEJ.js";

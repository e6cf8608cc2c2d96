import"./chunk-chunk-75KBRYVG.js";import"./chunk-chunk-6GRJDTEJ.js";

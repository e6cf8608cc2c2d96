import"./chunk-chunk-ESPFWMQA.js";import"./chunk-chunk-6GRJDTEJ.js";

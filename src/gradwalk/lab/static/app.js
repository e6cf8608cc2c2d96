import"./chunk-chunk-PDSHDZW4.js";

import"./chunk-chunk-DZSCBAQM.js";import"./chunk-chunk-6EOZJ5N2.js";

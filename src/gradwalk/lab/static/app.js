import"./chunk-chunk-R45DAZL6.js";import"./chunk-chunk-6EOZJ5N2.js";

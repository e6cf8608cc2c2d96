import"./chunk-chunk-PTVENZGH.js";import"./chunk-chunk-NCGEDCHJ.js";

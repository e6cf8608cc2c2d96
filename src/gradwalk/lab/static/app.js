import"./chunk-chunk-OIQONNWO.js";import"./chunk-chunk-2H77D6IU.js";

import"./chunk-chunk-NK54YVMT.js";import"./chunk-chunk-APSF6CN6.js";

import"./chunk-chunk-CNFC6JED.js";import"./chunk-chunk-AJKAW4DO.js";

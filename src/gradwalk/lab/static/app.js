import"./chunk-chunk-AD3TQ7CV.js";

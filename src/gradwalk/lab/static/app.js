import"./chunk-chunk-7HU7EHZQ.js";

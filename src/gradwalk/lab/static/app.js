import"./chunk-chunk-OFIYAWBJ.js";

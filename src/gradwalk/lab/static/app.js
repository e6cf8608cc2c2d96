import"./chunk-chunk-3L3FCCZJ.js";

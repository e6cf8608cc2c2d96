import"./chunk-chunk-BGQN5MAY.js";

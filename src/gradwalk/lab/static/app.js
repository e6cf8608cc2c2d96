import"./chunk-chunk-QZZW3SG6.js";import"./chunk-chunk-BUHOJO4X.js";

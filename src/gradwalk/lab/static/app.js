import"./chunk-chunk-VY2DZCMZ.js";import"./chunk-chunk-63M27JYU.js";

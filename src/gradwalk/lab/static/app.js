import"./chunk-chunk-YMZCIQJU.js";import"./chunk-chunk-63M27JYU.js";

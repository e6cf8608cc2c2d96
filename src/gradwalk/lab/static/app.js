import"./chunk-chunk-JSU6JB5W.js";import"./chunk-chunk-4IH5IOM2.js";

import"./chunk-chunk-4ZWUFYL4.js";import"./chunk-chunk-EOQGF3D7.js";

import"./chunk-chunk-NMBVDE3N.js";import"./chunk-chunk-F3JWBXEF.js";

import"./chunk-chunk-YZLIROJB.js";import"./chunk-chunk-KQ7CWB3H.js";

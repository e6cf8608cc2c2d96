import{d as e}from"./chunk-chunk-DEOFJIHP.js";import"./chunk-chunk-Z5M32ELP.js";e(globalThis);

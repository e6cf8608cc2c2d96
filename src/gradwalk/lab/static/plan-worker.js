import{d as e}from"./chunk-chunk-CLSJSVJX.js";import"./chunk-chunk-Q7PSIRFV.js";e(globalThis);

import{d as e}from"./chunk-chunk-NQ3P5BDY.js";import"./chunk-chunk-4RWLPPAY.js";e(globalThis);

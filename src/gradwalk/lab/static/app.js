import"./chunk-chunk-KP5KIVUN.js";import"./chunk-chunk-HN4WT7XQ.js";

import"./chunk-chunk-2VD5KKOC.js";import"./chunk-chunk-V2ECZKW2.js";

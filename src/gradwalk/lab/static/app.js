import"./chunk-chunk-UPYTEMIR.js";

import"./chunk-chunk-HB5MP5SZ.js";import"./chunk-chunk-VHZ2Y4WD.js";

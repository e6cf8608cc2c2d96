import"./chunk-chunk-KWI25EJ3.js";

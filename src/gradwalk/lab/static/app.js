import"./chunk-chunk-MBS7456V.js";

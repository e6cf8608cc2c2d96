import"./chunk-chunk-4ABTZTW3.js";import"./chunk-chunk-2PJ7ZP72.js";

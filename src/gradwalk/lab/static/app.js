import"./chunk-chunk-FX243233.js";import"./chunk-chunk-SMHJ2BGR.js";

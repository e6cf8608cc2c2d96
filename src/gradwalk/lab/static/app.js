import"./chunk-chunk-MCWP43XW.js";import"./chunk-chunk-KBRLRSXI.js";import"./chunk-chunk-Z5M32ELP.js";import"./chunk-chunk-KK2AZMWC.js";

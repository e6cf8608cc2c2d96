import"./chunk-chunk-UAOBAACV.js";import"./chunk-chunk-JPMHKTQ2.js";

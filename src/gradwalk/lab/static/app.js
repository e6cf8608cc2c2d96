import"./chunk-chunk-JQBBYOTD.js";import"./chunk-chunk-NYXJ3HU6.js";

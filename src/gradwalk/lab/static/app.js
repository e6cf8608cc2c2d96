<<<<<<< HEAD
import"./chunk-chunk-KP5KIVUN.js";import"./chunk-chunk-HN4WT7XQ.js";
=======
import"./chunk-chunk-NK54YVMT.js";import"./chunk-chunk-APSF6CN6.js";
>>>>>>> lab-truth

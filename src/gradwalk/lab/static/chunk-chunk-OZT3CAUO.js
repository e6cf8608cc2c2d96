import{l as t}from"./chunk-chunk-JIY6R53Z.js";function r({code:e,args:n}){let o=t.messages[e];return o(...n.map(s=>i(s)?r(s):s))}function i(e){return typeof e=="object"&&"code"in e}export{r as a};

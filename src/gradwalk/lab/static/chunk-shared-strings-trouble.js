import{k as t}from"./chunk-shared-parts-styles-learn.js";function s({code:r,detail:e}){let o=t.server;return r==="said"?e:r==="status"||r==="slow"?o[r](Number(e)):o[r]}export{s as a};

import{k as o}from"./chunk-chunk-S4YBS7AL.js";function u({code:r,detail:e}){let t=o.server;return r==="said"?e:r==="status"?t.status(Number(e)):t[r]}export{u as a};

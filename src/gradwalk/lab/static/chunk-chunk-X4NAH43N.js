import{k as o}from"./chunk-chunk-3FKYL5LX.js";function u({code:r,detail:e}){let t=o.server;return r==="said"?e:r==="status"?t.status(Number(e)):t[r]}export{u as a};

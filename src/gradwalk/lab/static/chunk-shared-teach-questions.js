import{a as Q,b as y}from"./chunk-shared-teach-generate.js";import{a as O}from"./chunk-shared-app-random.js";import{Z as u,b as v}from"./chunk-shared-app-timeline.js";import{b as p,c as d,g as k}from"./chunk-shared-lit-html-directive-helpers.js";import{g as m,k as w}from"./chunk-shared-lit-html-lit-html.js";import{a as b}from"./chunk-shared-app-names.js";import{A as h,l as g,o as x,s as f}from"./chunk-shared-core-rows.js";var N=p(class extends d{constructor(){super(...arguments),this.key=m}render(e,t){return this.key=e,t}update(e,[t,r]){return t!==this.key&&(k(e),this.key=t),r}});function l(e,t){let{text:r,values:n}=v(e);return{id:`${e}-${t}`,text:r,values:n,leaf:t}}var P=[l("x1","a"),{...l("x1","b"),values:{a:-1,b:5,c:4}},l("x2","w1"),l("x6","a")];function L(e,t){let r=y(O(t),e),n=G(Q(r));return{...r,id:`${e}.${t}`,leaf:n}}var $="own";function J(e,t,r){let n=P.find(a=>a.id===e);if(n)return n;if(e===$)return t?R(t,r,$):null;let[,o,s]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return o?L(o,Number(s)):null}function R(e,t,r){let n=g(e),o=Object.fromEntries(n.names.map(a=>[a,t[a]??1])),s=x(n.evaluate(o));return s.leaves.length?{id:r,text:e,values:o,leaf:G(s)}:null}function G(e){let t=e.leaves[0],r=0n;for(let n of e.leaves){let{count:o}=f(e,n.id,1);o>r&&([t,r]=[n,o])}return t.label}function j(e,t){return f(e,t,6)}function K(e,t,r){let n=w.checks.diagnosis,o=j(e,t),s=e.find(t),a=b(e);if(o.count>1n&&o.complete){for(let i of o.largest)if(u(r,i.product))return n.onePath(i.nodes.map(c=>a[c]).join(" → "));if(u(r,o.largest.reduce((i,c)=>i*c.product,1)))return n.product}return u(r,h(e,{bug:"overwrite"}).grads[s.id])?n.overwrite:u(r,-o.total)?n.flipped:u(r,s.data)?n.value(t):o.largest.some(i=>i.locals.length>1&&i.locals.some(c=>u(r,c)))?n.local:""}export{N as a,P as b,$ as c,J as d,j as e,K as f};
/*! Bundled license information:

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

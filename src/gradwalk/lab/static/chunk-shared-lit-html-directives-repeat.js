import{a as E,b as g,c as x,e as v,f as p,g as b,h as j,i as P}from"./chunk-shared-lit-html-directive-helpers.js";import{f as h}from"./chunk-shared-lit-html-lit-html.js";var A=(s,a,u)=>{let c=new Map;for(let e=a;e<=u;e++)c.set(s[e],e);return c},R=g(class extends x{constructor(s){if(super(s),s.type!==E.CHILD)throw Error("repeat() can only be used in text expressions")}dt(s,a,u){let c;u===void 0?u=a:a!==void 0&&(c=a);let e=[],n=[],o=0;for(let f of s)e[o]=c?c(f,o):o,n[o]=u(f,o),o++;return{values:n,keys:e}}render(s,a,u){return this.dt(s,a,u).values}update(s,[a,u,c]){let e=j(s),{values:n,keys:o}=this.dt(a,u,c);if(!Array.isArray(e))return this.ut=o,n;let f=this.ut??=[],m=[],y,k,t=0,i=e.length-1,r=0,l=n.length-1;for(;t<=i&&r<=l;)if(e[t]===null)t++;else if(e[i]===null)i--;else if(f[t]===o[r])m[r]=p(e[t],n[r]),t++,r++;else if(f[i]===o[l])m[l]=p(e[i],n[l]),i--,l--;else if(f[t]===o[l])m[l]=p(e[t],n[l]),v(s,m[l+1],e[t]),t++,l--;else if(f[i]===o[r])m[r]=p(e[i],n[r]),v(s,e[t],e[i]),i--,r++;else if(y===void 0&&(y=A(o,r,l),k=A(f,t,i)),y.has(f[t]))if(y.has(f[i])){let d=k.get(o[r]),w=d!==void 0?e[d]:null;if(w===null){let D=v(s,e[t]);p(D,n[r]),m[r]=D}else m[r]=p(w,n[r]),v(s,e[t],w),e[d]=null;r++}else P(e[i]),i--;else P(e[t]),t++;for(;r<=l;){let d=v(s,m[l+1]);p(d,n[r]),m[r++]=d}for(;t<=i;){let d=e[t++];d!==null&&P(d)}return this.ut=o,b(s,m),h}});var C=class extends x{#e={};render(a){return h}update(a,[u]){let{style:c}=a.element;for(let[e,n]of Object.entries(u))this.#e[e]!==n&&c.setProperty(e,n);return this.#e=u,h}},F=g(C);export{R as a,F as b};
/*! Bundled license information:

lit-html/directives/repeat.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

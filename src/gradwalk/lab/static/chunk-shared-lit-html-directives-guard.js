import{b as e,c as i}from"./chunk-shared-lit-html-directive.js";import{f as t}from"./chunk-shared-lit-html-lit-html.js";var h={},f=e(class extends i{constructor(){super(...arguments),this.ot=h}render(o,r){return r()}update(o,[r,a]){if(Array.isArray(r)){if(Array.isArray(this.ot)&&this.ot.length===r.length&&r.every((s,n)=>s===this.ot[n]))return t}else if(this.ot===r)return t;return this.ot=Array.isArray(r)?Array.from(r):r,this.render(r,a)}});export{f as a};
/*! Bundled license information:

lit-html/directives/guard.js:
  (**
   * @license
   * Copyright 2018 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

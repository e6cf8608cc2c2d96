import{a as $}from"./chunk-shared-lit-html-directive-helpers.js";import{a as c,c as _}from"./chunk-shared-lit-html-directive.js";var o=(e,t)=>{let s=e._$AN;if(s===void 0)return!1;for(let i of s)i._$AO?.(t,!1),o(i,t);return!0},r=e=>{let t,s;do{if((t=e._$AM)===void 0)break;s=t._$AN,s.delete(e),e=t}while(s?.size===0)},d=e=>{for(let t;t=e._$AM;e=t){let s=t._$AN;if(s===void 0)t._$AN=s=new Set;else if(s.has(e))break;s.add(e),l(t)}};function a(e){this._$AN!==void 0?(r(this),this._$AM=e,d(this)):this._$AM=e}function f(e,t=!1,s=0){let i=this._$AH,h=this._$AN;if(h!==void 0&&h.size!==0)if(t)if(Array.isArray(i))for(let n=s;n<i.length;n++)o(i[n],!1),r(i[n]);else i!=null&&(o(i,!1),r(i));else o(this,e)}var l=e=>{e.type==c.CHILD&&(e._$AP??=f,e._$AQ??=a)},A=class extends _{constructor(){super(...arguments),this._$AN=void 0}_$AT(t,s,i){super._$AT(t,s,i),d(this),this.isConnected=t._$AU}_$AO(t,s=!0){t!==this.isConnected&&(this.isConnected=t,t?this.reconnected?.():this.disconnected?.()),s&&(o(this,t),r(this))}setValue(t){if($(this._$Ct))this._$Ct._$AI(t,this);else{let s=[...this._$Ct._$AH];s[this._$Ci]=t,this._$Ct._$AI(s,this,0)}}disconnected(){}reconnected(){}};export{A as a};
/*! Bundled license information:

lit-html/async-directive.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

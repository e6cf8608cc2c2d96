<<<<<<< HEAD
import{a as s,b as o,c as i}from"./chunk-chunk-KP5KIVUN.js";import{c as r}from"./chunk-chunk-HN4WT7XQ.js";var t=class extends i{constructor(){super(),this.embedded=!0}render(){let{lab:e}=this;return r`<div class="page embed" @click=${this.clicked} @open=${this.opened}>${s(e,{switches:["final","unfold"]})}${o(e)}</div>${this.spokenLine(e)}`}};customElements.define("gradwalk-graph",t);
=======
import{a as s,b as o,c as i}from"./chunk-chunk-NK54YVMT.js";import{c as r}from"./chunk-chunk-APSF6CN6.js";var t=class extends i{constructor(){super(),this.embedded=!0}render(){let{lab:e}=this;return r`<div class="page embed" @click=${this.clicked} @open=${this.opened}>${s(e,{switches:["final","unfold"]})}${o(e)}</div>${this.spokenLine(e)}`}};customElements.define("gradwalk-graph",t);
>>>>>>> lab-truth

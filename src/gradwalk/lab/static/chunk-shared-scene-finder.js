import{a as u}from"./chunk-shared-parts-code.js";import{a}from"./chunk-shared-lit-html-directives-guard.js";import{a as c}from"./chunk-shared-parts-equation.js";import{a as h}from"./chunk-shared-parts-events.js";import{h as f}from"./chunk-shared-parts-stage.js";import{a as m}from"./chunk-shared-scene-find.js";import{Q as p}from"./chunk-shared-app-timeline.js";import{c as r,g as d,k as n}from"./chunk-shared-lit-html-lit-html.js";var k=".find{display:flex;flex:none;gap:var(--s2);align-items:center;block-size:44px;padding-inline:var(--s2);border-block-end:1px solid var(--line);background:var(--surface);font:13px var(--sans);color:var(--muted)}.find :is(input,button){block-size:32px;padding-inline:var(--s2);border:1px solid var(--edge);border-radius:var(--radius, 8px);background:var(--field);color:var(--text);font:inherit}.find input{inline-size:148px}.find :focus-visible{outline:2px solid var(--focus);outline-offset:1px}.find output:not(:empty){padding:2px 6px;border-radius:4px;background:var(--surface)}";var v=class{#e="";#t=-1;#o;#n;#i;#a=p(m,{alike:[]});constructor(e,t,o){this.#o=e,this.#n=t,this.#i=o}get#r(){let{graph:e,names:t}=this.#n();return this.#e?this.#a(e,t,this.#e):[]}render(e=""){let{length:t}=this.#r,o=t?n.find.found(Math.max(0,this.#t)+1,t):n.find.none;return r`<div class="find" role="search">
      <input type="search" aria-label=${n.find.label} placeholder=${n.find.label}
        autocomplete="off" spellcheck="false" @input=${this.#s} @keydown=${this.#l} />
      <output>${this.#e?o:""}</output>
      ${e}
    </div>`}#s=e=>{this.#e=e.target.value,this.#t=-1,this.#o.requestUpdate()};#l=e=>{e.stopPropagation(),e.key==="Escape"&&this.#e&&(e.target.value="",this.#s(e));let t=this.#r;if(e.key!=="Enter"||!t.length)return;let o=e.shiftKey?-1:1;this.#t=(Math.max(this.#t,o<0?0:-1)+o+t.length)%t.length,this.#o.requestUpdate(),this.#i(t[this.#t])}};function I(i,e=d){let{program:t,frame:o,state:s}=i,{events:g}=t.line,x=o.event?`${n.phases[o.phase]}, ${n.find.found(o.index+1,g.length)}`:"",l=[n,t,o.index,o.landed,s.node,s.edge,i.veil];return r`<div class="rail">
    <section class="panel rule moment">
      <div class="title"><h2>${n.now}</h2><span class="score">${x}</span></div>
      ${f(i)}
      ${a([...l,s.hold],()=>r`
        <div class="body" tabindex="0" role="region" aria-label=${n.equation.title}>${c(i)}</div>
        ${u(t,o,b)}`)}
    </section>
    ${a(l,()=>h(t,o,i.seek,i.veil))}
    ${e}
  </div>`}var b=4;export{k as a,v as b,I as c};

import{a as h,g as M,k as R,r as E,s as H}from"./chunk-shared-app-store.js";import{a as k,b as $,c as u,d as P,e as L,g as w}from"./chunk-shared-scene-steer.js";import{E as b,I as y,L as x,P as c}from"./chunk-shared-app-timeline.js";import{c as d,g as v,k as i}from"./chunk-shared-lit-html-lit-html.js";function A(a,t){let o=c(b,{alike:[]}),{dispatch:e}=a,p=()=>{let l=x(a.state),n=y(a.state,l.graph),{line:r}=l,m=Math.min(n.time,u(n,r)),g=()=>Math.min(a.state.time,r.total),f=s=>e({type:"seek",time:Math.min(s,u(a.state,r))});return{...t(),state:n,program:l,frame:o(r,m),veil:$(n,r),fixed:n.given!==null,dispatch:e,seek:f,step:s=>f(P(r,g(),s)),stepPhase:s=>f(L(r,g(),s)),playPause:()=>{let s=m>=u(n,r)&&m>=r.total;e({type:"play",on:!n.playing,time:s&&!n.playing?0:m})},load:(s,N)=>e({type:"load",text:s,values:N,play:n.page==="sandbox"&&!k()&&!n.predict}),current:p}};return p}var K=".find{display:flex;flex:none;gap:8px;align-items:center;block-size:44px;padding-inline:8px;border-block-end:1px solid var(--line);background:var(--surface);font:13px var(--sans);color:var(--muted)}.find :is(input,button){block-size:32px;padding-inline:8px;border:1px solid var(--edge);border-radius:var(--radius, 8px);background:var(--field);color:var(--text);font:inherit}.find input{inline-size:148px}.find :focus-visible{outline:2px solid var(--focus);outline-offset:1px}.find output:not(:empty){padding:2px 6px;border-radius:4px;background:var(--surface)}";var T=class{#e="";#t=-1;#o;#a;#n;#s=c(w,{alike:[]});constructor(t,o,e){this.#o=t,this.#a=o,this.#n=e}get#r(){let{graph:t,names:o}=this.#a();return this.#e?this.#s(t,o,this.#e):[]}render(t=""){let{length:o}=this.#r,e=o?i.find.found(Math.max(0,this.#t)+1,o):i.find.none;return d`<div class="find" role="search">
      <input type="search" aria-label=${i.find.label} placeholder=${i.find.label}
        autocomplete="off" spellcheck="false" @input=${this.#i} @keydown=${this.#p} />
      <output>${this.#e?e:""}</output>
      ${t}
    </div>`}#i=t=>{this.#e=t.target.value,this.#t=-1,this.#o.requestUpdate()};#p=t=>{t.stopPropagation(),t.key==="Escape"&&this.#e&&(t.target.value="",this.#i(t));let o=this.#r;if(t.key!=="Enter"||!o.length)return;let e=t.shiftKey?-1:1;this.#t=(Math.max(this.#t,e<0?0:-1)+e+o.length)%o.length,this.#o.requestUpdate(),this.#n(o[this.#t])}};function Z(a,t=v){let{program:o,frame:e,state:p}=a,{events:l}=o.line,n=e.event?`${i.phases[e.phase]}, ${i.find.found(e.index+1,l.length)}`:"",r=[i,o,e.index,e.landed,p.node,p.edge,a.veil];return d`<div class="rail">
    <section class="panel rule moment">
      <div class="title"><h2>${i.now}</h2><span class="score">${n}</span></div>
      ${E(a)}
      ${h([...r,p.hold],()=>d`
        <div class="body" tabindex="0" role="region" aria-label=${i.equation.title}>${M(a)}</div>
        ${H(o,e,O)}`)}
    </section>
    ${h(r,()=>R(o,e,a.seek,a.veil))}
    ${t}
  </div>`}var O=4;export{A as a,K as b,T as c,Z as d};

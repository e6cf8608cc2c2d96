import{b as N}from"./chunk-shared-parts-charts.js";import{f as S}from"./chunk-shared-app-url.js";import{d as M}from"./chunk-shared-app-descent.js";import{a as f}from"./chunk-shared-parts-panel.js";import{a as H}from"./chunk-shared-parts-expression.js";import{f as v,g as E}from"./chunk-shared-parts-stage.js";import{a as g}from"./chunk-shared-parts-icons.js";import{a as F}from"./chunk-shared-teach-arithmetic.js";import{H as T,Q as R,T as o,f as L}from"./chunk-shared-app-timeline.js";import{c as u,d as w,g as k,k as i}from"./chunk-shared-lit-html-lit-html.js";function ot(s){let e=u`<div class="rail">
    <section class="panel moment">
      <div class="title"><h2>${i.now}</h2></div>
      ${A(s)}
    </section>
    ${O(s)}
  </div>`,a=v(s,{head:S(s),switches:[],foot:P(s)});return E(a,H(s),e)}function rt(s){return u`
    ${v(s,{switches:[],headline:A(s),foot:P(s)})}
    <div class="dock descent">${O(s)}</div>`}function O(s){return[f(i.descend.curve(s.program.output),C(s),"curve"),f(i.descend.surface,X(s),"surface"),f(i.descend.leaves,Y(s),"leaves")]}function P(s){let{state:e,dispatch:a}=s,t=i.descend;return u`<div class="bar descend-bar" role="group" aria-label=${t.controls}>
    <button class="primary" data-descend="run" @click=${()=>a({type:"descending",on:!e.descending})}>${g(e.descending?"pause":"play")} ${e.descending?i.pause:t.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>a({type:"descend",steps:1})}>${g("step")} ${t.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${e.way.length<2} @click=${()=>a({type:"climb"})}>${g("start")} ${t.reset}</button>
    <label>${t.rate} <select @change=${n=>a({type:"rate",rate:Number(n.target.value)})}>
      ${L.map(n=>u`<option value=${n} .selected=${n===e.rate}>${o(n)}</option>`)}
    </select></label>
  </div>`}function A(s){let{state:e,program:a}=s,t=i.descend,n=Math.max(0,e.way.length-1),r=a.graph.nodes[a.graph.root].data,p=e.way[0]?.output??r,c=e.stuck==="numbers"?t.strange:e.stuck==="still"?t.still:e.stuck==="up"?t.up:t.rule;return u`<div class="words"><p class="what">${n?t.fell(a.output,o(p),o(r),n):t.start(a.output,F(r))}</p>
    <p class="why ${e.stuck==="numbers"||e.stuck==="up"?"bad":""}" role="status">${c}</p></div>`}var B=150;function C(s){let{way:e}=s.state,a=i.descend,t=e.filter(({output:d})=>Number.isFinite(d));if(t.length<2)return u`<p class="why">${a.noCurve}</p>`;let n=t.map(({output:d},m)=>({step:m,loss:d})),r=t.at(-1),{output:p}=s.program,c=a.curveSaid(p,o(t[0].output),o(r.output),t.length-1);return u`<figure class="sparkline">
    ${N([{name:p,points:n,ink:0}],{first:0,high:B,said:c})}
    <figcaption><span>${o(t[0].output)}</span><span>${i.group.title.run(t.length-1)}</span><strong>${o(r.output)}</strong></figcaption>
  </figure>`}function G({state:s}){let e=T(s).filter(a=>s.learning.includes(a));return e.length>=2?[e[0],e[1]]:null}var I=R((s,e,a,t,n)=>M(s,n,[e,a],t.length?t:[{values:n,output:0}]));function X(s){let{state:e}=s,a=i.descend,t=G(s);if(!t)return u`<p class="why">${a.noSurface}</p>`;let n=I(e.good,t[0],t[1],e.way,e.values),r=n.rows.length,p=n.rows.flat().filter(Number.isFinite),[c,d]=[Math.min(...p),Math.max(...p)],m=l=>Number.isFinite(l)?Math.sqrt((l-c)/Math.max(d-c,1e-300)):1,h=l=>r*(l-n.x[0])/(n.x[1]-n.x[0]),$=l=>r-r*(l-n.y[0])/(n.y[1]-n.y[0]),x=(e.way.length?e.way:[{values:e.values,output:0}]).map(({values:l})=>[h(l.get(t[0])??0),$(l.get(t[1])??0)]),V=x.map(([l,b],y)=>`${y?"L":"M"}${l.toFixed(2)} ${b.toFixed(2)}`),[j,q]=x.at(-1);return u`<figure class="surface-map">
    <svg viewBox="0 0 ${r} ${r}" role="img" aria-label=${a.surfaceSaid(t[0],t[1],o(c),o(d))}>
      ${n.rows.map((l,b)=>l.map((y,z)=>w`<rect class="cell" x=${z} y=${b} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${m(y).toFixed(2)} />`))}
      ${w`<path class="way" d=${V.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${j} cy=${q} r="0.6" />`}
    </svg>
    <figcaption>${a.axes(t[0],o(n.x[0]),o(n.x[1]),t[1],o(n.y[0]),o(n.y[1]))}</figcaption>
  </figure>`}function Y(s){let{state:e,program:a,dispatch:t}=s,{graph:n,walk:r}=a,p=i.descend;return u`<table class="numbers learns">
    <caption class="hidden">${p.leaves}</caption>
    <thead><tr><th scope="col">${p.learns}</th><th scope="col" class="end">${i.numbers.value}</th><th scope="col" class="end">${i.numbers.grad}</th></tr></thead>
    <tbody>${n.leaves.map(c=>{let d=e.learning.includes(c.label);return u`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${d} @change=${()=>{let h=d?e.learning.filter($=>$!==c.label):[...e.learning,c.label];t({type:"learning",learning:h})}} /> ${c.label}</label></td>
        <td class="end">${o(c.data)}</td><td class="end">${d?o(r.expected[c.id]):k}</td></tr>`})}</tbody>
  </table>`}export{ot as a,rt as b};

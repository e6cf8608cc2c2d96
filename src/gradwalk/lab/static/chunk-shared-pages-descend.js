import{a as V,b as K}from"./chunk-shared-parts-charts.js";import{a as L}from"./chunk-shared-teach-ticks.js";import{f as I}from"./chunk-shared-app-url.js";import{d as P,e as H}from"./chunk-shared-app-descent.js";import{a as M}from"./chunk-shared-parts-panel.js";import{a as z}from"./chunk-shared-parts-expression.js";import{f as F,g as G}from"./chunk-shared-parts-stage.js";import{a as C}from"./chunk-shared-parts-icons.js";import{a as A}from"./chunk-shared-teach-arithmetic.js";import{H as D,Q as R,T as m,e as S,f as j}from"./chunk-shared-app-timeline.js";import{c as d,d as T,g as O,k as u}from"./chunk-shared-lit-html-lit-html.js";var[Q,W]=[10,.9];function N(e){let t=e.flat().filter(Number.isFinite);t.sort((n,s)=>n-s);let r=t[Math.floor(W*(t.length-1))];return L(t[0],r,Q).filter(n=>n>t[0])}function B(e,t,r){let n=r/(e.length-1),s=(a,c)=>({x:c*n,y:a*n,height:e[a][c]}),[o,i]=["",""];for(let a=0;a+1<e.length;a++)for(let c=0;c+1<e.length;c++){let y=[s(a,c),s(a,c+1),s(a+1,c+1),s(a+1,c)];if(!y.every(({height:g})=>Number.isFinite(g)))continue;let{inside:f,crossings:h}=X(y,t);f.length&&(o+=`M${f.map(E).join("L")}Z`);for(let g=0;g<h.length;g+=2)i+=`M${E(h[g])}L${E(h[g+1])}`}return{level:t,area:o,line:i}}var E=({x:e,y:t})=>`${e.toFixed(1)} ${t.toFixed(1)}`;function X(e,t){let r=[],n=[];return e.forEach((s,o)=>{let i=e[(o+1)%e.length];if(s.height>=t&&r.push(s),s.height>=t==i.height>=t)return;let a=(t-s.height)/(i.height-s.height),c={x:s.x+a*(i.x-s.x),y:s.y+a*(i.y-s.y),height:t};r.push(c),n.push(c)}),n.length&&e[0].height<t&&n.unshift(n.pop()),{inside:r,crossings:n}}function At(e){let t=d`<div class="rail">
    <section class="panel moment">
      <div class="title"><h2>${u.now}</h2></div>
      ${J(e)}
    </section>
    ${Z(e)}
  </div>`,r=F(e,{head:I(e),switches:[],foot:q(e)});return G([r,d`<div class="pair">${_(e)}</div>`],z(e),t)}function Ft(e){return d`
    ${F(e,{switches:[],headline:J(e),foot:q(e)})}
    <div class="dock descent">${Z(e)}${_(e)}</div>`}var Z=e=>M(u.descend.surface,ot(e),"surface");function _(e){return[M(u.descend.curve(e.program.output),tt(e),"curve"),M(u.descend.leaves,dt(e),"leaves")]}function q(e){let{state:t,dispatch:r}=e,n=u.descend;return d`<div class="bar descend-bar" role="group" aria-label=${n.controls}>
    <button class="primary" data-descend="run" @click=${()=>r({type:"descending",on:!t.descending})}>${C(t.descending?"pause":"play")} ${t.descending?u.pause:n.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>r({type:"descend",steps:1})}>${C("step")} ${n.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>r({type:"climb"})}>${C("start")} ${n.reset}</button>
    <label>${n.rate} <select @change=${s=>r({type:"rate",rate:Number(s.target.value)})}>
      ${j.map(s=>d`<option value=${s} .selected=${s===t.rate}>${m(s)}</option>`)}
    </select></label>
  </div>`}function J(e){let{state:t,program:r}=e,n=u.descend,s=Math.max(0,t.way.length-1),o=r.graph.nodes[r.graph.root].data,i=t.way[0]?.output??o,a=t.stuck==="numbers"?n.strange:t.stuck==="still"?n.still:t.stuck==="up"?n.up:n.rule;return d`<div class="words"><p class="what">${s?n.fell(r.output,m(i),m(o),s):n.start(r.output,A(o))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${a}</p></div>`}var Y=130;function tt(e){let{way:t}=e.state,r=u.descend,n=t.filter(({output:c})=>Number.isFinite(c));if(n.length<2)return d`<p class="why">${r.noCurve}</p>`;let s=n.map(({output:c},y)=>({step:y,loss:c})),o=n.at(-1),{output:i}=e.program,a=r.curveSaid(i,m(n[0].output),m(o.output),n.length-1);return d`<figure class="sparkline">
    ${K([{name:i,points:s,ink:0}],{first:0,high:Y,said:a})}
    <figcaption><span>${m(n[0].output)}</span><span>${u.group.title.run(n.length-1)}</span><strong>${m(o.output)}</strong></figcaption>
  </figure>`}function et({state:e}){let t=D(e).filter(r=>e.learning.includes(r));return t.length>=2?[t[0],t[1]]:null}var nt=R((e,t,r,n)=>{let[s,o]=n.split(" ");return P(e,t,r,[s,o],S)}),st=R((e,t,r,n,s)=>{let[o,i]=t.split(" ");return H(e,s,[o,i],r)},{keyed:4}),rt=R((e,t)=>N(e).map(r=>B(e,r,t)));function ot(e){let{state:t,program:r}=e,n=u.descend,s=et(e);if(!s)return d`<p class="why">${n.noSurface}</p>`;let o=t.way[0]?.values??t.values,i=nt(t.good,o,t.learning,s.join(" ")),a=r.graph.leaves.filter(({label:p})=>!s.includes(p)).map(({label:p,data:l})=>`${p}:${l}`),c=st(t.good,s.join(" "),i,a.join(),t.values),f=(t.way.length?t.way.map(({values:p})=>p):[t.values]).map(p=>s.map(l=>p.get(l)??0)),h=N(c),[g,v]=f.at(-1),w=[i.x,i.y].some(([p,l],b)=>[g,v][b]<p||[g,v][b]>l),k=h.length>1?h[1]-h[0]:0;return d`<figure class="surface-map">
    <div class="chart">${V(p=>ut(s,i,c,f,p))}</div>
    <figcaption>${w?n.outside:n.heights(r.output,m(Number(k.toPrecision(6))))}</figcaption>
  </figure>`}var at=320,[$,U,x,ct]=[48,10,22,38],it=52,lt=.6;function ut(e,t,r,n,s){let o=Math.min(at,s)-$-U,i=o+x+ct,a=l=>o*(l-t.x[0])/(t.x[1]-t.x[0]),c=l=>o-o*(l-t.y[0])/(t.y[1]-t.y[0]),y=rt(r,o),f=(1-(1-lt)**(1/Math.max(1,y.length))).toFixed(3),h=Math.max(2,Math.floor(o/it)),g=n.map(([l,b])=>`${a(l).toFixed(1)} ${c(b).toFixed(1)}`),[v,w]=[n[0],n.at(-1)],k=(l,b)=>`${l} ${A(w[b])}`,p=u.descend.surfaceSaid(e[0],e[1],k(e[0],0),k(e[1],1));return d`<svg width=${o+$+U} height=${i} role="img" aria-label=${p}>
    <svg x=${$} y=${x} width=${o} height=${o}>
      <rect class="ground" width=${o} height=${o} />
      ${y.map(({area:l,line:b})=>T`<path class="area" d=${l} fill-opacity=${f} /><path class="line" d=${b} />`)}
      <path class="way" d="M${g.join("L")}" />
      <circle class="start" cx=${a(v[0])} cy=${c(v[1])} r="5" />
      ${n.length>1?T`<circle class="now" cx=${a(w[0])} cy=${c(w[1])} r="6" />`:O}
    </svg>
    ${L(t.x[0],t.x[1],h).map(l=>T`<line class="notch" x1=${$+a(l)} x2=${$+a(l)} y1=${x+o} y2=${x+o+4} /><text class="tick" x=${$+a(l)} y=${x+o+17} text-anchor="middle">${m(l)}</text>`)}
    ${L(t.y[0],t.y[1],h).map(l=>T`<line class="notch" x1=${$-4} x2=${$} y1=${x+c(l)} y2=${x+c(l)} /><text class="tick" x=${$-7} y=${x+c(l)+4} text-anchor="end">${m(l)}</text>`)}
    <text class="axis" x=${$+o/2} y=${i-4} text-anchor="middle">${e[0]} →</text>
    <text class="axis" x=${$} y="14">↑ ${e[1]}</text>
  </svg>`}function dt(e){let{state:t,program:r,dispatch:n}=e,{graph:s,walk:o}=r,i=u.descend;return d`<table class="numbers learns">
    <caption class="hidden">${i.leaves}</caption>
    <thead><tr><th scope="col">${i.learns}</th><th scope="col" class="end">${u.numbers.value}</th><th scope="col" class="end">${u.numbers.grad}</th></tr></thead>
    <tbody>${s.leaves.map(a=>{let c=t.learning.includes(a.label);return d`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${c} @change=${()=>{let f=c?t.learning.filter(h=>h!==a.label):[...t.learning,a.label];n({type:"learning",learning:f})}} /> ${a.label}</label></td>
        <td class="end">${m(a.data)}</td><td class="end">${c?m(o.expected[a.id]):O}</td></tr>`})}</tbody>
  </table>`}export{At as a,Ft as b};

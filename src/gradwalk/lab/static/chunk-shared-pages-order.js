import{a as A}from"./chunk-shared-parts-expression.js";import{f as P}from"./chunk-shared-parts-stage.js";import{a as R}from"./chunk-shared-parts-rows.js";import{d as x}from"./chunk-shared-scene-hold.js";import{a as T}from"./chunk-shared-lit-html-directives-repeat.js";import{a as f}from"./chunk-shared-parts-icons.js";import{d as E}from"./chunk-shared-scene-find.js";import{F as k,O as y,P as h,T as b}from"./chunk-shared-app-timeline.js";import{c as u,g as v,k as o}from"./chunk-shared-lit-html-lit-html.js";import{B as L}from"./chunk-shared-core-rows.js";var H=4;function M(e,t,n){let r=e.target.closest("[data-place]"),i=e.currentTarget;if(!r||e.button!==0)return;let c=Number(r.dataset.place),s=[...t()],d=!1,p=a=>{if(!d&&Math.hypot(a.clientX-e.clientX,a.clientY-e.clientY)<H)return;d=!0,r.classList.add("dragged"),a.preventDefault();let m=[...i.querySelectorAll("[data-place]")].find(w=>{let g=w.getBoundingClientRect();return a.clientX>=g.left&&a.clientX<=g.right&&a.clientY>=g.top-12&&a.clientY<=g.bottom+12}),$=m?s.indexOf(Number(m.dataset.place)):-1,S=s.indexOf(c);$<0||$===S||(s=s.filter(w=>w!==c),s.splice($,0,c),n(s))},l=()=>{r.classList.remove("dragged"),d&&x(),removeEventListener("pointermove",p),removeEventListener("pointerup",l),removeEventListener("pointercancel",l)};addEventListener("pointermove",p),addEventListener("pointerup",l),addEventListener("pointercancel",l)}var K=24;function st(e){return u`${A(e)}${X(e)}`}function X(e){let{state:t,program:n}=e,r=y(n.graph),i=h(n.graph,t.order)?t.order:r,c=Y(n),s=t.ran?e:{...e,frame:k(n.line,c)},d=t.ran?void 0:u`<div class="words"><p class="what task">${o.order.task}</p><p class="why">${o.order.rule}</p></div>`;return u`
    ${P(s,{compare:t.ran,switches:[],headline:d,foot:t.ran?void 0:v,lit:t.ran?W(n,e.state.edge,e.state.node):null})}
    ${r.length>K?u`<p class="panel pad">${o.order.count(r.length)}</p>`:z(e,i,c)}
    ${t.ran?q(e):v}`}function Y(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function z(e,t,n){let{program:r,dispatch:i,state:c}=e,{names:s}=r,d=l=>i({type:"order",order:l}),p=(l,a)=>{if(a<0||a>=t.length||l===a)return;let m=[...t];m.splice(a,0,...m.splice(l,1)),d(m)};return u`<section class="tray panel" aria-label=${o.order.tray}>
    <ol class="places" @pointerdown=${l=>M(l,()=>C(e,t),d)}>
      ${T(t,l=>l,(l,a)=>u`<li class="place" data-place=${l}>
          <span class="number" aria-hidden="true">${a+1}</span>
          <button class="bare nudge" aria-label=${o.order.earlier(s[l])} ?disabled=${a===0} @click=${()=>p(a,a-1)}>${f("left")}</button>
          <button class="grip" aria-label=${o.order.place(s[l],a+1,t.length)} @keydown=${m=>D(m,a,p)}>${s[l]}</button>
          <button class="bare nudge" aria-label=${o.order.later(s[l])} ?disabled=${a===t.length-1} @click=${()=>p(a,a+1)}>${f("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{h(r.graph,c.order)||d(t),i({type:"run",on:!0,time:n})}}>${f("play")} ${o.order.run}</button>
      <button class="toggle" @click=${()=>d(j(t))}>${o.order.shuffle}</button>
      <button class="toggle" @click=${()=>d(L(r.graph).order.filter(l=>t.includes(l)))}>${o.order.right}</button>
    </div>
  </section>`}function C(e,t){return h(e.program.graph,e.state.order)?e.state.order:t}function D(e,t,n){let r={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!r)return;e.preventDefault(),e.stopPropagation(),n(t,t+r);let i=e.currentTarget;requestAnimationFrame(()=>i.focus())}function j(e){let t=[...e];for(let n=t.length-1;n>0;n--){let r=Math.floor(Math.random()*(n+1));[t[n],t[r]]=[t[r],t[n]]}return t}function q(e){let{program:t,frame:n}=e,{walk:r,names:i}=t;if(n.time<t.line.total-1)return u``;if(!r.wrong.length)return u`<section class="panel verdict right"><h2>✓ ${o.order.won}</h2><div class="body"><p>${o.order.insight}</p>${O(t)}</div></section>`;let c=r.backward.filter(s=>s.note==="zero"&&r.expected[s.node]!==0);return u`<section class="panel verdict wrong">
    <h2>✗ ${r.lost.length?o.order.lost(r.lost.length):o.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${r.lost.map(s=>N(e,s))}
        ${c.map(s=>u`<li><span>${o.order.starvedRow(i[s.node])}</span></li>`)}
        <li class="insight">${o.order.insight}</li>
      </ul>
      ${O(t)}
    </div>
  </section>`}function N(e,t){let{names:n,graph:r}=e.program,i=r.nodes[t.source].operands.indexOf(t.to);return u`<li>
    <span><strong class="bad">${o.order.lostRow(b(t.contribution),t.path.map(c=>n[c]).join(" → "))}</strong>
    <br />${o.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:i}})}>${o.order.showPath}</button>
  </li>`}function W(e,t,n){if(!t||n!==null)return null;let r=e.graph.nodes[t.target].operands[t.operand],i=e.walk.lost.find(c=>c.source===t.target&&c.to===r);return i?E(e,i.path):null}function O(e){let{walk:t,names:n,graph:r}=e,i=y(r).toReversed(),c=new Set(t.wrong);return u`<table class="comparison" aria-rowcount=${i.length+1}>
    <caption>${o.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${o.numbers.node}</th><th scope="col" class="end">${o.order.got}</th><th scope="col" class="end">${o.order.should}</th><th scope="col"><span class="hidden">${o.order.verdict}</span></th></tr></thead>
    <tbody>${R({count:i.length,now:-1,columns:4,row:s=>{let d=i[s],p=c.has(d);return u`<tr class=${p?"differs":""} aria-rowindex=${s+2}><td>${n[d]}</td><td class="end ${p?"bad":""}">${b(t.grads[d])}</td><td class="end">${b(t.expected[d])}</td><td class=${p?"bad":"good"}>${p?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}export{st as a,X as b,O as c};

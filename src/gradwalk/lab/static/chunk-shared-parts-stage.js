import{h as P}from"./chunk-shared-app-settings.js";import{b as R}from"./chunk-shared-lit-html-directives-repeat.js";import{a as b}from"./chunk-shared-parts-icons.js";import{a as M,e as z,f as U}from"./chunk-shared-teach-narration.js";import{a as C}from"./chunk-shared-app-player.js";import{d as L}from"./chunk-shared-teach-arithmetic.js";import{a as H}from"./chunk-shared-lit-html-directives-live.js";import{M as F,Q as K,S as D,T as h,Y as G,_ as N,g as B,m as A,n as T,p as I,q}from"./chunk-shared-app-timeline.js";import{c,d as x,g as v,k as s}from"./chunk-shared-lit-html-lit-html.js";function Z({code:t,args:e}){let n=s.messages[t];return typeof n=="string"?n:n(...e.map(o=>tt(o)?Z(o):o))}function tt(t){return typeof t=="object"&&"code"in t}var et=160;function W(t){let{state:e,program:n,frame:o}=t,{line:r}=n,a=e.playing,i=c`<button class="play" aria-label=${a?s.pause:s.play} title=${a?s.pause:s.play} @click=${t.playPause}>${b(a?"pause":"play")}</button>`;return c`<div class="transport" role="group" aria-label=${s.time}>
    <div class="buttons">
      ${i}
      ${S("start",s.toStart,()=>t.seek(0))}
      ${S("back",s.stepBack,()=>t.step(-1))}
      ${S("step",s.step,()=>t.step(1))}
      ${S("end",s.toEnd,()=>t.seek(r.total))}
    </div>
    <div class="segments" role="group" aria-label=${s.phaseSwitch}>
      ${r.phases.map(l=>c`<button
          class="segment ${l.phase}"
          aria-pressed=${o.phase===l.phase&&o.index>=0}
          @click=${()=>t.dispatch({type:"play",on:!0,time:l.start})}
        >${s.phases[l.phase]}</button>`)}
    </div>
    <div class="scrub" ${R(st(r))}>
      ${ot(r)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(r.total)}
        step="1"
        aria-label=${s.time}
        aria-valuetext=${M(n,o.event,e.hold!==null).what}
        .value=${H(String(Math.round(o.time)))}
        @input=${l=>t.seek(Math.min(r.total,Number(l.target.value)))}
        @keydown=${l=>nt(t,l)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${s.speed}</span>
      <select aria-label=${s.speed} @change=${l=>t.dispatch({type:"set",change:{speed:Number(l.target.value)}})}>
        ${B.map(l=>c`<option value=${l} .selected=${l===e.speed}>${s.speeds(l)}</option>`)}
      </select>
    </label>
  </div>`}function S(t,e,n){return c`<button class="quiet ${t}" aria-label=${e} title=${e} @click=${n}>${b(t)}</button>`}function nt(t,e){if(e.shiftKey||e.ctrlKey||e.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];n&&(e.preventDefault(),e.stopPropagation(),t.step(n))}function st(t){let e=o=>{let r=t.phases.find(a=>a.phase===o);return r?`${(100*r.end/t.total).toFixed(2)}%`:""},n=e("forward")||"0%";return{"--forward-end":n,"--sort-end":e("sort")||n}}function ot(t){return t.events.length>et?"":c`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${t.events.map(e=>{let n=`${100*e.end/t.total}%`;return x`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function O({program:t,veil:e,frame:n}){let o=t.line.events[e];return o!==void 0&&n.time>=o.start-1e-6}function _(t){let{program:e,veil:n}=t,o=e.line.events[n],r=o.push,a=s.predictBox,i=A(t.state,n),l=d=>{let g=N(r.contribution,d);t.dispatch({type:"tell",key:`${I}${n}`,typed:d,right:g}),!(!g&&!i)&&(t.dispatch({type:"play",on:!1,time:o.start+1}),t.step(1))};return c`<form class="words predict" @submit=${d=>{d.preventDefault();let g=d.target,u=g.elements.namedItem("prediction"),f=G(u.value)===null;if(u.setAttribute("aria-invalid",String(f)),g.querySelector(".invalid").textContent=f?s.notNumber:"",f){u.focus();return}let m=u.value;i||N(r.contribution,m)?u.value="":u.select(),l(m)}} novalidate>
    <p class="what"><label for="prediction">${a.ask(e.names[o.node],e.names[r.to],h(r.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${a.input} aria-describedby="prediction-note" ${U(d=>rt(d,n))} />
      <button class="primary">${s.checks.check}</button>
      <button type="button" class="toggle" @click=${()=>l("")}>${i?a.show:s.checks.hint}</button>
      <span class="score">${Y(t)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${i?it(t,i):j(t)??a.rule(h(r.incoming))}</p>
  </form>`}function rt(t,e){!t||t.dataset.veil===String(e)||(t.dataset.veil=String(e),queueMicrotask(()=>{let{activeElement:n}=t.getRootNode();n?.matches("input, gradwalk-number, select")||t.focus({preventScroll:!0})}))}function it(t,e){let{program:n,veil:o}=t,{node:r}=n.line.events[o],a=s.predictBox;return c`${e.typed?c`<strong class="bad">✗ ${s.checks.wrong(e.typed)}</strong> `:v}${a.hintText(z(n,r))}`}function j(t){let e=T(t.state).map(([p])=>p),n=Math.max(-1,...e.filter(p=>p<t.veil)),o=A(t.state,n),r=t.program.line.events[n];if(!o||!r?.push)return null;if(o.right)return c`<strong class="good">✓ ${s.checks.right}</strong>`;let a=L(r.push),{wrong:i,was:l}=s.predictBox;return c`<strong class="bad">${o.typed?i(o.typed,a):l(a)}</strong> ${s.narration.rule(z(t.program,r.node))}`}function Y(t){let e=T(t.state).flatMap(([,i])=>q(i)?[i]:[]),n=e.filter(i=>i.right),o=n.filter(i=>i.missed>0).length,r=s.predictBox,a=e.length?r.score(n.length,e.length):"";return o?`${a}, ${r.hinted(o)}`:a}function J(t){let{state:e,program:n,veil:o}=t;if(!e.predict||e.page!=="sandbox"||n.line.events[o])return null;let r=T(e);if(!r.length||t.frame.time<n.line.total-1)return null;let a=r.every(([,i])=>i.right);return c`<div class="words predict">
    <p class="what"><span class=${a?"good":""}>${a?"✓ ":""}${Y(t)}</span>
      <button class="primary" @click=${()=>t.dispatch({type:"again",time:0})}>${s.predictBox.again}</button></p>
    <p class="why">${j(t)??""} ${a?s.predictBox.all:s.predictBox.some}</p>
  </div>`}function Pt({state:t,dispatch:e}){if(t.greeted)return v;let n=()=>{P(),e({type:"set",change:{greeted:!0}})};return c`<aside class="greeting" aria-label=${s.welcome.label}><p>${s.welcome.text}</p>
    <button class="quiet" aria-label=${s.welcome.close} title=${s.welcome.close} @click=${n}>${b("close")}</button></aside>`}function Q(){let t=s.legend,e=n=>c`<svg class="wire ${n}" width="32" height="10" aria-hidden="true">${x`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return c`<ul class="reading" aria-label=${s.helpRead}>
    <li>${e("forward")} ${t.forward}</li>
    <li>${e("backward")} ${t.backward}</li>
    <li class="pos">${t.pos}</li>
    <li class="neg">${t.neg}</li>
    <li class="zero">${t.zero}</li>
    <li><code>${D}</code> ${s.notYet}</li>
    <li><code>t1</code> ${t.unnamed}</li>
  </ul>`}function at(t){let e=Math.max(1,Math.abs(t));return 10**(Math.floor(Math.log10(e))-1)}function V(t){let{state:e,program:n,frame:o}=t;if(e.page!=="sandbox"||e.predict||t.fixed||e.playing||o.time<n.line.total-1||e.text!==e.good)return null;let{nudge:r}=e;if(r&&e.values.has(r.name))return lt(t);let{graph:a,walk:i,names:l,output:p}=n;if(!Number.isFinite(a.nodes[a.root].data))return null;let d=n.line.events.findLast(({push:$})=>$)?.push?.to,g=$=>$===d?1/0:Math.abs(i.grads[$]),u=a.leaves.filter(({id:$,data:y,label:X})=>Number.isFinite(i.grads[$])&&i.grads[$]!==0&&Number.isFinite(y)&&e.values.has(X)).sort(($,y)=>g(y.id)-g($.id))[0];if(!u)return null;let f=at(u.data),m=i.grads[u.id],w=l[u.id],k=s.welcome;return c`<p class="why">${k.nudge(w,h(f),p,h(f*m))}
    <button class="primary" @click=${()=>pt(t,u.label,u.data,f,m)}>${k.tryIt}</button></p>`}function lt(t){let{state:e,program:n,dispatch:o}=t,{name:r,from:a,by:i,grad:l,output:p}=e.nudge,d=n.graph.nodes[n.graph.root].data,g=L({incoming:l,local:i,contribution:l*i}),u=s.welcome,f=()=>{o({type:"set",change:{nudge:null}}),o({type:"value",name:r,value:a})};return c`<p class="why" role="status">${u.moved(n.output,h(p),h(d),h(d-p))} ${u.said(g)} ${Math.abs(d-p-l*i)>.001*Math.abs(l*i)?u.bend:""}
    <button class="toggle" @click=${f}>${u.back}</button></p>`}var ct=700;function pt(t,e,n,o,r){let{dispatch:a}=t,{graph:i}=F(t.state),l=i.nodes[i.root].data,p=Number((n+o).toPrecision(12)),d=n,g=w=>{d=w,a({type:"value",name:e,value:w})},u=()=>{g(p),a({type:"set",change:{nudge:{name:e,from:n,by:o,grad:r,output:l}}})};if(C()){u();return}let f=0,m=w=>{let{good:k,values:$}=t.current().state;if(k!==t.state.good||$.get(e)!==d)return;f||=w;let y=Math.min(1,(w-f)/ct);y>=1?u():(g(Number((n+o*y).toPrecision(6))),requestAnimationFrame(m))};requestAnimationFrame(m)}function Xt(t,e={}){let{state:n,program:o,frame:r}=t,i=(e.switches??["final","unfold","predict","3d"]).filter(m=>m!=="3d"||!0),l=n.predict&&i.includes("predict"),p=i.filter(m=>m!=="final"||!l),d=l?o.line.events[t.veil]:void 0,g=d!==void 0||n.hold!==null,u=d&&O(t)?d.edges[0]:g?-1:null,f=n.view==="3d"&&p.includes("3d");return c`<section class="stage" aria-label=${s.graphLabel(o.graph.nodes.length)}>
    <div class=${e.head===void 0?`banner ${r.event?r.phase:"idle"}`:"tabbed"}>
      ${e.head??e.headline??dt(t)}
      <div class="switches">
        ${p.includes("final")?E(t,"final",s.final):v}
        ${p.includes("unfold")&&(n.unfold||t.program.graph.nodes.some(m=>m.tags.includes("derived")))?E(t,"unfold",s.unfold):v}
        ${p.includes("predict")&&(n.strict||n.text.includes("**"))?E(t,"strict",s.strict):v}
        ${p.includes("predict")?E(t,"predict",s.predict):v}
        ${p.includes("3d")?c`<span class="segments" role="group" aria-label=${s.viewSwitch}>
                ${["2d","3d"].map(m=>c`<button class="segment" data-switch=${m} aria-pressed=${n.view===m} @click=${()=>t.dispatch({type:"set",change:{view:m}})}>${m.toUpperCase()}</button>`)}
              </span>`:v}
        <span class="zoom">
          <button class="quiet" aria-label=${s.zoomOut} title=${s.zoomOut} data-zoom="out">${b("minus")}</button>
          <button class="quiet" aria-label=${s.fit} title=${`${s.fit} (f)`} data-zoom="fit">${b("fit")}</button>
          <button class="quiet" aria-label=${s.zoomIn} title=${s.zoomIn} data-zoom="in">${b("plus")}</button>
        </span>
      </div>
    </div>
    <gradwalk-scene
      id="scene"
      class="picture"
      ${R({"--levels":String(ut(o.graph))})}
      .program=${o}
      .frame=${r}
      .node=${n.node}
      .edge=${g?null:n.edge}
      .look=${n.look}
      .lit=${e.lit??null}
      .asked=${u}
      .final=${n.final&&p.includes("final")}
      .compare=${e.compare??!1}
      .deep=${f}
      .large=${n.teach}
      @look=${m=>t.dispatch({type:"set",change:{look:m.detail}})}
      @pick=${m=>t.dispatch({type:"pick",...m.detail})}
    ></gradwalk-scene>
    ${Q()}
    ${e.foot===void 0?W(t):e.foot}
  </section>`}function Zt(t,e,n){return c`<div class="under">${t}</div>${e}${n}`}function dt(t){return O(t)?_(t):J(t)??mt(t)}var ut=K(t=>{let e=[];for(let{id:n,operands:o}of t.nodes)e[n]=1+Math.max(0,...o.map(r=>e[r]));return e[t.root]??1});function mt(t){let e=M(t.program,t.frame.event,t.state.hold!==null),n=t.state.text!==t.state.good&&!t.fixed,{graph:o,line:r,output:a}=t.program,i=o.nodes[o.root].data,l=t.frame.time>=r.total,p=n?s.lastGood:l&&!Number.isFinite(i)?s.strangeOutput(a,h(i)):t.state.predict&&t.frame.index<0?s.predictBox.start:e.why,d=V(t);return d?c`<div class="words end-card">${d}</div>`:c`<div class="words"><p class="what">${e.what}</p><p class="why ${n?"bad":""}" title=${p}>${p}</p></div>`}function E(t,e,n){return c`<button class="toggle" data-switch=${e} aria-pressed=${t.state[e]} @click=${()=>t.dispatch({type:"toggle",flag:e})}>${n}</button>`}export{Z as a,W as b,Pt as c,Xt as d,Zt as e,dt as f};

import{h as C}from"./chunk-shared-app-settings.js";import{b as R}from"./chunk-shared-lit-html-directives-repeat.js";import{a as w}from"./chunk-shared-parts-icons.js";import{a as M,e as z,f as U}from"./chunk-shared-teach-narration.js";import{a as P}from"./chunk-shared-app-player.js";import{d as L}from"./chunk-shared-teach-arithmetic.js";import{a as H}from"./chunk-shared-lit-html-directives-live.js";import{M as F,Q as K,S as D,T as h,Y as G,_ as N,g as I,m as A,n as T,p as O,q}from"./chunk-shared-app-timeline.js";import{c,d as x,g as v,k as s}from"./chunk-shared-lit-html-lit-html.js";function Z({code:t,args:e}){let n=s.messages[t];return typeof n=="string"?n:n(...e.map(o=>tt(o)?Z(o):o))}function tt(t){return typeof t=="object"&&"code"in t}var et=160;function W(t){let{state:e,program:n,frame:o}=t,{line:r}=n,i=e.playing,a=c`<button class="play" aria-label=${i?s.pause:s.play} title=${i?s.pause:s.play} @click=${t.playPause}>${w(i?"pause":"play")}</button>`;return c`<div class="transport" role="group" aria-label=${s.time}>
    <div class="buttons">
      ${a}
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
      <select aria-label=${s.speed} @change=${l=>t.dispatch({type:"speed",speed:Number(l.target.value)})}>
        ${I.map(l=>c`<option value=${l} .selected=${l===e.speed}>${s.speeds(l)}</option>`)}
      </select>
    </label>
  </div>`}function S(t,e,n){return c`<button class="quiet ${t}" aria-label=${e} title=${e} @click=${n}>${w(t)}</button>`}function nt(t,e){if(e.shiftKey||e.ctrlKey||e.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];n&&(e.preventDefault(),e.stopPropagation(),t.step(n))}function st(t){let e=o=>{let r=t.phases.find(i=>i.phase===o);return r?`${(100*r.end/t.total).toFixed(2)}%`:""},n=e("forward")||"0%";return{"--forward-end":n,"--sort-end":e("sort")||n}}function ot(t){return t.events.length>et?"":c`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${t.events.map(e=>{let n=`${100*e.end/t.total}%`;return x`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function B({program:t,veil:e,frame:n}){let o=t.line.events[e];return o!==void 0&&n.time>=o.start-1e-6}function _(t){let{program:e,veil:n}=t,o=e.line.events[n],r=o.push,i=s.predictBox,a=A(t.state,n),l=p=>{let f=N(r.contribution,p);t.dispatch({type:"tell",key:`${O}${n}`,typed:p,right:f}),!(!f&&!a)&&(t.dispatch({type:"play",on:!1,time:o.start+1}),t.step(1))};return c`<form class="words predict" @submit=${p=>{p.preventDefault();let f=p.target,u=f.elements.namedItem("prediction"),g=G(u.value)===null;if(u.setAttribute("aria-invalid",String(g)),f.querySelector(".invalid").textContent=g?s.notNumber:"",g){u.focus();return}let m=u.value;a||N(r.contribution,m)?u.value="":u.select(),l(m)}} novalidate>
    <p class="what"><label for="prediction">${i.ask(e.names[o.node],e.names[r.to],h(r.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${i.input} aria-describedby="prediction-note" ${U(p=>rt(p,n))} />
      <button class="primary">${i.check}</button>
      <button type="button" class="toggle" @click=${()=>l("")}>${a?i.show:i.hint}</button>
      <span class="score">${J(t)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${a?it(t,a):j(t)??i.rule(h(r.incoming))}</p>
  </form>`}function rt(t,e){!t||t.dataset.veil===String(e)||(t.dataset.veil=String(e),queueMicrotask(()=>{let{activeElement:n}=t.getRootNode();n?.matches("input, gradwalk-number, select")||t.focus({preventScroll:!0})}))}function it(t,e){let{program:n,veil:o}=t,{node:r}=n.line.events[o],i=s.predictBox;return c`${e.typed?c`<strong class="bad">✗ ${i.notIt(e.typed)}</strong> `:v}${i.hintText(z(n,r))}`}function j(t){let e=T(t.state).map(([d])=>d),n=Math.max(-1,...e.filter(d=>d<t.veil)),o=A(t.state,n),r=t.program.line.events[n];if(!o||!r?.push)return null;if(o.right)return c`<strong class="good">✓ ${s.predictBox.right}</strong>`;let i=L(r.push),{wrong:a,was:l}=s.predictBox;return c`<strong class="bad">${o.typed?a(o.typed,i):l(i)}</strong> ${s.narration.rule(z(t.program,r.node))}`}function J(t){let e=T(t.state).flatMap(([,a])=>q(a)?[a]:[]),n=e.filter(a=>a.right),o=n.filter(a=>a.missed>0).length,r=s.predictBox,i=e.length?r.score(n.length,e.length):"";return o?`${i}, ${r.hinted(o)}`:i}function Q(t){let{state:e,program:n,veil:o}=t;if(!e.predict||e.page!=="sandbox"||n.line.events[o])return null;let r=T(e);if(!r.length||t.frame.time<n.line.total-1)return null;let i=r.every(([,a])=>a.right);return c`<div class="words predict">
    <p class="what"><span class=${i?"good":""}>${i?"✓ ":""}${J(t)}</span>
      <button class="primary" @click=${()=>t.dispatch({type:"again",time:0})}>${s.predictBox.again}</button></p>
    <p class="why">${j(t)??""} ${i?s.predictBox.all:s.predictBox.some}</p>
  </div>`}function Ct({state:t,dispatch:e}){if(t.greeted)return v;let n=()=>{C(),e({type:"greeted"})};return c`<aside class="greeting" aria-label=${s.welcome.label}><p>${s.welcome.text}</p>
    <button class="quiet" aria-label=${s.welcome.close} title=${s.welcome.close} @click=${n}>${w("close")}</button></aside>`}function V(){let t=s.legend,e=n=>c`<svg class="wire ${n}" width="32" height="10" aria-hidden="true">${x`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return c`<ul class="reading" aria-label=${s.helpRead}>
    <li>${e("forward")} ${t.forward}</li>
    <li>${e("backward")} ${t.backward}</li>
    <li class="pos">${t.pos}</li>
    <li class="neg">${t.neg}</li>
    <li class="zero">${t.zero}</li>
    <li><code>${D}</code> ${t.unfilled}</li>
    <li><code>t1</code> ${t.unnamed}</li>
  </ul>`}function at(t){let e=Math.max(1,Math.abs(t));return 10**(Math.floor(Math.log10(e))-1)}function X(t){let{state:e,program:n,frame:o}=t;if(e.page!=="sandbox"||e.predict||t.fixed||e.playing||o.time<n.line.total-1||e.text!==e.good)return null;let{nudge:r}=e;if(r&&e.values.has(r.name))return lt(t);let{graph:i,walk:a,names:l,output:d}=n;if(!Number.isFinite(i.nodes[i.root].data))return null;let p=n.line.events.findLast(({push:$})=>$)?.push?.to,f=$=>$===p?1/0:Math.abs(a.grads[$]),u=i.leaves.filter(({id:$,data:y,label:Y})=>Number.isFinite(a.grads[$])&&a.grads[$]!==0&&Number.isFinite(y)&&e.values.has(Y)).sort(($,y)=>f(y.id)-f($.id))[0];if(!u)return null;let g=at(u.data),m=a.grads[u.id],b=l[u.id],k=s.welcome;return c`<p class="why">${k.nudge(b,h(g),d,h(g*m))}
    <button class="primary" @click=${()=>dt(t,u.label,u.data,g,m)}>${k.tryIt}</button></p>`}function lt(t){let{state:e,program:n,dispatch:o}=t,{name:r,from:i,by:a,grad:l,output:d}=e.nudge,p=n.graph.nodes[n.graph.root].data,f=L({incoming:l,local:a,contribution:l*a}),u=s.welcome,g=()=>{o({type:"nudge",nudge:null}),o({type:"value",name:r,value:i})};return c`<p class="why" role="status">${u.moved(n.output,h(d),h(p),h(p-d))} ${u.said(f)} ${Math.abs(p-d-l*a)>.001*Math.abs(l*a)?u.bend:""}
    <button class="toggle" @click=${g}>${u.back}</button></p>`}var ct=700;function dt(t,e,n,o,r){let{dispatch:i}=t,{graph:a}=F(t.state),l=a.nodes[a.root].data,d=Number((n+o).toPrecision(12)),p=n,f=b=>{p=b,i({type:"value",name:e,value:b})},u=()=>{f(d),i({type:"nudge",nudge:{name:e,from:n,by:o,grad:r,output:l}})};if(P()){u();return}let g=0,m=b=>{let{good:k,values:$}=t.current().state;if(k!==t.state.good||$.get(e)!==p)return;g||=b;let y=Math.min(1,(b-g)/ct);y>=1?u():(f(Number((n+o*y).toPrecision(6))),requestAnimationFrame(m))};requestAnimationFrame(m)}function Yt(t,e={}){let{state:n,program:o,frame:r}=t,a=(e.switches??["final","unfold","predict","3d"]).filter(m=>m!=="3d"||!0),l=n.predict&&a.includes("predict"),d=a.filter(m=>m!=="final"||!l),p=l?o.line.events[t.veil]:void 0,f=p!==void 0||n.hold!==null,u=p&&B(t)?p.edges[0]:f?-1:null,g=n.view==="3d"&&d.includes("3d");return c`<section class="stage" aria-label=${s.graphLabel(o.graph.nodes.length)}>
    <div class=${e.head===void 0?`banner ${r.event?r.phase:"idle"}`:"tabbed"}>
      ${e.head??e.headline??pt(t)}
      <div class="switches">
        ${d.includes("final")?E(t,"final",s.final):v}
        ${d.includes("unfold")&&(n.unfold||t.program.graph.nodes.some(m=>m.tags.includes("derived")))?E(t,"unfold",s.unfold):v}
        ${d.includes("predict")&&(n.strict||n.text.includes("**"))?E(t,"strict",s.strict):v}
        ${d.includes("predict")?E(t,"predict",s.predict):v}
        ${d.includes("3d")?c`<span class="segments" role="group" aria-label=${s.viewSwitch}>
                ${["2d","3d"].map(m=>c`<button class="segment" data-switch=${m} aria-pressed=${n.view===m} @click=${()=>t.dispatch({type:"view",view:m})}>${m==="2d"?s.view2d:s.view3d}</button>`)}
              </span>`:v}
        <span class="zoom">
          <button class="quiet" aria-label=${s.zoomOut} title=${s.zoomOut} data-zoom="out">${w("minus")}</button>
          <button class="quiet" aria-label=${s.fit} title=${`${s.fit} (f)`} data-zoom="fit">${w("fit")}</button>
          <button class="quiet" aria-label=${s.zoomIn} title=${s.zoomIn} data-zoom="in">${w("plus")}</button>
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
      .edge=${f?null:n.edge}
      .look=${n.look}
      .lit=${e.lit??null}
      .asked=${u}
      ?final=${n.final&&d.includes("final")}
      ?compare=${e.compare??!1}
      ?deep=${g}
      ?large=${n.teach}
      @look=${m=>t.dispatch({type:"look",look:m.detail})}
      @pick=${m=>t.dispatch({type:"pick",...m.detail})}
    ></gradwalk-scene>
    ${V()}
    ${e.foot===void 0?W(t):e.foot}
  </section>`}function Zt(t,e,n){return c`<div class="under">${t}</div>${e}${n}`}function pt(t){return B(t)?_(t):Q(t)??mt(t)}var ut=K(t=>{let e=[];for(let{id:n,operands:o}of t.nodes)e[n]=1+Math.max(0,...o.map(r=>e[r]));return e[t.root]??1});function mt(t){let e=M(t.program,t.frame.event,t.state.hold!==null),n=t.state.text!==t.state.good&&!t.fixed,{graph:o,line:r,output:i}=t.program,a=o.nodes[o.root].data,l=t.frame.time>=r.total,d=n?s.lastGood:l&&!Number.isFinite(a)?s.strangeOutput(i,h(a)):t.state.predict&&t.frame.index<0?s.predictBox.start:e.why,p=X(t);return p?c`<div class="words end-card">${p}</div>`:c`<div class="words"><p class="what">${e.what}</p><p class="why ${n?"bad":""}" title=${d}>${d}</p></div>`}function E(t,e,n){return c`<button class="toggle" data-switch=${e} aria-pressed=${t.state[e]} @click=${()=>t.dispatch({type:"toggle",flag:e})}>${n}</button>`}export{Z as a,W as b,Ct as c,Yt as d,Zt as e,pt as f};

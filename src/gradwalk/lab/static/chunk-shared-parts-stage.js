import{h as C}from"./chunk-shared-app-settings.js";import{b as R}from"./chunk-shared-lit-html-directives-repeat.js";import{a as b}from"./chunk-shared-parts-icons.js";import{a as M,e as z,f as U}from"./chunk-shared-teach-narration.js";import{a as P}from"./chunk-shared-app-player.js";import{d as L}from"./chunk-shared-teach-arithmetic.js";import{a as H}from"./chunk-shared-lit-html-directives-live.js";import{M as F,Q as K,S as D,T as h,Y as G,_ as N,g as I,m as A,n as T,p as O,q}from"./chunk-shared-app-timeline.js";import{c,d as x,g as v,k as s}from"./chunk-shared-lit-html-lit-html.js";function Z({code:t,args:e}){let n=s.messages[t];return n(...e.map(o=>tt(o)?Z(o):o))}function tt(t){return typeof t=="object"&&"code"in t}var et=160;function W(t){let{state:e,program:n,frame:o}=t,{line:r}=n,i=e.playing,l=c`<button class="play" aria-label=${i?s.pause:s.play} title=${i?s.pause:s.play} @click=${t.playPause}>${b(i?"pause":"play")}</button>`;return c`<div class="transport" role="group" aria-label=${s.time}>
    <div class="buttons">
      ${l}
      ${S("start",s.toStart,()=>t.seek(0))}
      ${S("back",s.stepBack,()=>t.step(-1))}
      ${S("step",s.step,()=>t.step(1))}
      ${S("end",s.toEnd,()=>t.seek(r.total))}
    </div>
    <div class="segments" role="group" aria-label=${s.phaseSwitch}>
      ${r.phases.map(a=>c`<button
          class="segment ${a.phase}"
          aria-pressed=${o.phase===a.phase&&o.index>=0}
          @click=${()=>t.dispatch({type:"play",on:!0,time:a.start})}
        >${s.phases[a.phase]}</button>`)}
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
        @input=${a=>t.seek(Math.min(r.total,Number(a.target.value)))}
        @keydown=${a=>nt(t,a)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${s.speed}</span>
      <select aria-label=${s.speed} @change=${a=>t.dispatch({type:"speed",speed:Number(a.target.value)})}>
        ${I.map(a=>c`<option value=${a} .selected=${a===e.speed}>${s.speeds(a)}</option>`)}
      </select>
    </label>
  </div>`}function S(t,e,n){return c`<button class="quiet ${t}" aria-label=${e} title=${e} @click=${n}>${b(t)}</button>`}function nt(t,e){if(e.shiftKey||e.ctrlKey||e.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];n&&(e.preventDefault(),e.stopPropagation(),t.step(n))}function st(t){let e=o=>{let r=t.phases.find(i=>i.phase===o);return r?`${(100*r.end/t.total).toFixed(2)}%`:""},n=e("forward")||"0%";return{"--forward-end":n,"--sort-end":e("sort")||n}}function ot(t){return t.events.length>et?"":c`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${t.events.map(e=>{let n=`${100*e.end/t.total}%`;return x`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function B({program:t,veil:e,frame:n}){let o=t.line.events[e];return o!==void 0&&n.time>=o.start-1e-6}function _(t){let{program:e,veil:n}=t,o=e.line.events[n],r=o.push,i=s.predictBox,l=A(t.state,n),a=p=>{let f=N(r.contribution,p);t.dispatch({type:"tell",key:`${O}${n}`,typed:p,right:f}),!(!f&&!l)&&(t.dispatch({type:"play",on:!1,time:o.start+1}),t.step(1))};return c`<form class="words predict" @submit=${p=>{p.preventDefault();let f=p.target,u=f.elements.namedItem("prediction"),g=G(u.value)===null;if(u.setAttribute("aria-invalid",String(g)),f.querySelector(".invalid").textContent=g?s.notNumber:"",g){u.focus();return}let m=u.value;l||N(r.contribution,m)?u.value="":u.select(),a(m)}} novalidate>
    <p class="what"><label for="prediction">${i.ask(e.names[o.node],e.names[r.to],h(r.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${i.input} aria-describedby="prediction-note" ${U(p=>rt(p,n))} />
      <button class="primary">${i.check}</button>
      <button type="button" class="toggle" @click=${()=>a("")}>${l?i.show:i.hint}</button>
      <span class="score">${J(t)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${l?it(t,l):j(t)??i.rule(h(r.incoming))}</p>
  </form>`}function rt(t,e){!t||t.dataset.veil===String(e)||(t.dataset.veil=String(e),queueMicrotask(()=>{let{activeElement:n}=t.getRootNode();n?.matches("input, gradwalk-number, select")||t.focus({preventScroll:!0})}))}function it(t,e){let{program:n,veil:o}=t,{node:r}=n.line.events[o],i=s.predictBox;return c`${e.typed?c`<strong class="bad">✗ ${i.notIt(e.typed)}</strong> `:v}${i.hintText(z(n,r))}`}function j(t){let e=T(t.state).map(([d])=>d),n=Math.max(-1,...e.filter(d=>d<t.veil)),o=A(t.state,n),r=t.program.line.events[n];if(!o||!r?.push)return null;if(o.right)return c`<strong class="good">✓ ${s.predictBox.right}</strong>`;let i=L(r.push),{wrong:l,was:a}=s.predictBox;return c`<strong class="bad">${o.typed?l(o.typed,i):a(i)}</strong> ${s.narration.rule(z(t.program,r.node))}`}function J(t){let e=T(t.state).flatMap(([,r])=>q(r)?[r]:[]),n=e.filter(r=>r.right),o=n.filter(r=>r.missed>0).length;return e.length?s.predictBox.score(n.length,e.length,o):""}function Q(t){let{state:e,program:n,veil:o}=t;if(!e.predict||e.page!=="sandbox"||n.line.events[o])return null;let r=T(e);if(!r.length||t.frame.time<n.line.total-1)return null;let i=r.every(([,l])=>l.right);return c`<div class="words predict">
    <p class="what"><span class=${i?"good":""}>${i?"✓ ":""}${J(t)}</span>
      <button class="primary" @click=${()=>t.dispatch({type:"again",time:0})}>${s.predictBox.again}</button></p>
    <p class="why">${j(t)??""} ${i?s.predictBox.all:s.predictBox.some}</p>
  </div>`}function Ct({state:t,dispatch:e}){if(t.greeted)return v;let n=()=>{C(),e({type:"greeted"})};return c`<aside class="greeting" aria-label=${s.welcome.label}><p>${s.welcome.text}</p>
    <button class="quiet" aria-label=${s.welcome.close} title=${s.welcome.close} @click=${n}>${b("close")}</button></aside>`}function V(){let t=s.legend,e=n=>c`<svg class="wire ${n}" width="32" height="10" aria-hidden="true">${x`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return c`<ul class="reading" aria-label=${s.helpRead}>
    <li>${e("forward")} ${t.forward}</li>
    <li>${e("backward")} ${t.backward}</li>
    <li class="pos">${t.pos}</li>
    <li class="neg">${t.neg}</li>
    <li class="zero">${t.zero}</li>
    <li><code>${D}</code> ${t.unfilled}</li>
    <li><code>t1</code> ${t.unnamed}</li>
  </ul>`}function at(t){let e=Math.max(1,Math.abs(t));return 10**(Math.floor(Math.log10(e))-1)}function X(t){let{state:e,program:n,frame:o}=t;if(e.page!=="sandbox"||e.predict||t.fixed||e.playing||o.time<n.line.total-1||e.text!==e.good)return null;let{nudge:r}=e;if(r&&e.values.has(r.name))return lt(t);let{graph:i,walk:l,names:a,output:d}=n;if(!Number.isFinite(i.nodes[i.root].data))return null;let p=n.line.events.findLast(({push:$})=>$)?.push?.to,f=$=>$===p?1/0:Math.abs(l.grads[$]),u=i.leaves.filter(({id:$,data:y,label:Y})=>Number.isFinite(l.grads[$])&&l.grads[$]!==0&&Number.isFinite(y)&&e.values.has(Y)).sort(($,y)=>f(y.id)-f($.id))[0];if(!u)return null;let g=at(u.data),m=l.grads[u.id],w=a[u.id],k=s.welcome;return c`<p class="why">${k.nudge(w,h(g),d,h(g*m))}
    <button class="primary" @click=${()=>dt(t,u.label,u.data,g,m)}>${k.tryIt}</button></p>`}function lt(t){let{state:e,program:n,dispatch:o}=t,{name:r,from:i,by:l,grad:a,output:d}=e.nudge,p=n.graph.nodes[n.graph.root].data,f=L({incoming:a,local:l,contribution:a*l}),u=s.welcome,g=()=>{o({type:"nudge",nudge:null}),o({type:"value",name:r,value:i})};return c`<p class="why" role="status">${u.moved(n.output,h(d),h(p),h(p-d))} ${u.said(f)} ${Math.abs(p-d-a*l)>.001*Math.abs(a*l)?u.bend:""}
    <button class="toggle" @click=${g}>${u.back}</button></p>`}var ct=700;function dt(t,e,n,o,r){let{dispatch:i}=t,{graph:l}=F(t.state),a=l.nodes[l.root].data,d=Number((n+o).toPrecision(12)),p=n,f=w=>{p=w,i({type:"value",name:e,value:w})},u=()=>{f(d),i({type:"nudge",nudge:{name:e,from:n,by:o,grad:r,output:a}})};if(P()){u();return}let g=0,m=w=>{let{good:k,values:$}=t.current().state;if(k!==t.state.good||$.get(e)!==p)return;g||=w;let y=Math.min(1,(w-g)/ct);y>=1?u():(f(Number((n+o*y).toPrecision(6))),requestAnimationFrame(m))};requestAnimationFrame(m)}function Yt(t,e={}){let{state:n,program:o,frame:r}=t,l=(e.switches??["final","unfold","predict","3d"]).filter(m=>m!=="3d"||!0),a=n.predict&&l.includes("predict"),d=l.filter(m=>m!=="final"||!a),p=a?o.line.events[t.veil]:void 0,f=p!==void 0||n.hold!==null,u=p&&B(t)?p.edges[0]:f?-1:null,g=n.view==="3d"&&d.includes("3d");return c`<section class="stage" aria-label=${s.graphLabel(o.graph.nodes.length)}>
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
  </section>`}function Zt(t,e,n){return c`<div class="under">${t}</div>${e}${n}`}function pt(t){return B(t)?_(t):Q(t)??mt(t)}var ut=K(t=>{let e=[];for(let{id:n,operands:o}of t.nodes)e[n]=1+Math.max(0,...o.map(r=>e[r]));return e[t.root]??1});function mt(t){let e=M(t.program,t.frame.event,t.state.hold!==null),n=t.state.text!==t.state.good&&!t.fixed,{graph:o,line:r,output:i}=t.program,l=o.nodes[o.root].data,a=t.frame.time>=r.total,d=n?s.lastGood:a&&!Number.isFinite(l)?s.strangeOutput(i,h(l)):t.state.predict&&t.frame.index<0?s.predictBox.start:e.why,p=X(t);return p?c`<div class="words end-card">${p}</div>`:c`<div class="words"><p class="what">${e.what}</p><p class="why ${n?"bad":""}" title=${d}>${d}</p></div>`}function E(t,e,n){return c`<button class="toggle" data-switch=${e} aria-pressed=${t.state[e]} @click=${()=>t.dispatch({type:"toggle",flag:e})}>${n}</button>`}export{Z as a,W as b,Ct as c,Yt as d,Zt as e,pt as f};

import{h as C}from"./chunk-shared-app-settings.js";import{b as R}from"./chunk-shared-lit-html-directives-repeat.js";import{a as w}from"./chunk-shared-parts-icons.js";import{a as M,e as z,f as U}from"./chunk-shared-teach-narration.js";import{a as P}from"./chunk-shared-app-player.js";import{d as L}from"./chunk-shared-teach-arithmetic.js";import{a as H}from"./chunk-shared-lit-html-directives-live.js";import{M as F,Q as K,S as D,T as h,X as G,Z as N,g as I,m as A,n as T,p as O,q}from"./chunk-shared-app-timeline.js";import{c,d as x,g as v,k as s}from"./chunk-shared-lit-html-lit-html.js";function Z({code:t,args:e}){let n=s.messages[t];return n(...e.map(o=>tt(o)?Z(o):o))}function tt(t){return typeof t=="object"&&"code"in t}var et=160;function W(t){let{state:e,program:n,frame:o}=t,{line:r}=n,i=e.playing,l=c`<button class="play" aria-label=${i?s.pause:s.play} title=${i?s.pause:s.play} @click=${t.playPause}>${w(i?"pause":"play")}</button>`;return c`<div class="transport" role="group" aria-label=${s.time}>
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
        aria-valuetext=${M(n,o.event).what}
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
  </div>`}function S(t,e,n){return c`<button class="quiet ${t}" aria-label=${e} title=${e} @click=${n}>${w(t)}</button>`}function nt(t,e){if(e.shiftKey||e.ctrlKey||e.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];n&&(e.preventDefault(),e.stopPropagation(),t.step(n))}function st(t){let e=o=>{let r=t.phases.find(i=>i.phase===o);return r?`${(100*r.end/t.total).toFixed(2)}%`:""},n=e("forward")||"0%";return{"--forward-end":n,"--sort-end":e("sort")||n}}function ot(t){return t.events.length>et?"":c`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${t.events.map(e=>{let n=`${100*e.end/t.total}%`;return x`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function B({program:t,veil:e,frame:n}){let o=t.line.events[e];return o!==void 0&&n.time>=o.start-1e-6}function _(t){let{program:e,veil:n}=t,o=e.line.events[n],r=o.push,i=s.predictBox,l=A(t.state,n),a=d=>{let f=N(r.contribution,d);t.dispatch({type:"tell",key:`${O}${n}`,typed:d,right:f}),!(!f&&!l)&&(t.dispatch({type:"play",on:!1,time:o.start+1}),t.step(1))};return c`<form class="words predict" @submit=${d=>{d.preventDefault();let f=d.target,p=f.elements.namedItem("prediction"),g=G(p.value)===null;if(p.setAttribute("aria-invalid",String(g)),f.querySelector(".invalid").textContent=g?s.notNumber:"",g){p.focus();return}let u=p.value;l||N(r.contribution,u)?p.value="":p.select(),a(u)}} novalidate>
    <p class="what"><label for="prediction">${i.ask(e.names[o.node],e.names[r.to],h(r.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${i.input} aria-describedby="prediction-note" ${U(d=>rt(d,n))} />
      <button class="primary">${i.check}</button>
      <button type="button" class="toggle" @click=${()=>a("")}>${l?i.show:i.hint}</button>
      <span class="score">${J(t)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${l?it(t,l):j(t)??i.rule(h(r.incoming))}</p>
  </form>`}function rt(t,e){!t||t.dataset.veil===String(e)||(t.dataset.veil=String(e),queueMicrotask(()=>{let{activeElement:n}=t.getRootNode();n?.matches("input, gradwalk-number, select")||t.focus({preventScroll:!0})}))}function it(t,e){let{program:n,veil:o}=t,{node:r}=n.line.events[o],i=s.predictBox;return c`${e.typed?c`<strong class="bad">✗ ${i.notIt(e.typed)}</strong> `:v}${i.hintText(z(n,r))}`}function j(t){let e=T(t.state).map(([m])=>m),n=Math.max(-1,...e.filter(m=>m<t.veil)),o=A(t.state,n),r=t.program.line.events[n];if(!o||!r?.push)return null;if(o.right)return c`<strong class="good">✓ ${s.predictBox.right}</strong>`;let i=L(r.push),{wrong:l,was:a}=s.predictBox;return c`<strong class="bad">${o.typed?l(o.typed,i):a(i)}</strong> ${s.narration.rule(z(t.program,r.node))}`}function J(t){let e=T(t.state).flatMap(([,r])=>q(r)?[r]:[]),n=e.filter(r=>r.right),o=n.filter(r=>r.missed>0).length;return e.length?s.predictBox.score(n.length,e.length,o):""}function Q(t){let{state:e,program:n,veil:o}=t;if(!e.predict||e.page!=="sandbox"||n.line.events[o])return null;let r=T(e);if(!r.length||t.frame.time<n.line.total-1)return null;let i=r.every(([,l])=>l.right);return c`<div class="words predict">
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
  </ul>`}function at(t){let e=Math.max(1,Math.abs(t));return 10**(Math.floor(Math.log10(e))-1)}function X(t){let{state:e,program:n,frame:o}=t;if(e.page!=="sandbox"||e.predict||t.fixed||e.playing||o.time<n.line.total-1||e.text!==e.good)return null;let{nudge:r}=e;if(r&&e.values.has(r.name))return lt(t);let{graph:i,walk:l,names:a,output:m}=n;if(!Number.isFinite(i.nodes[i.root].data))return null;let d=n.line.events.findLast(({push:$})=>$)?.push?.to,f=$=>$===d?1/0:Math.abs(l.grads[$]),p=i.leaves.filter(({id:$,data:y,label:Y})=>Number.isFinite(l.grads[$])&&l.grads[$]!==0&&Number.isFinite(y)&&e.values.has(Y)).sort(($,y)=>f(y.id)-f($.id))[0];if(!p)return null;let g=at(p.data),u=l.grads[p.id],b=a[p.id],k=s.welcome;return c`<p class="why">${k.nudge(b,h(g),m,h(g*u))}
    <button class="primary" @click=${()=>dt(t,p.label,p.data,g,u)}>${k.tryIt}</button></p>`}function lt(t){let{state:e,program:n,dispatch:o}=t,{name:r,from:i,by:l,grad:a,output:m}=e.nudge,d=n.graph.nodes[n.graph.root].data,f=L({incoming:a,local:l,contribution:a*l}),p=s.welcome,g=()=>{o({type:"nudge",nudge:null}),o({type:"value",name:r,value:i})};return c`<p class="why" role="status">${p.moved(n.output,h(m),h(d),h(d-m))} ${p.said(f)} ${Math.abs(d-m-a*l)>.001*Math.abs(a*l)?p.bend:""}
    <button class="toggle" @click=${g}>${p.back}</button></p>`}var ct=700;function dt(t,e,n,o,r){let{dispatch:i}=t,{graph:l}=F(t.state),a=l.nodes[l.root].data,m=Number((n+o).toPrecision(12)),d=n,f=b=>{d=b,i({type:"value",name:e,value:b})},p=()=>{f(m),i({type:"nudge",nudge:{name:e,from:n,by:o,grad:r,output:a}})};if(P()){p();return}let g=0,u=b=>{let{good:k,values:$}=t.current().state;if(k!==t.state.good||$.get(e)!==d)return;g||=b;let y=Math.min(1,(b-g)/ct);y>=1?p():(f(Number((n+o*y).toPrecision(6))),requestAnimationFrame(u))};requestAnimationFrame(u)}function Yt(t,e={}){let{state:n,program:o,frame:r}=t,l=(e.switches??["final","unfold","predict","3d"]).filter(u=>u!=="3d"||!0),a=n.predict&&l.includes("predict"),m=l.filter(u=>u!=="final"||!a),d=a?o.line.events[t.veil]:void 0,f=d!==void 0||n.hold!==null,p=d&&B(t)?d.edges[0]:f?-1:null,g=n.view==="3d"&&m.includes("3d");return c`<section class="stage" aria-label=${s.graphLabel(o.graph.nodes.length)}>
    <div class=${e.head===void 0?`banner ${r.event?r.phase:"idle"}`:"tabbed"}>
      ${e.head??e.headline??pt(t)}
      <div class="switches">
        ${m.includes("final")?E(t,"final",s.final):v}
        ${m.includes("unfold")&&(n.unfold||t.program.graph.nodes.some(u=>u.tags.includes("derived")))?E(t,"unfold",s.unfold):v}
        ${m.includes("predict")&&(n.strict||n.text.includes("**"))?E(t,"strict",s.strict):v}
        ${m.includes("predict")?E(t,"predict",s.predict):v}
        ${m.includes("3d")?c`<span class="segments" role="group" aria-label=${s.viewSwitch}>
                ${["2d","3d"].map(u=>c`<button class="segment" data-switch=${u} aria-pressed=${n.view===u} @click=${()=>t.dispatch({type:"view",view:u})}>${u==="2d"?s.view2d:s.view3d}</button>`)}
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
      .asked=${p}
      ?final=${n.final&&m.includes("final")}
      ?compare=${e.compare??!1}
      ?deep=${g}
      ?large=${n.teach}
      @look=${u=>t.dispatch({type:"look",look:u.detail})}
      @pick=${u=>t.dispatch({type:"pick",...u.detail})}
    ></gradwalk-scene>
    ${V()}
    ${e.foot===void 0?W(t):e.foot}
  </section>`}function Zt(t,e,n){return c`<div class="under">${t}</div>${e}${n}`}function pt(t){return B(t)?_(t):Q(t)??mt(t)}var ut=K(t=>{let e=[];for(let{id:n,operands:o}of t.nodes)e[n]=1+Math.max(0,...o.map(r=>e[r]));return e[t.root]??1});function mt(t){let e=M(t.program,t.frame.event),n=t.state.hold!==null&&!t.frame.event,o=t.state.text!==t.state.good&&!t.fixed,{graph:r,line:i,output:l}=t.program,a=r.nodes[r.root].data,m=t.frame.time>=i.total,d=o?s.lastGood:m&&!Number.isFinite(a)?s.strangeOutput(l,h(a)):t.state.predict&&t.frame.index<0?s.predictBox.start:e.why,f=X(t);return f?c`<div class="words end-card">${f}</div>`:c`<div class="words"><p class="what">${n?s.learn.waits:e.what}</p><p class="why ${o?"bad":""}" title=${d}>${d}</p></div>`}function E(t,e,n){return c`<button class="toggle" data-switch=${e} aria-pressed=${t.state[e]} @click=${()=>t.dispatch({type:"toggle",flag:e})}>${n}</button>`}export{Z as a,W as b,Ct as c,Yt as d,Zt as e,pt as f};

import{a as R,f as B,g as W}from"./chunk-shared-teach-narration.js";import{b as H}from"./chunk-shared-app-settings.js";import{a as h}from"./chunk-shared-parts-icons.js";import{d as _}from"./chunk-shared-teach-arithmetic.js";import{a as T}from"./chunk-shared-scene-css.js";import{a as q}from"./chunk-shared-lit-html-directives-live.js";import{$ as O,Q as C,S as G,T as w,Z as F,g as K,m as N,n as L,p as I,q as D}from"./chunk-shared-app-timeline.js";import{c as a,d as x,g,k as s}from"./chunk-shared-lit-html-lit-html.js";var b=new Map,E=new Map;function U(t,e,n){let o=()=>{b.set(t,"asked"),e().then(()=>b.set(t,"here"),()=>b.set(t,"missing")).then(()=>{for(let i of E.get(t)??[])i();E.delete(t)})};if(b.has(t)||o(),b.get(t)==="asked"&&E.set(t,[...E.get(t)??[],n]),b.get(t)!=="missing")return null;let r=()=>{o(),n()};return a`<p class="pad missing" role="alert"><span class="bad">${s.missing}</span> <button class="toggle" @click=${r}>${s.again}</button></p>`}function nt({code:t,args:e}){let n=s.messages[t];return typeof n=="string"?n:n(...e.map(o=>st(o)?nt(o):o))}function st(t){return typeof t=="object"&&"code"in t}var ot=160;function j(t){let{state:e,program:n,frame:o}=t,{line:r}=n,i=e.playing,l=a`<button class="play" aria-label=${i?s.pause:s.play} title=${i?s.pause:s.play} @click=${t.playPause}>${h(i?"pause":"play")}</button>`;return a`<div class="transport" role="group" aria-label=${s.time}>
    <div class="buttons">
      ${l}
      ${S("start",s.toStart,()=>t.seek(0))}
      ${S("back",s.stepBack,()=>t.step(-1))}
      ${S("step",s.step,()=>t.step(1))}
      ${S("end",s.toEnd,()=>t.seek(r.total))}
    </div>
    <div class="segments" role="group" aria-label=${s.phaseSwitch}>
      ${r.phases.map(p=>a`<button
          class="segment ${p.phase}"
          aria-pressed=${o.phase===p.phase&&o.index>=0}
          @click=${()=>t.dispatch({type:"play",on:!0,time:p.start})}
        >${s.phases[p.phase]}</button>`)}
    </div>
    <div class="scrub" ${T(it(r))}>
      ${at(r)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(r.total)}
        step="1"
        aria-label=${s.time}
        aria-valuetext=${R(n,o.event,e.hold!==null).what}
        .value=${q(String(Math.round(o.time)))}
        @input=${p=>t.seek(Math.min(r.total,Number(p.target.value)))}
        @keydown=${p=>rt(t,p)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${s.speed}</span>
      <select aria-label=${s.speed} @change=${p=>t.dispatch({type:"set",change:{speed:Number(p.target.value)}})}>
        ${K.map(p=>a`<option value=${p} .selected=${p===e.speed}>${s.speeds(p)}</option>`)}
      </select>
    </label>
  </div>`}function S(t,e,n){return a`<button class="quiet ${t}" aria-label=${e} title=${e} @click=${n}>${h(t)}</button>`}function rt(t,e){if(e.shiftKey||e.ctrlKey||e.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];n&&(e.preventDefault(),e.stopPropagation(),t.step(n))}function it(t){let e=o=>{let r=t.phases.find(i=>i.phase===o);return r?`${(100*r.end/t.total).toFixed(2)}%`:""},n=e("forward")||"0%";return{"--forward-end":n,"--sort-end":e("sort")||n}}function at(t){return t.events.length>ot?"":a`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${t.events.map(e=>{let n=`${100*e.end/t.total}%`;return x`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}var k=null,lt=24;async function Y(){k=await import("./chunk-parts-pull.js")}function A({state:t,program:e,fixed:n}){let o=!t.predict&&t.hold===null&&t.text===t.good,r=e.graph.nodes.length<=lt&&!t.unfold;return o&&r&&!n&&!0}function J(t){return t.state.pull?(U("pull",Y,t.refresh),k):null}function M(t,e){let{program:n,dispatch:o,current:r}=t;if(k){k.pullBy(t,e);return}let i=e.steps!==void 0||e.more!==void 0,l=n.graph.nodes[e.node].label;o({type:"pull",pull:i?{name:l,by:0}:null});let p=()=>{r().state.pull&&k?.pullBy(r(),e)};Y().then(p,t.refresh)}function z({program:t,veil:e,frame:n}){let o=t.line.events[e];return o!==void 0&&n.time>=o.start-1e-6}function Q(t){let{program:e,veil:n}=t,o=e.line.events[n],r=o.push,i=s.predictBox,l=N(t.state,n),p=u=>{let f=O(r.contribution,u);t.dispatch({type:"tell",key:`${I}${n}`,typed:u,right:f}),!(!f&&!l)&&(t.dispatch({type:"play",on:!1,time:o.start+1}),t.step(1))};return a`<form class="words predict" @submit=${u=>{u.preventDefault();let f=u.target,$=f.elements.namedItem("prediction"),v=F($.value)===null;if($.setAttribute("aria-invalid",String(v)),f.querySelector(".invalid").textContent=v?s.notNumber:"",v){$.focus();return}let m=$.value;l||O(r.contribution,m)?$.value="":$.select(),p(m)}} novalidate>
    <p class="what"><label for="prediction">${i.ask(e.names[o.node],e.names[r.to],w(r.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${i.input} aria-describedby="prediction-note" ${W(u=>pt(u,n))} />
      <button class="primary">${s.checks.check}</button>
      <button type="button" class="toggle" @click=${()=>p("")}>${l?i.show:s.checks.hint}</button>
      <span class="score">${X(t)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${l?ct(t,l):V(t)??i.rule(w(r.incoming))}</p>
  </form>`}function pt(t,e){!t||t.dataset.veil===String(e)||(t.dataset.veil=String(e),queueMicrotask(()=>{let{activeElement:n}=t.getRootNode();n?.matches("input, gradwalk-number, select")||t.focus({preventScroll:!0})}))}function ct(t,e){let{program:n,veil:o}=t,{node:r}=n.line.events[o],i=s.predictBox;return a`${e.typed?a`<strong class="bad">✗ ${s.checks.wrong(e.typed)}</strong> `:g}${i.hintText(B(n,r))}`}function V(t){let e=L(t.state).map(([d])=>d),n=Math.max(-1,...e.filter(d=>d<t.veil)),o=N(t.state,n),r=t.program.line.events[n];if(!o||!r?.push)return null;if(o.right)return a`<strong class="good">✓ ${s.checks.right}</strong>`;let i=_(r.push),{wrong:l,was:p}=s.predictBox;return a`<strong class="bad">${o.typed?l(o.typed,i):p(i)}</strong> ${s.narration.rule(B(t.program,r.node))}`}function X(t){let e=L(t.state).flatMap(([,l])=>D(l)?[l]:[]),n=e.filter(l=>l.right),o=n.filter(l=>l.missed>0).length,r=s.predictBox,i=e.length?r.score(n.length,e.length):"";return o?`${i}, ${r.hinted(o)}`:i}function Z(t){let{state:e,program:n,veil:o}=t;if(!e.predict||e.page!=="sandbox"||n.line.events[o])return null;let r=L(e);if(!r.length||t.frame.time<n.line.total-1)return null;let i=r.every(([,l])=>l.right);return a`<div class="words predict">
    <p class="what"><span class=${i?"good":""}>${i?"✓ ":""}${X(t)}</span>
      <button class="primary" @click=${()=>t.dispatch({type:"again",time:0})}>${s.predictBox.again}</button></p>
    <p class="why">${V(t)??""} ${i?s.predictBox.all:s.predictBox.some}</p>
  </div>`}function Ft({state:t,dispatch:e}){if(t.greeted)return g;let n=()=>{H("greeted","yes"),e({type:"set",change:{greeted:!0}})};return a`<aside class="greeting" aria-label=${s.welcome.label}><p>${s.welcome.text}</p>
    <button class="quiet" aria-label=${s.welcome.close} title=${s.welcome.close} @click=${n}>${h("close")}</button></aside>`}function tt(t){let e=s.legend,n=o=>a`<svg class="wire ${o}" width="32" height="10" aria-hidden="true">${x`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return a`<ul class="reading" aria-label=${s.helpRead}>
    <li>${n("forward")} ${e.forward}</li>
    <li>${n("backward")} ${e.backward}</li>
    <li class="pos">${e.pos}</li>
    <li class="neg">${e.neg}</li>
    <li class="zero">${e.zero}</li>
    <li><code>${G}</code> ${s.notYet}</li>
    <li><code>t1</code> ${e.unnamed}</li>
    ${t?a`<li class="pulls"><span aria-hidden="true">↕</span> ${e.pull}</li>`:g}
  </ul>`}function et(t){let{state:e,program:n,frame:o}=t;if(e.page!=="sandbox"||e.playing||!A(t)||o.time<n.line.total-1||e.text!==e.good)return null;let{graph:r,walk:i,names:l,output:p}=n;if(!Number.isFinite(r.nodes[r.root].data))return null;let d=n.line.events.findLast(({push:m})=>m)?.push?.to,u=m=>m===d?1/0:Math.abs(i.grads[m]),f=r.leaves.filter(({id:m,data:y,label:c})=>Number.isFinite(i.grads[m])&&i.grads[m]!==0&&Number.isFinite(y)&&e.values.has(c)).sort((m,y)=>u(y.id)-u(m.id))[0];if(!f)return null;let $=i.grads[f.id],v=s.welcome;return a`<p class="why">${v.pull(l[f.id],p,w($))}
    <button class="primary" @click=${()=>M(t,{node:f.id,more:1})}>${v.tryIt}</button></p>`}function ne(t,e={}){let{state:n,program:o,frame:r}=t,l=(e.switches??["final","unfold","predict","3d"]).filter(c=>c!=="3d"||!0),p=n.predict&&l.includes("predict"),d=l.filter(c=>c!=="final"||!p),u=p?o.line.events[t.veil]:void 0,f=u!==void 0||n.hold!==null,$=u&&z(t)?u.edges[0]:f?-1:null,v=n.view==="3d"&&d.includes("3d")&&!n.pull,m=e.pulls===!0&&A(t),y=J(t);return a`<section class="stage" aria-label=${s.graphLabel(o.graph.nodes.length)}>
    <div class=${e.head===void 0?`banner ${r.event?r.phase:"idle"}`:"tabbed"}>
      ${e.head??e.headline??y?.headline(t)??dt(t)}
      <div class="switches">
        ${d.includes("final")?P(t,"final",s.final):g}
        ${d.includes("unfold")&&(n.unfold||t.program.graph.nodes.some(c=>c.tags.includes("derived")))?P(t,"unfold",s.unfold):g}
        ${d.includes("predict")&&(n.strict||n.text.includes("**"))?P(t,"strict",s.strict):g}
        ${d.includes("predict")?P(t,"predict",s.predict):g}
        ${d.includes("3d")?a`<span class="segments" role="group" aria-label=${s.viewSwitch}>
                ${["2d","3d"].map(c=>a`<button class="segment" data-switch=${c} aria-pressed=${n.view===c} @click=${()=>t.dispatch({type:"set",change:{view:c}})}>${c.toUpperCase()}</button>`)}
              </span>`:g}
        <span class="zoom">
          <button class="quiet" aria-label=${s.zoomOut} title=${s.zoomOut} data-zoom="out">${h("minus")}</button>
          <button class="quiet" aria-label=${s.fit} title=${`${s.fit} (f)`} data-zoom="fit">${h("fit")}</button>
          <button class="quiet" aria-label=${s.zoomIn} title=${s.zoomIn} data-zoom="in">${h("plus")}</button>
        </span>
      </div>
    </div>
    <gradwalk-scene
      id="scene"
      class="picture"
      ${T({"--levels":String(ut(o.graph))})}
      .program=${o}
      .frame=${r}
      .node=${n.node}
      .edge=${f?null:n.edge}
      .look=${n.look}
      .lit=${e.lit??null}
      .asked=${$}
      .final=${n.final&&d.includes("final")}
      .compare=${e.compare??!1}
      .deep=${v}
      .large=${n.teach}
      .pulls=${m}
      .pulling=${y?.pulling(t)??null}
      @pull=${c=>M(t,c.detail)}
      @look=${c=>t.dispatch({type:"set",change:{look:c.detail}})}
      @pick=${c=>t.dispatch({type:"pick",...c.detail})}
    ></gradwalk-scene>
    ${tt(m)}
    ${e.foot===void 0?j(t):e.foot}
    ${y?y.strip(t):g}
  </section>`}function se(t,e,n){return a`<div class="under">${t}</div>${e}${n}`}function dt(t){return z(t)?Q(t):Z(t)??mt(t)}var ut=C(t=>{let e=[];for(let{id:n,operands:o}of t.nodes)e[n]=1+Math.max(0,...o.map(r=>e[r]));return e[t.root]??1});function mt(t){let e=R(t.program,t.frame.event,t.state.hold!==null),n=t.state.text!==t.state.good&&!t.fixed,{graph:o,line:r,output:i}=t.program,l=o.nodes[o.root].data,p=t.frame.time>=r.total,d=n?s.lastGood:p&&!Number.isFinite(l)?s.strangeOutput(i,w(l)):t.state.predict&&t.frame.index<0?s.predictBox.start:e.why,u=et(t);return u?a`<div class="words end-card">${u}</div>`:a`<div class="words"><p class="what">${e.what}</p><p class="why ${n?"bad":""}" title=${d}>${d}</p></div>`}function P(t,e,n){return a`<button class="toggle" data-switch=${e} aria-pressed=${t.state[e]} @click=${()=>t.dispatch({type:"toggle",flag:e})}>${n}</button>`}export{U as a,nt as b,J as c,j as d,Ft as e,ne as f,se as g,dt as h};

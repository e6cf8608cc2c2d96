import{a as wt}from"./chunk-shared-parts-charts.js";import{h as it}from"./chunk-shared-app-settings.js";import{a as he,c as gt,d as ft,e as ne,f as I,g as se,h as bt}from"./chunk-shared-teach-narration.js";import{E as C,F as lt,G as S,H as b,I as U,J as ct,K as W,L as ut,M as D,N as Ne,O as H,P as q,Q as dt,R as Y,T as pt,V as Ae,Z as mt,b as ce,c as Ue,d as Je,da as ht,ea as be,f as ue,g as Ze,h as de,ia as $t,ka as vt,l as et,m as tt,o as Pe,p as pe,q as me,s as nt,t as st,u as rt,w as Oe,x as ot,y as te}from"./chunk-shared-app-timeline.js";import{b as at}from"./chunk-shared-app-server.js";import{c,d as V,e as A,f as Me,g as f,i as le,k as a,o as ge,p as fe,q as T}from"./chunk-shared-parts-styles-learn.js";import{A as Qe,B as P,C as Xe,j as We,l as R,m as M,o as O,s as F,t as Ye}from"./chunk-shared-core-rows.js";var Ie="gradwalk-progress";var hn=/^[a-z]+:[a-z0-9.-]{1,40}$/,re={done:new Set,right:0,all:0},qe=re,Q="";function _(){let e=$n();return Q!==null&&Q!==e&&(Q=e,qe=kt(e)),qe}function Js(e){let t=({key:n})=>{(n===Ie||n===null)&&e()};return addEventListener("storage",t),()=>removeEventListener("storage",t)}function yt(e){let{done:t}=_();t.has(e)||$e({..._(),done:new Set([...t,e].slice(-500))})}function xt(e){let{right:t,all:n}=_();$e({..._(),right:t+Number(e),all:n+1})}function Zs(e){let t=kt(e);if(t===re)return!1;let{done:n,right:s,all:r}=_(),o=new Set([...n,...t.done].slice(-500)),i=t.all>r?t:{right:s,all:r};return $e({done:o,right:i.right,all:i.all}),!0}function er(){$e(re)}function kt(e){try{let{version:t,done:n,right:s,all:r}=JSON.parse(e);if(t!==1||!Array.isArray(n))return re;let o=n.filter(l=>typeof l=="string"&&hn.test(l)).slice(0,500),i=Number.isSafeInteger(s)&&Number.isSafeInteger(r)&&s>=0&&s<=r;return{done:new Set(o),right:i?s:0,all:i?r:0}}catch{return re}}function bn({done:e,right:t,all:n}){return JSON.stringify({version:1,done:[...e],right:t,all:n})}function $n(){try{return localStorage.getItem(Ie)??""}catch{return""}}function $e(e){qe=e,Q=bn(e);try{localStorage.setItem(Ie,Q)}catch{Q=null}}var ve=new Map;function rr(e,t,n){let s=()=>{ve.set(e,"asked"),t().catch(()=>ve.set(e,"missing")).then(n)};if(ve.has(e)||s(),ve.get(e)!=="missing")return null;let r=()=>{s(),n()};return c`<p class="pad missing" role="alert"><span class="bad">${a.missing}</span> <button class="toggle" @click=${r}>${a.again}</button></p>`}var oe=[{id:"x1",text:"(a + b) * c",values:{a:2,b:-3,c:10}},{id:"x2",text:"n = x1*w1 + x2*w2 + b; o = tanh(n)",values:{x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543}},{id:"x3",text:"a * a",values:{a:3}},{id:"x4",text:"a + a",values:{a:3}},{id:"x5",text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},{id:"x6",text:"b = a + 1; c = a * 3; d = b * c",values:{a:2}},{id:"x7",text:"c = a * b; L = c + a",values:{a:2,b:3}},{id:"x8",text:"relu(a * b)",values:{a:2,b:-3}},{id:"x9",text:"relu(x*w + b)",values:{x:2,w:3,b:-10}},{id:"learn",text:"o = tanh(w*x + b); loss = (o - y)**2",values:{w:-.8,x:1.5,b:.4,y:.6}},{id:"bowl",text:"(a - 3)**2 + 2*(b + 1)**2",values:{a:-2,b:2}},{id:"x9s",text:"1 / (1 + exp(0 - x))",values:{x:.5}}];function K(e){return oe.find(t=>t.id===e)??oe[0]}function G(e,t=f){return e.fixed?c``:c`<div class="controls">${vn(e)}${kn(e)}${t}</div>`}function vn(e,t){let{state:n}=e,s=Ze(n.text,n.strict),r=s?bt(s.said):"",o=s?Math.min(s.column,400):0;return c`<div class="expression ${s?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${a.expression}</label>
      <input
        id="expression"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${We}
        placeholder="(a + b) * c"
        aria-invalid=${s!==null}
        aria-describedby="expression-note"
        .value=${se(n.text)}
        @input=${i=>e.dispatch({type:"type",text:i.target.value})}
        @scroll=${i=>yn(i.target)}
        @keydown=${i=>{i.key==="Enter"&&e.dispatch({type:"play",on:!0,time:0}),i.key==="Escape"&&wn(i.target)}}
      />
      ${xn(e,t)}
    </div>
    ${s?c`<span class="caret" aria-hidden="true" ${C({"--column":String(o)})}></span>`:f}
    <p id="expression-note" class="note" role=${s?"alert":f}>
      ${s?c`<span class="message" title=${r}>${r}</span>`:c`<span class="hint">${a.expressionHint}</span>`}
    </p>
  </div>`}function wn(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function yn(e){e.closest(".expression")?.style.setProperty("--scroll",`${e.scrollLeft}px`)}function xn(e,t){let n=t?oe.filter(r=>t.includes(r.id)):oe,s=n.find(r=>r.text===e.state.good)?.id??"";return c`<label class="presets"><span class="hidden">${a.presets}</span>
    <select
      aria-label=${a.presets}
      @change=${r=>{let o=n.find(i=>i.id===r.target.value);o&&e.load(o.text,o.values)}}
    >
      ${s?f:c`<option value="" .selected=${!0}>${a.presetOwn}</option>`}
      ${n.map(r=>c`<option value=${r.id} .selected=${r.id===s}>${a.presetNames[r.id]}</option>`)}
    </select>
  </label>`}function kn(e){let t=de(e.state);return c`<div class="variables" role="group" aria-label=${a.variables}>
    ${be(t,n=>n,n=>Tn(e,n,e.state.values.get(n)??0))}
  </div>`}function Tn(e,t,n){let s=Rn(n),r=o=>e.dispatch({type:"value",name:t,value:o});return c`<div class="variable">
    <span class="name" aria-hidden="true" title=${t}>${t}</span>
    <input
      type="range"
      min=${-s}
      max=${s}
      step="any"
      aria-label=${a.slider(t)}
      .value=${se(String(n))}
      @input=${o=>r(Tt(Number(o.target.value),s))}
      @keydown=${o=>Sn(o,n,s,r)}
    />
    <gradwalk-number id=${`box-${t}`} .value=${n} label=${a.box(t)} @number=${o=>r(o.detail)}></gradwalk-number>
  </div>`}function Rn(e){let t=10;for(;t<Math.abs(e)&&t<1e300;)t*=10;return t}function Tt(e,t){let n=t/100;return Number((Math.round(e/n)*n).toPrecision(10))}function Sn(e,t,n,s){let r={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!r)return;e.preventDefault();let o=n/100*(e.shiftKey?10:1);s(Math.max(-n,Math.min(n,Tt(t+r*o,n))))}var _e=new WeakMap,Rt=ce(class extends ht{render(e){return f}update(e,[t]){let n=t!==this.G;return n&&this.rt(void 0),(n||this.lt!==this.ct)&&(this.G=t,this.ht=e.options?.host,this.rt(this.ct=e.element)),f}rt(e){if(this.G!==void 0)if(this.isConnected||(e=void 0),typeof this.G=="function"){let t=this.ht??globalThis,n=_e.get(t);n===void 0&&(n=new WeakMap,_e.set(t,n)),n.get(this.G)!==void 0&&this.G.call(this.ht,void 0),n.set(this.G,e),e!==void 0&&this.G.call(this.ht,e)}else this.G.value=e}get lt(){return typeof this.G=="function"?_e.get(this.ht??globalThis)?.get(this.G):this.G?.value}disconnected(){this.lt===this.ct&&this.rt(void 0)}reconnected(){this.rt(this.ct)}});function Fe({program:e,veil:t,frame:n}){let s=e.line.events[t];return s!==void 0&&n.time>=s.start-1e-6}function St(e){let{program:t,veil:n}=e,s=t.line.events[n],r=s.push,o=a.predictBox,i=e.state.answers.get(n),l=d=>{let p=Ne(r.contribution,d);e.dispatch({type:"answer",event:n,typed:d,right:p}),!(!p&&!i)&&(e.dispatch({type:"play",on:!1,time:s.start+1}),e.step(1))};return c`<form class="words predict" @submit=${d=>{d.preventDefault();let p=d.target,m=p.elements.namedItem("prediction"),g=ut(m.value)===null;if(m.setAttribute("aria-invalid",String(g)),p.querySelector(".invalid").textContent=g?a.notNumber:"",g){m.focus();return}let v=m.value;i||Ne(r.contribution,v)?m.value="":m.select(),l(v)}} novalidate>
    <p class="what"><label for="prediction">${o.ask(t.names[s.node],t.names[r.to],b(r.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${o.input} aria-describedby="prediction-note" ${Rt(d=>En(d,n))} />
      <button class="primary">${o.check}</button>
      <button type="button" class="toggle" @click=${()=>l("")}>${i?o.show:o.hint}</button>
      <span class="score">${Lt(e)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${i?Ln(e,i):Et(e)??o.rule(b(r.incoming))}</p>
  </form>`}function En(e,t){!e||e.dataset.veil===String(t)||(e.dataset.veil=String(t),queueMicrotask(()=>{let{activeElement:n}=e.getRootNode();n?.matches("input, gradwalk-number, select")||e.focus({preventScroll:!0})}))}function Ln(e,t){let{program:n,veil:s}=e,{node:r}=n.line.events[s],o=a.predictBox;return c`${t.typed?c`<strong class="bad">✗ ${o.notIt(t.typed)}</strong> `:f}${o.hintText(ne(n,r))}`}function Et(e){let t=Math.max(-1,...[...e.state.answers.keys()].filter(l=>l<e.veil)),n=e.state.answers.get(t),s=e.program.line.events[t];if(!n||!s?.push)return null;if(n.right)return c`<strong class="good">✓ ${a.predictBox.right}</strong>`;let r=Y(s.push),{wrong:o,was:i}=a.predictBox;return c`<strong class="bad">${n.typed?o(n.typed,r):i(r)}</strong> ${a.narration.rule(ne(e.program,s.node))}`}function Lt(e){let t=[...e.state.answers.values()].filter(ot),n=t.filter(r=>r.right),s=n.filter(r=>r.missed>0).length;return t.length?a.predictBox.score(n.length,t.length,s):""}function Mt(e){let{state:t,program:n,veil:s}=e;if(!t.predict||t.page!=="sandbox"||n.line.events[s]||!t.answers.size||e.frame.time<n.line.total-1)return null;let r=[...t.answers.values()].every(o=>o.right);return c`<div class="words predict">
    <p class="what"><span class=${r?"good":""}>${r?"✓ ":""}${Lt(e)}</span>
      <button class="primary" @click=${()=>e.dispatch({type:"again",time:0})}>${a.predictBox.again}</button></p>
    <p class="why">${Et(e)??""} ${r?a.predictBox.all:a.predictBox.some}</p>
  </div>`}function Pt({state:e,dispatch:t}){if(e.greeted)return f;let n=()=>{it(),t({type:"greeted"})};return c`<aside class="greeting" aria-label=${a.welcome.label}><p>${a.welcome.text}</p>
    <button class="quiet" aria-label=${a.welcome.close} title=${a.welcome.close} @click=${n}>${T("close")}</button></aside>`}function Ot(){let e=a.legend,t=n=>c`<svg class="wire ${n}" width="32" height="10" aria-hidden="true">${V`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return c`<ul class="reading" aria-label=${a.helpRead}>
    <li>${t("forward")} ${e.forward}</li>
    <li>${t("backward")} ${e.backward}</li>
    <li class="pos">${e.pos}</li>
    <li class="neg">${e.neg}</li>
    <li class="zero">${e.zero}</li>
    <li><code>${S}</code> ${e.unfilled}</li>
    <li><code>t1</code> ${e.unnamed}</li>
  </ul>`}function Mn(e){let t=Math.max(1,Math.abs(e));return 10**(Math.floor(Math.log10(t))-1)}function Nt(e){let{state:t,program:n,frame:s}=e;if(t.page!=="sandbox"||t.predict||e.fixed||t.playing||s.time<n.line.total-1||t.text!==t.good)return null;let{nudge:r}=t;if(r&&t.values.has(r.name))return Pn(e);let{graph:o,walk:i,names:l,output:u}=n;if(!Number.isFinite(o.nodes[o.root].data))return null;let d=o.leaves.filter(({id:w,data:$,label:h})=>Number.isFinite(i.grads[w])&&i.grads[w]!==0&&Number.isFinite($)&&t.values.has(h)).sort((w,$)=>Math.abs(i.grads[$.id])-Math.abs(i.grads[w.id]))[0];if(!d)return null;let p=Mn(d.data),m=i.grads[d.id],g=l[d.id],v=a.welcome;return c`<p class="why">${v.nudge(g,b(p),u,b(p*m))}
    <button class="primary" @click=${()=>Nn(e,d.label,d.data,p,m)}>${v.tryIt}</button></p>`}function Pn(e){let{state:t,program:n,dispatch:s}=e,{name:r,from:o,by:i,grad:l,output:u}=t.nudge,d=n.graph.nodes[n.graph.root].data,p=Y({incoming:l,local:i,contribution:l*i}),m=a.welcome,g=()=>{s({type:"nudge",nudge:null}),s({type:"value",name:r,value:o})};return c`<p class="why" role="status">${m.moved(n.output,b(u),b(d),b(d-u))} ${m.said(p)} ${Math.abs(d-u-l*i)>.001*Math.abs(l*i)?m.bend:""}
    <button class="toggle" @click=${g}>${m.back}</button></p>`}var On=700;function Nn(e,t,n,s,r){let{dispatch:o}=e,{graph:i}=tt(e.state),l=i.nodes[i.root].data,u=Number((n+s).toPrecision(12)),d=n,p=w=>{d=w,o({type:"value",name:t,value:w})},m=()=>{p(u),o({type:"nudge",nudge:{name:t,from:n,by:s,grad:r,output:l}})};if(te()){m();return}let g=0,v=w=>{let{good:$,values:h}=e.current().state;if($!==e.state.good||h.get(t)!==d)return;g||=w;let y=Math.min(1,(w-g)/On);y>=1?m():(p(Number((n+s*y).toPrecision(6))),requestAnimationFrame(v))};requestAnimationFrame(v)}function j(e,t={}){let{state:n,program:s,frame:r}=e,o=t.switches??["final","unfold","predict","3d"],i=n.predict&&o.includes("predict"),l=o.filter(g=>g!=="final"||!i),u=i?s.line.events[e.veil]:void 0,d=u!==void 0||n.hold!==null,p=u&&Fe(e)?u.edges[0]:d?-1:null,m=n.view==="3d"&&l.includes("3d");return c`<section class="stage" aria-label=${a.graphLabel(s.graph.nodes.length)}>
    <div class="banner ${r.event?r.phase:"idle"}">
      ${t.headline??(Fe(e)?St(e):Mt(e)??An(e))}
      <div class="switches">
        ${l.includes("final")?we(e,"final",a.final):f}
        ${l.includes("unfold")&&(n.unfold||e.program.graph.nodes.some(g=>g.tags.includes("derived")))?we(e,"unfold",a.unfold):f}
        ${l.includes("predict")&&(n.strict||n.text.includes("**"))?we(e,"strict",a.strict):f}
        ${l.includes("predict")?we(e,"predict",a.predict):f}
        ${l.includes("3d")?c`<span class="segments" role="group" aria-label=${a.viewSwitch}>
                ${["2d","3d"].map(g=>c`<button class="segment" aria-pressed=${n.view===g} @click=${()=>e.dispatch({type:"view",view:g})}>${g==="2d"?a.view2d:a.view3d}</button>`)}
              </span>`:f}
        <span class="zoom">
          <button class="quiet" aria-label=${a.zoomOut} title=${a.zoomOut} data-zoom="out">${T("minus")}</button>
          <button class="quiet" aria-label=${a.fit} title=${`${a.fit} (f)`} data-zoom="fit">${T("fit")}</button>
          <button class="quiet" aria-label=${a.zoomIn} title=${a.zoomIn} data-zoom="in">${T("plus")}</button>
        </span>
      </div>
    </div>
    <gradwalk-scene
      id="scene"
      class="picture"
      .program=${s}
      .frame=${r}
      .node=${n.node}
      .edge=${d?null:n.edge}
      .look=${n.look}
      .lit=${t.lit??null}
      .asked=${p}
      ?final=${n.final&&l.includes("final")}
      ?compare=${t.compare??!1}
      ?deep=${m}
      ?large=${n.teach}
      @look=${g=>e.dispatch({type:"look",look:g.detail})}
      @pick=${g=>e.dispatch({type:"pick",...g.detail})}
    ></gradwalk-scene>
    ${Ot()}
  </section>`}function An(e){let t=he(e.program,e.frame.event),n=e.state.hold!==null&&!e.frame.event,s=e.state.text!==e.state.good&&!e.fixed,{graph:r,line:o,output:i}=e.program,l=r.nodes[r.root].data,u=e.frame.time>=o.total,d=s?a.lastGood:u&&!Number.isFinite(l)?a.strangeOutput(i,b(l)):e.state.predict&&e.frame.index<0?a.predictBox.start:t.why,p=Nt(e);return p?c`<div class="words end-card">${p}</div>`:c`<div class="words"><p class="what">${n?a.learn.waits:t.what}</p><p class="why ${s?"bad":""}" title=${d}>${d}</p></div>`}function we(e,t,n){return c`<button class="toggle" aria-pressed=${e.state[t]} @click=${()=>e.dispatch({type:"toggle",flag:t})}>${n}</button>`}var qn=160;function X(e){let{state:t,program:n,frame:s}=e,{line:r}=n,o=t.playing,i=c`<button class="play" aria-label=${o?a.pause:a.play} title=${o?a.pause:a.play} @click=${e.playPause}>${T(o?"pause":"play")}</button>`;return c`<div class="transport" role="group" aria-label=${a.time}>
    <div class="buttons">
      ${i}
      ${ye("start",a.toStart,()=>e.seek(0))}
      ${ye("back",a.stepBack,()=>e.step(-1))}
      ${ye("step",a.step,()=>e.step(1))}
      ${ye("end",a.toEnd,()=>e.seek(r.total))}
    </div>
    <div class="segments" role="group" aria-label=${a.phaseSwitch}>
      ${r.phases.map(l=>c`<button
          class="segment ${l.phase}"
          aria-pressed=${s.phase===l.phase&&s.index>=0}
          @click=${()=>e.dispatch({type:"play",on:!0,time:l.start})}
        >${a.phases[l.phase]}</button>`)}
    </div>
    <div class="scrub" ${C(_n(r))}>
      ${Fn(r)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(r.total)}
        step="1"
        aria-label=${a.time}
        aria-valuetext=${he(n,s.event).what}
        .value=${se(String(Math.round(s.time)))}
        @input=${l=>e.seek(Math.min(r.total,Number(l.target.value)))}
        @keydown=${l=>In(e,l)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${a.speed}</span>
      <select aria-label=${a.speed} @change=${l=>e.dispatch({type:"speed",speed:Number(l.target.value)})}>
        ${st.map(l=>c`<option value=${l} .selected=${l===t.speed}>${a.speeds(l)}</option>`)}
      </select>
    </label>
  </div>`}function ye(e,t,n){return c`<button class="quiet ${e}" aria-label=${t} title=${t} @click=${n}>${T(e)}</button>`}function In(e,t){if(t.shiftKey||t.ctrlKey||t.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[t.key];n&&(t.preventDefault(),t.stopPropagation(),e.step(n))}function _n(e){let t=s=>{let r=e.phases.find(o=>o.phase===s);return r?`${(100*r.end/e.total).toFixed(2)}%`:""},n=t("forward")||"0%";return{"--forward-end":n,"--sort-end":t("sort")||n}}function Fn(e){return e.events.length>qn?"":c`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${e.events.map(t=>{let n=`${100*t.end/e.total}%`;return V`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}var Cn=4;function At(e,t,n){let s=e.target.closest("[data-place]"),r=e.currentTarget;if(!s||e.button!==0)return;let o=Number(s.dataset.place),i=[...t()],l=!1,u=p=>{if(!l&&Math.hypot(p.clientX-e.clientX,p.clientY-e.clientY)<Cn)return;l=!0,s.classList.add("dragged"),p.preventDefault();let m=[...r.querySelectorAll("[data-place]")].find(w=>{let $=w.getBoundingClientRect();return p.clientX>=$.left&&p.clientX<=$.right&&p.clientY>=$.top-12&&p.clientY<=$.bottom+12}),g=m?i.indexOf(Number(m.dataset.place)):-1,v=i.indexOf(o);g<0||g===v||(i=i.filter(w=>w!==o),i.splice(g,0,o),n(i))},d=()=>{s.classList.remove("dragged"),l&&vt(),removeEventListener("pointermove",u),removeEventListener("pointerup",d),removeEventListener("pointercancel",d)};addEventListener("pointermove",u),addEventListener("pointerup",d),addEventListener("pointercancel",d)}var Hn=24;function wo(e){return c`${G(e)}${Gn(e)}`}function Gn(e){let{state:t,program:n}=e,s=Pe(n.graph),r=pe(n.graph,t.order)?t.order:s,o=jn(n),i=t.ran?e:{...e,frame:ue(n.line,o)},l=t.ran?void 0:c`<div class="words"><p class="what task">${a.order.task}</p><p class="why">${a.order.rule}</p></div>`;return c`
    ${j(i,{compare:t.ran,switches:[],headline:l,lit:t.ran?Wn(n,e.state.edge,e.state.node):null})}
    ${s.length>Hn?c`<p class="panel pad">${a.order.count(s.length)}</p>`:Bn(e,r,o)}
    ${t.ran?c`${X(e)}${zn(e)}`:f}`}function jn(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function Bn(e,t,n){let{program:s,dispatch:r,state:o}=e,{names:i}=s,l=d=>r({type:"order",order:d}),u=(d,p)=>{if(p<0||p>=t.length||d===p)return;let m=[...t];m.splice(p,0,...m.splice(d,1)),l(m)};return c`<section class="tray panel" aria-label=${a.order.tray}>
    <ol class="places" @pointerdown=${d=>At(d,()=>Vn(e,t),l)}>
      ${be(t,d=>d,(d,p)=>c`<li class="place" data-place=${d}>
          <span class="number" aria-hidden="true">${p+1}</span>
          <button class="bare nudge" aria-label=${a.order.earlier(i[d])} ?disabled=${p===0} @click=${()=>u(p,p-1)}>${T("left")}</button>
          <button class="grip" aria-label=${a.order.place(i[d],p+1,t.length)} @keydown=${m=>Dn(m,p,u)}>${i[d]}</button>
          <button class="bare nudge" aria-label=${a.order.later(i[d])} ?disabled=${p===t.length-1} @click=${()=>u(p,p+1)}>${T("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{pe(s.graph,o.order)||l(t),r({type:"run",on:!0,time:n})}}>${T("play")} ${a.order.run}</button>
      <button class="toggle" @click=${()=>l(Kn(t))}>${a.order.shuffle}</button>
      <button class="toggle" @click=${()=>l(P(s.graph).order.filter(d=>t.includes(d)))}>${a.order.right}</button>
    </div>
  </section>`}function Vn(e,t){return pe(e.program.graph,e.state.order)?e.state.order:t}function Dn(e,t,n){let s={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!s)return;e.preventDefault(),e.stopPropagation(),n(t,t+s);let r=e.currentTarget;requestAnimationFrame(()=>r.focus())}function Kn(e){let t=[...e];for(let n=t.length-1;n>0;n--){let s=Math.floor(Math.random()*(n+1));[t[n],t[s]]=[t[s],t[n]]}return t}function zn(e){let{program:t,frame:n}=e,{walk:s,names:r,graph:o}=t;if(n.time<t.line.total-1)return c``;if(!s.wrong.length)return c`<section class="panel verdict right"><h2>✓ ${a.order.won}</h2><div class="body"><p>${a.order.insight}</p>${xe(t)}</div></section>`;let i=s.backward.filter(l=>l.note==="zero"&&s.expected[l.node]!==0);return c`<section class="panel verdict wrong">
    <h2>✗ ${s.lost.length?a.order.lost(s.lost.length):a.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${s.lost.map(l=>Un(e,l))}
        ${i.map(l=>c`<li><span>${a.order.starvedRow(r[l.node])}</span></li>`)}
        <li class="insight">${a.order.insight}</li>
      </ul>
      ${xe(t)}
    </div>
    <span class="hidden">${o.nodes.length}</span>
  </section>`}function Un(e,t){let{names:n,graph:s}=e.program,r=s.nodes[t.source].operands.indexOf(t.to);return c`<li>
    <span><strong class="bad">${a.order.lostRow(b(t.contribution),t.path.map(o=>n[o]).join(" → "))}</strong>
    <br />${a.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:r}})}>${a.order.showPath}</button>
  </li>`}function Wn(e,t,n){if(!t||n!==null)return null;let s=e.graph.nodes[t.target].operands[t.operand],r=e.walk.lost.find(o=>o.source===t.target&&o.to===s);return r?$t(e,r.path):null}function xe(e){let{walk:t,names:n,graph:s}=e,r=Pe(s).toReversed(),o=new Set(t.wrong);return c`<table class="comparison" aria-rowcount=${r.length+1}>
    <caption>${a.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${a.bugs.node}</th><th scope="col" class="end">${a.order.got}</th><th scope="col" class="end">${a.order.should}</th><th scope="col"><span class="hidden">${a.order.verdict}</span></th></tr></thead>
    <tbody>${I({count:r.length,now:-1,columns:4,row:i=>{let l=r[i],u=o.has(l);return c`<tr class=${u?"differs":""} aria-rowindex=${i+2}><td>${n[l]}</td><td class="end ${u?"bad":""}">${b(t.grads[l])}</td><td class="end">${b(t.expected[l])}</td><td class=${u?"bad":"good"}>${u?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var ke=[["","def __add__(self, other):"],["+","    return Value(self.data + other.data,"],["","        (self, other), (1, 1))"],["","def __mul__(self, other):"],["*","    return Value(self.data * other.data,"],["","        (self, other),"],["","        (other.data, self.data))"],["","def tanh(self):"],["tanh","    t = math.tanh(self.data)"],["other","    return Value(t, (self,), (1 - t * t,))"]],Yn=[["","topo, visited, stack = [], {self}, [(self, 0)]"],["","while stack:"],["pop","    node, i = stack.pop()"],["","    if i == len(node._children):"],["place","        topo.append(node)"],["","        continue"],["","    stack.append((node, i + 1))"],["","    child = node._children[i]"],["visited","    if child not in visited:"],["","        visited.add(child)"],["push","        stack.append((child, 0))"]],Qn=[["seed","self.grad = 1.0"],["visit","for v in reversed(topo):"],["","    edges = zip(v._children, v._local_grads)"],["","    for child, local in edges:"],["push","        child.grad += local * v.grad"]],Xn={forward:ke,sort:Yn,backward:Qn};function qt(e,t){let{event:n}=t,s=n?.kind==="compute"?Zn(e,n):Xn[t.phase],r=n?es(e,n):"",o=Jn(s.find(([u])=>u===r)?.[1]??""),i=n?ts(e,n).map(u=>c`<li class="note"><code>${o}# ${u}</code></li>`):f,l=n?.kind==="compute"?s.length-1:s.findIndex(([u])=>u&&u===r);return c`<ol class="code ${t.phase}" aria-label=${a.code.title}>
    ${s.map(([u,d],p)=>c`<li class=${u!==""&&u===r?"now":""}><code>${d}</code></li>${p===l?i:f}`)}
  </ol>`}function Jn(e){return/^ */.exec(e)[0]}function Zn(e,t){let n=e.graph.nodes[t.node],{op:s}=n;if(s==="+"||s==="*"){let o=ke.findIndex(([i])=>i===s);return ke.slice(o-1,o+(s==="+"?2:3))}return s==="tanh"?ke.slice(-3):{"-":[["","def __sub__(self, other):"],["-","    return self + (other * -1)"]],"/":[["","def __truediv__(self, other):"],["/","    return self * other**-1"]],neg:[["","def __neg__(self):"],["neg","    return self * -1"]],"**":[["","def __pow__(self, n):"],["**","    return Value(self.data**n,"],["","        (self,), (n * self.data**(n - 1),))"]],relu:[["","def relu(self):"],["relu","    return Value(max(0, self.data),"],["","        (self,), (float(self.data > 0),))"]],exp:[["","def exp(self):"],["exp","    e = math.exp(self.data)"],["","    return Value(e, (self,), (e,))"]],log:[["","def log(self):"],["log","    return Value(math.log(self.data),"],["","        (self,), (1 / self.data,))"]]}[s]??[["",`def ${s}(…):`],[s,"    return Value(…, inputs, local_grads)"],["",`    # the row ${s} of ops.py`]]}function es(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":{let n=e.walk.sort[t.row].note;return n==="leaf"||n==="done"?"place":n?"visited":"push"}case"seed":return"seed";case"skip":case"leaf":return"visit";default:return"push"}}function ts(e,t){let{names:n,graph:s,walk:r}=e;switch(t.kind){case"push":{let o=t.push,i=e.walk.bug==="overwrite"?"=":"+=";return[`${n[o.to]}.grad ${i} ${b(o.local)} * ${b(o.incoming)}`,`local ${H(o.local)}, ${n[t.node]}.grad ${H(o.incoming)}`]}case"compute":return[`${n[t.node]} ${H(s.nodes[t.node].data)}`];case"seed":return[`${e.output}.grad = 1`];case"sort":{let{note:o,pop:i}=r.sort[t.row],[l,u]=i;if(o==="leaf"||o==="done")return[`node = ${n[l]}`];let d=n[s.nodes[l].operands[u]];return[o?`child = ${d}: visited`:`push (${d}, 0)`]}case"lost":return[`${n[t.lost.to]}: ✗`];default:return[`v = ${n[t.node]}`]}}var E=e=>({kind:"number",x:e}),ae=e=>({kind:"total",node:e}),Te=(e,t)=>({kind:"local",node:e,operand:t}),Ce=e=>({kind:"grad",node:e}),k=e=>({kind:"sign",sign:e}),It=new WeakMap;function ns(e){let t=It.get(e);if(t)return t;let n=new Map,s=[];for(let{push:r}of e.events){if(!r)continue;let o=(n.get(r.to)??0)+1;n.set(r.to,o),s.push([r,o])}return t=new Map(s.map(([r,o])=>[r,[o,n.get(r.to)]])),It.set(e,t),t}function He(e,t){let[n,s]=ns(e.line).get(t)??[1,1],r=F(e.graph,t.to,1).count===BigInt(s);return{place:n,count:s,arePaths:r}}function _t(e,t,n){let{walk:s}=e,r=t.push,o=t.node,{incoming:i,contribution:l,before:u,after:d,to:p}=r,m=Object.is(i,s.expected[o])||i===s.expected[o],g=[Ce(p),k(Ae(r)?"+=":"="),m?ae(o):Ce(o),k("×"),Te(o,r.operand),k(q(i,r.local)),E(i),k("×"),E(r.local),k(dt(r)),E(l)],{place:v,count:w}=He(e,r);if(!n)return{step:g,holds:null,complete:null};let $=v>1&&Ae(r),h=$?[E(u),k("+"),E(l),k(pt(r))]:[],y=k($?q(u,l):q(d)),x=v===w&&(Object.is(d,s.expected[p])||d===s.expected[p]);return{step:g,holds:x||v===1?null:[Ce(p),y,...h,E(d)],complete:x?[ae(p),y,...h,E(d)]:null}}function Ft(e,t){let{graph:n}=e,{operands:s,local_grads:r}=n.nodes[t];return s.flatMap((o,i)=>M(n.nodes[o])?[]:[[Te(t,i),k(q(r[i])),E(r[i])]])}function Ct({graph:e,names:t},{target:n,operand:s}){let r=e.nodes[n],o=r.local_grads[s],i=Xe(e,r,s,d=>t[d]),l=i.replaceAll("-","−")!==b(o),u=[k(q(o)),E(o)];return l?[Te(n,s),k("="),{kind:"formula",text:i,node:n,operand:s},...u]:[Te(n,s),...u]}function Ht({graph:e},t){if(t===e.root)return[ae(t),k("="),E(1)];let n=F(e,t,4),s=n.largest.flatMap((d,p)=>[...p?[k("+")]:[],...d.locals.flatMap((m,g)=>g?[k("×"),E(m)]:[E(m)])]);if(s.length<2)return[ae(t),k(q(n.total)),E(n.total)];let r=n.largest.map(({locals:d})=>d),o=r.map(d=>d.map(p=>b(p))),i=n.complete?[]:[k("+"),{kind:"rest"}],l=n.complete?Ye("+",o,b(n.total)):q(n.total),u=q(...r.flat());return[ae(t),k(u),...s,...i,k(l),E(n.total)]}function jt({program:e,frame:t,state:n,veil:s}){let r=e.line.events[s]!==void 0||n.hold!==null,o=n.node!==null||n.edge!==null||t.event?.kind==="compute";return r&&o?c`<p class="why">${a.predictBox.hidden}</p>`:ss(e,t,n.node,n.edge)}function ss(e,t,n,s){if(s)return os(e,s);if(n!==null)return as(e,n);let{event:r}=t;if(r?.kind==="push")return rs(e,t);if(r?.kind==="compute"){let i=e.graph.nodes[r.node];return c`<p class="formula">${mt(e.graph,i)}</p>
      <p class="why">${a.equation.keeps}</p>
      <div class="locals">${Ft(e,i.id).map(l=>J(e,l))}</div>`}if(r?.kind==="sort")return c`<p class="why">${a.equation.sorting}</p>`;let o=t.index>=e.line.events.length-1;return c`<p class="why">${a.equation.idle} ${o?"":a.equation.stepOn}</p>`}function rs(e,t){let n=t.event,s=n.push,{step:r,holds:o,complete:i}=_t(e,n,t.landed),{place:l,count:u,arePaths:d}=He(e,s),p=a.equation;return c`
    ${J(e,r)}
    <p class="part">${(d?p.path:p.contribution)(l,u,i!==null)}</p>
    ${o?J(e,o):f}
    ${i?J(e,i):f}
    <p class="why">${a.narration.rule(ne(e,n.node))}</p>`}function os(e,t){let{graph:n,names:s}=e,r=n.nodes[t.target].operands[t.operand],o=c`<p class="picked">${a.inspect.edge(s[r],s[t.target])}</p>`;if(M(n.nodes[r]))return c`${o}<p class="why">${a.inspect.noPath}</p>`;let i=n.nodes[t.target].local_grads[t.operand];return c`
    ${o}
    ${J(e,Ct(e,t))}
    <p class="why">${a.inspect.wiggle(s[r],s[t.target],b(i))}</p>`}function as(e,t){let{graph:n,names:s,output:r}=e,o=n.nodes[t];return M(o)?c`<p class="picked">${a.inspect.node(s[t])}</p>${Gt(o)}<p class="why">${a.inspect.noPath}</p>`:c`
    <p class="picked">${a.inspect.node(s[t])}<span class="exact">${U(o.data)}</span></p>
    ${Gt(o)}
    ${J(e,Ht(e,t))}
    ${is(o.data,e.walk.grads[t])}
    ${t===n.root?f:c`<p class="why">${a.inspect.paths(F(n,t,1).count,s[t],r)}</p>`}`}function is(...e){let t=[...new Set(e.map(gt))].filter(Boolean);return t.length?c`<p class="why odd">${t.join(" ")}</p>`:f}function Gt(e){return e.scope?c`<p class="why scope">${a.inspect.scope(e.scope)}</p>`:f}function J(e,t){let n=[[]];return t.forEach((s,r)=>{s.kind==="sign"&&s.sign!=="×"&&n.at(-1).length&&n.push([]),n.at(-1).push(ls(e,s,r>0?t[r-1]:null))}),c`<div class="equation">${n.map(s=>c`<math display="inline" displaystyle="true"><mrow>${s}</mrow></math>`)}</div>`}function ls(e,t,n){let{names:s,output:r}=e;switch(t.kind){case"number":{let o=n?.kind==="sign"&&!["=","≈","+="].includes(n.sign);return A`<mn class=${W(t.x)}>${o?ct(t.x):b(t.x)}</mn>`}case"total":return us(r,s[t.node]);case"local":return ds(e,t.node,t.operand);case"grad":return A`<mi class="grad">${a.narration.gradOf(s[t.node])}</mi>`;case"formula":return A`<mtext class="code">${t.text.replaceAll("-","−").replaceAll("*","∗")}</mtext>`;case"rest":return A`<mo>…</mo>`;case"sign":return A`<mo form="infix">${t.sign}</mo>`}}function cs(e,t){return A`<mfrac><mrow><mo rspace="0">∂</mo><mi>${e}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${t}</mi></mrow></mfrac>`}function us(e,t){return A`<mrow class="total">${cs(e,t)}</mrow>`}function ds({graph:e,names:t},n,s){let{operands:r}=e.nodes[n],o=r.filter(l=>l===r[s]).length,i=r.slice(0,s+1).filter(l=>l===r[s]).length;return A`<munder class="local"><msub><mi>ℓ</mi><mrow><mi>${t[n]}</mi><mo>→</mo><mi>${t[r[s]]}</mi></mrow></msub><mtext>${a.equation.local(o>1?i:0)}</mtext></munder>`}function Bt(e,t,n,s,r){let{graph:o,names:i,walk:l}=e,u=a.numbers,d=o.nodes.filter(g=>!M(g)).toReversed(),p=g=>{let v=d[g],w=v.id===n,$=t.node(v.id),h=s?l.grads[v.id]:$.grad,y=W(h),x=w?U:b;return c`<tr class=${`${w?"now":""} ${t.phase}`} aria-rowindex=${g+2} @click=${()=>r(v.id)}>
      <td title=${i[v.id]}><button class="bare" aria-label=${u.select(i[v.id])} aria-pressed=${w}>${i[v.id]}</button></td>
      <td class="end" title=${$.filled?U(v.data):""}>${$.filled?x(v.data):S}</td>
      <td class="end ${y}" title=${h===null?"":U(h)}>${h===null?S:x(h)} ${lt[y]}</td>
    </tr>`},m=n===null?-1:d.findIndex(({id:g})=>g===n);return c`<table class="numbers" aria-rowcount=${d.length+1}>
    <caption class="hidden">${u.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${u.node}</th><th scope="col" class="end">${u.value}</th><th scope="col" class="end">${u.grad}</th></tr></thead>
    <tbody>${I({count:d.length,now:m,columns:3,row:p})}</tbody>
  </table>`}var ps={},Vt=ce(class extends Ue{constructor(){super(...arguments),this.ot=ps}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((s,r)=>s===this.ot[r]))return Me}else if(this.ot===t)return Me;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});function Re(e,t,n,s=Number.POSITIVE_INFINITY){let{events:r}=e.line,o=a.events,i=l=>{let u=r[l],{what:d,how:p,result:m}=ft(e,u),v=l>=s&&u.phase==="backward"?"?":l>t.index?S:null,w=l===t.index?"now":l<t.index?"past":"ahead";return c`<tr class="${u.phase} ${w}" aria-rowindex=${l+2} aria-current=${l===t.index?"step":f} @click=${()=>n(u.end)}>
      <td class="index"><button class="bare" aria-label=${o.goto(l+1,d)} @click=${$=>{$.stopPropagation(),n(u.end)}}>${l+1}</button></td>
      <td class="who" title=${d}>${d}</td>
      <td class="how">${v??p}</td>
      <td class="end">${v??m}</td>
    </tr>`};return c`<table class="events" aria-rowcount=${r.length+1} ${C({"--digits":String(String(r.length).length)})}>
    <caption class="hidden">${o.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${o.number}</th><th scope="col">${o.what}</th><th scope="col">${o.how}</th><th scope="col" class="end">${o.result}</th></tr>
    </thead>
    <tbody>${I({count:r.length,now:t.index,columns:4,row:i})}</tbody>
  </table>`}var ms=/^(x|y|t|target|input|label|data)\d*$/i;function Dt(e){let t=e.filter(n=>!ms.test(n));return t.length?t:[...e]}function Ge(e,t){return Object.fromEntries(e.names.map(n=>[n,t.get(n)??1]))}function je(e,t){let n=R(e);return n.evaluate(Ge(n,t)).data}function Kt(e,t,n,s){let r=R(e),o=O(r.evaluate(Ge(r,t))),{expected:i}=P(o),l=new Map(t);for(let u of o.leaves){if(!n.includes(u.label))continue;let d=u.data-s*i[u.id];if(!Number.isFinite(d))return null;l.set(u.label,d)}return l}function zt(e,t,[n,s],r,o=24){let i=R(e),l=v=>{let w=r.map(x=>x.values.get(v)??0),[$,h]=[Math.min(...w),Math.max(...w)],y=Math.max(.35*(h-$),.3*Math.max(1,Math.abs(h),Math.abs($)));return[$-y,h+y]},[u,d]=[l(n),l(s)],p=Ge(i,t),m=([v,w],$)=>v+(w-v)*($+.5)/o,g=Array.from({length:o},(v,w)=>Array.from({length:o},($,h)=>{let y={...p};return y[n]=m(u,h),y[s]=m(d,o-1-w),i.evaluate(y).data}));return{x:u,y:d,rows:g}}var fs=200,B=1e9;function ua(e={},t=null){let n=K("x1"),s={page:"sandbox",text:n.text,good:n.text,values:new Map(Object.entries(n.values)),time:0,unfold:!1,final:!1,predict:!1,strict:!1,view:"2d",look:Oe,speed:1,bug:"overwrite",order:[],ran:!1,game:!1,seed:0,question:"",lesson:"",teach:!1,scene:"sandbox",staged:"",hold:null,until:null,told:new Map,node:null,edge:null,place:"",given:t,playing:!1,answers:new Map,task:"",help:!1,proof:!1,check:null,compiled:null,theme:"auto",letters:!0,greeted:!1,nudge:null,rate:.1,learning:[],way:[],descending:!1,stuck:"",sent:null,sharing:!1,past:[],future:[],edit:{kind:"",at:0}},r=e.final===!0&&!e.predict;return z({...s,...e,final:r},e.text??s.text)}function hs(e,t,n=0){let s=bs(e,t,n);return s.good===e.good&&s.unfold===e.unfold&&s.page===e.page||t.type==="restore"?s:{...s,look:{...Oe,orbit:s.look.orbit}}}function bs(e,t,n){switch(t.type){case"type":return Z(e,"type",z({...e,playing:!1,time:e.page==="walk"?0:B},t.text),n);case"load":{let s=new Map([...e.values,...Object.entries(t.values)]),r={...e,values:s,time:0,playing:t.play??!1,order:[],ran:!1},o=z(r,t.text);return t.own?o:Z(e,"load",o,n)}case"value":{let s=new Map(e.values).set(t.name,t.value),o=e.page==="sandbox"&&!e.playing&&!e.predict&&e.time===0?B:e.time;return Z(e,`value ${t.name}`,{...e,values:s,time:o,answers:new Map,way:[],descending:!1,stuck:""},n)}case"page":{if(t.page===e.page)return e;let s=t.time??0;return{...e,page:t.page,time:s,playing:!1,descending:!1,ran:!1,staged:"",hold:null,until:null,teach:!1,node:null,edge:null}}case"seek":return t.keepPlaying?{...e,time:t.time}:{...e,time:t.time,playing:!1,until:null,node:null,edge:null};case"play":{let s=t.on?{node:null,edge:null}:{},r=t.until??null;return{...e,...s,playing:t.on,until:r,time:t.time??e.time}}case"toggle":{let s=t.on??!e[t.flag];if(t.flag==="final"&&s&&e.predict)return e;let r={...e,[t.flag]:s,answers:new Map};return t.flag==="unfold"&&Object.assign(r,{node:null,edge:null,order:[]}),t.flag==="predict"&&s&&Object.assign(r,{final:!1,playing:!1}),Z(e,t.flag,t.flag==="strict"?z(r,e.text):r,n)}case"view":return{...e,view:t.view};case"speed":return{...e,speed:t.speed};case"bug":return Z(e,"bug",{...e,bug:t.bug,time:B,playing:!1},n);case"order":return Z(e,"order",{...e,order:t.order,ran:!1,time:0,playing:!1},n);case"run":return{...e,ran:t.on,time:t.time,playing:t.on,node:null,edge:null};case"answer":{let{typed:s,right:r}=t,o=(e.answers.get(t.event)?.missed??0)+ +!r,i=new Map(e.answers).set(t.event,{typed:s,right:r,missed:o});return{...e,answers:i}}case"again":return{...e,answers:new Map,time:t.time,playing:!1};case"pick":return{...e,node:t.node,edge:t.edge??null};case"game":return{...e,game:t.on};case"case":return{...e,seed:t.seed};case"question":return{...e,question:t.question};case"task":return{...e,task:t.task};case"lesson":return{...e,lesson:t.lesson,hold:null,playing:!1,descending:!1};case"scene":{let{staged:s,scene:r,text:o,bug:i,unfold:l,rate:u}=t,d=new Map([...e.values,...Object.entries(t.values)]),m={...e,...{predict:!1,final:!1,strict:!1,ran:!1,playing:!1},staged:s,scene:r,bug:i,unfold:l,rate:u,values:d,time:0};return z({...m,...{node:null,edge:null,order:[],way:[],hold:null,until:null},stuck:"",descending:!1,view:"2d"},o)}case"shown":{let{given:s,text:r=e.text}=t,o=new Map([...e.values,...t.values??[]]),i={...e,given:s,values:o,edge:null};return s?{...i,node:(e.node??0)<s.nodes.length?e.node:null}:r===e.text?i:z(i,r)}case"hold":return{...e,hold:t.hold};case"tell":return{...e,told:new Map(e.told).set(t.key,t.told)};case"teach":return{...e,teach:t.on};case"help":return{...e,help:t.on};case"proof":return{...e,proof:t.on,check:t.on?null:e.check};case"look":return{...e,look:t.look};case"checking":return{...e,check:t.check};case"compiled":return{...e,compiled:t.compiled};case"place":return{...e,place:t.place};case"theme":return{...e,theme:t.theme};case"letters":return{...e,letters:t.on};case"greeted":return{...e,greeted:!0};case"descend":return vs(e,t.steps);case"descending":return{...e,descending:t.on,stuck:t.on?"":e.stuck};case"climb":{let s=e.way[0]?.values??e.values;return{...e,values:s,way:[],descending:!1,stuck:""}}case"rate":return{...e,rate:t.rate,stuck:""};case"learning":return{...e,learning:t.learning,stuck:""};case"sent":return{...e,sent:t.sent};case"share":return{...e,sharing:t.on};case"nudge":return{...e,nudge:t.nudge};case"restore":{let{given:s,theme:r,letters:o,greeted:i,past:l,future:u}=e;return{...t.state,given:s,theme:r,letters:o,greeted:i,past:l,future:u}}case"undo":return Qt(e,"past","future");case"redo":return Qt(e,"future","past")}}function z(e,t){try{let n=R(t,{strict:e.strict}).names,s=Yt(e.values,n),r=t===e.good&&t===e.text,o=e.text===t?{}:{node:null,edge:null,order:[],ran:!1},i={answers:new Map,nudge:null,way:[],descending:!1,stuck:""},l=n.filter(p=>e.learning.includes(p)),u=l.length&&r?l:Dt(n),d=r?{learning:u}:{...o,...i,learning:u};return{...e,...d,text:t,good:t,values:s}}catch{let n=ws(e.good)?e.good:K("x1").text;return{...e,text:t,good:n,values:Yt(e.values,R(n).names)}}}var $s=2e3,Ut=20;function vs(e,t){let{values:n}=e,s=e.way.length?[...e.way]:[{values:n,output:je(e.good,n)}],r="";for(let i=0;i<t&&!r;i++){let l=Kt(e.good,n,e.learning,e.rate),u=l?je(e.good,l):Number.NaN;if(!l||!Number.isFinite(u)){r="numbers";break}let d=e.learning.some(m=>Math.abs((l.get(m)??0)-(n.get(m)??0))>1e-9);n=l,s.push({values:n,output:u}),d||(r="still");let p=s.slice(-Ut-1);p.length>Ut&&p.every((m,g)=>!g||m.output>p[g-1].output)&&(r="up")}let o=e.descending&&!r;return{...e,values:n,way:s.slice(-$s),stuck:r,descending:o,time:B}}function ws(e){try{return R(e),!0}catch{return!1}}var Wt=[2,-3,10,.5,1.5,-1];function Yt(e,t){if(t.every(s=>e.has(s)))return e;let n=new Map(e);return t.forEach((s,r)=>{n.has(s)||n.set(s,Wt[r%Wt.length])}),n}var Jt=["page","text","values","unfold","final","predict","strict","bug","order"],ys=[...Jt,"time","view","speed","ran","game","seed","question","place"];function Zt(e){return{...Object.fromEntries(ys.map(n=>[n,e[n]])),node:null,edge:null}}function Z(e,t,n,s){if(Jt.every(i=>e[i]===n[i]))return n;let o=t===e.edit.kind&&s-e.edit.at<900&&e.past.length>0?e.past:[...e.past,Zt(e)].slice(-fs);return{...n,past:o,future:[],edit:{kind:t,at:s}}}function Qt(e,t,n){let s=e[t].at(-1);if(!s)return e;let r=s.page==="learn"?e.hold:null;return{...z({...e,...s,playing:!1,hold:r,until:null},s.text),edit:{kind:"",at:0},[t]:e[t].slice(0,-1),[n]:[...e[n],Zt(e)]}}var Xt=class{constructor(t){this.state=t;this.#e=new Set;this.dispatch=t=>{let n=hs(this.state,t,Date.now());if(n!==this.state){this.state=n;for(let s of this.#e)s(n)}}}#e;subscribe(t){return this.#e.add(t),()=>this.#e.delete(t)}};var en=e=>e.program.graph.leaves.map(t=>e.program.walk.grads[t.id]),Be=[{id:"predict",preset:"x1",predict:!0,done:({state:e,program:t})=>{let n=t.line.events.flatMap((s,r)=>s.kind==="push"?[r]:[]);return e.predict&&n.length>3&&n.every(s=>e.answers.get(s)?.right)}},{id:"dead",preset:"x9",values:{x:2,w:3,b:1},done:e=>e.state.good.includes("relu")&&en(e).every(t=>t===0)},{id:"square",preset:"x3",done:({state:e,program:t,frame:n})=>/^\s*(\w+)\s*\*\s*\1\s*$/.test(e.good)&&n.time>=t.line.total},{id:"negative",preset:"x6",done:e=>en(e).some(t=>t<0)}];function $a(e){let t=Be.find(({id:n})=>n===e.state.task);t?.done(e)&&yt(`try:${t.id}`)}function tn(e){let t=new Set(Be.map(r=>r.id).filter(r=>_().done.has(`try:${r}`))),n=a.tries.rows[e.state.task],s=t.has(e.state.task);return c`<div class="tries" role="group" aria-label=${a.tries.title}>
    <span class="lead">${a.tries.title}</span>
    ${Be.map(r=>{let[o,i]=a.tries.rows[r.id];return c`<button
        class="try ${t.has(r.id)?"done":""}"
        data-try=${r.id}
        title=${i}
        aria-pressed=${r.id===e.state.task}
        @click=${l=>{ks(e,r),xs(l.currentTarget)}}
      ><span aria-hidden="true">${t.has(r.id)?"✓":"○"}</span> ${o}${t.has(r.id)?c`<span class="hidden">, ${a.tries.done}</span>`:f}</button>`})}
    ${n?c`<p class="task ${s?"good":""}" role="status">${s?`✓ ${a.tries.well}`:""} ${n[1]}</p>`:f}
  </div>`}function xs(e){let t=e.getRootNode();requestAnimationFrame(()=>{let n=t.querySelector(".stage");n&&n.getBoundingClientRect().top<0&&n.scrollIntoView({block:"start",behavior:te()?"instant":"smooth"})})}function ks(e,t){let n=K(t.preset),s=t.values??n.values;e.dispatch({type:"task",task:""}),e.dispatch({type:"load",text:n.text,values:s}),e.dispatch({type:"toggle",flag:"predict",on:t.predict??!1}),e.dispatch({type:"play",on:!0,time:0}),te()&&!t.predict&&e.dispatch({type:"seek",time:B}),e.dispatch({type:"task",task:t.id})}function Aa(e){return c`
    ${X(e)}
    ${e.embedded?f:Pt(e)}
    ${G(e,e.fixed?f:tn(e))}
    ${j(e)}
    <div class="dock four">${Ts(e)}</div>`}function Ts(e){let{program:t,frame:n,state:s,dispatch:r}=e,o=t.line.events[e.veil]!==void 0,i=at()&&!e.fixed&&!o;return Vt([a,t,n.index,n.landed,s.node,s.edge,s.final,e.veil,i],()=>[L(a.events.title,Re(t,n,e.seek,e.veil),"table"),L(a.equation.title,jt(e),"rule"),L(a.code.title,qt(t,n),"engine"),L(a.numbers.title,Bt(t,n,s.node,s.final,l=>r({type:"pick",node:l})),"table",i?c`<button class="toggle" @click=${()=>r({type:"proof",on:!0})}>${a.proof.button}</button>`:f)])}function L(e,t,n="",s=f){return c`<section class="panel ${n}"><div class="title"><h2>${e}</h2>${s}</div><div class="body" tabindex="0" role="region" aria-label=${e}>${t}</div></section>`}var ee=1e3,nn=5,Ve=class extends le{static{this.styles=fe}static{this.properties={power:{state:!0}}}constructor(){super(),new ge(this),this.power=2}get length(){let t=10**this.power,n=10**Math.max(0,Math.floor(this.power)-1);return Math.round(t/n)*n}render(){let{length:t}=this,n=t>=ee,s=a.bugs.count(t);return c`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${a.bugs.depth}</span>
          <input type="range" min="0.5" max=${nn} step="0.01" .value=${String(this.power)} aria-valuetext=${s}
            @input=${r=>{this.power=Number(r.target.value)}} />
          <output>${s}</output>
        </label>
        <p class="why">${a.bugs.depthText(t)}</p>
        <div class="columns">
          ${this.#e(a.bugs.recursive,a.bugs.frames(Math.min(t+1,ee)),n?a.bugs.overflow:a.bugs.fine,n,!0)}
          ${this.#e(a.bugs.iterative,a.bugs.entries(t+1),a.bugs.fine,!1,!1)}
        </div>
      </div>
    </section>`}#e(t,n,s,r,o){let i=u=>`${(100*Math.min(1,Math.log10(u)/nn)).toFixed(2)}%`,{length:l}=this;return c`<div class="pile ${r?"dies":""}">
      <h2>${t}</h2>
      <div class="room" role="img" aria-label=${n} ${C({"--used":i(r?ee:l),"--limit":i(ee)})}>
        <div class="used"></div>${o?c`<div class="limit"></div>`:f}
      </div>
      <p>${n}${o?c` <span class="why">· ${a.bugs.limit}</span>`:f}</p>
      <p class=${r?"bad":"good"}><strong>${r?"✗":"✓"} ${s}</strong></p>
      <pre>${o?Rs(l):Ss(l)}</pre>
    </div>`}},sn=e=>e?`+${[...String(e)].map(t=>"₀₁₂₃₄₅₆₇₈₉"[Number(t)]).join("")}`:"x";function rn(e,t){if(t<=8)return Array.from({length:t},(s,r)=>e(r));let n=a.bugs.between(t-6);return[0,1,2,3].map(e).concat(n,e(t-2),e(t-1))}function Rs(e){let t=Math.min(e+1,ee);return[...rn(s=>`${"  ".repeat(Math.min(s,5))}build(${sn(e-s)})`,t),e>=ee?a.bugs.overflow:""].join(`
`)}function Ss(e){return rn(t=>t===e?"(x, 0)":`(${sn(e-t)}, 1)`,e+1).join(`
`)}customElements.define("gradwalk-depth",Ve);function Se(e){let t=e>>>0;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var Es={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},Ls=["a","b","c"],Ms=["d","e","g","h","k","m"],Ps=[-4,-3,-2,-1,1,2,2,3,4,5],on=60;function Ee(e,t){for(;;){let n=Os(e,t);if(Ns(n))return n}}function Os(e,t){let{operations:n,leaves:s,vocabulary:r}=Es[t],o=m=>m[Math.floor(e()*m.length)],i={},l=Ls.slice(0,1+Math.floor(e()*s));for(let m of l)i[m]=o(Ps);let u=[...l],d=[...l],p=[];for(let m=0;m<n;m++){let g=Ms[m],v=d.length>n-m,w=o(v?["+","*"]:r),$=o(d),h=v?d.filter(N=>N!==$):u,y=o(h.length?h:u);w==="relu"?p.push(`${g} = relu(${$})`):w==="**2"?p.push(`${g} = ${$}**2`):p.push(`${g} = ${$} ${w} ${y}`);let x=w==="relu"||w==="**2"?[$]:[$,y];d=[...d.filter(N=>!x.includes(N)),g],u.push(g)}return{text:p.join("; "),values:i}}function Ns({text:e,values:t}){let n=O(R(e).evaluate(t));if(n.leaves.length!==Object.keys(t).length)return!1;let{expected:s}=P(n);return n.nodes.every(r=>Math.abs(r.data)<=on&&Math.abs(s[r.id])<=on&&(r.tags.includes("const")||s[r.id]!==0)&&(r.data!==0||r.op==="relu"))}function De(e){return new Map(Qe.map(t=>[t,P(e,{bug:t}).grads]))}function Ke({text:e,values:t}){return O(R(e).evaluate(t))}function an(e){for(;;){let t=Ee(e,"medium"),n=Ke(t),s=P(n).grads.join(),r=[...De(n)],[o,i]=r[Math.floor(e()*r.length)];if(r.filter(([,u])=>u.join()===i.join()).length===1&&i.join()!==s)return{...t,bug:o}}}var As=["overwrite","wrong-order","no-reset","no-visited"],ze=class extends le{static{this.styles=fe}static{this.properties={seed:{type:Number},fixed:{type:Boolean},answer:{state:!0}}}#e;#t;constructor(){super(),new ge(this),this.seed=0,this.fixed=!1,this.answer=""}connectedCallback(){super.connectedCallback(),this.seed||this.#n()}willUpdate(t){t.has("seed")&&(this.#e=an(Se(this.seed)),this.#t=et(Ke(this.#e),{bug:this.#e.bug,compare:!0}),this.answer="")}#n(){this.seed=1+Math.floor(Math.random()*1e9);let{seed:t}=this;queueMicrotask(()=>this.dispatchEvent(new CustomEvent("case",{detail:t,bubbles:!0,composed:!0})))}#s(t){this.answer||(this.answer=t,xt(t===this.#e.bug))}render(){let{text:t,values:n,bug:s}=this.#e,{right:r,all:o}=_(),i=this.#t,l=Object.entries(n).map(([u,d])=>`${u} ${H(d)}`).join(", ");return c`<section class="stage game">
        <div class="banner">
          <div class="words"><p class="what">${t}</p><p class="why">${a.checks.where(l)}</p></div>
          <span class="score">${o?a.bugs.score(r,o):f}</span>
        </div>
        <gradwalk-scene class="picture" .program=${i} .frame=${ue(i.line,i.line.total)} compare></gradwalk-scene>
      </section>
      <section class="panel quiz" aria-live="polite">
        <div class="body">
          <p class="ask">${a.bugs.game}</p>
          <div class="choices">
            ${As.map(u=>c`<button
                class="toggle ${this.answer&&u===s?"is-right":""} ${u===this.answer&&u!==s?"is-wrong":""}"
                data-choice=${u}
                aria-pressed=${u===this.answer}
                ?disabled=${this.answer!==""&&u!==this.answer&&u!==s}
                @click=${()=>this.#s(u)}
              >${a.bugs.names[u]}</button>`)}
          </div>
          ${this.answer?this.#r():f}
        </div>
      </section>`}#r(){let{bug:t}=this.#e,n=this.answer===t;return c`<div class="verdict">
      ${n?c`<p><strong class="good">✓ ${a.bugs.correct(a.bugs.names[t])}</strong></p>`:c`<p><strong class="bad">✗ ${a.bugs.incorrect(a.bugs.names[this.answer])}</strong> <code>${this.#o(this.answer)}</code></p>
              <p>${a.bugs.was(a.bugs.names[t])}</p>`}
      <p><strong>${a.bugs.evidence}</strong> ${a.bugs.clues[t]}</p>
      <p class="actions">
        <button class="primary" @click=${()=>this.#n()}>${a.bugs.next}</button>
        ${this.fixed?f:c`<button class="toggle" @click=${()=>this.dispatchEvent(new CustomEvent("show",{detail:this.#e,bubbles:!0,composed:!0}))}>${a.bugs.explore}</button>`}
      </p>
    </div>`}#o(t){let{graph:n,names:s}=this.#t,r=De(n).get(t);return n.nodes.filter(o=>!M(o)).map(o=>`${s[o.id]} ${b(r[o.id])}`).join("   ")}};customElements.define("gradwalk-diagnose",ze);function bi(e){let{state:t,dispatch:n}=e;return c`
    <div class="bar">
      <span class="segments" role="group" aria-label=${a.bugs.mode}>
        ${[!1,!0].map(s=>c`<button class="segment" aria-pressed=${t.game===s} @click=${()=>n({type:"game",on:s})}>${s?a.bugs.diagnose:a.bugs.explore}</button>`)}
      </span>
      ${t.game?f:c`<div class="choices" role="group" aria-label=${a.bugs.choose}>
              ${rt.map(s=>c`<button class="toggle" data-bug=${s} aria-pressed=${t.bug===s} @click=${()=>n({type:"bug",bug:s})}>${a.bugs.names[s]}</button>`)}
            </div>`}
    </div>
    ${t.game?c`<gradwalk-diagnose .seed=${t.seed} ?fixed=${e.fixed} @case=${s=>n({type:"case",seed:s.detail})} @show=${s=>{let{text:r,values:o,bug:i}=s.detail;n({type:"load",text:r,values:o}),n({type:"bug",bug:i}),n({type:"game",on:!1})}}></gradwalk-diagnose>`:t.bug==="recursion"?c`<section class="panel explain"><div class="body">${cn("recursion")}<p>${a.bugs.what.recursion}</p></div></section><gradwalk-depth></gradwalk-depth>`:qs(e)}`}function qs(e){let{program:t,state:n,frame:s}=e,{wrong:r}=t.walk,o=t.problem?a.bugs.tooMany:r.length?a.bugs.differs(r.length):a.bugs.same,i=s.time>=t.line.total?c`<div class="words"><p class="what ${r.length?"bad":"good"}">${r.length?"✗":"✓"} ${o}</p><p class="why" title=${a.bugs.what[n.bug]}>${a.bugs.what[n.bug]}</p></div>
          ${r.length||e.fixed?f:c`<button class="toggle showcase" @click=${()=>Is(e)}>${a.bugs.showcase}</button>`}`:void 0;return c`
    ${G(e)}
    ${j(e,{compare:!0,switches:["unfold"],headline:i})}
    ${X(e)}
    <div class="dock bugs">
      ${L(a.bugs.names[n.bug],c`${cn(n.bug)}<p class="why">${a.bugs.what[n.bug]}</p>`,"rule")}
      ${L(a.bugs.table,xe(t),"table")}
      ${L(a.events.title,Re(t,s,e.seek),"table")}
    </div>`}var ln={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function Is(e){e.load(ln[e.state.bug].text,ln[e.state.bug].values),e.seek(B)}function cn(e){let[t,n]=a.bugs.code[e];return c`<dl class="diff">
    <div class="good"><dt>✓ ${a.bugs.rightLine}</dt><dd><code>${t}</code></dd></div>
    <div class="bad"><dt>✗ ${a.bugs.wrongLine}</dt><dd><code>${n||a.bugs.missing}</code></dd></div>
  </dl>`}function Le(e,t){let{text:n,values:s}=K(e);return{id:`${e}-${t}`,text:n,values:s,leaf:t}}var _s=[Le("x1","a"),{...Le("x1","b"),values:{a:-1,b:5,c:4}},Le("x2","w1"),Le("x6","a")];function Fs(e,t){let n=Ee(Se(t),e),s=dn(O(R(n.text).evaluate(n.values)));return{...n,id:`${e}.${t}`,leaf:s}}var un="own";function Ri(e,t,n){let s=_s.find(i=>i.id===e);if(s)return s;if(e===un)return t?Cs(t,n,un):null;let[,r,o]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return r?Fs(r,Number(o)):null}function Cs(e,t,n){let s=R(e),r=Object.fromEntries(s.names.map(i=>[i,t[i]??1])),o=O(s.evaluate(r));return o.leaves.length?{id:n,text:e,values:r,leaf:dn(o)}:null}function dn(e){let t=e.leaves[0],n=0n;for(let s of e.leaves){let{count:r}=F(e,s.id,1);r>n&&([t,n]=[s,r])}return t.label}function Si({text:e,values:t}){return O(R(e).evaluate(t))}function Hs(e,t){return F(e,t,6)}function Ei(e,t,n){let s=a.checks.diagnosis,r=Hs(e,t),o=e.find(t),i=Je(e);if(r.count>1n&&r.complete){for(let l of r.largest)if(D(n,l.product))return s.onePath(l.nodes.map(u=>i[u]).join(" → "));if(D(n,r.largest.reduce((l,u)=>l*u.product,1)))return s.product}return D(n,P(e,{bug:"overwrite"}).grads[o.id])?s.overwrite:D(n,-r.total)?s.flipped:D(n,o.data)?s.value(t):r.largest.some(l=>l.locals.length>1&&l.locals.some(u=>D(n,u)))?s.local:""}function ji(e){return Gs(e,G(e))}function Gs(e,t=f){return c`
    ${js(e)}
    ${t}
    ${j(e,{switches:[],headline:Bs(e)})}
    <div class="dock descent">
      ${L(a.descend.curve(e.program.output),Ds(e),"curve")}
      ${L(a.descend.surface,Us(e),"surface")}
      ${L(a.descend.leaves,Ws(e),"leaves")}
    </div>`}function js(e){let{state:t,dispatch:n}=e,s=a.descend;return c`<div class="bar descend-bar" role="group" aria-label=${s.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!t.descending})}>${T(t.descending?"pause":"play")} ${t.descending?a.pause:s.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${T("step")} ${s.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>n({type:"climb"})}>${T("start")} ${s.reset}</button>
    <label>${s.rate} <select @change=${r=>n({type:"rate",rate:Number(r.target.value)})}>
      ${nt.map(r=>c`<option value=${r} .selected=${r===t.rate}>${b(r)}</option>`)}
    </select></label>
  </div>`}function Bs(e){let{state:t,program:n}=e,s=a.descend,r=Math.max(0,t.way.length-1),o=n.graph.nodes[n.graph.root].data,i=t.way[0]?.output??o,l=t.stuck==="numbers"?s.strange:t.stuck==="still"?s.still:t.stuck==="up"?s.up:s.rule;return c`<div class="words"><p class="what">${r?s.fell(n.output,b(i),b(o),r):s.start(n.output,H(o))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${l}</p></div>`}var Vs=150;function Ds(e){let{way:t}=e.state,n=a.descend,s=t.filter(({output:u})=>Number.isFinite(u));if(s.length<2)return c`<p class="why">${n.noCurve}</p>`;let r=s.map(({output:u},d)=>({step:d,loss:u})),o=s.at(-1),{output:i}=e.program,l=n.curveSaid(i,b(s[0].output),b(o.output),s.length-1);return c`<figure class="sparkline">
    ${wt([{name:i,points:r,ink:0}],{first:0,high:Vs,said:l})}
    <figcaption><span>${b(s[0].output)}</span><span>${n.steps(s.length-1)}</span><strong>${b(o.output)}</strong></figcaption>
  </figure>`}function Ks({state:e}){let t=de(e).filter(n=>e.learning.includes(n));return t.length>=2?[t[0],t[1]]:null}var zs=me((e,t,n,s,r)=>zt(e,r,[t,n],s.length?s:[{values:r,output:0}]));function Us(e){let{state:t}=e,n=a.descend,s=Ks(e);if(!s)return c`<p class="why">${n.noSurface}</p>`;let r=zs(t.good,s[0],s[1],t.way,t.values),o=r.rows.length,i=r.rows.flat().filter(Number.isFinite),[l,u]=[Math.min(...i),Math.max(...i)],d=h=>Number.isFinite(h)?Math.sqrt((h-l)/Math.max(u-l,1e-300)):1,p=h=>o*(h-r.x[0])/(r.x[1]-r.x[0]),m=h=>o-o*(h-r.y[0])/(r.y[1]-r.y[0]),g=(t.way.length?t.way:[{values:t.values,output:0}]).map(({values:h})=>[p(h.get(s[0])??0),m(h.get(s[1])??0)]),v=g.map(([h,y],x)=>`${x?"L":"M"}${h.toFixed(2)} ${y.toFixed(2)}`),[w,$]=g.at(-1);return c`<figure class="surface-map">
    <svg viewBox="0 0 ${o} ${o}" role="img" aria-label=${n.surfaceSaid(s[0],s[1],b(l),b(u))}>
      ${r.rows.map((h,y)=>h.map((x,N)=>V`<rect class="cell" x=${N} y=${y} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${d(x).toFixed(2)} />`))}
      ${V`<path class="way" d=${v.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${w} cy=${$} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(s[0],b(r.x[0]),b(r.x[1]),s[1],b(r.y[0]),b(r.y[1]))}</figcaption>
  </figure>`}function Ws(e){let{state:t,program:n,dispatch:s}=e,{graph:r,walk:o}=n,i=a.descend;return c`<table class="numbers learns">
    <caption class="hidden">${i.leaves}</caption>
    <thead><tr><th scope="col">${i.learns}</th><th scope="col" class="end">${a.numbers.value}</th><th scope="col" class="end">${a.numbers.grad}</th></tr></thead>
    <tbody>${r.leaves.map(l=>{let u=t.learning.includes(l.label);return c`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${u} @change=${()=>{let p=u?t.learning.filter(m=>m!==l.label):[...t.learning,l.label];s({type:"learning",learning:p})}} /> ${l.label}</label></td>
        <td class="end">${b(l.data)}</td><td class="end">${u?b(o.expected[l.id]):f}</td></tr>`})}</tbody>
  </table>`}function Qi(e,t,n){let{walk:s,names:r,line:o}=e,i=a.trace,l=o.events.findIndex(m=>m.phase==="sort"),u=Math.min(t.index-l,s.sort.length),d=m=>m.map(([g,v])=>`(${r[g]},${v})`).join(" ")||i.empty,p=m=>{let g=s.sort[m],[v,w]=g.pop,$=o.events[l+m],h=m<=u,y=g.note==="leaf"||g.note==="done"?i[g.note]:g.note?i.already(r[e.graph.nodes[v].operands[w]]):"";return c`<tr class=${`sort ${m===u?"now":h?"past":"ahead"}`} aria-rowindex=${m+2} aria-current=${m===u?"step":f} @click=${()=>n($.end)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(m+1,i.sort)}>${m+1}</button></td>
      <td class="who">${h?c`(${r[v]},${w}) <span class="note">${y}</span>`:S}</td>
      <td class="how">${h?d(g.stack):S}</td>
      <td class="how">${h?Ys(e,g.stack,g.sorted):S}</td>
      <td class="how">${h?g.sorted.map(x=>r[x]).join(" "):S}</td>
    </tr>`};return c`<table class="trace sort" aria-rowcount=${s.sort.length+1}>
    <caption>${i.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${i.pop}</th><th scope="col">${i.stack}</th><th scope="col">${i.visited}</th><th scope="col">${i.sorted}</th></tr></thead>
    <tbody>${I({count:s.sort.length,now:u,columns:5,row:p})}</tbody>
  </table>`}function Ys(e,t,n){return[...new Set([...n,...t.map(([r])=>r)])].sort((r,o)=>r-o).map(r=>e.names[r]).join(" ")}var Qs=me(e=>{let t=new Map;return e.events.forEach(({phase:n,kind:s,row:r},o)=>{if(n!=="backward"||s==="seed")return;let i=t.get(r);i?i.push(o):t.set(r,[o])}),t});function Xi(e,t,n){let{walk:s,names:r,line:o,graph:i}=e,l=a.trace,{event:u}=t,p=u?.phase==="backward"?u.kind==="seed"?0:u.row:-1,m=Qs(o),g=s.backward.map(($,h)=>({step:$,row:h})).filter(({step:$})=>!M(i.nodes[$.node])),v=$=>{let{step:h,row:y}=g[$],x=m.get(y)??[],N=y<p||y===p&&u?.kind!=="seed",pn=N||y===p&&h.node===i.root,mn=o.events[x.at(-1)??-1]?.end??0,gn=()=>x.filter(ie=>ie<=t.index).map(ie=>o.events[ie].push?Xs(e,o.events[ie].push):f),fn=h.note==="leaf"?l.skipped:l.skippedZero;return c`<tr class=${`backward ${y===p?"now":N?"past":"ahead"}`} aria-rowindex=${$+2} aria-current=${y===p?"step":f} @click=${()=>n(mn)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(y+1,l.backward)}>${y+1}</button></td>
      <td class="who">${t.phase==="backward"?r[h.node]:S} (${pn?b(h.grad):S})</td>
      <td class="how">${N?h.note?fn:gn():S}</td>
    </tr>`},w=g.findIndex(({row:$})=>$===p);return c`<table class="trace backward" aria-rowcount=${g.length+1}>
    <caption>${l.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${l.node}</th><th scope="col">${l.pushes}</th></tr></thead>
    <tbody>${I({count:g.length,now:w,columns:3,row:v})}</tbody>
  </table>`}function Xs(e,t){let n=t.before===0?"":` → ${b(t.after)}`;return c`<span class="push ${W(t.contribution)}">${e.names[t.to]} += ${Y(t)}${n}</span>`}export{Vt as a,oe as b,K as c,B as d,ua as e,Xt as f,_ as g,Js as h,yt as i,Zs as j,er as k,bn as l,rr as m,G as n,Rt as o,j as p,X as q,wo as r,Gn as s,xe as t,qt as u,jt as v,ss as w,us as x,Bt as y,$a as z,Aa as A,L as B,bi as C,cn as D,_s as E,un as F,Ri as G,Si as H,Hs as I,Ei as J,ji as K,Gs as L,Qi as M,Xi as N};
/*! Bundled license information:

lit-html/directives/ref.js:
  (**
   * @license
   * Copyright 2020 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directives/guard.js:
  (**
   * @license
   * Copyright 2018 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

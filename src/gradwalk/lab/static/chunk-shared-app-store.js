import{h as ut}from"./chunk-shared-app-settings.js";import{a as he,c as $t,d as vt,e as ne,f as yt,g as q,h as re,i as wt}from"./chunk-shared-teach-narration.js";import{E as H,F as dt,G as S,H as y,I as W,J as pt,K as Y,L as mt,M as B,N as Ae,O as G,P as I,Q as gt,R as U,T as ft,V as Ne,W as ht,Z as bt,b as ce,c as Xe,d as tt,da as be,f as ue,g as nt,h as de,l as rt,m as st,o as Pe,p as pe,q as me,s as ot,t as at,u as it,w as Oe,x as lt,y as te}from"./chunk-shared-app-timeline.js";import{b as ct}from"./chunk-shared-app-server.js";import{c as d,d as _,e as N,f as Me,g as h,i as le,k as i,o as ge,p as fe,q as E}from"./chunk-shared-parts-styles-learn.js";import{A as Ze,B as O,C as et,j as Qe,l as T,m as R,o as A,s as F,t as Je}from"./chunk-shared-core-rows.js";var qe="gradwalk-progress";var vn=/^[a-z]+:[a-z0-9.-]{1,40}$/,se={done:new Set,right:0,all:0},Ie=se,X="";function C(){let e=wn();return X!==null&&X!==e&&(X=e,Ie=Et(e)),Ie}function os(e){let t=({key:n})=>{(n===qe||n===null)&&e()};return addEventListener("storage",t),()=>removeEventListener("storage",t)}function xt(e){let{done:t}=C();t.has(e)||$e({...C(),done:new Set([...t,e].slice(-500))})}function kt(e){let{right:t,all:n}=C();$e({...C(),right:t+Number(e),all:n+1})}function as(e){let t=Et(e);if(t===se)return!1;let{done:n,right:r,all:s}=C(),o=new Set([...n,...t.done].slice(-500)),a=t.all>s?t:{right:r,all:s};return $e({done:o,right:a.right,all:a.all}),!0}function is(){$e(se)}function Et(e){try{let{version:t,done:n,right:r,all:s}=JSON.parse(e);if(t!==1||!Array.isArray(n))return se;let o=n.filter(l=>typeof l=="string"&&vn.test(l)).slice(0,500),a=Number.isSafeInteger(r)&&Number.isSafeInteger(s)&&r>=0&&r<=s;return{done:new Set(o),right:a?r:0,all:a?s:0}}catch{return se}}function yn({done:e,right:t,all:n}){return JSON.stringify({version:1,done:[...e],right:t,all:n})}function wn(){try{return localStorage.getItem(qe)??""}catch{return""}}function $e(e){Ie=e,X=yn(e);try{localStorage.setItem(qe,X)}catch{X=null}}var oe=[{id:"x1",text:"(a + b) * c",values:{a:2,b:-3,c:10}},{id:"x2",text:"n = x1*w1 + x2*w2 + b; o = tanh(n)",values:{x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543}},{id:"x3",text:"a * a",values:{a:3}},{id:"x4",text:"a + a",values:{a:3}},{id:"x5",text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},{id:"x6",text:"b = a + 1; c = a * 3; d = b * c",values:{a:2}},{id:"x7",text:"c = a * b; L = c + a",values:{a:2,b:3}},{id:"x8",text:"relu(a * b)",values:{a:2,b:-3}},{id:"x9",text:"relu(x*w + b)",values:{x:2,w:3,b:-10}},{id:"learn",text:"o = tanh(w*x + b); loss = (o - y)**2",values:{w:-.8,x:1.5,b:.4,y:.6}},{id:"bowl",text:"(a - 3)**2 + 2*(b + 1)**2",values:{a:-2,b:2}},{id:"x9s",text:"1 / (1 + exp(0 - x))",values:{x:.5}}];function z(e){return oe.find(t=>t.id===e)??oe[0]}function j(e,t=h){return e.fixed?d``:d`<div class="controls">${xn(e)}${Rn(e)}${t}</div>`}function xn(e,t){let{state:n}=e,r=nt(n.text,n.strict),s=r?wt(r.said):"",o=r?Math.min(r.column,400):0;return d`<div class="expression ${r?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${i.expression}</label>
      <input
        id="expression"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${Qe}
        placeholder="(a + b) * c"
        aria-invalid=${r!==null}
        aria-describedby="expression-note"
        .value=${re(n.text)}
        @input=${a=>e.dispatch({type:"type",text:a.target.value})}
        @scroll=${a=>En(a.target)}
        @keydown=${a=>{a.key==="Enter"&&e.dispatch({type:"play",on:!0,time:0}),a.key==="Escape"&&kn(a.target)}}
      />
      ${Tn(e,t)}
    </div>
    ${r?d`<span class="caret" aria-hidden="true" ${H({"--column":String(o)})}></span>`:h}
    <p id="expression-note" class="note" role=${r?"alert":h}>
      ${r?d`<span class="message" title=${s}>${s}</span>`:d`<span class="hint">${i.expressionHint}</span>`}
    </p>
  </div>`}function kn(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function En(e){e.closest(".expression")?.style.setProperty("--scroll",`${e.scrollLeft}px`)}function Tn(e,t){let n=t?oe.filter(s=>t.includes(s.id)):oe,r=n.find(s=>s.text===e.state.good)?.id??"";return d`<label class="presets"><span class="hidden">${i.presets}</span>
    <select
      aria-label=${i.presets}
      @change=${s=>{let o=n.find(a=>a.id===s.target.value);o&&e.load(o.text,o.values)}}
    >
      ${r?h:d`<option value="" .selected=${!0}>${i.presetOwn}</option>`}
      ${n.map(s=>d`<option value=${s.id} .selected=${s.id===r}>${i.presetNames[s.id]}</option>`)}
    </select>
  </label>`}function Rn(e){let t=de(e.state);return d`<div class="variables" role="group" aria-label=${i.variables}>
    ${be(t,n=>n,n=>Sn(e,n,e.state.values.get(n)??0))}
  </div>`}function Sn(e,t,n){let r=Ln(n),s=o=>e.dispatch({type:"value",name:t,value:o});return d`<div class="variable">
    <span class="name" aria-hidden="true" title=${t}>${t}</span>
    <input
      type="range"
      min=${-r}
      max=${r}
      step="any"
      aria-label=${i.slider(t)}
      .value=${re(String(n))}
      @input=${o=>s(Tt(Number(o.target.value),r))}
      @keydown=${o=>Mn(o,n,r,s)}
    />
    <gradwalk-number id=${`box-${t}`} .value=${n} label=${i.box(t)} @number=${o=>s(o.detail)}></gradwalk-number>
  </div>`}function Ln(e){let t=10;for(;t<Math.abs(e)&&t<1e300;)t*=10;return t}function Tt(e,t){let n=t/100;return Number((Math.round(e/n)*n).toPrecision(10))}function Mn(e,t,n,r){let s={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!s)return;e.preventDefault();let o=n/100*(e.shiftKey?10:1);r(Math.max(-n,Math.min(n,Tt(t+s*o,n))))}var Ce=new WeakMap,Rt=ce(class extends yt{render(e){return h}update(e,[t]){let n=t!==this.G;return n&&this.rt(void 0),(n||this.lt!==this.ct)&&(this.G=t,this.ht=e.options?.host,this.rt(this.ct=e.element)),h}rt(e){if(this.G!==void 0)if(this.isConnected||(e=void 0),typeof this.G=="function"){let t=this.ht??globalThis,n=Ce.get(t);n===void 0&&(n=new WeakMap,Ce.set(t,n)),n.get(this.G)!==void 0&&this.G.call(this.ht,void 0),n.set(this.G,e),e!==void 0&&this.G.call(this.ht,e)}else this.G.value=e}get lt(){return typeof this.G=="function"?Ce.get(this.ht??globalThis)?.get(this.G):this.G?.value}disconnected(){this.lt===this.ct&&this.rt(void 0)}reconnected(){this.rt(this.ct)}});function _e({program:e,veil:t,frame:n}){let r=e.line.events[t];return r!==void 0&&n.time>=r.start-1e-6}function St(e){let{program:t,veil:n}=e,r=t.line.events[n],s=r.push,o=i.predictBox,a=e.state.answers.get(n),l=u=>{let p=Ae(s.contribution,u);e.dispatch({type:"answer",event:n,typed:u,right:p}),!(!p&&!a)&&(e.dispatch({type:"play",on:!1,time:r.start+1}),e.step(1))};return d`<form class="words predict" @submit=${u=>{u.preventDefault();let p=u.target,m=p.elements.namedItem("prediction"),g=mt(m.value)===null;if(m.setAttribute("aria-invalid",String(g)),p.querySelector(".invalid").textContent=g?i.notNumber:"",g){m.focus();return}let $=m.value;a||Ae(s.contribution,$)?m.value="":m.select(),l($)}} novalidate>
    <p class="what"><label for="prediction">${o.ask(t.names[r.node],t.names[s.to],y(s.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${o.input} aria-describedby="prediction-note" ${Rt(u=>Pn(u,n))} />
      <button class="primary">${o.check}</button>
      <button type="button" class="toggle" @click=${()=>l("")}>${a?o.show:o.hint}</button>
      <span class="score">${Mt(e)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${a?On(e,a):Lt(e)??o.rule(y(s.incoming))}</p>
  </form>`}function Pn(e,t){!e||e.dataset.veil===String(t)||(e.dataset.veil=String(t),queueMicrotask(()=>{let{activeElement:n}=e.getRootNode();n?.matches("input, gradwalk-number, select")||e.focus({preventScroll:!0})}))}function On(e,t){let{program:n,veil:r}=e,{node:s}=n.line.events[r],o=i.predictBox;return d`${t.typed?d`<strong class="bad">✗ ${o.notIt(t.typed)}</strong> `:h}${o.hintText(ne(n,s))}`}function Lt(e){let t=Math.max(-1,...[...e.state.answers.keys()].filter(l=>l<e.veil)),n=e.state.answers.get(t),r=e.program.line.events[t];if(!n||!r?.push)return null;if(n.right)return d`<strong class="good">✓ ${i.predictBox.right}</strong>`;let s=U(r.push),{wrong:o,was:a}=i.predictBox;return d`<strong class="bad">${n.typed?o(n.typed,s):a(s)}</strong> ${i.narration.rule(ne(e.program,r.node))}`}function Mt(e){let t=[...e.state.answers.values()].filter(lt),n=t.filter(s=>s.right),r=n.filter(s=>s.missed>0).length;return t.length?i.predictBox.score(n.length,t.length,r):""}function Pt(e){let{state:t,program:n,veil:r}=e;if(!t.predict||t.page!=="sandbox"||n.line.events[r]||!t.answers.size||e.frame.time<n.line.total-1)return null;let s=[...t.answers.values()].every(o=>o.right);return d`<div class="words predict">
    <p class="what"><span class=${s?"good":""}>${s?"✓ ":""}${Mt(e)}</span>
      <button class="primary" @click=${()=>e.dispatch({type:"again",time:0})}>${i.predictBox.again}</button></p>
    <p class="why">${Lt(e)??""} ${s?i.predictBox.all:i.predictBox.some}</p>
  </div>`}function Ot({state:e,dispatch:t}){if(e.greeted)return h;let n=()=>{ut(),t({type:"greeted"})};return d`<aside class="greeting" aria-label=${i.welcome.label}><p>${i.welcome.text}</p>
    <button class="quiet" aria-label=${i.welcome.close} title=${i.welcome.close} @click=${n}>${E("close")}</button></aside>`}function At(){let e=i.legend,t=n=>d`<svg class="wire ${n}" width="32" height="10" aria-hidden="true">${_`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return d`<ul class="reading" aria-label=${i.helpRead}>
    <li>${t("forward")} ${e.forward}</li>
    <li>${t("backward")} ${e.backward}</li>
    <li class="pos">${e.pos}</li>
    <li class="neg">${e.neg}</li>
    <li class="zero">${e.zero}</li>
    <li><code>${S}</code> ${e.unfilled}</li>
    <li><code>t1</code> ${e.unnamed}</li>
  </ul>`}function An(e){let t=Math.max(1,Math.abs(e));return 10**(Math.floor(Math.log10(t))-1)}function Nt(e){let{state:t,program:n,frame:r}=e;if(t.page!=="sandbox"||t.predict||e.fixed||t.playing||r.time<n.line.total-1||t.text!==t.good)return null;let{nudge:s}=t;if(s&&t.values.has(s.name))return Nn(e);let{graph:o,walk:a,names:l,output:c}=n;if(!Number.isFinite(o.nodes[o.root].data))return null;let u=o.leaves.filter(({id:v,data:b,label:f})=>Number.isFinite(a.grads[v])&&a.grads[v]!==0&&Number.isFinite(b)&&t.values.has(f)).sort((v,b)=>Math.abs(a.grads[b.id])-Math.abs(a.grads[v.id]))[0];if(!u)return null;let p=An(u.data),m=a.grads[u.id],g=l[u.id],$=i.welcome;return d`<p class="why">${$.nudge(g,y(p),c,y(p*m))}
    <button class="primary" @click=${()=>qn(e,u.label,u.data,p,m)}>${$.tryIt}</button></p>`}function Nn(e){let{state:t,program:n,dispatch:r}=e,{name:s,from:o,by:a,grad:l,output:c}=t.nudge,u=n.graph.nodes[n.graph.root].data,p=U({incoming:l,local:a,contribution:l*a}),m=i.welcome,g=()=>{r({type:"nudge",nudge:null}),r({type:"value",name:s,value:o})};return d`<p class="why" role="status">${m.moved(n.output,y(c),y(u),y(u-c))} ${m.said(p)} ${Math.abs(u-c-l*a)>.001*Math.abs(l*a)?m.bend:""}
    <button class="toggle" @click=${g}>${m.back}</button></p>`}var In=700;function qn(e,t,n,r,s){let{dispatch:o}=e,{graph:a}=st(e.state),l=a.nodes[a.root].data,c=Number((n+r).toPrecision(12)),u=n,p=v=>{u=v,o({type:"value",name:t,value:v})},m=()=>{p(c),o({type:"nudge",nudge:{name:t,from:n,by:r,grad:s,output:l}})};if(te()){m();return}let g=0,$=v=>{let{good:b,values:f}=e.current().state;if(b!==e.state.good||f.get(t)!==u)return;g||=v;let w=Math.min(1,(v-g)/In);w>=1?m():(p(Number((n+r*w).toPrecision(6))),requestAnimationFrame($))};requestAnimationFrame($)}function K(e,t={}){let{state:n,program:r,frame:s}=e,o=t.switches??["final","unfold","predict","3d"],a=n.predict&&o.includes("predict"),l=o.filter(m=>m!=="final"||!a),c=a?r.line.events[e.veil]:void 0,u=c?_e(e)?c.edges[0]:-1:null,p=n.view==="3d"&&l.includes("3d");return d`<section class="stage" aria-label=${i.graphLabel(r.graph.nodes.length)}>
    <div class="banner ${s.event?s.phase:"idle"}">
      ${t.headline??(_e(e)?St(e):Pt(e)??Cn(e))}
      <div class="switches">
        ${l.includes("final")?ve(e,"final",i.final):h}
        ${l.includes("unfold")&&(n.unfold||e.program.graph.nodes.some(m=>m.tags.includes("derived")))?ve(e,"unfold",i.unfold):h}
        ${l.includes("predict")&&(n.strict||n.text.includes("**"))?ve(e,"strict",i.strict):h}
        ${l.includes("predict")?ve(e,"predict",i.predict):h}
        ${l.includes("3d")?d`<span class="segments" role="group" aria-label=${i.viewSwitch}>
                ${["2d","3d"].map(m=>d`<button class="segment" aria-pressed=${n.view===m} @click=${()=>e.dispatch({type:"view",view:m})}>${m==="2d"?i.view2d:i.view3d}</button>`)}
              </span>`:h}
        <span class="zoom">
          <button class="quiet" aria-label=${i.zoomOut} title=${i.zoomOut} data-zoom="out">${E("minus")}</button>
          <button class="quiet" aria-label=${i.fit} title=${`${i.fit} (f)`} data-zoom="fit">${E("fit")}</button>
          <button class="quiet" aria-label=${i.zoomIn} title=${i.zoomIn} data-zoom="in">${E("plus")}</button>
        </span>
      </div>
    </div>
    <gradwalk-scene
      id="scene"
      class="picture"
      .program=${r}
      .frame=${s}
      .node=${n.node}
      .edge=${c?null:n.edge}
      .look=${n.look}
      .lit=${t.lit??null}
      .asked=${u}
      ?final=${n.final&&l.includes("final")}
      ?compare=${t.compare??!1}
      ?deep=${p}
      ?large=${n.teach}
      @look=${m=>e.dispatch({type:"look",look:m.detail})}
      @pick=${m=>e.dispatch({type:"pick",...m.detail})}
    ></gradwalk-scene>
    ${At()}
  </section>`}function Cn(e){let t=he(e.program,e.frame.event),n=e.state.hold!==null&&!e.frame.event,r=e.state.text!==e.state.good&&!e.fixed,{graph:s,line:o,output:a}=e.program,l=s.nodes[s.root].data,c=e.frame.time>=o.total,u=r?i.lastGood:c&&!Number.isFinite(l)?i.strangeOutput(a,y(l)):e.state.predict&&e.frame.index<0?i.predictBox.start:t.why,p=Nt(e);return p?d`<div class="words end-card">${p}</div>`:d`<div class="words"><p class="what">${n?i.learn.waits:t.what}</p><p class="why ${r?"bad":""}" title=${u}>${u}</p></div>`}function ve(e,t,n){return d`<button class="toggle" aria-pressed=${e.state[t]} @click=${()=>e.dispatch({type:"toggle",flag:t})}>${n}</button>`}var _n=160;function Q(e){let{state:t,program:n,frame:r}=e,{line:s}=n,o=t.playing,a=d`<button class="play" aria-label=${o?i.pause:i.play} title=${o?i.pause:i.play} @click=${e.playPause}>${E(o?"pause":"play")}</button>`;return d`<div class="transport" role="group" aria-label=${i.time}>
    <div class="buttons">
      ${a}
      ${ye("start",i.toStart,()=>e.seek(0))}
      ${ye("back",i.stepBack,()=>e.step(-1))}
      ${ye("step",i.step,()=>e.step(1))}
      ${ye("end",i.toEnd,()=>e.seek(s.total))}
    </div>
    <div class="segments" role="group" aria-label=${i.phaseSwitch}>
      ${s.phases.map(l=>d`<button
          class="segment ${l.phase}"
          aria-pressed=${r.phase===l.phase&&r.index>=0}
          @click=${()=>e.dispatch({type:"play",on:!0,time:l.start})}
        >${i.phases[l.phase]}</button>`)}
    </div>
    <div class="scrub" ${H(Hn(s))}>
      ${Gn(s)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(s.total)}
        step="1"
        aria-label=${i.time}
        aria-valuetext=${he(n,r.event).what}
        .value=${re(String(Math.round(r.time)))}
        @input=${l=>e.seek(Math.min(s.total,Number(l.target.value)))}
        @keydown=${l=>Fn(e,l)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${i.speed}</span>
      <select aria-label=${i.speed} @change=${l=>e.dispatch({type:"speed",speed:Number(l.target.value)})}>
        ${at.map(l=>d`<option value=${l} .selected=${l===t.speed}>${i.speeds(l)}</option>`)}
      </select>
    </label>
  </div>`}function ye(e,t,n){return d`<button class="quiet ${e}" aria-label=${t} title=${t} @click=${n}>${E(e)}</button>`}function Fn(e,t){if(t.shiftKey||t.ctrlKey||t.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[t.key];n&&(t.preventDefault(),t.stopPropagation(),e.step(n))}function Hn(e){let t=r=>{let s=e.phases.find(o=>o.phase===r);return s?`${(100*s.end/e.total).toFixed(2)}%`:""},n=t("forward")||"0%";return{"--forward-end":n,"--sort-end":t("sort")||n}}function Gn(e){return e.events.length>_n?"":d`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${e.events.map(t=>{let n=`${100*t.end/e.total}%`;return _`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function lo({graph:e,names:t},n){let r=n.trim().toLowerCase();if(!r)return[];let s=[],o=[];for(let a of e.nodes){if(R(a))continue;let l=[t[a.id],a.op,ht(a.op)].map(c=>c.toLowerCase());l.includes(r)?s.push(a.id):[l[0],a.scope.toLowerCase()].some(c=>c.includes(r))&&o.push(a.id)}return[...s,...o]}function Fe({line:e,graph:t},n){let{firstEdge:r}=e,s=0,o=t.nodes.length-1;for(;s<o;){let a=s+o+1>>1;r[a]<=n?s=a:o=a-1}return{target:s,operand:n-r[s]}}function It(e,t,{target:n,operand:r}){return e.line.firstEdge[n]+r===t}function qt(e,t){let n=new Set;return t.slice(1).forEach((r,s)=>{let o=e.graph.nodes[t[s]].operands.indexOf(r);o>=0&&n.add(e.line.firstEdge[t[s]]+o)}),{nodes:new Set(t),edges:n}}function mo(e){return{key:t=>jn(e,t),wheel:t=>Bn(e,t),down:t=>Vn(e,t)}}function jn(e,t){let n=t.target.closest("[data-node]");if(!n||t.ctrlKey||t.metaKey||t.altKey||t.shiftKey)return;let r=Number(n.dataset.node);if(t.key==="Enter")e.open(r);else if(t.key.startsWith("Arrow")){let[s,o]=Dn(e.program,e.picture,r,t.key);s!==null&&e.focusNode(s,o)}else if(t.key==="PageDown"||t.key==="PageUp"){let s=Kn(e,r,t.key==="PageDown"?1:-1);s&&e.pick(null,s)}else return;t.preventDefault(),t.stopPropagation()}function Kn({program:e,picture:t,edge:n},r,s){let o=t.itemOf[r],a=t.layout.edges.flatMap(({source:u,target:p},m)=>u===o||p===o?t.edges[m]:[]);if(!a.length)return null;let l=n?a.findIndex(u=>It(e,u,n)):-1,c=l<0?s>0?0:a.length-1:(l+s+a.length)%a.length;return Fe(e,a[c])}function Dn(e,{layout:t,items:n,itemOf:r,edges:s,down:o},a,l){let c=r[a],[u,p,m]=o?["ArrowUp","ArrowDown","ArrowRight"]:["ArrowLeft","ArrowRight","ArrowDown"];if(l===u||l===p){let f=t.edges.map((x,M)=>({to:l===u?x.source:x.target,edge:x,wire:M})).filter(({edge:x})=>(l===u?x.target:x.source)===c),w=f.find(({to:x})=>!R(e.graph.nodes[n[x].node]))??f[0];return w?[n[w.to].node,Fe(e,s[w.wire][0])]:[null,null]}let g=f=>{let{x:w,y:x,width:M,height:Le}=t.cards[f];return o?x+Le:w+M},$=f=>o?t.cards[f].x:t.cards[f].y,v=l===m?1:-1,b=null;return t.cards.forEach((f,w)=>{let x=($(w)-$(c))*v;g(w)!==g(c)||x<=0||(b===null||x<($(b)-$(c))*v)&&(b=w)}),[b===null?null:n[b].node,null]}function Bn(e,t){if(!t.ctrlKey&&!t.metaKey)return;t.preventDefault();let n=e.view.getBoundingClientRect();e.zoom(Math.exp(-t.deltaY*.004),t.clientX-n.left,t.clientY-n.top)}function He(){let e=t=>t.stopPropagation();addEventListener("click",e,{capture:!0,once:!0}),setTimeout(()=>removeEventListener("click",e,{capture:!0}))}var zn=5;function Vn(e,t){if(t.button!==0||e.dataset.dragging)return;let n=new Map([[t.pointerId,{x:t.clientX,y:t.clientY}]]),r=!1,s=()=>{let[u,p]=[...n.values()];return p?Math.hypot(u.x-p.x,u.y-p.y):0},o={x:t.clientX,y:t.clientY};e.dataset.dragging="maybe";let a=u=>{n.size<2&&n.set(u.pointerId,{x:u.clientX,y:u.clientY})},l=u=>{let p=n.get(u.pointerId);if(!p||!r&&Math.hypot(u.clientX-o.x,u.clientY-o.y)<zn)return;r=!0,e.dataset.dragging="yes";let m=s();if(n.set(u.pointerId,{x:u.clientX,y:u.clientY}),n.size===2&&m>0){let v=e.view.getBoundingClientRect(),[b,f]=[...n.values()];e.zoom(s()/m,(b.x+f.x)/2-v.left,(b.y+f.y)/2-v.top)}let[g,$]=[(u.clientX-p.x)/n.size,(u.clientY-p.y)/n.size];n.size===2||u.shiftKey?e.pan(g,$):e.drag(g,$)},c=u=>{n.delete(u.pointerId),!n.size&&(removeEventListener("pointermove",l),removeEventListener("pointerup",c),removeEventListener("pointercancel",c),e.removeEventListener("pointerdown",a),r&&He(),setTimeout(()=>delete e.dataset.dragging))};addEventListener("pointermove",l),addEventListener("pointerup",c),addEventListener("pointercancel",c),e.addEventListener("pointerdown",a)}var Wn=4;function Ct(e,t,n){let r=e.target.closest("[data-place]"),s=e.currentTarget;if(!r||e.button!==0)return;let o=Number(r.dataset.place),a=[...t()],l=!1,c=p=>{if(!l&&Math.hypot(p.clientX-e.clientX,p.clientY-e.clientY)<Wn)return;l=!0,r.classList.add("dragged"),p.preventDefault();let m=[...s.querySelectorAll("[data-place]")].find(v=>{let b=v.getBoundingClientRect();return p.clientX>=b.left&&p.clientX<=b.right&&p.clientY>=b.top-12&&p.clientY<=b.bottom+12}),g=m?a.indexOf(Number(m.dataset.place)):-1,$=a.indexOf(o);g<0||g===$||(a=a.filter(v=>v!==o),a.splice(g,0,o),n(a))},u=()=>{r.classList.remove("dragged"),l&&He(),removeEventListener("pointermove",c),removeEventListener("pointerup",u),removeEventListener("pointercancel",u)};addEventListener("pointermove",c),addEventListener("pointerup",u),addEventListener("pointercancel",u)}var Yn=24;function Oo(e){return d`${j(e)}${Un(e)}`}function Un(e){let{state:t,program:n}=e,r=Pe(n.graph),s=pe(n.graph,t.order)?t.order:r,o=Xn(n),a=t.ran?e:{...e,frame:ue(n.line,o)},l=t.ran?void 0:d`<div class="words"><p class="what task">${i.order.task}</p><p class="why">${i.order.rule}</p></div>`;return d`
    ${K(a,{compare:t.ran,switches:[],headline:l,lit:t.ran?rr(n,e.state.edge,e.state.node):null})}
    ${r.length>Yn?d`<p class="panel pad">${i.order.count(r.length)}</p>`:Qn(e,s,o)}
    ${t.ran?d`${Q(e)}${tr(e)}`:h}`}function Xn(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function Qn(e,t,n){let{program:r,dispatch:s,state:o}=e,{names:a}=r,l=u=>s({type:"order",order:u}),c=(u,p)=>{if(p<0||p>=t.length||u===p)return;let m=[...t];m.splice(p,0,...m.splice(u,1)),l(m)};return d`<section class="tray panel" aria-label=${i.order.tray}>
    <ol class="places" @pointerdown=${u=>Ct(u,()=>Jn(e,t),l)}>
      ${be(t,u=>u,(u,p)=>d`<li class="place" data-place=${u}>
          <span class="number" aria-hidden="true">${p+1}</span>
          <button class="bare nudge" aria-label=${i.order.earlier(a[u])} ?disabled=${p===0} @click=${()=>c(p,p-1)}>${E("left")}</button>
          <button class="grip" aria-label=${i.order.place(a[u],p+1,t.length)} @keydown=${m=>Zn(m,p,c)}>${a[u]}</button>
          <button class="bare nudge" aria-label=${i.order.later(a[u])} ?disabled=${p===t.length-1} @click=${()=>c(p,p+1)}>${E("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{pe(r.graph,o.order)||l(t),s({type:"run",on:!0,time:n})}}>${E("play")} ${i.order.run}</button>
      <button class="toggle" @click=${()=>l(er(t))}>${i.order.shuffle}</button>
      <button class="toggle" @click=${()=>l(O(r.graph).order.filter(u=>t.includes(u)))}>${i.order.right}</button>
    </div>
  </section>`}function Jn(e,t){return pe(e.program.graph,e.state.order)?e.state.order:t}function Zn(e,t,n){let r={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!r)return;e.preventDefault(),e.stopPropagation(),n(t,t+r);let s=e.currentTarget;requestAnimationFrame(()=>s.focus())}function er(e){let t=[...e];for(let n=t.length-1;n>0;n--){let r=Math.floor(Math.random()*(n+1));[t[n],t[r]]=[t[r],t[n]]}return t}function tr(e){let{program:t,frame:n}=e,{walk:r,names:s,graph:o}=t;if(n.time<t.line.total-1)return d``;if(!r.wrong.length)return d`<section class="panel verdict right"><h2>✓ ${i.order.won}</h2><div class="body"><p>${i.order.insight}</p>${we(t)}</div></section>`;let a=r.backward.filter(l=>l.note==="zero"&&r.expected[l.node]!==0);return d`<section class="panel verdict wrong">
    <h2>✗ ${r.lost.length?i.order.lost(r.lost.length):i.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${r.lost.map(l=>nr(e,l))}
        ${a.map(l=>d`<li><span>${i.order.starvedRow(s[l.node])}</span></li>`)}
        <li class="insight">${i.order.insight}</li>
      </ul>
      ${we(t)}
    </div>
    <span class="hidden">${o.nodes.length}</span>
  </section>`}function nr(e,t){let{names:n,graph:r}=e.program,s=r.nodes[t.source].operands.indexOf(t.to);return d`<li>
    <span><strong class="bad">${i.order.lostRow(y(t.contribution),t.path.map(o=>n[o]).join(" → "))}</strong>
    <br />${i.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:s}})}>${i.order.showPath}</button>
  </li>`}function rr(e,t,n){if(!t||n!==null)return null;let r=e.graph.nodes[t.target].operands[t.operand],s=e.walk.lost.find(o=>o.source===t.target&&o.to===r);return s?qt(e,s.path):null}function we(e){let{walk:t,names:n,graph:r}=e,s=Pe(r).toReversed(),o=new Set(t.wrong);return d`<table class="comparison" aria-rowcount=${s.length+1}>
    <caption>${i.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${i.bugs.node}</th><th scope="col" class="end">${i.order.got}</th><th scope="col" class="end">${i.order.should}</th><th scope="col"><span class="hidden">${i.order.verdict}</span></th></tr></thead>
    <tbody>${q({count:s.length,now:-1,columns:4,row:a=>{let l=s[a],c=o.has(l);return d`<tr class=${c?"differs":""} aria-rowindex=${a+2}><td>${n[l]}</td><td class="end ${c?"bad":""}">${y(t.grads[l])}</td><td class="end">${y(t.expected[l])}</td><td class=${c?"bad":"good"}>${c?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var xe=[["","def __add__(self, other):"],["+","    return Value(self.data + other.data,"],["","        (self, other), (1, 1))"],["","def __mul__(self, other):"],["*","    return Value(self.data * other.data,"],["","        (self, other),"],["","        (other.data, self.data))"],["","def tanh(self):"],["tanh","    t = math.tanh(self.data)"],["other","    return Value(t, (self,), (1 - t * t,))"]],sr=[["","topo, visited, stack = [], {self}, [(self, 0)]"],["","while stack:"],["pop","    node, i = stack.pop()"],["","    if i == len(node._children):"],["place","        topo.append(node)"],["","        continue"],["","    stack.append((node, i + 1))"],["","    child = node._children[i]"],["visited","    if child not in visited:"],["","        visited.add(child)"],["push","        stack.append((child, 0))"]],or=[["seed","self.grad = 1.0"],["visit","for v in reversed(topo):"],["","    edges = zip(v._children, v._local_grads)"],["","    for child, local in edges:"],["push","        child.grad += local * v.grad"]],ar={forward:xe,sort:sr,backward:or};function _t(e,t){let{event:n}=t,r=n?.kind==="compute"?lr(e,n):ar[t.phase],s=n?cr(e,n):"",o=ir(r.find(([c])=>c===s)?.[1]??""),a=n?ur(e,n).map(c=>d`<li class="note"><code>${o}# ${c}</code></li>`):h,l=n?.kind==="compute"?r.length-1:r.findIndex(([c])=>c&&c===s);return d`<ol class="code ${t.phase}" aria-label=${i.code.title}>
    ${r.map(([c,u],p)=>d`<li class=${c!==""&&c===s?"now":""}><code>${u}</code></li>${p===l?a:h}`)}
  </ol>`}function ir(e){return/^ */.exec(e)[0]}function lr(e,t){let n=e.graph.nodes[t.node],{op:r}=n;if(r==="+"||r==="*"){let o=xe.findIndex(([a])=>a===r);return xe.slice(o-1,o+(r==="+"?2:3))}return r==="tanh"?xe.slice(-3):{"-":[["","def __sub__(self, other):"],["-","    return self + (other * -1)"]],"/":[["","def __truediv__(self, other):"],["/","    return self * other**-1"]],neg:[["","def __neg__(self):"],["neg","    return self * -1"]],"**":[["","def __pow__(self, n):"],["**","    return Value(self.data**n,"],["","        (self,), (n * self.data**(n - 1),))"]],relu:[["","def relu(self):"],["relu","    return Value(max(0, self.data),"],["","        (self,), (float(self.data > 0),))"]],exp:[["","def exp(self):"],["exp","    e = math.exp(self.data)"],["","    return Value(e, (self,), (e,))"]],log:[["","def log(self):"],["log","    return Value(math.log(self.data),"],["","        (self,), (1 / self.data,))"]]}[r]??[["",`def ${r}(…):`],[r,"    return Value(…, inputs, local_grads)"],["",`    # the row ${r} of ops.py`]]}function cr(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":{let n=e.walk.sort[t.row].note;return n==="leaf"||n==="done"?"place":n?"visited":"push"}case"seed":return"seed";case"skip":case"leaf":return"visit";default:return"push"}}function ur(e,t){let{names:n,graph:r,walk:s}=e;switch(t.kind){case"push":{let o=t.push,a=e.walk.bug==="overwrite"?"=":"+=";return[`${n[o.to]}.grad ${a} ${y(o.local)} * ${y(o.incoming)}`,`local ${G(o.local)}, ${n[t.node]}.grad ${G(o.incoming)}`]}case"compute":return[`${n[t.node]} ${G(r.nodes[t.node].data)}`];case"seed":return[`${e.output}.grad = 1`];case"sort":{let{note:o,pop:a}=s.sort[t.row],[l,c]=a;if(o==="leaf"||o==="done")return[`node = ${n[l]}`];let u=n[r.nodes[l].operands[c]];return[o?`child = ${u}: visited`:`push (${u}, 0)`]}case"lost":return[`${n[t.lost.to]}: ✗`];default:return[`v = ${n[t.node]}`]}}var L=e=>({kind:"number",x:e}),ae=e=>({kind:"total",node:e}),ke=(e,t)=>({kind:"local",node:e,operand:t}),Ge=e=>({kind:"grad",node:e}),k=e=>({kind:"sign",sign:e}),Ft=new WeakMap;function dr(e){let t=Ft.get(e);if(t)return t;let n=new Map,r=[];for(let{push:s}of e.events){if(!s)continue;let o=(n.get(s.to)??0)+1;n.set(s.to,o),r.push([s,o])}return t=new Map(r.map(([s,o])=>[s,[o,n.get(s.to)]])),Ft.set(e,t),t}function je(e,t){let[n,r]=dr(e.line).get(t)??[1,1],s=F(e.graph,t.to,1).count===BigInt(r);return{place:n,count:r,arePaths:s}}function Ht(e,t,n){let{walk:r}=e,s=t.push,o=t.node,{incoming:a,contribution:l,before:c,after:u,to:p}=s,m=Object.is(a,r.expected[o])||a===r.expected[o],g=[Ge(p),k(Ne(s)?"+=":"="),m?ae(o):Ge(o),k("×"),ke(o,s.operand),k(I(a,s.local)),L(a),k("×"),L(s.local),k(gt(s)),L(l)],{place:$,count:v}=je(e,s);if(!n)return{step:g,holds:null,complete:null};let b=$>1&&Ne(s),f=b?[L(c),k("+"),L(l),k(ft(s))]:[],w=k(b?I(c,l):I(u)),x=$===v&&(Object.is(u,r.expected[p])||u===r.expected[p]);return{step:g,holds:x||$===1?null:[Ge(p),w,...f,L(u)],complete:x?[ae(p),w,...f,L(u)]:null}}function Gt(e,t){let{graph:n}=e,{operands:r,local_grads:s}=n.nodes[t];return r.flatMap((o,a)=>R(n.nodes[o])?[]:[[ke(t,a),k(I(s[a])),L(s[a])]])}function jt({graph:e,names:t},{target:n,operand:r}){let s=e.nodes[n],o=s.local_grads[r],a=et(e,s,r,u=>t[u]),l=a.replaceAll("-","−")!==y(o),c=[k(I(o)),L(o)];return l?[ke(n,r),k("="),{kind:"formula",text:a,node:n,operand:r},...c]:[ke(n,r),...c]}function Kt({graph:e},t){if(t===e.root)return[ae(t),k("="),L(1)];let n=F(e,t,4),r=n.largest.flatMap((u,p)=>[...p?[k("+")]:[],...u.locals.flatMap((m,g)=>g?[k("×"),L(m)]:[L(m)])]);if(r.length<2)return[ae(t),k(I(n.total)),L(n.total)];let s=n.largest.map(({locals:u})=>u),o=s.map(u=>u.map(p=>y(p))),a=n.complete?[]:[k("+"),{kind:"rest"}],l=n.complete?Je("+",o,y(n.total)):I(n.total),c=I(...s.flat());return[ae(t),k(c),...r,...a,k(l),L(n.total)]}function Bt(e,t,n,r){if(r)return mr(e,r);if(n!==null)return gr(e,n);let{event:s}=t;if(s?.kind==="push")return pr(e,t);if(s?.kind==="compute"){let a=e.graph.nodes[s.node];return d`<p class="formula">${bt(e.graph,a)}</p>
      <p class="why">${i.equation.keeps}</p>
      <div class="locals">${Gt(e,a.id).map(l=>J(e,l))}</div>`}if(s?.kind==="sort")return d`<p class="why">${i.equation.sorting}</p>`;let o=t.index>=e.line.events.length-1;return d`<p class="why">${i.equation.idle} ${o?"":i.equation.stepOn}</p>`}function pr(e,t){let n=t.event,r=n.push,{step:s,holds:o,complete:a}=Ht(e,n,t.landed),{place:l,count:c,arePaths:u}=je(e,r),p=i.equation;return d`
    ${J(e,s)}
    <p class="part">${(u?p.path:p.contribution)(l,c,a!==null)}</p>
    ${o?J(e,o):h}
    ${a?J(e,a):h}
    <p class="why">${i.narration.rule(ne(e,n.node))}</p>`}function mr(e,t){let{graph:n,names:r}=e,s=n.nodes[t.target].operands[t.operand],o=d`<p class="picked">${i.inspect.edge(r[s],r[t.target])}</p>`;if(R(n.nodes[s]))return d`${o}<p class="why">${i.inspect.noPath}</p>`;let a=n.nodes[t.target].local_grads[t.operand];return d`
    ${o}
    ${J(e,jt(e,t))}
    <p class="why">${i.inspect.wiggle(r[s],r[t.target],y(a))}</p>`}function gr(e,t){let{graph:n,names:r,output:s}=e,o=n.nodes[t];return R(o)?d`<p class="picked">${i.inspect.node(r[t])}</p>${Dt(o)}<p class="why">${i.inspect.noPath}</p>`:d`
    <p class="picked">${i.inspect.node(r[t])}<span class="exact">${W(o.data)}</span></p>
    ${Dt(o)}
    ${J(e,Kt(e,t))}
    ${fr(o.data,e.walk.grads[t])}
    ${t===n.root?h:d`<p class="why">${i.inspect.paths(F(n,t,1).count,r[t],s)}</p>`}`}function fr(...e){let t=[...new Set(e.map($t))].filter(Boolean);return t.length?d`<p class="why odd">${t.join(" ")}</p>`:h}function Dt(e){return e.scope?d`<p class="why scope">${i.inspect.scope(e.scope)}</p>`:h}function J(e,t){let n=[[]];return t.forEach((r,s)=>{r.kind==="sign"&&r.sign!=="×"&&n.at(-1).length&&n.push([]),n.at(-1).push(hr(e,r,s>0?t[s-1]:null))}),d`<div class="equation">${n.map(r=>d`<math display="inline" displaystyle="true"><mrow>${r}</mrow></math>`)}</div>`}function hr(e,t,n){let{names:r,output:s}=e;switch(t.kind){case"number":{let o=n?.kind==="sign"&&!["=","≈","+="].includes(n.sign);return N`<mn class=${Y(t.x)}>${o?pt(t.x):y(t.x)}</mn>`}case"total":return $r(s,r[t.node]);case"local":return vr(e,t.node,t.operand);case"grad":return N`<mi class="grad">${i.narration.gradOf(r[t.node])}</mi>`;case"formula":return N`<mtext class="code">${t.text.replaceAll("-","−").replaceAll("*","∗")}</mtext>`;case"rest":return N`<mo>…</mo>`;case"sign":return N`<mo form="infix">${t.sign}</mo>`}}function br(e,t){return N`<mfrac><mrow><mo rspace="0">∂</mo><mi>${e}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${t}</mi></mrow></mfrac>`}function $r(e,t){return N`<mrow class="total">${br(e,t)}</mrow>`}function vr({graph:e,names:t},n,r){let{operands:s}=e.nodes[n],o=s.filter(l=>l===s[r]).length,a=s.slice(0,r+1).filter(l=>l===s[r]).length;return N`<munder class="local"><msub><mi>ℓ</mi><mrow><mi>${t[n]}</mi><mo>→</mo><mi>${t[s[r]]}</mi></mrow></msub><mtext>${i.equation.local(o>1?a:0)}</mtext></munder>`}function zt(e,t,n,r,s){let{graph:o,names:a,walk:l}=e,c=i.numbers,u=o.nodes.filter(g=>!R(g)).toReversed(),p=g=>{let $=u[g],v=$.id===n,b=t.node($.id),f=r?l.grads[$.id]:b.grad,w=Y(f),x=v?W:y;return d`<tr class=${`${v?"now":""} ${t.phase}`} aria-rowindex=${g+2} @click=${()=>s($.id)}>
      <td title=${a[$.id]}><button class="bare" aria-label=${c.select(a[$.id])} aria-pressed=${v}>${a[$.id]}</button></td>
      <td class="end" title=${b.filled?W($.data):""}>${b.filled?x($.data):S}</td>
      <td class="end ${w}" title=${f===null?"":W(f)}>${f===null?S:x(f)} ${dt[w]}</td>
    </tr>`},m=n===null?-1:u.findIndex(({id:g})=>g===n);return d`<table class="numbers" aria-rowcount=${u.length+1}>
    <caption class="hidden">${c.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${c.node}</th><th scope="col" class="end">${c.value}</th><th scope="col" class="end">${c.grad}</th></tr></thead>
    <tbody>${q({count:u.length,now:m,columns:3,row:p})}</tbody>
  </table>`}var yr={},Vt=ce(class extends Xe{constructor(){super(...arguments),this.ot=yr}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((r,s)=>r===this.ot[s]))return Me}else if(this.ot===t)return Me;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});function Ee(e,t,n,r=Number.POSITIVE_INFINITY){let{events:s}=e.line,o=i.events,a=l=>{let c=s[l],{what:u,how:p,result:m}=vt(e,c),$=l>=r&&c.phase==="backward"?"?":l>t.index?S:null,v=l===t.index?"now":l<t.index?"past":"ahead";return d`<tr class="${c.phase} ${v}" aria-rowindex=${l+2} aria-current=${l===t.index?"step":h} @click=${()=>n(c.end)}>
      <td class="index"><button class="bare" aria-label=${o.goto(l+1,u)} @click=${b=>{b.stopPropagation(),n(c.end)}}>${l+1}</button></td>
      <td class="who" title=${u}>${u}</td>
      <td class="how">${$??p}</td>
      <td class="end">${$??m}</td>
    </tr>`};return d`<table class="events" aria-rowcount=${s.length+1} ${H({"--digits":String(String(s.length).length)})}>
    <caption class="hidden">${o.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${o.number}</th><th scope="col">${o.what}</th><th scope="col">${o.how}</th><th scope="col" class="end">${o.result}</th></tr>
    </thead>
    <tbody>${q({count:s.length,now:t.index,columns:4,row:a})}</tbody>
  </table>`}var wr=/^(x|y|t|target|input|label|data)\d*$/i;function Wt(e){let t=e.filter(n=>!wr.test(n));return t.length?t:[...e]}function Ke(e,t){return Object.fromEntries(e.names.map(n=>[n,t.get(n)??1]))}function De(e,t){let n=T(e);return n.evaluate(Ke(n,t)).data}function Yt(e,t,n,r){let s=T(e),o=A(s.evaluate(Ke(s,t))),{expected:a}=O(o),l=new Map(t);for(let c of o.leaves){if(!n.includes(c.label))continue;let u=c.data-r*a[c.id];if(!Number.isFinite(u))return null;l.set(c.label,u)}return l}function Ut(e,t,[n,r],s,o=24){let a=T(e),l=$=>{let v=s.map(x=>x.values.get($)??0),[b,f]=[Math.min(...v),Math.max(...v)],w=Math.max(.35*(f-b),.3*Math.max(1,Math.abs(f),Math.abs(b)));return[b-w,f+w]},[c,u]=[l(n),l(r)],p=Ke(a,t),m=([$,v],b)=>$+(v-$)*(b+.5)/o,g=Array.from({length:o},($,v)=>Array.from({length:o},(b,f)=>{let w={...p};return w[n]=m(c,f),w[r]=m(u,o-1-v),a.evaluate(w).data}));return{x:c,y:u,rows:g}}var kr=200,D=1e9;function wa(e={},t=null){let n=z("x1"),r={page:"sandbox",text:n.text,good:n.text,values:new Map(Object.entries(n.values)),time:0,unfold:!1,final:!1,predict:!1,strict:!1,view:"2d",look:Oe,speed:1,bug:"overwrite",order:[],ran:!1,game:!1,seed:0,question:"",lesson:"",teach:!1,scene:"sandbox",staged:"",hold:null,until:null,told:new Map,node:null,edge:null,place:"",given:t,playing:!1,answers:new Map,task:"",help:!1,proof:!1,check:null,compiled:null,theme:"auto",letters:!0,greeted:!1,nudge:null,rate:.1,learning:[],way:[],descending:!1,stuck:"",sent:null,sharing:!1,past:[],future:[],edit:{kind:"",at:0}},s=e.final===!0&&!e.predict;return V({...r,...e,final:s},e.text??r.text)}function Er(e,t,n=0){let r=Tr(e,t,n);return r.good===e.good&&r.unfold===e.unfold&&r.page===e.page||t.type==="restore"?r:{...r,look:{...Oe,orbit:r.look.orbit}}}function Tr(e,t,n){switch(t.type){case"type":return Z(e,"type",V({...e,playing:!1,time:e.page==="walk"?0:D},t.text),n);case"load":{let r=new Map([...e.values,...Object.entries(t.values)]),s={...e,values:r,time:0,playing:t.play??!1,order:[],ran:!1},o=V(s,t.text);return t.own?o:Z(e,"load",o,n)}case"value":{let r=new Map(e.values).set(t.name,t.value),o=e.page==="sandbox"&&!e.playing&&!e.predict&&e.time===0?D:e.time;return Z(e,`value ${t.name}`,{...e,values:r,time:o,answers:new Map,way:[],descending:!1,stuck:""},n)}case"page":{if(t.page===e.page)return e;let r=t.time??0;return{...e,page:t.page,time:r,playing:!1,descending:!1,ran:!1,staged:"",hold:null,until:null,teach:!1,node:null,edge:null}}case"seek":return t.keepPlaying?{...e,time:t.time}:{...e,time:t.time,playing:!1,until:null,node:null,edge:null};case"play":{let r=t.on?{node:null,edge:null}:{},s=t.until??null;return{...e,...r,playing:t.on,until:s,time:t.time??e.time}}case"toggle":{let r=t.on??!e[t.flag];if(t.flag==="final"&&r&&e.predict)return e;let s={...e,[t.flag]:r,answers:new Map};return t.flag==="unfold"&&Object.assign(s,{node:null,edge:null,order:[]}),t.flag==="predict"&&r&&Object.assign(s,{final:!1,playing:!1}),Z(e,t.flag,t.flag==="strict"?V(s,e.text):s,n)}case"view":return{...e,view:t.view};case"speed":return{...e,speed:t.speed};case"bug":return Z(e,"bug",{...e,bug:t.bug,time:D,playing:!1},n);case"order":return Z(e,"order",{...e,order:t.order,ran:!1,time:0,playing:!1},n);case"run":return{...e,ran:t.on,time:t.time,playing:t.on,node:null,edge:null};case"answer":{let{typed:r,right:s}=t,o=(e.answers.get(t.event)?.missed??0)+ +!s,a=new Map(e.answers).set(t.event,{typed:r,right:s,missed:o});return{...e,answers:a}}case"again":return{...e,answers:new Map,time:t.time,playing:!1};case"pick":return{...e,node:t.node,edge:t.edge??null};case"game":return{...e,game:t.on};case"case":return{...e,seed:t.seed};case"question":return{...e,question:t.question};case"task":return{...e,task:t.task};case"lesson":return{...e,lesson:t.lesson,hold:null,playing:!1,descending:!1};case"scene":{let{staged:r,scene:s,text:o,bug:a,unfold:l,rate:c}=t,u=new Map([...e.values,...Object.entries(t.values)]),m={...e,...{predict:!1,final:!1,strict:!1,ran:!1,playing:!1},staged:r,scene:s,bug:a,unfold:l,rate:c,values:u,time:0};return V({...m,...{node:null,edge:null,order:[],way:[],hold:null,until:null},stuck:"",descending:!1,view:"2d"},o)}case"shown":{let{given:r,text:s=e.text}=t,o=new Map([...e.values,...t.values??[]]),a={...e,given:r,values:o,edge:null};return r?{...a,node:(e.node??0)<r.nodes.length?e.node:null}:s===e.text?a:V(a,s)}case"hold":return{...e,hold:t.hold};case"tell":return{...e,told:new Map(e.told).set(t.key,t.told)};case"teach":return{...e,teach:t.on};case"help":return{...e,help:t.on};case"proof":return{...e,proof:t.on,check:t.on?null:e.check};case"look":return{...e,look:t.look};case"checking":return{...e,check:t.check};case"compiled":return{...e,compiled:t.compiled};case"place":return{...e,place:t.place};case"theme":return{...e,theme:t.theme};case"letters":return{...e,letters:t.on};case"greeted":return{...e,greeted:!0};case"descend":return Sr(e,t.steps);case"descending":return{...e,descending:t.on,stuck:t.on?"":e.stuck};case"climb":{let r=e.way[0]?.values??e.values;return{...e,values:r,way:[],descending:!1,stuck:""}}case"rate":return{...e,rate:t.rate,stuck:""};case"learning":return{...e,learning:t.learning,stuck:""};case"sent":return{...e,sent:t.sent};case"share":return{...e,sharing:t.on};case"nudge":return{...e,nudge:t.nudge};case"restore":{let{given:r,theme:s,letters:o,greeted:a,past:l,future:c}=e;return{...t.state,given:r,theme:s,letters:o,greeted:a,past:l,future:c}}case"undo":return Zt(e,"past","future");case"redo":return Zt(e,"future","past")}}function V(e,t){try{let n=T(t,{strict:e.strict}).names,r=Jt(e.values,n),s=t===e.good&&t===e.text,o=e.text===t?{}:{node:null,edge:null,order:[],ran:!1},a={answers:new Map,nudge:null,way:[],descending:!1,stuck:""},l=n.filter(p=>e.learning.includes(p)),c=l.length&&s?l:Wt(n),u=s?{learning:c}:{...o,...a,learning:c};return{...e,...u,text:t,good:t,values:r}}catch{let n=Lr(e.good)?e.good:z("x1").text;return{...e,text:t,good:n,values:Jt(e.values,T(n).names)}}}var Rr=2e3,Xt=20;function Sr(e,t){let{values:n}=e,r=e.way.length?[...e.way]:[{values:n,output:De(e.good,n)}],s="";for(let a=0;a<t&&!s;a++){let l=Yt(e.good,n,e.learning,e.rate),c=l?De(e.good,l):Number.NaN;if(!l||!Number.isFinite(c)){s="numbers";break}let u=e.learning.some(m=>Math.abs((l.get(m)??0)-(n.get(m)??0))>1e-9);n=l,r.push({values:n,output:c}),u||(s="still");let p=r.slice(-Xt-1);p.length>Xt&&p.every((m,g)=>!g||m.output>p[g-1].output)&&(s="up")}let o=e.descending&&!s;return{...e,values:n,way:r.slice(-Rr),stuck:s,descending:o,time:D}}function Lr(e){try{return T(e),!0}catch{return!1}}var Qt=[2,-3,10,.5,1.5,-1];function Jt(e,t){if(t.every(r=>e.has(r)))return e;let n=new Map(e);return t.forEach((r,s)=>{n.has(r)||n.set(r,Qt[s%Qt.length])}),n}var tn=["page","text","values","unfold","final","predict","strict","bug","order"],Mr=[...tn,"time","view","speed","ran","game","seed","question","place"];function nn(e){return{...Object.fromEntries(Mr.map(n=>[n,e[n]])),node:null,edge:null}}function Z(e,t,n,r){if(tn.every(a=>e[a]===n[a]))return n;let o=t===e.edit.kind&&r-e.edit.at<900&&e.past.length>0?e.past:[...e.past,nn(e)].slice(-kr);return{...n,past:o,future:[],edit:{kind:t,at:r}}}function Zt(e,t,n){let r=e[t].at(-1);if(!r)return e;let s=r.page==="learn"?e.hold:null;return{...V({...e,...r,playing:!1,hold:s,until:null},r.text),edit:{kind:"",at:0},[t]:e[t].slice(0,-1),[n]:[...e[n],nn(e)]}}var en=class{constructor(t){this.state=t;this.#e=new Set;this.dispatch=t=>{let n=Er(this.state,t,Date.now());if(n!==this.state){this.state=n;for(let r of this.#e)r(n)}}}#e;subscribe(t){return this.#e.add(t),()=>this.#e.delete(t)}};var rn=e=>e.program.graph.leaves.map(t=>e.program.walk.grads[t.id]),Be=[{id:"predict",preset:"x1",predict:!0,done:({state:e,program:t})=>{let n=t.line.events.flatMap((r,s)=>r.kind==="push"?[s]:[]);return e.predict&&n.length>3&&n.every(r=>e.answers.get(r)?.right)}},{id:"dead",preset:"x9",values:{x:2,w:3,b:1},done:e=>e.state.good.includes("relu")&&rn(e).every(t=>t===0)},{id:"square",preset:"x3",done:({state:e,program:t,frame:n})=>/^\s*(\w+)\s*\*\s*\1\s*$/.test(e.good)&&n.time>=t.line.total},{id:"negative",preset:"x6",done:e=>rn(e).some(t=>t<0)}];function Ma(e){let t=Be.find(({id:n})=>n===e.state.task);t?.done(e)&&xt(`try:${t.id}`)}function sn(e){let t=new Set(Be.map(s=>s.id).filter(s=>C().done.has(`try:${s}`))),n=i.tries.rows[e.state.task],r=t.has(e.state.task);return d`<div class="tries" role="group" aria-label=${i.tries.title}>
    <span class="lead">${i.tries.title}</span>
    ${Be.map(s=>{let[o,a]=i.tries.rows[s.id];return d`<button
        class="try ${t.has(s.id)?"done":""}"
        data-try=${s.id}
        title=${a}
        aria-pressed=${s.id===e.state.task}
        @click=${l=>{Or(e,s),Pr(l.currentTarget)}}
      ><span aria-hidden="true">${t.has(s.id)?"✓":"○"}</span> ${o}${t.has(s.id)?d`<span class="hidden">, ${i.tries.done}</span>`:h}</button>`})}
    ${n?d`<p class="task ${r?"good":""}" role="status">${r?`✓ ${i.tries.well}`:""} ${n[1]}</p>`:h}
  </div>`}function Pr(e){let t=e.getRootNode();requestAnimationFrame(()=>{let n=t.querySelector(".stage");n&&n.getBoundingClientRect().top<0&&n.scrollIntoView({block:"start",behavior:te()?"instant":"smooth"})})}function Or(e,t){let n=z(t.preset),r=t.values??n.values;e.dispatch({type:"task",task:""}),e.dispatch({type:"load",text:n.text,values:r}),e.dispatch({type:"toggle",flag:"predict",on:t.predict??!1}),e.dispatch({type:"play",on:!0,time:0}),te()&&!t.predict&&e.dispatch({type:"seek",time:D}),e.dispatch({type:"task",task:t.id})}function Ba(e){return d`
    ${Q(e)}
    ${e.embedded?h:Ot(e)}
    ${j(e,e.fixed?h:sn(e))}
    ${K(e)}
    <div class="dock four">${Ar(e)}</div>`}function Ar(e){let{program:t,frame:n,state:r,dispatch:s}=e,o=t.line.events[e.veil]!==void 0,a=ct()&&!e.fixed&&!o,l=r.node!==null||r.edge!==null||n.event?.kind==="compute",c=o&&l?d`<p class="why">${i.predictBox.hidden}</p>`:Bt(t,n,r.node,r.edge);return Vt([i,t,n.index,n.landed,r.node,r.edge,r.final,e.veil,a],()=>[P(i.events.title,Ee(t,n,e.seek,e.veil),"table"),P(i.equation.title,c,"rule"),P(i.code.title,_t(t,n),"engine"),P(i.numbers.title,zt(t,n,r.node,r.final,u=>s({type:"pick",node:u})),"table",a?d`<button class="toggle" @click=${()=>s({type:"proof",on:!0})}>${i.proof.button}</button>`:h)])}function P(e,t,n="",r=h){return d`<section class="panel ${n}"><div class="title"><h2>${e}</h2>${r}</div><div class="body" tabindex="0" role="region" aria-label=${e}>${t}</div></section>`}var ee=1e3,on=5,ze=class extends le{static{this.styles=fe}static{this.properties={power:{state:!0}}}constructor(){super(),new ge(this),this.power=2}get length(){let t=10**this.power,n=10**Math.max(0,Math.floor(this.power)-1);return Math.round(t/n)*n}render(){let{length:t}=this,n=t>=ee,r=i.bugs.count(t);return d`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${i.bugs.depth}</span>
          <input type="range" min="0.5" max=${on} step="0.01" .value=${String(this.power)} aria-valuetext=${r}
            @input=${s=>{this.power=Number(s.target.value)}} />
          <output>${r}</output>
        </label>
        <p class="why">${i.bugs.depthText(t)}</p>
        <div class="columns">
          ${this.#e(i.bugs.recursive,i.bugs.frames(Math.min(t+1,ee)),n?i.bugs.overflow:i.bugs.fine,n,!0)}
          ${this.#e(i.bugs.iterative,i.bugs.entries(t+1),i.bugs.fine,!1,!1)}
        </div>
      </div>
    </section>`}#e(t,n,r,s,o){let a=c=>`${(100*Math.min(1,Math.log10(c)/on)).toFixed(2)}%`,{length:l}=this;return d`<div class="pile ${s?"dies":""}">
      <h2>${t}</h2>
      <div class="room" role="img" aria-label=${n} ${H({"--used":a(s?ee:l),"--limit":a(ee)})}>
        <div class="used"></div>${o?d`<div class="limit"></div>`:h}
      </div>
      <p>${n}${o?d` <span class="why">· ${i.bugs.limit}</span>`:h}</p>
      <p class=${s?"bad":"good"}><strong>${s?"✗":"✓"} ${r}</strong></p>
      <pre>${o?Nr(l):Ir(l)}</pre>
    </div>`}},an=e=>e?`+${[...String(e)].map(t=>"₀₁₂₃₄₅₆₇₈₉"[Number(t)]).join("")}`:"x";function ln(e,t){if(t<=8)return Array.from({length:t},(r,s)=>e(s));let n=i.bugs.between(t-6);return[0,1,2,3].map(e).concat(n,e(t-2),e(t-1))}function Nr(e){let t=Math.min(e+1,ee);return[...ln(r=>`${"  ".repeat(Math.min(r,5))}build(${an(e-r)})`,t),e>=ee?i.bugs.overflow:""].join(`
`)}function Ir(e){return ln(t=>t===e?"(x, 0)":`(${an(e-t)}, 1)`,e+1).join(`
`)}customElements.define("gradwalk-depth",ze);function Te(e){let t=e>>>0;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var qr={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},Cr=["a","b","c"],_r=["d","e","g","h","k","m"],Fr=[-4,-3,-2,-1,1,2,2,3,4,5],cn=60;function Re(e,t){for(;;){let n=Hr(e,t);if(Gr(n))return n}}function Hr(e,t){let{operations:n,leaves:r,vocabulary:s}=qr[t],o=m=>m[Math.floor(e()*m.length)],a={},l=Cr.slice(0,1+Math.floor(e()*r));for(let m of l)a[m]=o(Fr);let c=[...l],u=[...l],p=[];for(let m=0;m<n;m++){let g=_r[m],$=u.length>n-m,v=o($?["+","*"]:s),b=o(u),f=$?u.filter(M=>M!==b):c,w=o(f.length?f:c);v==="relu"?p.push(`${g} = relu(${b})`):v==="**2"?p.push(`${g} = ${b}**2`):p.push(`${g} = ${b} ${v} ${w}`);let x=v==="relu"||v==="**2"?[b]:[b,w];u=[...u.filter(M=>!x.includes(M)),g],c.push(g)}return{text:p.join("; "),values:a}}function Gr({text:e,values:t}){let n=A(T(e).evaluate(t));if(n.leaves.length!==Object.keys(t).length)return!1;let{expected:r}=O(n);return n.nodes.every(s=>Math.abs(s.data)<=cn&&Math.abs(r[s.id])<=cn&&(s.tags.includes("const")||r[s.id]!==0)&&(s.data!==0||s.op==="relu"))}function Ve(e){return new Map(Ze.map(t=>[t,O(e,{bug:t}).grads]))}function We({text:e,values:t}){return A(T(e).evaluate(t))}function un(e){for(;;){let t=Re(e,"medium"),n=We(t),r=O(n).grads.join(),s=[...Ve(n)],[o,a]=s[Math.floor(e()*s.length)];if(s.filter(([,c])=>c.join()===a.join()).length===1&&a.join()!==r)return{...t,bug:o}}}var jr=["overwrite","wrong-order","no-reset","no-visited"],Ye=class extends le{static{this.styles=fe}static{this.properties={seed:{type:Number},fixed:{type:Boolean},answer:{state:!0}}}#e;#t;constructor(){super(),new ge(this),this.seed=0,this.fixed=!1,this.answer=""}connectedCallback(){super.connectedCallback(),this.seed||this.#n()}willUpdate(t){t.has("seed")&&(this.#e=un(Te(this.seed)),this.#t=rt(We(this.#e),{bug:this.#e.bug,compare:!0}),this.answer="")}#n(){this.seed=1+Math.floor(Math.random()*1e9);let{seed:t}=this;queueMicrotask(()=>this.dispatchEvent(new CustomEvent("case",{detail:t,bubbles:!0,composed:!0})))}#r(t){this.answer||(this.answer=t,kt(t===this.#e.bug))}render(){let{text:t,values:n,bug:r}=this.#e,{right:s,all:o}=C(),a=this.#t,l=Object.entries(n).map(([c,u])=>`${c} ${G(u)}`).join(", ");return d`<section class="stage game">
        <div class="banner">
          <div class="words"><p class="what">${t}</p><p class="why">${i.checks.where(l)}</p></div>
          <span class="score">${o?i.bugs.score(s,o):h}</span>
        </div>
        <gradwalk-scene class="picture" .program=${a} .frame=${ue(a.line,a.line.total)} compare></gradwalk-scene>
      </section>
      <section class="panel quiz" aria-live="polite">
        <div class="body">
          <p class="ask">${i.bugs.game}</p>
          <div class="choices">
            ${jr.map(c=>d`<button
                class="toggle ${this.answer&&c===r?"is-right":""} ${c===this.answer&&c!==r?"is-wrong":""}"
                data-choice=${c}
                aria-pressed=${c===this.answer}
                ?disabled=${this.answer!==""&&c!==this.answer&&c!==r}
                @click=${()=>this.#r(c)}
              >${i.bugs.names[c]}</button>`)}
          </div>
          ${this.answer?this.#s():h}
        </div>
      </section>`}#s(){let{bug:t}=this.#e,n=this.answer===t;return d`<div class="verdict">
      ${n?d`<p><strong class="good">✓ ${i.bugs.correct(i.bugs.names[t])}</strong></p>`:d`<p><strong class="bad">✗ ${i.bugs.incorrect(i.bugs.names[this.answer])}</strong> <code>${this.#o(this.answer)}</code></p>
              <p>${i.bugs.was(i.bugs.names[t])}</p>`}
      <p><strong>${i.bugs.evidence}</strong> ${i.bugs.clues[t]}</p>
      <p class="actions">
        <button class="primary" @click=${()=>this.#n()}>${i.bugs.next}</button>
        ${this.fixed?h:d`<button class="toggle" @click=${()=>this.dispatchEvent(new CustomEvent("show",{detail:this.#e,bubbles:!0,composed:!0}))}>${i.bugs.explore}</button>`}
      </p>
    </div>`}#o(t){let{graph:n,names:r}=this.#t,s=Ve(n).get(t);return n.nodes.filter(o=>!R(o)).map(o=>`${r[o.id]} ${y(s[o.id])}`).join("   ")}};customElements.define("gradwalk-diagnose",Ye);function Li(e){let{state:t,dispatch:n}=e;return d`
    <div class="bar">
      <span class="segments" role="group" aria-label=${i.bugs.mode}>
        ${[!1,!0].map(r=>d`<button class="segment" aria-pressed=${t.game===r} @click=${()=>n({type:"game",on:r})}>${r?i.bugs.diagnose:i.bugs.explore}</button>`)}
      </span>
      ${t.game?h:d`<div class="choices" role="group" aria-label=${i.bugs.choose}>
              ${it.map(r=>d`<button class="toggle" data-bug=${r} aria-pressed=${t.bug===r} @click=${()=>n({type:"bug",bug:r})}>${i.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${t.game?d`<gradwalk-diagnose .seed=${t.seed} ?fixed=${e.fixed} @case=${r=>n({type:"case",seed:r.detail})} @show=${r=>{let{text:s,values:o,bug:a}=r.detail;n({type:"load",text:s,values:o}),n({type:"bug",bug:a}),n({type:"game",on:!1})}}></gradwalk-diagnose>`:t.bug==="recursion"?d`<section class="panel explain"><div class="body">${pn("recursion")}<p>${i.bugs.what.recursion}</p></div></section><gradwalk-depth></gradwalk-depth>`:Kr(e)}`}function Kr(e){let{program:t,state:n,frame:r}=e,{wrong:s}=t.walk,o=t.problem?i.bugs.tooMany:s.length?i.bugs.differs(s.length):i.bugs.same,a=r.time>=t.line.total?d`<div class="words"><p class="what ${s.length?"bad":"good"}">${s.length?"✗":"✓"} ${o}</p><p class="why" title=${i.bugs.what[n.bug]}>${i.bugs.what[n.bug]}</p></div>
          ${s.length||e.fixed?h:d`<button class="toggle showcase" @click=${()=>Dr(e)}>${i.bugs.showcase}</button>`}`:void 0;return d`
    ${j(e)}
    ${K(e,{compare:!0,switches:["unfold"],headline:a})}
    ${Q(e)}
    <div class="dock bugs">
      ${P(i.bugs.names[n.bug],d`${pn(n.bug)}<p class="why">${i.bugs.what[n.bug]}</p>`,"rule")}
      ${P(i.bugs.table,we(t),"table")}
      ${P(i.events.title,Ee(t,r,e.seek),"table")}
    </div>`}var dn={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function Dr(e){e.load(dn[e.state.bug].text,dn[e.state.bug].values),e.seek(D)}function pn(e){let[t,n]=i.bugs.code[e];return d`<dl class="diff">
    <div class="good"><dt>✓ ${i.bugs.rightLine}</dt><dd><code>${t}</code></dd></div>
    <div class="bad"><dt>✗ ${i.bugs.wrongLine}</dt><dd><code>${n||i.bugs.missing}</code></dd></div>
  </dl>`}function Se(e,t){let{text:n,values:r}=z(e);return{id:`${e}-${t}`,text:n,values:r,leaf:t}}var Br=[Se("x1","a"),{...Se("x1","b"),values:{a:-1,b:5,c:4}},Se("x2","w1"),Se("x6","a")];function zr(e,t){let n=Re(Te(t),e),r=gn(A(T(n.text).evaluate(n.values)));return{...n,id:`${e}.${t}`,leaf:r}}var mn="own";function Ci(e,t,n){let r=Br.find(a=>a.id===e);if(r)return r;if(e===mn)return t?Vr(t,n,mn):null;let[,s,o]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return s?zr(s,Number(o)):null}function Vr(e,t,n){let r=T(e),s=Object.fromEntries(r.names.map(a=>[a,t[a]??1])),o=A(r.evaluate(s));return o.leaves.length?{id:n,text:e,values:s,leaf:gn(o)}:null}function gn(e){let t=e.leaves[0],n=0n;for(let r of e.leaves){let{count:s}=F(e,r.id,1);s>n&&([t,n]=[r,s])}return t.label}function _i({text:e,values:t}){return A(T(e).evaluate(t))}function Wr(e,t){return F(e,t,6)}function Fi(e,t,n){let r=i.checks.diagnosis,s=Wr(e,t),o=e.find(t),a=tt(e);if(s.count>1n&&s.complete){for(let l of s.largest)if(B(n,l.product))return r.onePath(l.nodes.map(c=>a[c]).join(" → "));if(B(n,s.largest.reduce((l,c)=>l*c.product,1)))return r.product}return B(n,O(e,{bug:"overwrite"}).grads[o.id])?r.overwrite:B(n,-s.total)?r.flipped:B(n,o.data)?r.value(t):s.largest.some(l=>l.locals.length>1&&l.locals.some(c=>B(n,c)))?r.local:""}function Qi(e){return Yr(e,j(e))}function Yr(e,t=h){return d`
    ${Ur(e)}
    ${t}
    ${K(e,{switches:[],headline:Xr(e)})}
    <div class="dock descent">
      ${P(i.descend.curve(e.program.output),Qr(e),"curve")}
      ${P(i.descend.surface,es(e),"surface")}
      ${P(i.descend.leaves,ts(e),"leaves")}
    </div>`}function Ur(e){let{state:t,dispatch:n}=e,r=i.descend;return d`<div class="bar descend-bar" role="group" aria-label=${r.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!t.descending})}>${E(t.descending?"pause":"play")} ${t.descending?i.pause:r.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${E("step")} ${r.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>n({type:"climb"})}>${E("start")} ${r.reset}</button>
    <label>${r.rate} <select @change=${s=>n({type:"rate",rate:Number(s.target.value)})}>
      ${ot.map(s=>d`<option value=${s} .selected=${s===t.rate}>${y(s)}</option>`)}
    </select></label>
  </div>`}function Xr(e){let{state:t,program:n}=e,r=i.descend,s=Math.max(0,t.way.length-1),o=n.graph.nodes[n.graph.root].data,a=t.way[0]?.output??o,l=t.stuck==="numbers"?r.strange:t.stuck==="still"?r.still:t.stuck==="up"?r.up:r.rule;return d`<div class="words"><p class="what">${s?r.fell(n.output,y(a),y(o),s):r.start(n.output,G(o))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${l}</p></div>`}var fn=320,Ue=120;function Qr(e){let{way:t}=e.state,n=i.descend,r=t.filter(({output:p})=>Number.isFinite(p));if(r.length<2)return d`<p class="why">${n.noCurve}</p>`;let[s,o]=[Math.min,Math.max].map(p=>p(...r.map(m=>m.output))),a=p=>4+(fn-8)*p/(r.length-1),l=p=>Ue-6-(Ue-12)*(p-s)/Math.max(o-s,1e-300),c=r.map(({output:p},m)=>`${m?"L":"M"}${a(m).toFixed(1)} ${l(p).toFixed(1)}`),u=r.at(-1);return d`<figure class="sparkline">
    <svg viewBox="0 0 ${fn} ${Ue}" role="img" aria-label=${n.curveSaid(e.program.output,y(r[0].output),y(u.output),r.length-1)} preserveAspectRatio="none">
      ${_`<path class="line" d=${c.join("")} vector-effect="non-scaling-stroke" />`}
    </svg>
    <figcaption><span>${y(r[0].output)}</span><span>${n.steps(r.length-1)}</span><strong>${y(u.output)}</strong></figcaption>
  </figure>`}function Jr({state:e}){let t=de(e).filter(n=>e.learning.includes(n));return t.length>=2?[t[0],t[1]]:null}var Zr=me((e,t,n,r,s)=>Ut(e,s,[t,n],r.length?r:[{values:s,output:0}]));function es(e){let{state:t}=e,n=i.descend,r=Jr(e);if(!r)return d`<p class="why">${n.noSurface}</p>`;let s=Zr(t.good,r[0],r[1],t.way,t.values),o=s.rows.length,a=s.rows.flat().filter(Number.isFinite),[l,c]=[Math.min(...a),Math.max(...a)],u=f=>Number.isFinite(f)?Math.sqrt((f-l)/Math.max(c-l,1e-300)):1,p=f=>o*(f-s.x[0])/(s.x[1]-s.x[0]),m=f=>o-o*(f-s.y[0])/(s.y[1]-s.y[0]),g=(t.way.length?t.way:[{values:t.values,output:0}]).map(({values:f})=>[p(f.get(r[0])??0),m(f.get(r[1])??0)]),$=g.map(([f,w],x)=>`${x?"L":"M"}${f.toFixed(2)} ${w.toFixed(2)}`),[v,b]=g.at(-1);return d`<figure class="surface-map">
    <svg viewBox="0 0 ${o} ${o}" role="img" aria-label=${n.surfaceSaid(r[0],r[1],y(l),y(c))}>
      ${s.rows.map((f,w)=>f.map((x,M)=>_`<rect class="cell" x=${M} y=${w} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${u(x).toFixed(2)} />`))}
      ${_`<path class="way" d=${$.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${v} cy=${b} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(r[0],y(s.x[0]),y(s.x[1]),r[1],y(s.y[0]),y(s.y[1]))}</figcaption>
  </figure>`}function ts(e){let{state:t,program:n,dispatch:r}=e,{graph:s,walk:o}=n,a=i.descend;return d`<table class="numbers learns">
    <caption class="hidden">${a.leaves}</caption>
    <thead><tr><th scope="col">${a.learns}</th><th scope="col" class="end">${i.numbers.value}</th><th scope="col" class="end">${i.numbers.grad}</th></tr></thead>
    <tbody>${s.leaves.map(l=>{let c=t.learning.includes(l.label);return d`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${c} @change=${()=>{let p=c?t.learning.filter(m=>m!==l.label):[...t.learning,l.label];r({type:"learning",learning:p})}} /> ${l.label}</label></td>
        <td class="end">${y(l.data)}</td><td class="end">${c?y(o.expected[l.id]):h}</td></tr>`})}</tbody>
  </table>`}function al(e,t,n){let{walk:r,names:s,line:o}=e,a=i.trace,l=o.events.findIndex(m=>m.phase==="sort"),c=Math.min(t.index-l,r.sort.length),u=m=>m.map(([g,$])=>`(${s[g]},${$})`).join(" ")||a.empty,p=m=>{let g=r.sort[m],[$,v]=g.pop,b=o.events[l+m],f=m<=c,w=g.note==="leaf"||g.note==="done"?a[g.note]:g.note?a.already(s[e.graph.nodes[$].operands[v]]):"";return d`<tr class=${`sort ${m===c?"now":f?"past":"ahead"}`} aria-rowindex=${m+2} aria-current=${m===c?"step":h} @click=${()=>n(b.end)}>
      <td class="index"><button class="bare" aria-label=${i.events.goto(m+1,a.sort)}>${m+1}</button></td>
      <td class="who">${f?d`(${s[$]},${v}) <span class="note">${w}</span>`:S}</td>
      <td class="how">${f?u(g.stack):S}</td>
      <td class="how">${f?ns(e,g.stack,g.sorted):S}</td>
      <td class="how">${f?g.sorted.map(x=>s[x]).join(" "):S}</td>
    </tr>`};return d`<table class="trace sort" aria-rowcount=${r.sort.length+1}>
    <caption>${a.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${a.pop}</th><th scope="col">${a.stack}</th><th scope="col">${a.visited}</th><th scope="col">${a.sorted}</th></tr></thead>
    <tbody>${q({count:r.sort.length,now:c,columns:5,row:p})}</tbody>
  </table>`}function ns(e,t,n){return[...new Set([...n,...t.map(([s])=>s)])].sort((s,o)=>s-o).map(s=>e.names[s]).join(" ")}var rs=me(e=>{let t=new Map;return e.events.forEach(({phase:n,kind:r,row:s},o)=>{if(n!=="backward"||r==="seed")return;let a=t.get(s);a?a.push(o):t.set(s,[o])}),t});function il(e,t,n){let{walk:r,names:s,line:o,graph:a}=e,l=i.trace,{event:c}=t,p=c?.phase==="backward"?c.kind==="seed"?0:c.row:-1,m=rs(o),g=r.backward.map((b,f)=>({step:b,row:f})).filter(({step:b})=>!R(a.nodes[b.node])),$=b=>{let{step:f,row:w}=g[b],x=m.get(w)??[],M=w<p||w===p&&c?.kind!=="seed",Le=M||w===p&&f.node===a.root,hn=o.events[x.at(-1)??-1]?.end??0,bn=()=>x.filter(ie=>ie<=t.index).map(ie=>o.events[ie].push?ss(e,o.events[ie].push):h),$n=f.note==="leaf"?l.skipped:l.skippedZero;return d`<tr class=${`backward ${w===p?"now":M?"past":"ahead"}`} aria-rowindex=${b+2} aria-current=${w===p?"step":h} @click=${()=>n(hn)}>
      <td class="index"><button class="bare" aria-label=${i.events.goto(w+1,l.backward)}>${w+1}</button></td>
      <td class="who">${t.phase==="backward"?s[f.node]:S} (${Le?y(f.grad):S})</td>
      <td class="how">${M?f.note?$n:bn():S}</td>
    </tr>`},v=g.findIndex(({row:b})=>b===p);return d`<table class="trace backward" aria-rowcount=${g.length+1}>
    <caption>${l.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${l.node}</th><th scope="col">${l.pushes}</th></tr></thead>
    <tbody>${q({count:g.length,now:v,columns:3,row:$})}</tbody>
  </table>`}function ss(e,t){let n=t.before===0?"":` → ${y(t.after)}`;return d`<span class="push ${Y(t.contribution)}">${e.names[t.to]} += ${U(t)}${n}</span>`}export{Vt as a,oe as b,z as c,D as d,wa as e,en as f,C as g,os as h,xt as i,as as j,is as k,yn as l,j as m,Rt as n,K as o,Q as p,lo as q,Fe as r,It as s,qt as t,mo as u,Oo as v,Un as w,we as x,_t as y,Bt as z,$r as A,zt as B,Ma as C,Ba as D,P as E,Li as F,pn as G,Br as H,mn as I,Ci as J,_i as K,Wr as L,Fi as M,Qi as N,Yr as O,al as P,il as Q};
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

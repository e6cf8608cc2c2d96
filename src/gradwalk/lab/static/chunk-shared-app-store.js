import{h as wt}from"./chunk-shared-app-settings.js";import{a as me,c as Et,d as St,e as ze,f as G,g as Pt}from"./chunk-shared-teach-narration.js";import{a as At}from"./chunk-shared-parts-charts.js";import{A as I,B as Mt,C as fe,F as Ot,a as bt,g as A,h as _,i as Tt,j as V,l as Rt,n as Ie,y as Lt,z as N}from"./chunk-shared-scene-steer.js";import{a as k}from"./chunk-shared-parts-icons.js";import{a as $t,d as vt}from"./chunk-shared-app-progress.js";import{a as ee}from"./chunk-shared-lit-html-directives-live.js";import{A as ie,C as le,D as dt,E as ce,F as pt,H as mt,I as gt,J as ft,K as ht,L as qe,M as ue,N as K,P as E,Q as $,R as yt,S as xt,T as de,U as kt,V as D,W as _e,b as se,c as Ye,d as Se,e as et,f as Me,g as oe,h as tt,i as nt,j as rt,k as st,l as ae,m as F,n as ot,o as at,p as J,q as Z,r as it,s as lt,t as Pe,u as Oe,v as ct,w as B,x as Ae,y as ut,z as Ne}from"./chunk-shared-app-timeline.js";import{c as u,d as C,e as q,f as Ee,g as f,i as re,k as a,o as pe,p as ge}from"./chunk-shared-lit-html-lit-html.js";import{A as Je,B as P,C as Ze,j as Xe,l as R,m as M,o as O,s as z,t as Qe}from"./chunk-shared-core-rows.js";function he(e){let t=e>>>0;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var On={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},An=["a","b","c"],Nn=["d","e","g","h","k","m"],qn=[-4,-3,-2,-1,1,2,2,3,4,5],Nt=60;function be(e,t){for(;;){let n=_n(e,t);if(In(n))return n}}function _n(e,t){let{operations:n,leaves:r,vocabulary:s}=On[t],o=m=>m[Math.floor(e()*m.length)],i={},l=An.slice(0,1+Math.floor(e()*r));for(let m of l)i[m]=o(qn);let c=[...l],d=[...l],p=[];for(let m=0;m<n;m++){let g=Nn[m],h=d.length>n-m,w=o(h?["+","*"]:s),b=o(d),v=h?d.filter(S=>S!==b):c,y=o(v.length?v:c);w==="relu"?p.push(`${g} = relu(${b})`):w==="**2"?p.push(`${g} = ${b}**2`):p.push(`${g} = ${b} ${w} ${y}`);let x=w==="relu"||w==="**2"?[b]:[b,y];d=[...d.filter(S=>!x.includes(S)),g],c.push(g)}return{text:p.join("; "),values:i}}function In({text:e,values:t}){let n=O(R(e).evaluate(t));if(n.leaves.length!==Object.keys(t).length)return!1;let{expected:r}=P(n);return n.nodes.every(s=>Math.abs(s.data)<=Nt&&Math.abs(r[s.id])<=Nt&&(s.tags.includes("const")||r[s.id]!==0)&&(s.data!==0||s.op==="relu"))}function $e(e,t){let{text:n,values:r}=et(e);return{id:`${e}-${t}`,text:n,values:r,leaf:t}}var zn=[$e("x1","a"),{...$e("x1","b"),values:{a:-1,b:5,c:4}},$e("x2","w1"),$e("x6","a")];function Fn(e,t){let n=be(he(t),e),r=_t(O(R(n.text).evaluate(n.values)));return{...n,id:`${e}.${t}`,leaf:r}}var qt="own";function $s(e,t,n){let r=zn.find(i=>i.id===e);if(r)return r;if(e===qt)return t?Cn(t,n,qt):null;let[,s,o]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return s?Fn(s,Number(o)):null}function Cn(e,t,n){let r=R(e),s=Object.fromEntries(r.names.map(i=>[i,t[i]??1])),o=O(r.evaluate(s));return o.leaves.length?{id:n,text:e,values:s,leaf:_t(o)}:null}function _t(e){let t=e.leaves[0],n=0n;for(let r of e.leaves){let{count:s}=z(e,r.id,1);s>n&&([t,n]=[r,s])}return t.label}function vs({text:e,values:t}){return O(R(e).evaluate(t))}function Dn(e,t){return z(e,t,6)}function ws(e,t,n){let r=a.checks.diagnosis,s=Dn(e,t),o=e.find(t),i=ie(e);if(s.count>1n&&s.complete){for(let l of s.largest)if(D(n,l.product))return r.onePath(l.nodes.map(c=>i[c]).join(" → "));if(D(n,s.largest.reduce((l,c)=>l*c.product,1)))return r.product}return D(n,P(e,{bug:"overwrite"}).grads[o.id])?r.overwrite:D(n,-s.total)?r.flipped:D(n,o.data)?r.value(t):s.largest.some(l=>l.locals.length>1&&l.locals.some(c=>D(n,c)))?r.local:""}var L=e=>({kind:"number",x:e}),te=e=>({kind:"total",node:e}),ve=(e,t)=>({kind:"local",node:e,operand:t}),Fe=e=>({kind:"grad",node:e}),T=e=>({kind:"sign",sign:e}),It=new WeakMap;function Gn(e){let t=It.get(e);if(t)return t;let n=new Map,r=[];for(let{push:s}of e.events){if(!s)continue;let o=(n.get(s.to)??0)+1;n.set(s.to,o),r.push([s,o])}return t=new Map(r.map(([s,o])=>[s,[o,n.get(s.to)]])),It.set(e,t),t}function Ce(e,t){let[n,r]=Gn(e.line).get(t)??[1,1],s=z(e.graph,t.to,1).count===BigInt(r);return{place:n,count:r,arePaths:s}}function zt(e,t,n){let{walk:r}=e,s=t.push,o=t.node,{incoming:i,contribution:l,before:c,after:d,to:p}=s,m=Object.is(i,r.expected[o])||i===r.expected[o],g=[Fe(p),T(Ie(s)?"+=":"="),m?te(o):Fe(o),T("×"),ve(o,s.operand),T(_(i,s.local)),L(i),T("×"),L(s.local),T(Tt(s)),L(l)],{place:h,count:w}=Ce(e,s);if(!n)return{step:g,holds:null,complete:null};let b=h>1&&Ie(s),v=b?[L(c),T("+"),L(l),T(Rt(s))]:[],y=T(b?_(c,l):_(d)),x=h===w&&(Object.is(d,r.expected[p])||d===r.expected[p]);return{step:g,holds:x||h===1?null:[Fe(p),y,...v,L(d)],complete:x?[te(p),y,...v,L(d)]:null}}function Ft(e,t){let{graph:n}=e,{operands:r,local_grads:s}=n.nodes[t];return r.flatMap((o,i)=>M(n.nodes[o])?[]:[[ve(t,i),T(_(s[i])),L(s[i])]])}function Ct({graph:e,names:t},{target:n,operand:r}){let s=e.nodes[n],o=s.local_grads[r],i=Ze(e,s,r,d=>t[d]),l=i.replaceAll("-","−")!==$(o),c=[T(_(o)),L(o)];return l?[ve(n,r),T("="),{kind:"formula",text:i,node:n,operand:r},...c]:[ve(n,r),...c]}function Dt({graph:e},t){if(t===e.root)return[te(t),T("="),L(1)];let n=z(e,t,4),r=n.largest.flatMap((d,p)=>[...p?[T("+")]:[],...d.locals.flatMap((m,g)=>g?[T("×"),L(m)]:[L(m)])]);if(r.length<2)return[te(t),T(_(n.total)),L(n.total)];let s=n.largest.map(({locals:d})=>d),o=s.map(d=>d.map(p=>$(p))),i=n.complete?[]:[T("+"),{kind:"rest"}],l=n.complete?Qe("+",o,$(n.total)):_(n.total),c=_(...s.flat());return[te(t),T(c),...r,...i,T(l),L(n.total)]}function As({program:e,frame:t,state:n,veil:r}){let s=e.line.events[r]!==void 0||n.hold!==null,o=n.node!==null||n.edge!==null||t.event?.kind==="compute";return s&&o?u`<p class="why">${a.predictBox.hidden}</p>`:Hn(e,t,n.node,n.edge)}function Hn(e,t,n,r){if(r)return Bn(e,r);if(n!==null)return Kn(e,n);let{event:s}=t;if(s?.kind==="push")return jn(e,t);if(s?.kind==="compute"){let i=e.graph.nodes[s.node];return u`<p class="why">${a.equation.keeps}</p>
      <div class="locals">${Ft(e,i.id).map(l=>U(e,l))}</div>`}if(s?.kind==="sort")return u`<p class="why">${a.equation.sorting}</p>`;let o=t.index>=e.line.events.length-1;return u`<p class="why">${a.equation.idle} ${o?"":a.equation.stepOn}</p>`}function jn(e,t){let n=t.event,r=n.push,{step:s,holds:o,complete:i}=zt(e,n,t.landed),{place:l,count:c,arePaths:d}=Ce(e,r),p=a.equation;return u`
    ${U(e,s)}
    <p class="part">${(d?p.path:p.contribution)(l,c,i!==null)}</p>
    ${o?U(e,o):f}
    ${i?U(e,i):f}`}function Bn(e,t){let{graph:n,names:r}=e,s=n.nodes[t.target].operands[t.operand],o=u`<p class="picked">${a.inspect.edge(r[s],r[t.target])}</p>`;if(M(n.nodes[s]))return u`${o}<p class="why">${a.inspect.noPath}</p>`;let i=n.nodes[t.target].local_grads[t.operand];return u`
    ${o}
    ${U(e,Ct(e,t))}
    <p class="why">${a.inspect.wiggle(r[s],r[t.target],$(i))}</p>`}function Kn(e,t){let{graph:n,names:r,output:s}=e,o=n.nodes[t];return M(o)?u`<p class="picked">${a.inspect.node(r[t])}</p>${Gt(o)}<p class="why">${a.inspect.noPath}</p>`:u`
    <p class="picked">${a.inspect.node(r[t])}<span class="exact">${yt(o.data)}</span></p>
    ${Gt(o)}
    ${U(e,Dt(e,t))}
    ${Vn(o.data,e.walk.grads[t])}
    ${t===n.root?f:u`<p class="why">${a.inspect.paths(z(n,t,1).count,r[t],s)}</p>`}`}function Vn(...e){let t=[...new Set(e.map(Et))].filter(Boolean);return t.length?u`<p class="why odd">${t.join(" ")}</p>`:f}function Gt(e){return e.scope?u`<p class="why scope">${a.inspect.scope(e.scope)}</p>`:f}function U(e,t){let n=[[]];return t.forEach((r,s)=>{r.kind==="sign"&&r.sign!=="×"&&n.at(-1).length&&n.push([]),n.at(-1).push(Un(e,r,s>0?t[s-1]:null))}),u`<div class="equation">${n.map(r=>u`<math display="inline" displaystyle="true"><mrow>${r}</mrow></math>`)}</div>`}function Un(e,t,n){let{names:r,output:s}=e;switch(t.kind){case"number":{let o=n?.kind==="sign"&&!["=","≈","+="].includes(n.sign);return q`<mn class=${de(t.x)}>${o?xt(t.x):$(t.x)}</mn>`}case"total":return Yn(s,r[t.node]);case"local":return Xn(e,t.node,t.operand);case"grad":return q`<mi class="grad">${a.narration.gradOf(r[t.node])}</mi>`;case"formula":return q`<mtext class="code">${t.text.replaceAll("-","−").replaceAll("*","∗")}</mtext>`;case"rest":return q`<mo>…</mo>`;case"sign":return q`<mo form="infix">${t.sign}</mo>`}}function Wn(e,t){return q`<mfrac><mrow><mo rspace="0">∂</mo><mi>${e}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${t}</mi></mrow></mfrac>`}function Yn(e,t){return q`<mrow class="total">${Wn(e,t)}</mrow>`}function Xn({graph:e,names:t},n,r){let{operands:s}=e.nodes[n],o=s.filter(l=>l===s[r]).length,i=s.slice(0,r+1).filter(l=>l===s[r]).length;return q`<munder class="local"><msub><mi>ℓ</mi><mrow><mi>${t[n]}</mi><mo>→</mo><mi>${t[s[r]]}</mi></mrow></msub><mtext>${a.equation.local(o>1?i:0)}</mtext></munder>`}var we=new Map;function Is(e,t,n){let r=()=>{we.set(e,"asked"),t().catch(()=>we.set(e,"missing")).then(n)};if(we.has(e)||r(),we.get(e)!=="missing")return null;let s=()=>{r(),n()};return u`<p class="pad missing" role="alert"><span class="bad">${a.missing}</span> <button class="toggle" @click=${s}>${a.again}</button></p>`}function W(e,t=f){return e.fixed?u``:u`<div class="controls">${Qn(e)}${tr(e)}${t}</div>`}function Qn(e,t){let{state:n}=e,r=dt(n.text,n.strict),s=r?Pt(r.said):"",o=r?Math.min(r.column,400):0;return u`<div class="expression ${r?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${a.expression}</label>
      <input
        id="expression"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${Xe}
        placeholder="(a + b) * c"
        aria-invalid=${r!==null}
        aria-describedby="expression-note"
        .value=${ee(n.text)}
        @input=${i=>e.dispatch({type:"type",text:i.target.value})}
        @scroll=${i=>Zn(i.target)}
        @keydown=${i=>{i.key==="Enter"&&e.dispatch({type:"play",on:!0,time:0}),i.key==="Escape"&&Jn(i.target)}}
      />
      ${er(e,t)}
    </div>
    ${r?u`<span class="caret" aria-hidden="true" ${N({"--column":String(o)})}></span>`:f}
    <p id="expression-note" class="note" role=${r?"alert":f}>
      ${r?u`<span class="message" title=${s}>${s}</span>`:u`<span class="hint">${a.expressionHint}</span>`}
    </p>
  </div>`}function Jn(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function Zn(e){e.closest(".expression")?.style.setProperty("--scroll",`${e.scrollLeft}px`)}function er(e,t){let n=t?Se.filter(s=>t.includes(s.id)):Se,r=n.find(s=>s.text===e.state.good)?.id??"";return u`<label class="presets"><span class="hidden">${a.presets}</span>
    <select
      aria-label=${a.presets}
      @change=${s=>{let o=n.find(i=>i.id===s.target.value);o&&e.load(o.text,o.values)}}
    >
      ${r?f:u`<option value="" .selected=${!0}>${a.presetOwn}</option>`}
      ${n.map(s=>u`<option value=${s.id} .selected=${s.id===r}>${a.presetNames[s.id]}</option>`)}
    </select>
  </label>`}function tr(e){let t=ce(e.state);return u`<div class="variables" role="group" aria-label=${a.variables}>
    ${fe(t,n=>n,n=>nr(e,n,e.state.values.get(n)??0))}
  </div>`}function nr(e,t,n){let r=rr(n),s=o=>e.dispatch({type:"value",name:t,value:o});return u`<div class="variable">
    <span class="name" aria-hidden="true" title=${t}>${t}</span>
    <input
      type="range"
      min=${-r}
      max=${r}
      step="any"
      aria-label=${a.slider(t)}
      .value=${ee(String(n))}
      @input=${o=>s(Ht(Number(o.target.value),r))}
      @keydown=${o=>sr(o,n,r,s)}
    />
    <gradwalk-number id=${`box-${t}`} .value=${n} label=${a.box(t)} @number=${o=>s(o.detail)}></gradwalk-number>
  </div>`}function rr(e){let t=10;for(;t<Math.abs(e)&&t<1e300;)t*=10;return t}function Ht(e,t){let n=t/100;return Number((Math.round(e/n)*n).toPrecision(10))}function sr(e,t,n,r){let s={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!s)return;e.preventDefault();let o=n/100*(e.shiftKey?10:1);r(Math.max(-n,Math.min(n,Ht(t+s*o,n))))}var De=new WeakMap,jt=se(class extends Mt{render(e){return f}update(e,[t]){let n=t!==this.G;return n&&this.rt(void 0),(n||this.lt!==this.ct)&&(this.G=t,this.ht=e.options?.host,this.rt(this.ct=e.element)),f}rt(e){if(this.G!==void 0)if(this.isConnected||(e=void 0),typeof this.G=="function"){let t=this.ht??globalThis,n=De.get(t);n===void 0&&(n=new WeakMap,De.set(t,n)),n.get(this.G)!==void 0&&this.G.call(this.ht,void 0),n.set(this.G,e),e!==void 0&&this.G.call(this.ht,e)}else this.G.value=e}get lt(){return typeof this.G=="function"?De.get(this.ht??globalThis)?.get(this.G):this.G?.value}disconnected(){this.lt===this.ct&&this.rt(void 0)}reconnected(){this.rt(this.ct)}});function Ge({program:e,veil:t,frame:n}){let r=e.line.events[t];return r!==void 0&&n.time>=r.start-1e-6}function Bt(e){let{program:t,veil:n}=e,r=t.line.events[n],s=r.push,o=a.predictBox,i=e.state.answers.get(n),l=d=>{let p=_e(s.contribution,d);e.dispatch({type:"answer",event:n,typed:d,right:p}),!(!p&&!i)&&(e.dispatch({type:"play",on:!1,time:r.start+1}),e.step(1))};return u`<form class="words predict" @submit=${d=>{d.preventDefault();let p=d.target,m=p.elements.namedItem("prediction"),g=kt(m.value)===null;if(m.setAttribute("aria-invalid",String(g)),p.querySelector(".invalid").textContent=g?a.notNumber:"",g){m.focus();return}let h=m.value;i||_e(s.contribution,h)?m.value="":m.select(),l(h)}} novalidate>
    <p class="what"><label for="prediction">${o.ask(t.names[r.node],t.names[s.to],$(s.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${o.input} aria-describedby="prediction-note" ${jt(d=>or(d,n))} />
      <button class="primary">${o.check}</button>
      <button type="button" class="toggle" @click=${()=>l("")}>${i?o.show:o.hint}</button>
      <span class="score">${Vt(e)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${i?ar(e,i):Kt(e)??o.rule($(s.incoming))}</p>
  </form>`}function or(e,t){!e||e.dataset.veil===String(t)||(e.dataset.veil=String(t),queueMicrotask(()=>{let{activeElement:n}=e.getRootNode();n?.matches("input, gradwalk-number, select")||e.focus({preventScroll:!0})}))}function ar(e,t){let{program:n,veil:r}=e,{node:s}=n.line.events[r],o=a.predictBox;return u`${t.typed?u`<strong class="bad">✗ ${o.notIt(t.typed)}</strong> `:f}${o.hintText(ze(n,s))}`}function Kt(e){let t=Math.max(-1,...[...e.state.answers.keys()].filter(l=>l<e.veil)),n=e.state.answers.get(t),r=e.program.line.events[t];if(!n||!r?.push)return null;if(n.right)return u`<strong class="good">✓ ${a.predictBox.right}</strong>`;let s=V(r.push),{wrong:o,was:i}=a.predictBox;return u`<strong class="bad">${n.typed?o(n.typed,s):i(s)}</strong> ${a.narration.rule(ze(e.program,r.node))}`}function Vt(e){let t=[...e.state.answers.values()].filter(ot),n=t.filter(s=>s.right),r=n.filter(s=>s.missed>0).length;return t.length?a.predictBox.score(n.length,t.length,r):""}function Ut(e){let{state:t,program:n,veil:r}=e;if(!t.predict||t.page!=="sandbox"||n.line.events[r]||!t.answers.size||e.frame.time<n.line.total-1)return null;let s=[...t.answers.values()].every(o=>o.right);return u`<div class="words predict">
    <p class="what"><span class=${s?"good":""}>${s?"✓ ":""}${Vt(e)}</span>
      <button class="primary" @click=${()=>e.dispatch({type:"again",time:0})}>${a.predictBox.again}</button></p>
    <p class="why">${Kt(e)??""} ${s?a.predictBox.all:a.predictBox.some}</p>
  </div>`}var ir=160;function Wt(e){let{state:t,program:n,frame:r}=e,{line:s}=n,o=t.playing,i=u`<button class="play" aria-label=${o?a.pause:a.play} title=${o?a.pause:a.play} @click=${e.playPause}>${k(o?"pause":"play")}</button>`;return u`<div class="transport" role="group" aria-label=${a.time}>
    <div class="buttons">
      ${i}
      ${ye("start",a.toStart,()=>e.seek(0))}
      ${ye("back",a.stepBack,()=>e.step(-1))}
      ${ye("step",a.step,()=>e.step(1))}
      ${ye("end",a.toEnd,()=>e.seek(s.total))}
    </div>
    <div class="segments" role="group" aria-label=${a.phaseSwitch}>
      ${s.phases.map(l=>u`<button
          class="segment ${l.phase}"
          aria-pressed=${r.phase===l.phase&&r.index>=0}
          @click=${()=>e.dispatch({type:"play",on:!0,time:l.start})}
        >${a.phases[l.phase]}</button>`)}
    </div>
    <div class="scrub" ${N(cr(s))}>
      ${ur(s)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(s.total)}
        step="1"
        aria-label=${a.time}
        aria-valuetext=${me(n,r.event).what}
        .value=${ee(String(Math.round(r.time)))}
        @input=${l=>e.seek(Math.min(s.total,Number(l.target.value)))}
        @keydown=${l=>lr(e,l)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${a.speed}</span>
      <select aria-label=${a.speed} @change=${l=>e.dispatch({type:"speed",speed:Number(l.target.value)})}>
        ${rt.map(l=>u`<option value=${l} .selected=${l===t.speed}>${a.speeds(l)}</option>`)}
      </select>
    </label>
  </div>`}function ye(e,t,n){return u`<button class="quiet ${e}" aria-label=${t} title=${t} @click=${n}>${k(e)}</button>`}function lr(e,t){if(t.shiftKey||t.ctrlKey||t.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[t.key];n&&(t.preventDefault(),t.stopPropagation(),e.step(n))}function cr(e){let t=r=>{let s=e.phases.find(o=>o.phase===r);return s?`${(100*s.end/e.total).toFixed(2)}%`:""},n=t("forward")||"0%";return{"--forward-end":n,"--sort-end":t("sort")||n}}function ur(e){return e.events.length>ir?"":u`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${e.events.map(t=>{let n=`${100*t.end/e.total}%`;return C`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function Lo({state:e,dispatch:t}){if(e.greeted)return f;let n=()=>{wt(),t({type:"greeted"})};return u`<aside class="greeting" aria-label=${a.welcome.label}><p>${a.welcome.text}</p>
    <button class="quiet" aria-label=${a.welcome.close} title=${a.welcome.close} @click=${n}>${k("close")}</button></aside>`}function Yt(){let e=a.legend,t=n=>u`<svg class="wire ${n}" width="32" height="10" aria-hidden="true">${C`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return u`<ul class="reading" aria-label=${a.helpRead}>
    <li>${t("forward")} ${e.forward}</li>
    <li>${t("backward")} ${e.backward}</li>
    <li class="pos">${e.pos}</li>
    <li class="neg">${e.neg}</li>
    <li class="zero">${e.zero}</li>
    <li><code>${E}</code> ${e.unfilled}</li>
    <li><code>t1</code> ${e.unnamed}</li>
  </ul>`}function dr(e){let t=Math.max(1,Math.abs(e));return 10**(Math.floor(Math.log10(t))-1)}function Xt(e){let{state:t,program:n,frame:r}=e;if(t.page!=="sandbox"||t.predict||e.fixed||t.playing||r.time<n.line.total-1||t.text!==t.good)return null;let{nudge:s}=t;if(s&&t.values.has(s.name))return pr(e);let{graph:o,walk:i,names:l,output:c}=n;if(!Number.isFinite(o.nodes[o.root].data))return null;let d=o.leaves.filter(({id:w,data:b,label:v})=>Number.isFinite(i.grads[w])&&i.grads[w]!==0&&Number.isFinite(b)&&t.values.has(v)).sort((w,b)=>Math.abs(i.grads[b.id])-Math.abs(i.grads[w.id]))[0];if(!d)return null;let p=dr(d.data),m=i.grads[d.id],g=l[d.id],h=a.welcome;return u`<p class="why">${h.nudge(g,$(p),c,$(p*m))}
    <button class="primary" @click=${()=>gr(e,d.label,d.data,p,m)}>${h.tryIt}</button></p>`}function pr(e){let{state:t,program:n,dispatch:r}=e,{name:s,from:o,by:i,grad:l,output:c}=t.nudge,d=n.graph.nodes[n.graph.root].data,p=V({incoming:l,local:i,contribution:l*i}),m=a.welcome,g=()=>{r({type:"nudge",nudge:null}),r({type:"value",name:s,value:o})};return u`<p class="why" role="status">${m.moved(n.output,$(c),$(d),$(d-c))} ${m.said(p)} ${Math.abs(d-c-l*i)>.001*Math.abs(l*i)?m.bend:""}
    <button class="toggle" @click=${g}>${m.back}</button></p>`}var mr=700;function gr(e,t,n,r,s){let{dispatch:o}=e,{graph:i}=ft(e.state),l=i.nodes[i.root].data,c=Number((n+r).toPrecision(12)),d=n,p=w=>{d=w,o({type:"value",name:t,value:w})},m=()=>{p(c),o({type:"nudge",nudge:{name:t,from:n,by:r,grad:s,output:l}})};if(bt()){m();return}let g=0,h=w=>{let{good:b,values:v}=e.current().state;if(b!==e.state.good||v.get(t)!==d)return;g||=w;let y=Math.min(1,(w-g)/mr);y>=1?m():(p(Number((n+r*y).toPrecision(6))),requestAnimationFrame(h))};requestAnimationFrame(h)}function H(e,t={}){let{state:n,program:r,frame:s}=e,o=t.switches??["final","unfold","predict","3d"],i=n.predict&&o.includes("predict"),l=o.filter(g=>g!=="final"||!i),c=i?r.line.events[e.veil]:void 0,d=c!==void 0||n.hold!==null,p=c&&Ge(e)?c.edges[0]:d?-1:null,m=n.view==="3d"&&l.includes("3d");return u`<section class="stage" aria-label=${a.graphLabel(r.graph.nodes.length)}>
    <div class=${t.head===void 0?`banner ${s.event?s.phase:"idle"}`:"head"}>
      ${t.head??t.headline??fr(e)}
      <div class="switches">
        ${l.includes("final")?xe(e,"final",a.final):f}
        ${l.includes("unfold")&&(n.unfold||e.program.graph.nodes.some(g=>g.tags.includes("derived")))?xe(e,"unfold",a.unfold):f}
        ${l.includes("predict")&&(n.strict||n.text.includes("**"))?xe(e,"strict",a.strict):f}
        ${l.includes("predict")?xe(e,"predict",a.predict):f}
        ${l.includes("3d")?u`<span class="segments" role="group" aria-label=${a.viewSwitch}>
                ${["2d","3d"].map(g=>u`<button class="segment" aria-pressed=${n.view===g} @click=${()=>e.dispatch({type:"view",view:g})}>${g==="2d"?a.view2d:a.view3d}</button>`)}
              </span>`:f}
        <span class="zoom">
          <button class="quiet" aria-label=${a.zoomOut} title=${a.zoomOut} data-zoom="out">${k("minus")}</button>
          <button class="quiet" aria-label=${a.fit} title=${`${a.fit} (f)`} data-zoom="fit">${k("fit")}</button>
          <button class="quiet" aria-label=${a.zoomIn} title=${a.zoomIn} data-zoom="in">${k("plus")}</button>
        </span>
      </div>
    </div>
    <gradwalk-scene
      id="scene"
      class="picture"
      ${N({"--levels":String(hr(r.graph))})}
      .program=${r}
      .frame=${s}
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
    ${Yt()}
    ${t.foot===void 0?Wt(e):t.foot}
  </section>`}function Qt(e,t,n){return u`<div class="under">${e}</div>${t}${n}`}function fr(e){return Ge(e)?Bt(e):Ut(e)??br(e)}var hr=K(e=>{let t=[];for(let{id:n,operands:r}of e.nodes)t[n]=1+Math.max(0,...r.map(s=>t[s]));return t[e.root]??1});function br(e){let t=me(e.program,e.frame.event),n=e.state.hold!==null&&!e.frame.event,r=e.state.text!==e.state.good&&!e.fixed,{graph:s,line:o,output:i}=e.program,l=s.nodes[s.root].data,c=e.frame.time>=o.total,d=r?a.lastGood:c&&!Number.isFinite(l)?a.strangeOutput(i,$(l)):e.state.predict&&e.frame.index<0?a.predictBox.start:t.why,p=Xt(e);return p?u`<div class="words end-card">${p}</div>`:u`<div class="words"><p class="what">${n?a.learn.waits:t.what}</p><p class="why ${r?"bad":""}" title=${d}>${d}</p></div>`}function xe(e,t,n){return u`<button class="toggle" aria-pressed=${e.state[t]} @click=${()=>e.dispatch({type:"toggle",flag:t})}>${n}</button>`}var $r=4;function Jt(e,t,n){let r=e.target.closest("[data-place]"),s=e.currentTarget;if(!r||e.button!==0)return;let o=Number(r.dataset.place),i=[...t()],l=!1,c=p=>{if(!l&&Math.hypot(p.clientX-e.clientX,p.clientY-e.clientY)<$r)return;l=!0,r.classList.add("dragged"),p.preventDefault();let m=[...s.querySelectorAll("[data-place]")].find(w=>{let b=w.getBoundingClientRect();return p.clientX>=b.left&&p.clientX<=b.right&&p.clientY>=b.top-12&&p.clientY<=b.bottom+12}),g=m?i.indexOf(Number(m.dataset.place)):-1,h=i.indexOf(o);g<0||g===h||(i=i.filter(w=>w!==o),i.splice(g,0,o),n(i))},d=()=>{r.classList.remove("dragged"),l&&Ot(),removeEventListener("pointermove",c),removeEventListener("pointerup",d),removeEventListener("pointercancel",d)};addEventListener("pointermove",c),addEventListener("pointerup",d),addEventListener("pointercancel",d)}var vr=24;function ea(e){return u`${W(e)}${wr(e)}`}function wr(e){let{state:t,program:n}=e,r=qe(n.graph),s=ue(n.graph,t.order)?t.order:r,o=yr(n),i=t.ran?e:{...e,frame:le(n.line,o)},l=t.ran?void 0:u`<div class="words"><p class="what task">${a.order.task}</p><p class="why">${a.order.rule}</p></div>`;return u`
    ${H(i,{compare:t.ran,switches:[],headline:l,foot:t.ran?void 0:f,lit:t.ran?Sr(n,e.state.edge,e.state.node):null})}
    ${r.length>vr?u`<p class="panel pad">${a.order.count(r.length)}</p>`:xr(e,s,o)}
    ${t.ran?Lr(e):f}`}function yr(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function xr(e,t,n){let{program:r,dispatch:s,state:o}=e,{names:i}=r,l=d=>s({type:"order",order:d}),c=(d,p)=>{if(p<0||p>=t.length||d===p)return;let m=[...t];m.splice(p,0,...m.splice(d,1)),l(m)};return u`<section class="tray panel" aria-label=${a.order.tray}>
    <ol class="places" @pointerdown=${d=>Jt(d,()=>kr(e,t),l)}>
      ${fe(t,d=>d,(d,p)=>u`<li class="place" data-place=${d}>
          <span class="number" aria-hidden="true">${p+1}</span>
          <button class="bare nudge" aria-label=${a.order.earlier(i[d])} ?disabled=${p===0} @click=${()=>c(p,p-1)}>${k("left")}</button>
          <button class="grip" aria-label=${a.order.place(i[d],p+1,t.length)} @keydown=${m=>Tr(m,p,c)}>${i[d]}</button>
          <button class="bare nudge" aria-label=${a.order.later(i[d])} ?disabled=${p===t.length-1} @click=${()=>c(p,p+1)}>${k("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{ue(r.graph,o.order)||l(t),s({type:"run",on:!0,time:n})}}>${k("play")} ${a.order.run}</button>
      <button class="toggle" @click=${()=>l(Rr(t))}>${a.order.shuffle}</button>
      <button class="toggle" @click=${()=>l(P(r.graph).order.filter(d=>t.includes(d)))}>${a.order.right}</button>
    </div>
  </section>`}function kr(e,t){return ue(e.program.graph,e.state.order)?e.state.order:t}function Tr(e,t,n){let r={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!r)return;e.preventDefault(),e.stopPropagation(),n(t,t+r);let s=e.currentTarget;requestAnimationFrame(()=>s.focus())}function Rr(e){let t=[...e];for(let n=t.length-1;n>0;n--){let r=Math.floor(Math.random()*(n+1));[t[n],t[r]]=[t[r],t[n]]}return t}function Lr(e){let{program:t,frame:n}=e,{walk:r,names:s}=t;if(n.time<t.line.total-1)return u``;if(!r.wrong.length)return u`<section class="panel verdict right"><h2>✓ ${a.order.won}</h2><div class="body"><p>${a.order.insight}</p>${ke(t)}</div></section>`;let o=r.backward.filter(i=>i.note==="zero"&&r.expected[i.node]!==0);return u`<section class="panel verdict wrong">
    <h2>✗ ${r.lost.length?a.order.lost(r.lost.length):a.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${r.lost.map(i=>Er(e,i))}
        ${o.map(i=>u`<li><span>${a.order.starvedRow(s[i.node])}</span></li>`)}
        <li class="insight">${a.order.insight}</li>
      </ul>
      ${ke(t)}
    </div>
  </section>`}function Er(e,t){let{names:n,graph:r}=e.program,s=r.nodes[t.source].operands.indexOf(t.to);return u`<li>
    <span><strong class="bad">${a.order.lostRow($(t.contribution),t.path.map(o=>n[o]).join(" → "))}</strong>
    <br />${a.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:s}})}>${a.order.showPath}</button>
  </li>`}function Sr(e,t,n){if(!t||n!==null)return null;let r=e.graph.nodes[t.target].operands[t.operand],s=e.walk.lost.find(o=>o.source===t.target&&o.to===r);return s?Lt(e,s.path):null}function ke(e){let{walk:t,names:n,graph:r}=e,s=qe(r).toReversed(),o=new Set(t.wrong);return u`<table class="comparison" aria-rowcount=${s.length+1}>
    <caption>${a.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${a.bugs.node}</th><th scope="col" class="end">${a.order.got}</th><th scope="col" class="end">${a.order.should}</th><th scope="col"><span class="hidden">${a.order.verdict}</span></th></tr></thead>
    <tbody>${G({count:s.length,now:-1,columns:4,row:i=>{let l=s[i],c=o.has(l);return u`<tr class=${c?"differs":""} aria-rowindex=${i+2}><td>${n[l]}</td><td class="end ${c?"bad":""}">${$(t.grads[l])}</td><td class="end">${$(t.expected[l])}</td><td class=${c?"bad":"good"}>${c?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var Te='.checks{display:grid;grid-template-columns:minmax(280px,340px) minmax(0,1fr);gap:12px;flex:1;min-inline-size:0}.check{display:flex;flex-direction:column;gap:12px;min-inline-size:0}.check .quiz{min-block-size:220px}.questions{list-style:none;display:grid;gap:4px;margin-block:8px}.question{display:grid;grid-template-columns:20px 1fr;gap:4px;inline-size:100%;padding:8px;text-align:start;border-color:var(--line)}.question:hover{border-color:var(--text)}.question[aria-current]{border-color:var(--text);box-shadow:inset 3px 0 var(--text)}.question code{font:var(--small) var(--mono);color:var(--text);overflow-wrap:anywhere}.question .asked{color:var(--muted);font:var(--body) var(--mono)}.more{display:flex;flex-wrap:wrap;gap:8px;align-items:center}.check form{display:flex;flex-wrap:wrap;gap:12px;align-items:center}.check form math{font-size:var(--huge)}.check form input{min-block-size:44px;padding-inline:12px;font:var(--large) var(--mono)}.check form button{min-block-size:44px}.paths{list-style:none;display:grid;gap:4px}.path{display:flex;flex-wrap:wrap;gap:4px 24px;inline-size:100%;padding:6px 12px;border-color:var(--line);background:var(--card);text-align:start;font:var(--body) var(--mono)}.path:hover,.path[aria-pressed=true]{border-color:var(--text)}.path .way{color:var(--muted)}.sum{font:600 var(--large) var(--mono)}:host(gradwalk-diagnose){display:flex;flex-direction:column;gap:12px}:host(gradwalk-checks){display:flex}.quiz .ask{font-size:var(--large);margin-block-end:8px}.quiz .choices .toggle{min-block-size:44px;padding-inline:16px;font-size:var(--body)}.toggle.is-right,.toggle.is-right[aria-pressed=true]{border-color:var(--pos);background:var(--right-wash);color:var(--pos)}.toggle.is-wrong[aria-pressed=true]{border-color:var(--neg);background:var(--wrong-wash);color:var(--neg)}.toggle.is-wrong[aria-pressed=true]:before{content:"✗ "}.verdict{display:grid;gap:8px}.quiz .verdict:not(:empty){margin-block-start:12px}.verdict code{font:var(--small) var(--mono);white-space:pre-wrap}.explain .body,.depth .body,.quiz .body{padding:16px}.explain,.depth,.quiz{flex:none}.wide{max-inline-size:none;gap:16px}.wide output{min-inline-size:88px;font:var(--large) var(--mono);text-align:end}.depth .columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:8px 32px;margin-block-start:16px}.pile h2{padding:0;font-size:var(--body)}.pile .room{position:relative;block-size:28px;margin-block:8px;border:1px solid var(--line);border-radius:var(--radius);background:var(--ground)}.pile .used{inline-size:var(--used);block-size:100%;border-radius:var(--radius);background:var(--forward)}.pile.dies .used{background:var(--neg)}.pile .limit{position:absolute;inset-block:-8px;inset-inline-start:var(--limit);border-inline-start:2px dashed var(--text)}.pile pre{min-block-size:13em;margin:8px 0 0;padding:12px;border-radius:var(--radius);background:var(--ground);font:var(--small) / 1.5 var(--mono);overflow:auto}@media(max-width:900px){.checks{grid-template-columns:minmax(0,1fr)}.check .quiz{order:-1;min-block-size:0}.checks .list{order:1}}';var Y=1e3,Zt=5,He=class extends re{static{this.styles=ge(Te)}static{this.properties={power:{state:!0}}}constructor(){super(),new pe(this),this.power=2}get length(){let t=10**this.power,n=10**Math.max(0,Math.floor(this.power)-1);return Math.round(t/n)*n}render(){let{length:t}=this,n=t>=Y,r=a.bugs.count(t);return u`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${a.bugs.depth}</span>
          <input type="range" min="0.5" max=${Zt} step="0.01" .value=${String(this.power)} aria-valuetext=${r}
            @input=${s=>{this.power=Number(s.target.value)}} />
          <output>${r}</output>
        </label>
        <p class="why">${a.bugs.depthText(t)}</p>
        <div class="columns">
          ${this.#e(a.bugs.recursive,a.bugs.frames(Math.min(t+1,Y)),n?a.bugs.overflow:a.bugs.fine,n,!0)}
          ${this.#e(a.bugs.iterative,a.bugs.entries(t+1),a.bugs.fine,!1,!1)}
        </div>
      </div>
    </section>`}#e(t,n,r,s,o){let i=c=>`${(100*Math.min(1,Math.log10(c)/Zt)).toFixed(2)}%`,{length:l}=this;return u`<div class="pile ${s?"dies":""}">
      <h2>${t}</h2>
      <div class="room" role="img" aria-label=${n} ${N({"--used":i(s?Y:l),"--limit":i(Y)})}>
        <div class="used"></div>${o?u`<div class="limit"></div>`:f}
      </div>
      <p>${n}${o?u` <span class="why">· ${a.bugs.limit}</span>`:f}</p>
      <p class=${s?"bad":"good"}><strong>${s?"✗":"✓"} ${r}</strong></p>
      <pre>${o?Pr(l):Or(l)}</pre>
    </div>`}},en=e=>e?`+${[...String(e)].map(t=>"₀₁₂₃₄₅₆₇₈₉"[Number(t)]).join("")}`:"x";function tn(e,t){if(t<=8)return Array.from({length:t},(r,s)=>e(s));let n=a.bugs.between(t-6);return[0,1,2,3].map(e).concat(n,e(t-2),e(t-1))}function Pr(e){let t=Math.min(e+1,Y);return[...tn(r=>`${"  ".repeat(Math.min(r,5))}build(${en(e-r)})`,t),e>=Y?a.bugs.overflow:""].join(`
`)}function Or(e){return tn(t=>t===e?"(x, 0)":`(${en(e-t)}, 1)`,e+1).join(`
`)}customElements.define("gradwalk-depth",He);function je(e){return new Map(Je.map(t=>[t,P(e,{bug:t}).grads]))}function Be({text:e,values:t}){return O(R(e).evaluate(t))}function nn(e){for(;;){let t=be(e,"medium"),n=Be(t),r=P(n).grads.join(),s=[...je(n)],[o,i]=s[Math.floor(e()*s.length)];if(s.filter(([,c])=>c.join()===i.join()).length===1&&i.join()!==r)return{...t,bug:o}}}var Ar=["overwrite","wrong-order","no-reset","no-visited"],Ke=class extends re{static{this.styles=ge(Te)}static{this.properties={seed:{type:Number},fixed:{type:Boolean},answer:{state:!0}}}#e;#t;constructor(){super(),new pe(this),this.seed=0,this.fixed=!1,this.answer=""}connectedCallback(){super.connectedCallback(),this.seed||this.#n()}willUpdate(t){t.has("seed")&&(this.#e=nn(he(this.seed)),this.#t=gt(Be(this.#e),{bug:this.#e.bug,compare:!0}),this.answer="")}#n(){this.seed=1+Math.floor(Math.random()*1e9);let{seed:t}=this;queueMicrotask(()=>this.dispatchEvent(new CustomEvent("case",{detail:t,bubbles:!0,composed:!0})))}#r(t){this.answer||(this.answer=t,vt(t===this.#e.bug))}render(){let{text:t,values:n,bug:r}=this.#e,{right:s,all:o}=$t(),i=this.#t,l=Object.entries(n).map(([c,d])=>`${c} ${A(d)}`).join(", ");return u`<section class="stage game">
        <div class="banner">
          <div class="words"><p class="what">${t}</p><p class="why">${a.checks.where(l)}</p></div>
          <span class="score">${o?a.bugs.score(s,o):f}</span>
        </div>
        <gradwalk-scene class="picture" .program=${i} .frame=${le(i.line,i.line.total)} compare></gradwalk-scene>
      </section>
      <section class="panel quiz" aria-live="polite">
        <div class="body">
          <p class="ask">${a.bugs.game}</p>
          <div class="choices">
            ${Ar.map(c=>u`<button
                class="toggle ${this.answer&&c===r?"is-right":""} ${c===this.answer&&c!==r?"is-wrong":""}"
                data-choice=${c}
                aria-pressed=${c===this.answer}
                ?disabled=${this.answer!==""&&c!==this.answer&&c!==r}
                @click=${()=>this.#r(c)}
              >${a.bugs.names[c]}</button>`)}
          </div>
          ${this.answer?this.#s():f}
        </div>
      </section>`}#s(){let{bug:t}=this.#e,n=this.answer===t;return u`<div class="verdict">
      ${n?u`<p><strong class="good">✓ ${a.bugs.correct(a.bugs.names[t])}</strong></p>`:u`<p><strong class="bad">✗ ${a.bugs.incorrect(a.bugs.names[this.answer])}</strong> <code>${this.#o(this.answer)}</code></p>
              <p>${a.bugs.was(a.bugs.names[t])}</p>`}
      <p><strong>${a.bugs.evidence}</strong> ${a.bugs.clues[t]}</p>
      <p class="actions">
        <button class="primary" @click=${()=>this.#n()}>${a.bugs.next}</button>
        ${this.fixed?f:u`<button class="toggle" @click=${()=>this.dispatchEvent(new CustomEvent("show",{detail:this.#e,bubbles:!0,composed:!0}))}>${a.bugs.explore}</button>`}
      </p>
    </div>`}#o(t){let{graph:n,names:r}=this.#t,s=je(n).get(t);return n.nodes.filter(o=>!M(o)).map(o=>`${r[o.id]} ${$(s[o.id])}`).join("   ")}};customElements.define("gradwalk-diagnose",Ke);var Nr=/^(x|y|t|target|input|label|data)\d*$/i;function rn(e){let t=e.filter(n=>!Nr.test(n));return t.length?t:[...e]}function Ve(e,t){return Object.fromEntries(e.names.map(n=>[n,t.get(n)??1]))}function Ue(e,t){let n=R(e);return n.evaluate(Ve(n,t)).data}function sn(e,t,n,r){let s=R(e),o=O(s.evaluate(Ve(s,t))),{expected:i}=P(o),l=new Map(t);for(let c of o.leaves){if(!n.includes(c.label))continue;let d=c.data-r*i[c.id];if(!Number.isFinite(d))return null;l.set(c.label,d)}return l}function on(e,t,[n,r],s,o=24){let i=R(e),l=h=>{let w=s.map(x=>x.values.get(h)??0),[b,v]=[Math.min(...w),Math.max(...w)],y=Math.max(.35*(v-b),.3*Math.max(1,Math.abs(v),Math.abs(b)));return[b-y,v+y]},[c,d]=[l(n),l(r)],p=Ve(i,t),m=([h,w],b)=>h+(w-h)*(b+.5)/o,g=Array.from({length:o},(h,w)=>Array.from({length:o},(b,v)=>{let y={...p};return y[n]=m(c,v),y[r]=m(d,o-1-w),i.evaluate(y).data}));return{x:c,y:d,rows:g}}var qr=200,Q=1e9;function pn(e={},t=null){let n={...B,good:B.text,look:F,scene:"sandbox",staged:"",hold:null,until:null,told:new Map,given:t,playing:!1,answers:new Map,task:"",help:!1,proof:!1,check:null,compiled:null,theme:"auto",letters:!0,greeted:!1,nudge:null,rate:tt,learning:[],way:[],descending:!1,stuck:"",sharing:!1,past:[],future:[],edit:{kind:"",at:0}},r=e.final===!0&&!e.predict;return j({...n,...e,final:r},e.text??n.text)}function _r(e,t,n=0){let r=Ir(e,t,n);return r.good===e.good&&r.unfold===e.unfold&&r.page===e.page||t.type==="restore"?r:{...r,look:{...F,orbit:r.look.orbit}}}function Ir(e,t,n){switch(t.type){case"type":return X(e,"type",j({...e,playing:!1,time:e.page==="walk"?0:Q},t.text),n);case"load":{let r=new Map([...e.values,...Object.entries(t.values)]),s={...e,values:r,time:0,playing:t.play??!1,order:[],ran:!1},o=j(s,t.text);return t.own?o:X(e,"load",o,n)}case"value":{let r=new Map(e.values).set(t.name,t.value),o=e.page==="sandbox"&&!e.playing&&!e.predict&&e.time===0?Q:e.time;return X(e,`value ${t.name}`,{...e,values:r,time:o,answers:new Map,way:[],descending:!1,stuck:""},n)}case"page":{if(t.page===e.page)return e;let r=t.time??0;return{...e,page:t.page,time:r,playing:!1,descending:!1,ran:!1,staged:"",hold:null,until:null,teach:!1,node:null,edge:null}}case"seek":return t.keepPlaying?{...e,time:t.time}:{...e,time:t.time,playing:!1,until:null,node:null,edge:null};case"play":{let r=t.on?{node:null,edge:null}:{},s=t.until??null;return{...e,...r,playing:t.on,until:s,time:t.time??e.time}}case"toggle":{let r=t.on??!e[t.flag];if(t.flag==="final"&&r&&e.predict)return e;let s={...e,[t.flag]:r,answers:new Map};return t.flag==="unfold"&&Object.assign(s,{node:null,edge:null,order:[]}),t.flag==="predict"&&r&&Object.assign(s,{final:!1,playing:!1}),X(e,t.flag,t.flag==="strict"?j(s,e.text):s,n)}case"view":return{...e,view:t.view};case"speed":return{...e,speed:t.speed};case"bug":return X(e,"bug",{...e,bug:t.bug,time:Q,playing:!1},n);case"order":return X(e,"order",{...e,order:t.order,ran:!1,time:0,playing:!1},n);case"run":return{...e,ran:t.on,time:t.time,playing:t.on,node:null,edge:null};case"answer":{let{typed:r,right:s}=t,o=(e.answers.get(t.event)?.missed??0)+ +!s,i=new Map(e.answers).set(t.event,{typed:r,right:s,missed:o});return{...e,answers:i}}case"again":return{...e,answers:new Map,time:t.time,playing:!1};case"pick":return{...e,node:t.node,edge:t.edge??null};case"game":return{...e,game:t.on};case"case":return{...e,seed:t.seed};case"question":return{...e,question:t.question};case"task":return{...e,task:t.task};case"lesson":return{...e,lesson:t.lesson,hold:null,playing:!1,descending:!1};case"scene":{let{staged:r,scene:s,text:o,bug:i,unfold:l,rate:c}=t,d=new Map([...e.values,...Object.entries(t.values)]),m={...e,...{predict:!1,final:!1,strict:!1,ran:!1,playing:!1},staged:r,scene:s,bug:i,unfold:l,rate:c,values:d,time:0};return j({...m,...{node:null,edge:null,order:[],way:[],hold:null,until:null},stuck:"",descending:!1,view:"2d"},o)}case"shown":{let{given:r,text:s=e.text}=t,o=new Map([...e.values,...t.values??[]]),i={...e,given:r,values:o,edge:null};return r?{...i,node:(e.node??0)<r.nodes.length?e.node:null}:s===e.text?i:j(i,s)}case"hold":return{...e,hold:t.hold};case"tell":return{...e,told:new Map(e.told).set(t.key,t.told)};case"teach":return{...e,teach:t.on};case"help":return{...e,help:t.on};case"proof":return{...e,proof:t.on,check:t.on?null:e.check};case"look":return{...e,look:t.look};case"checking":return{...e,check:t.check};case"compiled":return{...e,compiled:t.compiled};case"place":return{...e,place:t.place};case"theme":return{...e,theme:t.theme};case"letters":return{...e,letters:t.on};case"greeted":return{...e,greeted:!0};case"descend":return Fr(e,t.steps);case"descending":return{...e,descending:t.on,stuck:t.on?"":e.stuck};case"climb":{let r=e.way[0]?.values??e.values;return{...e,values:r,way:[],descending:!1,stuck:""}}case"rate":return{...e,rate:t.rate,stuck:""};case"learning":return{...e,learning:t.learning,stuck:""};case"share":return{...e,sharing:t.on};case"nudge":return{...e,nudge:t.nudge};case"restore":{let{given:r,theme:s,letters:o,greeted:i,past:l,future:c}=e;return{...t.state,given:r,theme:s,letters:o,greeted:i,past:l,future:c}}case"undo":return un(e,"past","future");case"redo":return un(e,"future","past")}}function j(e,t){try{let n=R(t,{strict:e.strict}).names,r=cn(e.values,n),s=t===e.good&&t===e.text,o=e.text===t?{}:{node:null,edge:null,order:[],ran:!1},i={answers:new Map,nudge:null,way:[],descending:!1,stuck:""},l=n.filter(p=>e.learning.includes(p)),c=l.length&&s?l:rn(n),d=s?{learning:c}:{...o,...i,learning:c};return{...e,...d,text:t,good:t,values:r}}catch{let n=Cr(e.good)?e.good:B.text;return{...e,text:t,good:n,values:cn(e.values,R(n).names)}}}var zr=2e3,an=20;function Fr(e,t){let{values:n}=e,r=e.way.length?[...e.way]:[{values:n,output:Ue(e.good,n)}],s="";for(let i=0;i<t&&!s;i++){let l=sn(e.good,n,e.learning,e.rate),c=l?Ue(e.good,l):Number.NaN;if(!l||!Number.isFinite(c)){s="numbers";break}let d=e.learning.some(m=>Math.abs((l.get(m)??0)-(n.get(m)??0))>1e-9);n=l,r.push({values:n,output:c}),d||(s="still");let p=r.slice(-an-1);p.length>an&&p.every((m,g)=>!g||m.output>p[g-1].output)&&(s="up")}let o=e.descending&&!s;return{...e,values:n,way:r.slice(-zr),stuck:s,descending:o,time:Q}}function Cr(e){try{return R(e),!0}catch{return!1}}var ln=[2,-3,10,.5,1.5,-1];function cn(e,t){if(t.every(r=>e.has(r)))return e;let n=new Map(e);return t.forEach((r,s)=>{n.has(r)||n.set(r,ln[s%ln.length])}),n}function X(e,t,n,r){if(ct.every(i=>e[i]===n[i]))return n;let o=t===e.edit.kind&&r-e.edit.at<900&&e.past.length>0?e.past:[...e.past,Ae(e)].slice(-qr);return{...n,past:o,future:[],edit:{kind:t,at:r}}}function un(e,t,n){let r=e[t].at(-1);if(!r)return e;let s=r.page==="learn"?e.hold:null;return{...j({...e,...r,playing:!1,hold:s,until:null},r.text),edit:{kind:"",at:0},[t]:e[t].slice(0,-1),[n]:[...e[n],Ae(e)]}}var dn=class{constructor(t){this.state=t;this.#e=new Set;this.dispatch=t=>{let n=_r(this.state,t,Date.now());if(n!==this.state){this.state=n;for(let r of this.#e)r(n)}}}#e;subscribe(t){return this.#e.add(t),()=>this.#e.delete(t)}};function mn(...e){let{events:t,phases:n}=e[0].line,r=n.map(({phase:o})=>{let i=t.filter(l=>l.phase===o).length;return`${a.phases[o]} ${i}`}),s=u`<span class="score">${r.join(", ")}</span>`;return I(a.events.title,Dr(...e),"table",s)}function Dr(e,t,n,r=Number.POSITIVE_INFINITY){let{events:s}=e.line,o=a.events,i=t.phase==="backward"?s.findIndex(m=>m.phase!=="forward"):0,l=i>2?i:0,c=Math.max(0,l-1),d=m=>{let g=m+c;if(l&&!m)return p();let h=s[g],{what:w,how:b,result:v}=St(e,h),x=g>=r&&h.phase==="backward"?"?":g>t.index?E:null,S=g===t.index?"now":g<t.index?"past":"ahead";return u`<tr class="${h.phase} ${S}" aria-rowindex=${m+2} aria-current=${g===t.index?"step":f} @click=${()=>n(h.end)}>
      <td class="index"><button class="bare" aria-label=${o.goto(g+1,w)} @click=${Le=>{Le.stopPropagation(),n(h.end)}}>${g+1}</button></td>
      <td class="who" title=${w}>${w}</td>
      ${h.phase==="sort"?u`<td class="how" colspan="2" title=${x??b}>${x??b}</td>`:u`<td class="how">${x??b}</td><td class="end">${x??v}</td>`}
    </tr>`},p=()=>{let{graph:m,output:g}=e,h=o.folded(l,`${g} ${A(m.nodes[m.root].data)}`),{end:w}=s[c];return u`<tr class="forward past fold" aria-rowindex="2" @click=${()=>n(w)}>
      <td class="index"><button class="bare" aria-label=${o.goto(l,h)}>▸</button></td>
      <td class="who" colspan="3" title=${h}>${h}</td>
    </tr>`};return u`<table class="events" aria-rowcount=${s.length-c+1} ${N({"--digits":String(String(s.length).length)})}>
    <caption class="hidden">${o.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${o.number}</th><th scope="col">${o.what}</th><th scope="col">${o.how}</th><th scope="col" class="end">${o.result}</th></tr>
    </thead>
    <tbody>${G({count:s.length-c,now:t.index-c,columns:4,row:d})}</tbody>
  </table>`}function ei(e){let{state:t,dispatch:n}=e;return u`
    <div class="bar">
      <span class="segments" role="group" aria-label=${a.bugs.mode}>
        ${[!1,!0].map(r=>u`<button class="segment" aria-pressed=${t.game===r} @click=${()=>n({type:"game",on:r})}>${r?a.bugs.diagnose:a.bugs.explore}</button>`)}
      </span>
      ${t.game?f:u`<div class="choices" role="group" aria-label=${a.bugs.choose}>
              ${st.map(r=>u`<button class="toggle" data-bug=${r} aria-pressed=${t.bug===r} @click=${()=>n({type:"bug",bug:r})}>${a.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${t.game?u`<gradwalk-diagnose .seed=${t.seed} ?fixed=${e.fixed} @case=${r=>n({type:"case",seed:r.detail})} @show=${r=>{let{text:s,values:o,bug:i}=r.detail;n({type:"load",text:s,values:o}),n({type:"bug",bug:i}),n({type:"game",on:!1})}}></gradwalk-diagnose>`:t.bug==="recursion"?u`<section class="panel explain"><div class="body">${fn("recursion")}<p>${a.bugs.what.recursion}</p></div></section><gradwalk-depth></gradwalk-depth>`:Gr(e)}`}function Gr(e){let{program:t,state:n,frame:r}=e,{wrong:s}=t.walk,o=t.problem?a.bugs.tooMany:s.length?a.bugs.differs(s.length):a.bugs.same,i=r.time>=t.line.total?u`<div class="words"><p class="what ${s.length?"bad":"good"}">${s.length?"✗":"✓"} ${o}</p><p class="why" title=${a.bugs.what[n.bug]}>${a.bugs.what[n.bug]}</p></div>
          ${s.length||e.fixed?f:u`<button class="toggle showcase" @click=${()=>Hr(e)}>${a.bugs.showcase}</button>`}`:void 0;return u`
    ${W(e)}
    ${H(e,{compare:!0,switches:["unfold"],headline:i})}
    <div class="dock bugs">
      ${I(a.bugs.names[n.bug],u`${fn(n.bug)}<p class="why">${a.bugs.what[n.bug]}</p>`,"rule")}
      ${I(a.bugs.table,ke(t),"table")}
      ${mn(t,r,e.seek)}
    </div>`}var gn={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function Hr(e){e.load(gn[e.state.bug].text,gn[e.state.bug].values),e.seek(Q)}function fn(e){let[t,n]=a.bugs.code[e];return u`<dl class="diff">
    <div class="good"><dt>✓ ${a.bugs.rightLine}</dt><dd><code>${t}</code></dd></div>
    <div class="bad"><dt>✗ ${a.bugs.wrongLine}</dt><dd><code>${n||a.bugs.missing}</code></dd></div>
  </dl>`}var jr={},hn=se(class extends Ye{constructor(){super(...arguments),this.ot=jr}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((r,s)=>r===this.ot[s]))return Ee}else if(this.ot===t)return Ee;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});function bn(e){return!0}var li=!0;var $n="1",Br=16e3,vn=/^[^|\p{C}]{1,200}$/u,Kr=64;function wn(e,t=[],n=!1){let r=c=>Z.test(t[c]??"")?t[c]:String(c),s=new URLSearchParams;for(let c of Oe){let{letter:d,fresh:p,always:m,write:g=String}=Pe[c],h=e[c];if(!d||n&&(c==="text"||c==="values")||!ut(c,e)||!m&&h===p)continue;let b=d===J?[s.get(J),c].filter(Boolean).join(","):g(h,r);(b||c==="text")&&s.set(d,b)}let{orbit:o,opened:i}=e.look??F;if(e.view==="3d"&&o!==ae){let{turn:c,tilt:d,near:p}=o;s.set("p",[c,d,p].map(m=>Math.round(100*m)).join(","))}i.size&&s.set("g",[...i].filter(c=>vn.test(c)).join("|"));let l=s.toString().replace(/%(28|29|2C|3A|2F|3D|3B)/g,decodeURIComponent);return`#${$n}/${e.page}?${l}`}function pi(e){if(e.length>Br)return{};let t=/^#?(\d+)\/([a-z]+)(?:\?(.*))?$/s.exec(e);if(!t||t[1]!==$n)return Ne({page:e.replace(/^#\/?/,"")});let n=new URLSearchParams(t[3]??""),r=(n.get(J)??"").split(","),s=Oe.map(o=>{let{letter:i,always:l,read:c}=Pe[o],d=n.get(i);return i===J?[o,r.includes(o)]:d===null?[o,l?void 0:B[o]]:[o,c?c(d):d]});return{...Ne({...Object.fromEntries(s),page:t[2]}),...Vr(n)}}function Vr(e){let t={},n=e.get("n");n!==null&&Z.test(n)&&(t.nodeName=n);let[r,s]=(e.get("e")??"").split("."),o=lt(s);Z.test(r)&&o!==void 0&&it(o)&&(t.edgeName={target:r,operand:o});let i=(e.get("q")??"").split(".").filter(c=>Z.test(c));i.length&&Object.assign(t,{orderNames:i.slice(0,at),order:[]});let l=Ur(e.get("p"),e.get("g"));return l?{...t,look:l}:t}function Ur(e,t){let[n,r,s]=/^-?\d{1,3},-?\d{1,3},\d{1,3}$/.test(e??"")?e.split(",").map(l=>Number(l)/100):[],o=(t??"").split("|").filter(l=>vn.test(l));return n===void 0&&!o.length?void 0:{camera:null,orbit:n!==void 0&&Math.abs(r)<=1.45&&s>=.5&&s<=6?{...ae,turn:n,tilt:r,near:s}:ae,opened:o.length?new Set(o.slice(0,Kr)):F.opened}}function yn(e,t){let{graph:n,names:r}=ht(e),s=r.map((l,c)=>M(n.nodes[c])?"":l),o=e.page==="learn"&&e.lesson!=="",i={...pt(e),time:o?-1:t??-1};return wn(i,s,e.given!==null||o)}function wi(e,t=null){let{nodeName:n,edgeName:r,orderNames:s,look:o=F,...i}=e,l={...pn(i,t),look:o};if(!n&&!r&&!s)return l;let c=ie(mt(l)),d=h=>c.indexOf(h),p=n?d(n):-1,m=r?d(r.target):-1,g=(s??[]).map(d).filter(h=>h>=0);return{...l,node:p>=0?p:l.node,edge:m>=0?{target:m,operand:r.operand}:l.edge,order:g.length?[...new Set(g)]:l.order}}var We=e=>Me[e].filter(bn);function Mi(e){let t=oe(e.state.page),n=Object.keys(Me).filter(r=>We(r).length);return u`<nav class="doors" aria-label=${a.navigation} @keydown=${Tn}>
    ${n.map(r=>kn(e,We(r)[0],u`${k(r)}<span>${a.doors[r]}</span>`,r===t))}
  </nav>`}function xn(e){let{page:t,good:n,values:r,given:s,unfold:o}=e.state,i=We(oe(t));return e.bare||i.length<2?f:hn([a,t,n,r,s,o],()=>u`<nav class="tabs" aria-label=${a.doors[oe(t)]} @keydown=${Tn}>
      ${i.map(l=>kn(e,l,a.pages[l],l===t))}
    </nav>`)}function kn(e,t,n,r){return u`<a
    href=${yn({...e.state,page:t,lesson:"",node:null,edge:null})}
    aria-current=${r?"page":f}
    tabindex=${r?0:-1}
    @click=${s=>{s.ctrlKey||s.metaKey||s.shiftKey||(s.preventDefault(),e.current().open(t))}}
  >${n}</a>`}function Tn(e){let t=e.currentTarget,n=[...t.querySelectorAll("a, select, button:not(:disabled)")],r=n.indexOf(e.target),s=getComputedStyle(t).direction==="rtl"?-1:1,o={ArrowRight:r+s,ArrowLeft:r-s}[e.key];o!==void 0&&(e.preventDefault(),e.stopPropagation(),n[(o+n.length)%n.length].focus())}function Bi(e){let t=u`<div class="rail">
    <section class="panel moment">
      <div class="title"><h2>${a.now}</h2></div>
      ${En(e)}
    </section>
    ${Rn(e)}
  </div>`,n=H(e,{head:xn(e),switches:[],foot:Ln(e)});return Qt(n,W(e),t)}function Ki(e){return u`
    ${H(e,{switches:[],headline:En(e),foot:Ln(e)})}
    <div class="dock descent">${Rn(e)}</div>`}function Rn(e){return[I(a.descend.curve(e.program.output),Yr(e),"curve"),I(a.descend.surface,Jr(e),"surface"),I(a.descend.leaves,Zr(e),"leaves")]}function Ln(e){let{state:t,dispatch:n}=e,r=a.descend;return u`<div class="bar descend-bar" role="group" aria-label=${r.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!t.descending})}>${k(t.descending?"pause":"play")} ${t.descending?a.pause:r.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${k("step")} ${r.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>n({type:"climb"})}>${k("start")} ${r.reset}</button>
    <label>${r.rate} <select @change=${s=>n({type:"rate",rate:Number(s.target.value)})}>
      ${nt.map(s=>u`<option value=${s} .selected=${s===t.rate}>${$(s)}</option>`)}
    </select></label>
  </div>`}function En(e){let{state:t,program:n}=e,r=a.descend,s=Math.max(0,t.way.length-1),o=n.graph.nodes[n.graph.root].data,i=t.way[0]?.output??o,l=t.stuck==="numbers"?r.strange:t.stuck==="still"?r.still:t.stuck==="up"?r.up:r.rule;return u`<div class="words"><p class="what">${s?r.fell(n.output,$(i),$(o),s):r.start(n.output,A(o))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${l}</p></div>`}var Wr=150;function Yr(e){let{way:t}=e.state,n=a.descend,r=t.filter(({output:c})=>Number.isFinite(c));if(r.length<2)return u`<p class="why">${n.noCurve}</p>`;let s=r.map(({output:c},d)=>({step:d,loss:c})),o=r.at(-1),{output:i}=e.program,l=n.curveSaid(i,$(r[0].output),$(o.output),r.length-1);return u`<figure class="sparkline">
    ${At([{name:i,points:s,ink:0}],{first:0,high:Wr,said:l})}
    <figcaption><span>${$(r[0].output)}</span><span>${n.steps(r.length-1)}</span><strong>${$(o.output)}</strong></figcaption>
  </figure>`}function Xr({state:e}){let t=ce(e).filter(n=>e.learning.includes(n));return t.length>=2?[t[0],t[1]]:null}var Qr=K((e,t,n,r,s)=>on(e,s,[t,n],r.length?r:[{values:s,output:0}]));function Jr(e){let{state:t}=e,n=a.descend,r=Xr(e);if(!r)return u`<p class="why">${n.noSurface}</p>`;let s=Qr(t.good,r[0],r[1],t.way,t.values),o=s.rows.length,i=s.rows.flat().filter(Number.isFinite),[l,c]=[Math.min(...i),Math.max(...i)],d=v=>Number.isFinite(v)?Math.sqrt((v-l)/Math.max(c-l,1e-300)):1,p=v=>o*(v-s.x[0])/(s.x[1]-s.x[0]),m=v=>o-o*(v-s.y[0])/(s.y[1]-s.y[0]),g=(t.way.length?t.way:[{values:t.values,output:0}]).map(({values:v})=>[p(v.get(r[0])??0),m(v.get(r[1])??0)]),h=g.map(([v,y],x)=>`${x?"L":"M"}${v.toFixed(2)} ${y.toFixed(2)}`),[w,b]=g.at(-1);return u`<figure class="surface-map">
    <svg viewBox="0 0 ${o} ${o}" role="img" aria-label=${n.surfaceSaid(r[0],r[1],$(l),$(c))}>
      ${s.rows.map((v,y)=>v.map((x,S)=>C`<rect class="cell" x=${S} y=${y} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${d(x).toFixed(2)} />`))}
      ${C`<path class="way" d=${h.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${w} cy=${b} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(r[0],$(s.x[0]),$(s.x[1]),r[1],$(s.y[0]),$(s.y[1]))}</figcaption>
  </figure>`}function Zr(e){let{state:t,program:n,dispatch:r}=e,{graph:s,walk:o}=n,i=a.descend;return u`<table class="numbers learns">
    <caption class="hidden">${i.leaves}</caption>
    <thead><tr><th scope="col">${i.learns}</th><th scope="col" class="end">${a.numbers.value}</th><th scope="col" class="end">${a.numbers.grad}</th></tr></thead>
    <tbody>${s.leaves.map(l=>{let c=t.learning.includes(l.label);return u`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${c} @change=${()=>{let p=c?t.learning.filter(m=>m!==l.label):[...t.learning,l.label];r({type:"learning",learning:p})}} /> ${l.label}</label></td>
        <td class="end">${$(l.data)}</td><td class="end">${c?$(o.expected[l.id]):f}</td></tr>`})}</tbody>
  </table>`}var Re=[["","def __add__(self, other):"],["+","    return Value(self.data + other.data,"],["","        (self, other), (1, 1))"],["","def __mul__(self, other):"],["*","    return Value(self.data * other.data,"],["","        (self, other),"],["","        (other.data, self.data))"],["","def tanh(self):"],["tanh","    t = math.tanh(self.data)"],["other","    return Value(t, (self,), (1 - t * t,))"]],es=[["","topo, visited, stack = [], {self}, [(self, 0)]"],["","while stack:"],["pop","    node, i = stack.pop()"],["","    if i == len(node._children):"],["place","        topo.append(node)"],["","        continue"],["","    stack.append((node, i + 1))"],["","    child = node._children[i]"],["visited","    if child not in visited:"],["","        visited.add(child)"],["push","        stack.append((child, 0))"]],ts=[["seed","self.grad = 1.0"],["visit","for v in reversed(topo):"],["","    edges = zip(v._children, v._local_grads)"],["","    for child, local in edges:"],["push","        child.grad += local * v.grad"]],ns={forward:Re,sort:es,backward:ts};function Qi(e,t,n=Number.POSITIVE_INFINITY){let{event:r}=t,s=r?.kind==="compute"?ss(e,r):ns[t.phase],o=r?os(e,r):"",i=rs(s.find(([p])=>p===o)?.[1]??""),l=r?as(e,r).map(p=>u`<li class="note"><code>${i}# ${p}</code></li>`):f,c=r?.kind==="compute"?s.length-1:s.findIndex(([p])=>p&&p===o),d=Math.max(0,Math.min(c+1,s.length)-n);return u`<ol class="code ${t.phase}" aria-label=${a.code.title}>
    ${s.slice(d,d+n).map(([p,m],g)=>u`<li class=${p!==""&&p===o?"now":""}><code>${m}</code></li>${g+d===c?l:f}`)}
  </ol>`}function rs(e){return/^ */.exec(e)[0]}function ss(e,t){let n=e.graph.nodes[t.node],{op:r}=n;if(r==="+"||r==="*"){let o=Re.findIndex(([i])=>i===r);return Re.slice(o-1,o+(r==="+"?2:3))}return r==="tanh"?Re.slice(-3):{"-":[["","def __sub__(self, other):"],["-","    return self + (other * -1)"]],"/":[["","def __truediv__(self, other):"],["/","    return self * other**-1"]],neg:[["","def __neg__(self):"],["neg","    return self * -1"]],"**":[["","def __pow__(self, n):"],["**","    return Value(self.data**n,"],["","        (self,), (n * self.data**(n - 1),))"]],relu:[["","def relu(self):"],["relu","    return Value(max(0, self.data),"],["","        (self,), (float(self.data > 0),))"]],exp:[["","def exp(self):"],["exp","    e = math.exp(self.data)"],["","    return Value(e, (self,), (e,))"]],log:[["","def log(self):"],["log","    return Value(math.log(self.data),"],["","        (self,), (1 / self.data,))"]]}[r]??[["",`def ${r}(…):`],[r,"    return Value(…, inputs, local_grads)"],["",`    # the row ${r} of ops.py`]]}function os(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":{let n=e.walk.sort[t.row].note;return n==="leaf"||n==="done"?"place":n?"visited":"push"}case"seed":return"seed";case"skip":case"leaf":return"visit";default:return"push"}}function as(e,t){let{names:n,graph:r,walk:s}=e;switch(t.kind){case"push":{let o=t.push,i=e.walk.bug==="overwrite"?"=":"+=";return[`${n[o.to]}.grad ${i} ${$(o.local)} * ${$(o.incoming)}`,`local ${A(o.local)}, ${n[t.node]}.grad ${A(o.incoming)}`]}case"compute":return[`${n[t.node]} ${A(r.nodes[t.node].data)}`];case"seed":return[`${e.output}.grad = 1`];case"sort":{let{note:o,pop:i}=s.sort[t.row],[l,c]=i;if(o==="leaf"||o==="done")return[`node = ${n[l]}`];let d=n[r.nodes[l].operands[c]];return[o?`child = ${d}: visited`:`push (${d}, 0)`]}case"lost":return[`${n[t.lost.to]}: ✗`];default:return[`v = ${n[t.node]}`]}}function al(e,t,n){let{walk:r,names:s,line:o}=e,i=a.trace,l=o.events.findIndex(m=>m.phase==="sort"),c=Math.min(t.index-l,r.sort.length),d=m=>m.map(([g,h])=>`(${s[g]},${h})`).join(" ")||i.empty,p=m=>{let g=r.sort[m],[h,w]=g.pop,b=o.events[l+m],v=m<=c,y=g.note==="leaf"||g.note==="done"?i[g.note]:g.note?i.already(s[e.graph.nodes[h].operands[w]]):"";return u`<tr class=${`sort ${m===c?"now":v?"past":"ahead"}`} aria-rowindex=${m+2} aria-current=${m===c?"step":f} @click=${()=>n(b.end)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(m+1,i.sort)}>${m+1}</button></td>
      <td class="who">${v?u`(${s[h]},${w}) <span class="note">${y}</span>`:E}</td>
      <td class="how">${v?d(g.stack):E}</td>
      <td class="how">${v?is(e,g.stack,g.sorted):E}</td>
      <td class="how">${v?g.sorted.map(x=>s[x]).join(" "):E}</td>
    </tr>`};return u`<table class="trace sort" aria-rowcount=${r.sort.length+1}>
    <caption>${i.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${i.pop}</th><th scope="col">${i.stack}</th><th scope="col">${i.visited}</th><th scope="col">${i.sorted}</th></tr></thead>
    <tbody>${G({count:r.sort.length,now:c,columns:5,row:p})}</tbody>
  </table>`}function is(e,t,n){return[...new Set([...n,...t.map(([s])=>s)])].sort((s,o)=>s-o).map(s=>e.names[s]).join(" ")}var ls=K(e=>{let t=new Map;return e.events.forEach(({phase:n,kind:r,row:s},o)=>{if(n!=="backward"||r==="seed")return;let i=t.get(s);i?i.push(o):t.set(s,[o])}),t});function il(e,t,n){let{walk:r,names:s,line:o,graph:i}=e,l=a.trace,{event:c}=t,p=c?.phase==="backward"?c.kind==="seed"?0:c.row:-1,m=ls(o),g=r.backward.map((b,v)=>({step:b,row:v})).filter(({step:b})=>!M(i.nodes[b.node])),h=b=>{let{step:v,row:y}=g[b],x=m.get(y)??[],S=y<p||y===p&&c?.kind!=="seed",Le=S||y===p&&v.node===i.root,Sn=o.events[x.at(-1)??-1]?.end??0,Mn=()=>x.filter(ne=>ne<=t.index).map(ne=>o.events[ne].push?cs(e,o.events[ne].push):f),Pn=v.note==="leaf"?l.skipped:l.skippedZero;return u`<tr class=${`backward ${y===p?"now":S?"past":"ahead"}`} aria-rowindex=${b+2} aria-current=${y===p?"step":f} @click=${()=>n(Sn)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(y+1,l.backward)}>${y+1}</button></td>
      <td class="who">${t.phase==="backward"?s[v.node]:E} (${Le?$(v.grad):E})</td>
      <td class="how">${S?v.note?Pn:Mn():E}</td>
    </tr>`},w=g.findIndex(({row:b})=>b===p);return u`<table class="trace backward" aria-rowcount=${g.length+1}>
    <caption>${l.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${l.node}</th><th scope="col">${l.pushes}</th></tr></thead>
    <tbody>${G({count:g.length,now:w,columns:3,row:h})}</tbody>
  </table>`}function cs(e,t){let n=t.before===0?"":` → ${$(t.after)}`;return u`<span class="push ${de(t.contribution)}">${e.names[t.to]} += ${V(t)}${n}</span>`}export{hn as a,Q as b,dn as c,pi as d,yn as e,wi as f,zn as g,qt as h,$s as i,vs as j,Dn as k,ws as l,As as m,Yn as n,Te as o,Is as p,li as q,Mi as r,xn as s,Tn as t,mn as u,W as v,jt as w,Lo as x,H as y,Qt as z,fr as A,ea as B,wr as C,ke as D,ei as E,fn as F,Bi as G,Ki as H,Qi as I,al as J,il as K};
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

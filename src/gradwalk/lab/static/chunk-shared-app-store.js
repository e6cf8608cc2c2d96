import{h as mt}from"./chunk-shared-app-settings.js";import{a as he,c as yt,d as wt,e as qe,f as j,g as kt}from"./chunk-shared-teach-narration.js";import{a as St}from"./chunk-shared-parts-charts.js";import{I as vt,J as N,K as I,L as xt,M as $e,O as Tt,a as Oe,b as at,c as ue,d as it,e as lt,f as de,g as pe,h as me,i as C,j as ct,k as ut,q as A,r as q,s as bt,t as z,v as $t,x as _e}from"./chunk-shared-scene-steer.js";import{a as k}from"./chunk-shared-parts-icons.js";import{a as Ae,b as J,c as dt,f as pt}from"./chunk-shared-app-progress.js";import{a as Z}from"./chunk-shared-lit-html-directives-live.js";import{b as oe,c as Xe,d as ae,f as ie,g as et,h as le,i as tt,k as nt,l as st,m as rt,n as ot,o as Pe,p as ce,q as K,s as L,t as v,u as gt,v as ft,w as ge,x as ht,y as D,z as Ne}from"./chunk-shared-app-timeline.js";import{c,d as G,e as _,f as Me,g as h,i as re,k as a,o as fe,p as be}from"./chunk-shared-parts-styles-learn.js";import{A as Je,B as P,C as Ze,j as Ye,l as S,m as M,o as O,s as F,t as Qe}from"./chunk-shared-core-rows.js";function ve(e){let t=e>>>0;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var Rn={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},Mn=["a","b","c"],Pn=["d","e","g","h","k","m"],On=[-4,-3,-2,-1,1,2,2,3,4,5],Et=60;function ye(e,t){for(;;){let n=An(e,t);if(Nn(n))return n}}function An(e,t){let{operations:n,leaves:s,vocabulary:r}=Rn[t],o=m=>m[Math.floor(e()*m.length)],i={},l=Mn.slice(0,1+Math.floor(e()*s));for(let m of l)i[m]=o(On);let d=[...l],u=[...l],p=[];for(let m=0;m<n;m++){let g=Pn[m],f=u.length>n-m,b=o(f?["+","*"]:r),$=o(u),y=f?u.filter(R=>R!==$):d,w=o(y.length?y:d);b==="relu"?p.push(`${g} = relu(${$})`):b==="**2"?p.push(`${g} = ${$}**2`):p.push(`${g} = ${$} ${b} ${w}`);let x=b==="relu"||b==="**2"?[$]:[$,w];u=[...u.filter(R=>!x.includes(R)),g],d.push(g)}return{text:p.join("; "),values:i}}function Nn({text:e,values:t}){let n=O(S(e).evaluate(t));if(n.leaves.length!==Object.keys(t).length)return!1;let{expected:s}=P(n);return n.nodes.every(r=>Math.abs(r.data)<=Et&&Math.abs(s[r.id])<=Et&&(r.tags.includes("const")||s[r.id]!==0)&&(r.data!==0||r.op==="relu"))}function we(e,t){let{text:n,values:s}=J(e);return{id:`${e}-${t}`,text:n,values:s,leaf:t}}var _n=[we("x1","a"),{...we("x1","b"),values:{a:-1,b:5,c:4}},we("x2","w1"),we("x6","a")];function qn(e,t){let n=ye(ve(t),e),s=Rt(O(S(n.text).evaluate(n.values)));return{...n,id:`${e}.${t}`,leaf:s}}var Lt="own";function kr(e,t,n){let s=_n.find(i=>i.id===e);if(s)return s;if(e===Lt)return t?In(t,n,Lt):null;let[,r,o]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return r?qn(r,Number(o)):null}function In(e,t,n){let s=S(e),r=Object.fromEntries(s.names.map(i=>[i,t[i]??1])),o=O(s.evaluate(r));return o.leaves.length?{id:n,text:e,values:r,leaf:Rt(o)}:null}function Rt(e){let t=e.leaves[0],n=0n;for(let s of e.leaves){let{count:r}=F(e,s.id,1);r>n&&([t,n]=[s,r])}return t.label}function Tr({text:e,values:t}){return O(S(e).evaluate(t))}function Fn(e,t){return F(e,t,6)}function Sr(e,t,n){let s=a.checks.diagnosis,r=Fn(e,t),o=e.find(t),i=ae(e);if(r.count>1n&&r.complete){for(let l of r.largest)if(D(n,l.product))return s.onePath(l.nodes.map(d=>i[d]).join(" → "));if(D(n,r.largest.reduce((l,d)=>l*d.product,1)))return s.product}return D(n,P(e,{bug:"overwrite"}).grads[o.id])?s.overwrite:D(n,-r.total)?s.flipped:D(n,o.data)?s.value(t):r.largest.some(l=>l.locals.length>1&&l.locals.some(d=>D(n,d)))?s.local:""}var E=e=>({kind:"number",x:e}),ee=e=>({kind:"total",node:e}),xe=(e,t)=>({kind:"local",node:e,operand:t}),Ie=e=>({kind:"grad",node:e}),T=e=>({kind:"sign",sign:e}),Mt=new WeakMap;function Cn(e){let t=Mt.get(e);if(t)return t;let n=new Map,s=[];for(let{push:r}of e.events){if(!r)continue;let o=(n.get(r.to)??0)+1;n.set(r.to,o),s.push([r,o])}return t=new Map(s.map(([r,o])=>[r,[o,n.get(r.to)]])),Mt.set(e,t),t}function Fe(e,t){let[n,s]=Cn(e.line).get(t)??[1,1],r=F(e.graph,t.to,1).count===BigInt(s);return{place:n,count:s,arePaths:r}}function Pt(e,t,n){let{walk:s}=e,r=t.push,o=t.node,{incoming:i,contribution:l,before:d,after:u,to:p}=r,m=Object.is(i,s.expected[o])||i===s.expected[o],g=[Ie(p),T(_e(r)?"+=":"="),m?ee(o):Ie(o),T("×"),xe(o,r.operand),T(q(i,r.local)),E(i),T("×"),E(r.local),T(bt(r)),E(l)],{place:f,count:b}=Fe(e,r);if(!n)return{step:g,holds:null,complete:null};let $=f>1&&_e(r),y=$?[E(d),T("+"),E(l),T($t(r))]:[],w=T($?q(d,l):q(u)),x=f===b&&(Object.is(u,s.expected[p])||u===s.expected[p]);return{step:g,holds:x||f===1?null:[Ie(p),w,...y,E(u)],complete:x?[ee(p),w,...y,E(u)]:null}}function Ot(e,t){let{graph:n}=e,{operands:s,local_grads:r}=n.nodes[t];return s.flatMap((o,i)=>M(n.nodes[o])?[]:[[xe(t,i),T(q(r[i])),E(r[i])]])}function At({graph:e,names:t},{target:n,operand:s}){let r=e.nodes[n],o=r.local_grads[s],i=Ze(e,r,s,u=>t[u]),l=i.replaceAll("-","−")!==v(o),d=[T(q(o)),E(o)];return l?[xe(n,s),T("="),{kind:"formula",text:i,node:n,operand:s},...d]:[xe(n,s),...d]}function Nt({graph:e},t){if(t===e.root)return[ee(t),T("="),E(1)];let n=F(e,t,4),s=n.largest.flatMap((u,p)=>[...p?[T("+")]:[],...u.locals.flatMap((m,g)=>g?[T("×"),E(m)]:[E(m)])]);if(s.length<2)return[ee(t),T(q(n.total)),E(n.total)];let r=n.largest.map(({locals:u})=>u),o=r.map(u=>u.map(p=>v(p))),i=n.complete?[]:[T("+"),{kind:"rest"}],l=n.complete?Qe("+",o,v(n.total)):q(n.total),d=q(...r.flat());return[ee(t),T(d),...s,...i,T(l),E(n.total)]}function Fr({program:e,frame:t,state:n,veil:s}){let r=e.line.events[s]!==void 0||n.hold!==null,o=n.node!==null||n.edge!==null||t.event?.kind==="compute";return r&&o?c`<p class="why">${a.predictBox.hidden}</p>`:Gn(e,t,n.node,n.edge)}function Gn(e,t,n,s){if(s)return jn(e,s);if(n!==null)return Hn(e,n);let{event:r}=t;if(r?.kind==="push")return Dn(e,t);if(r?.kind==="compute"){let i=e.graph.nodes[r.node];return c`<p class="why">${a.equation.keeps}</p>
      <div class="locals">${Ot(e,i.id).map(l=>V(e,l))}</div>`}if(r?.kind==="sort")return c`<p class="why">${a.equation.sorting}</p>`;let o=t.index>=e.line.events.length-1;return c`<p class="why">${a.equation.idle} ${o?"":a.equation.stepOn}</p>`}function Dn(e,t){let n=t.event,s=n.push,{step:r,holds:o,complete:i}=Pt(e,n,t.landed),{place:l,count:d,arePaths:u}=Fe(e,s),p=a.equation;return c`
    ${V(e,r)}
    <p class="part">${(u?p.path:p.contribution)(l,d,i!==null)}</p>
    ${o?V(e,o):h}
    ${i?V(e,i):h}`}function jn(e,t){let{graph:n,names:s}=e,r=n.nodes[t.target].operands[t.operand],o=c`<p class="picked">${a.inspect.edge(s[r],s[t.target])}</p>`;if(M(n.nodes[r]))return c`${o}<p class="why">${a.inspect.noPath}</p>`;let i=n.nodes[t.target].local_grads[t.operand];return c`
    ${o}
    ${V(e,At(e,t))}
    <p class="why">${a.inspect.wiggle(s[r],s[t.target],v(i))}</p>`}function Hn(e,t){let{graph:n,names:s,output:r}=e,o=n.nodes[t];return M(o)?c`<p class="picked">${a.inspect.node(s[t])}</p>${_t(o)}<p class="why">${a.inspect.noPath}</p>`:c`
    <p class="picked">${a.inspect.node(s[t])}<span class="exact">${gt(o.data)}</span></p>
    ${_t(o)}
    ${V(e,Nt(e,t))}
    ${Bn(o.data,e.walk.grads[t])}
    ${t===n.root?h:c`<p class="why">${a.inspect.paths(F(n,t,1).count,s[t],r)}</p>`}`}function Bn(...e){let t=[...new Set(e.map(yt))].filter(Boolean);return t.length?c`<p class="why odd">${t.join(" ")}</p>`:h}function _t(e){return e.scope?c`<p class="why scope">${a.inspect.scope(e.scope)}</p>`:h}function V(e,t){let n=[[]];return t.forEach((s,r)=>{s.kind==="sign"&&s.sign!=="×"&&n.at(-1).length&&n.push([]),n.at(-1).push(Kn(e,s,r>0?t[r-1]:null))}),c`<div class="equation">${n.map(s=>c`<math display="inline" displaystyle="true"><mrow>${s}</mrow></math>`)}</div>`}function Kn(e,t,n){let{names:s,output:r}=e;switch(t.kind){case"number":{let o=n?.kind==="sign"&&!["=","≈","+="].includes(n.sign);return _`<mn class=${ge(t.x)}>${o?ft(t.x):v(t.x)}</mn>`}case"total":return Vn(r,s[t.node]);case"local":return Wn(e,t.node,t.operand);case"grad":return _`<mi class="grad">${a.narration.gradOf(s[t.node])}</mi>`;case"formula":return _`<mtext class="code">${t.text.replaceAll("-","−").replaceAll("*","∗")}</mtext>`;case"rest":return _`<mo>…</mo>`;case"sign":return _`<mo form="infix">${t.sign}</mo>`}}function zn(e,t){return _`<mfrac><mrow><mo rspace="0">∂</mo><mi>${e}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${t}</mi></mrow></mfrac>`}function Vn(e,t){return _`<mrow class="total">${zn(e,t)}</mrow>`}function Wn({graph:e,names:t},n,s){let{operands:r}=e.nodes[n],o=r.filter(l=>l===r[s]).length,i=r.slice(0,s+1).filter(l=>l===r[s]).length;return _`<munder class="local"><msub><mi>ℓ</mi><mrow><mi>${t[n]}</mi><mo>→</mo><mi>${t[r[s]]}</mi></mrow></msub><mtext>${a.equation.local(o>1?i:0)}</mtext></munder>`}var ke=new Map;function jr(e,t,n){let s=()=>{ke.set(e,"asked"),t().catch(()=>ke.set(e,"missing")).then(n)};if(ke.has(e)||s(),ke.get(e)!=="missing")return null;let r=()=>{s(),n()};return c`<p class="pad missing" role="alert"><span class="bad">${a.missing}</span> <button class="toggle" @click=${r}>${a.again}</button></p>`}function W(e,t=h){return e.fixed?c``:c`<div class="controls">${Un(e)}${Jn(e)}${t}</div>`}function Un(e,t){let{state:n}=e,s=et(n.text,n.strict),r=s?kt(s.said):"",o=s?Math.min(s.column,400):0;return c`<div class="expression ${s?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${a.expression}</label>
      <input
        id="expression"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${Ye}
        placeholder="(a + b) * c"
        aria-invalid=${s!==null}
        aria-describedby="expression-note"
        .value=${Z(n.text)}
        @input=${i=>e.dispatch({type:"type",text:i.target.value})}
        @scroll=${i=>Yn(i.target)}
        @keydown=${i=>{i.key==="Enter"&&e.dispatch({type:"play",on:!0,time:0}),i.key==="Escape"&&Xn(i.target)}}
      />
      ${Qn(e,t)}
    </div>
    ${s?c`<span class="caret" aria-hidden="true" ${N({"--column":String(o)})}></span>`:h}
    <p id="expression-note" class="note" role=${s?"alert":h}>
      ${s?c`<span class="message" title=${r}>${r}</span>`:c`<span class="hint">${a.expressionHint}</span>`}
    </p>
  </div>`}function Xn(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function Yn(e){e.closest(".expression")?.style.setProperty("--scroll",`${e.scrollLeft}px`)}function Qn(e,t){let n=t?Ae.filter(r=>t.includes(r.id)):Ae,s=n.find(r=>r.text===e.state.good)?.id??"";return c`<label class="presets"><span class="hidden">${a.presets}</span>
    <select
      aria-label=${a.presets}
      @change=${r=>{let o=n.find(i=>i.id===r.target.value);o&&e.load(o.text,o.values)}}
    >
      ${s?h:c`<option value="" .selected=${!0}>${a.presetOwn}</option>`}
      ${n.map(r=>c`<option value=${r.id} .selected=${r.id===s}>${a.presetNames[r.id]}</option>`)}
    </select>
  </label>`}function Jn(e){let t=le(e.state);return c`<div class="variables" role="group" aria-label=${a.variables}>
    ${$e(t,n=>n,n=>Zn(e,n,e.state.values.get(n)??0))}
  </div>`}function Zn(e,t,n){let s=es(n),r=o=>e.dispatch({type:"value",name:t,value:o});return c`<div class="variable">
    <span class="name" aria-hidden="true" title=${t}>${t}</span>
    <input
      type="range"
      min=${-s}
      max=${s}
      step="any"
      aria-label=${a.slider(t)}
      .value=${Z(String(n))}
      @input=${o=>r(qt(Number(o.target.value),s))}
      @keydown=${o=>ts(o,n,s,r)}
    />
    <gradwalk-number id=${`box-${t}`} .value=${n} label=${a.box(t)} @number=${o=>r(o.detail)}></gradwalk-number>
  </div>`}function es(e){let t=10;for(;t<Math.abs(e)&&t<1e300;)t*=10;return t}function qt(e,t){let n=t/100;return Number((Math.round(e/n)*n).toPrecision(10))}function ts(e,t,n,s){let r={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!r)return;e.preventDefault();let o=n/100*(e.shiftKey?10:1);s(Math.max(-n,Math.min(n,qt(t+r*o,n))))}var Ce=new WeakMap,It=oe(class extends xt{render(e){return h}update(e,[t]){let n=t!==this.G;return n&&this.rt(void 0),(n||this.lt!==this.ct)&&(this.G=t,this.ht=e.options?.host,this.rt(this.ct=e.element)),h}rt(e){if(this.G!==void 0)if(this.isConnected||(e=void 0),typeof this.G=="function"){let t=this.ht??globalThis,n=Ce.get(t);n===void 0&&(n=new WeakMap,Ce.set(t,n)),n.get(this.G)!==void 0&&this.G.call(this.ht,void 0),n.set(this.G,e),e!==void 0&&this.G.call(this.ht,e)}else this.G.value=e}get lt(){return typeof this.G=="function"?Ce.get(this.ht??globalThis)?.get(this.G):this.G?.value}disconnected(){this.lt===this.ct&&this.rt(void 0)}reconnected(){this.rt(this.ct)}});function Ge({program:e,veil:t,frame:n}){let s=e.line.events[t];return s!==void 0&&n.time>=s.start-1e-6}function Ft(e){let{program:t,veil:n}=e,s=t.line.events[n],r=s.push,o=a.predictBox,i=e.state.answers.get(n),l=u=>{let p=Ne(r.contribution,u);e.dispatch({type:"answer",event:n,typed:u,right:p}),!(!p&&!i)&&(e.dispatch({type:"play",on:!1,time:s.start+1}),e.step(1))};return c`<form class="words predict" @submit=${u=>{u.preventDefault();let p=u.target,m=p.elements.namedItem("prediction"),g=ht(m.value)===null;if(m.setAttribute("aria-invalid",String(g)),p.querySelector(".invalid").textContent=g?a.notNumber:"",g){m.focus();return}let f=m.value;i||Ne(r.contribution,f)?m.value="":m.select(),l(f)}} novalidate>
    <p class="what"><label for="prediction">${o.ask(t.names[s.node],t.names[r.to],v(r.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${o.input} aria-describedby="prediction-note" ${It(u=>ns(u,n))} />
      <button class="primary">${o.check}</button>
      <button type="button" class="toggle" @click=${()=>l("")}>${i?o.show:o.hint}</button>
      <span class="score">${Gt(e)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${i?ss(e,i):Ct(e)??o.rule(v(r.incoming))}</p>
  </form>`}function ns(e,t){!e||e.dataset.veil===String(t)||(e.dataset.veil=String(t),queueMicrotask(()=>{let{activeElement:n}=e.getRootNode();n?.matches("input, gradwalk-number, select")||e.focus({preventScroll:!0})}))}function ss(e,t){let{program:n,veil:s}=e,{node:r}=n.line.events[s],o=a.predictBox;return c`${t.typed?c`<strong class="bad">✗ ${o.notIt(t.typed)}</strong> `:h}${o.hintText(qe(n,r))}`}function Ct(e){let t=Math.max(-1,...[...e.state.answers.keys()].filter(l=>l<e.veil)),n=e.state.answers.get(t),s=e.program.line.events[t];if(!n||!s?.push)return null;if(n.right)return c`<strong class="good">✓ ${a.predictBox.right}</strong>`;let r=z(s.push),{wrong:o,was:i}=a.predictBox;return c`<strong class="bad">${n.typed?o(n.typed,r):i(r)}</strong> ${a.narration.rule(qe(e.program,s.node))}`}function Gt(e){let t=[...e.state.answers.values()].filter(ct),n=t.filter(r=>r.right),s=n.filter(r=>r.missed>0).length;return t.length?a.predictBox.score(n.length,t.length,s):""}function Dt(e){let{state:t,program:n,veil:s}=e;if(!t.predict||t.page!=="sandbox"||n.line.events[s]||!t.answers.size||e.frame.time<n.line.total-1)return null;let r=[...t.answers.values()].every(o=>o.right);return c`<div class="words predict">
    <p class="what"><span class=${r?"good":""}>${r?"✓ ":""}${Gt(e)}</span>
      <button class="primary" @click=${()=>e.dispatch({type:"again",time:0})}>${a.predictBox.again}</button></p>
    <p class="why">${Ct(e)??""} ${r?a.predictBox.all:a.predictBox.some}</p>
  </div>`}var rs=160;function jt(e){let{state:t,program:n,frame:s}=e,{line:r}=n,o=t.playing,i=c`<button class="play" aria-label=${o?a.pause:a.play} title=${o?a.pause:a.play} @click=${e.playPause}>${k(o?"pause":"play")}</button>`;return c`<div class="transport" role="group" aria-label=${a.time}>
    <div class="buttons">
      ${i}
      ${Te("start",a.toStart,()=>e.seek(0))}
      ${Te("back",a.stepBack,()=>e.step(-1))}
      ${Te("step",a.step,()=>e.step(1))}
      ${Te("end",a.toEnd,()=>e.seek(r.total))}
    </div>
    <div class="segments" role="group" aria-label=${a.phaseSwitch}>
      ${r.phases.map(l=>c`<button
          class="segment ${l.phase}"
          aria-pressed=${s.phase===l.phase&&s.index>=0}
          @click=${()=>e.dispatch({type:"play",on:!0,time:l.start})}
        >${a.phases[l.phase]}</button>`)}
    </div>
    <div class="scrub" ${N(as(r))}>
      ${is(r)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(r.total)}
        step="1"
        aria-label=${a.time}
        aria-valuetext=${he(n,s.event).what}
        .value=${Z(String(Math.round(s.time)))}
        @input=${l=>e.seek(Math.min(r.total,Number(l.target.value)))}
        @keydown=${l=>os(e,l)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${a.speed}</span>
      <select aria-label=${a.speed} @change=${l=>e.dispatch({type:"speed",speed:Number(l.target.value)})}>
        ${de.map(l=>c`<option value=${l} .selected=${l===t.speed}>${a.speeds(l)}</option>`)}
      </select>
    </label>
  </div>`}function Te(e,t,n){return c`<button class="quiet ${e}" aria-label=${t} title=${t} @click=${n}>${k(e)}</button>`}function os(e,t){if(t.shiftKey||t.ctrlKey||t.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[t.key];n&&(t.preventDefault(),t.stopPropagation(),e.step(n))}function as(e){let t=s=>{let r=e.phases.find(o=>o.phase===s);return r?`${(100*r.end/e.total).toFixed(2)}%`:""},n=t("forward")||"0%";return{"--forward-end":n,"--sort-end":t("sort")||n}}function is(e){return e.events.length>rs?"":c`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${e.events.map(t=>{let n=`${100*t.end/e.total}%`;return G`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function Oo({state:e,dispatch:t}){if(e.greeted)return h;let n=()=>{mt(),t({type:"greeted"})};return c`<aside class="greeting" aria-label=${a.welcome.label}><p>${a.welcome.text}</p>
    <button class="quiet" aria-label=${a.welcome.close} title=${a.welcome.close} @click=${n}>${k("close")}</button></aside>`}function Ht(){let e=a.legend,t=n=>c`<svg class="wire ${n}" width="32" height="10" aria-hidden="true">${G`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return c`<ul class="reading" aria-label=${a.helpRead}>
    <li>${t("forward")} ${e.forward}</li>
    <li>${t("backward")} ${e.backward}</li>
    <li class="pos">${e.pos}</li>
    <li class="neg">${e.neg}</li>
    <li class="zero">${e.zero}</li>
    <li><code>${L}</code> ${e.unfilled}</li>
    <li><code>t1</code> ${e.unnamed}</li>
  </ul>`}function ls(e){let t=Math.max(1,Math.abs(e));return 10**(Math.floor(Math.log10(t))-1)}function Bt(e){let{state:t,program:n,frame:s}=e;if(t.page!=="sandbox"||t.predict||e.fixed||t.playing||s.time<n.line.total-1||t.text!==t.good)return null;let{nudge:r}=t;if(r&&t.values.has(r.name))return cs(e);let{graph:o,walk:i,names:l,output:d}=n;if(!Number.isFinite(o.nodes[o.root].data))return null;let u=o.leaves.filter(({id:b,data:$,label:y})=>Number.isFinite(i.grads[b])&&i.grads[b]!==0&&Number.isFinite($)&&t.values.has(y)).sort((b,$)=>Math.abs(i.grads[$.id])-Math.abs(i.grads[b.id]))[0];if(!u)return null;let p=ls(u.data),m=i.grads[u.id],g=l[u.id],f=a.welcome;return c`<p class="why">${f.nudge(g,v(p),d,v(p*m))}
    <button class="primary" @click=${()=>ds(e,u.label,u.data,p,m)}>${f.tryIt}</button></p>`}function cs(e){let{state:t,program:n,dispatch:s}=e,{name:r,from:o,by:i,grad:l,output:d}=t.nudge,u=n.graph.nodes[n.graph.root].data,p=z({incoming:l,local:i,contribution:l*i}),m=a.welcome,g=()=>{s({type:"nudge",nudge:null}),s({type:"value",name:r,value:o})};return c`<p class="why" role="status">${m.moved(n.output,v(d),v(u),v(u-d))} ${m.said(p)} ${Math.abs(u-d-l*i)>.001*Math.abs(l*i)?m.bend:""}
    <button class="toggle" @click=${g}>${m.back}</button></p>`}var us=700;function ds(e,t,n,s,r){let{dispatch:o}=e,{graph:i}=rt(e.state),l=i.nodes[i.root].data,d=Number((n+s).toPrecision(12)),u=n,p=b=>{u=b,o({type:"value",name:t,value:b})},m=()=>{p(d),o({type:"nudge",nudge:{name:t,from:n,by:s,grad:r,output:l}})};if(ut()){m();return}let g=0,f=b=>{let{good:$,values:y}=e.current().state;if($!==e.state.good||y.get(t)!==u)return;g||=b;let w=Math.min(1,(b-g)/us);w>=1?m():(p(Number((n+s*w).toPrecision(6))),requestAnimationFrame(f))};requestAnimationFrame(f)}function H(e,t={}){let{state:n,program:s,frame:r}=e,o=t.switches??["final","unfold","predict","3d"],i=n.predict&&o.includes("predict"),l=o.filter(g=>g!=="final"||!i),d=i?s.line.events[e.veil]:void 0,u=d!==void 0||n.hold!==null,p=d&&Ge(e)?d.edges[0]:u?-1:null,m=n.view==="3d"&&l.includes("3d");return c`<section class="stage" aria-label=${a.graphLabel(s.graph.nodes.length)}>
    <div class=${t.head===void 0?`banner ${r.event?r.phase:"idle"}`:"head"}>
      ${t.head??t.headline??ps(e)}
      <div class="switches">
        ${l.includes("final")?Se(e,"final",a.final):h}
        ${l.includes("unfold")&&(n.unfold||e.program.graph.nodes.some(g=>g.tags.includes("derived")))?Se(e,"unfold",a.unfold):h}
        ${l.includes("predict")&&(n.strict||n.text.includes("**"))?Se(e,"strict",a.strict):h}
        ${l.includes("predict")?Se(e,"predict",a.predict):h}
        ${l.includes("3d")?c`<span class="segments" role="group" aria-label=${a.viewSwitch}>
                ${["2d","3d"].map(g=>c`<button class="segment" aria-pressed=${n.view===g} @click=${()=>e.dispatch({type:"view",view:g})}>${g==="2d"?a.view2d:a.view3d}</button>`)}
              </span>`:h}
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
      ${N({"--levels":String(ms(s.graph))})}
      .program=${s}
      .frame=${r}
      .node=${n.node}
      .edge=${u?null:n.edge}
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
    ${Ht()}
    ${t.foot===void 0?jt(e):t.foot}
  </section>`}function Kt(e,t){return c`<div class="beside"><div class="under">${e}</div>${t}</div>`}function ps(e){return Ge(e)?Ft(e):Dt(e)??gs(e)}var ms=K(e=>{let t=[];for(let{id:n,operands:s}of e.nodes)t[n]=1+Math.max(0,...s.map(r=>t[r]));return t[e.root]??1});function gs(e){let t=he(e.program,e.frame.event),n=e.state.hold!==null&&!e.frame.event,s=e.state.text!==e.state.good&&!e.fixed,{graph:r,line:o,output:i}=e.program,l=r.nodes[r.root].data,d=e.frame.time>=o.total,u=s?a.lastGood:d&&!Number.isFinite(l)?a.strangeOutput(i,v(l)):e.state.predict&&e.frame.index<0?a.predictBox.start:t.why,p=Bt(e);return p?c`<div class="words end-card">${p}</div>`:c`<div class="words"><p class="what">${n?a.learn.waits:t.what}</p><p class="why ${s?"bad":""}" title=${u}>${u}</p></div>`}function Se(e,t,n){return c`<button class="toggle" aria-pressed=${e.state[t]} @click=${()=>e.dispatch({type:"toggle",flag:t})}>${n}</button>`}var fs=4;function zt(e,t,n){let s=e.target.closest("[data-place]"),r=e.currentTarget;if(!s||e.button!==0)return;let o=Number(s.dataset.place),i=[...t()],l=!1,d=p=>{if(!l&&Math.hypot(p.clientX-e.clientX,p.clientY-e.clientY)<fs)return;l=!0,s.classList.add("dragged"),p.preventDefault();let m=[...r.querySelectorAll("[data-place]")].find(b=>{let $=b.getBoundingClientRect();return p.clientX>=$.left&&p.clientX<=$.right&&p.clientY>=$.top-12&&p.clientY<=$.bottom+12}),g=m?i.indexOf(Number(m.dataset.place)):-1,f=i.indexOf(o);g<0||g===f||(i=i.filter(b=>b!==o),i.splice(g,0,o),n(i))},u=()=>{s.classList.remove("dragged"),l&&Tt(),removeEventListener("pointermove",d),removeEventListener("pointerup",u),removeEventListener("pointercancel",u)};addEventListener("pointermove",d),addEventListener("pointerup",u),addEventListener("pointercancel",u)}var hs=24;function oa(e){return c`${W(e)}${bs(e)}`}function bs(e){let{state:t,program:n}=e,s=Pe(n.graph),r=ce(n.graph,t.order)?t.order:s,o=$s(n),i=t.ran?e:{...e,frame:ie(n.line,o)},l=t.ran?void 0:c`<div class="words"><p class="what task">${a.order.task}</p><p class="why">${a.order.rule}</p></div>`;return c`
    ${H(i,{compare:t.ran,switches:[],headline:l,foot:t.ran?void 0:h,lit:t.ran?Ss(n,e.state.edge,e.state.node):null})}
    ${s.length>hs?c`<p class="panel pad">${a.order.count(s.length)}</p>`:vs(e,r,o)}
    ${t.ran?ks(e):h}`}function $s(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function vs(e,t,n){let{program:s,dispatch:r,state:o}=e,{names:i}=s,l=u=>r({type:"order",order:u}),d=(u,p)=>{if(p<0||p>=t.length||u===p)return;let m=[...t];m.splice(p,0,...m.splice(u,1)),l(m)};return c`<section class="tray panel" aria-label=${a.order.tray}>
    <ol class="places" @pointerdown=${u=>zt(u,()=>ys(e,t),l)}>
      ${$e(t,u=>u,(u,p)=>c`<li class="place" data-place=${u}>
          <span class="number" aria-hidden="true">${p+1}</span>
          <button class="bare nudge" aria-label=${a.order.earlier(i[u])} ?disabled=${p===0} @click=${()=>d(p,p-1)}>${k("left")}</button>
          <button class="grip" aria-label=${a.order.place(i[u],p+1,t.length)} @keydown=${m=>ws(m,p,d)}>${i[u]}</button>
          <button class="bare nudge" aria-label=${a.order.later(i[u])} ?disabled=${p===t.length-1} @click=${()=>d(p,p+1)}>${k("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{ce(s.graph,o.order)||l(t),r({type:"run",on:!0,time:n})}}>${k("play")} ${a.order.run}</button>
      <button class="toggle" @click=${()=>l(xs(t))}>${a.order.shuffle}</button>
      <button class="toggle" @click=${()=>l(P(s.graph).order.filter(u=>t.includes(u)))}>${a.order.right}</button>
    </div>
  </section>`}function ys(e,t){return ce(e.program.graph,e.state.order)?e.state.order:t}function ws(e,t,n){let s={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!s)return;e.preventDefault(),e.stopPropagation(),n(t,t+s);let r=e.currentTarget;requestAnimationFrame(()=>r.focus())}function xs(e){let t=[...e];for(let n=t.length-1;n>0;n--){let s=Math.floor(Math.random()*(n+1));[t[n],t[s]]=[t[s],t[n]]}return t}function ks(e){let{program:t,frame:n}=e,{walk:s,names:r}=t;if(n.time<t.line.total-1)return c``;if(!s.wrong.length)return c`<section class="panel verdict right"><h2>✓ ${a.order.won}</h2><div class="body"><p>${a.order.insight}</p>${Ee(t)}</div></section>`;let o=s.backward.filter(i=>i.note==="zero"&&s.expected[i.node]!==0);return c`<section class="panel verdict wrong">
    <h2>✗ ${s.lost.length?a.order.lost(s.lost.length):a.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${s.lost.map(i=>Ts(e,i))}
        ${o.map(i=>c`<li><span>${a.order.starvedRow(r[i.node])}</span></li>`)}
        <li class="insight">${a.order.insight}</li>
      </ul>
      ${Ee(t)}
    </div>
  </section>`}function Ts(e,t){let{names:n,graph:s}=e.program,r=s.nodes[t.source].operands.indexOf(t.to);return c`<li>
    <span><strong class="bad">${a.order.lostRow(v(t.contribution),t.path.map(o=>n[o]).join(" → "))}</strong>
    <br />${a.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:r}})}>${a.order.showPath}</button>
  </li>`}function Ss(e,t,n){if(!t||n!==null)return null;let s=e.graph.nodes[t.target].operands[t.operand],r=e.walk.lost.find(o=>o.source===t.target&&o.to===s);return r?vt(e,r.path):null}function Ee(e){let{walk:t,names:n,graph:s}=e,r=Pe(s).toReversed(),o=new Set(t.wrong);return c`<table class="comparison" aria-rowcount=${r.length+1}>
    <caption>${a.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${a.bugs.node}</th><th scope="col" class="end">${a.order.got}</th><th scope="col" class="end">${a.order.should}</th><th scope="col"><span class="hidden">${a.order.verdict}</span></th></tr></thead>
    <tbody>${j({count:r.length,now:-1,columns:4,row:i=>{let l=r[i],d=o.has(l);return c`<tr class=${d?"differs":""} aria-rowindex=${i+2}><td>${n[l]}</td><td class="end ${d?"bad":""}">${v(t.grads[l])}</td><td class="end">${v(t.expected[l])}</td><td class=${d?"bad":"good"}>${d?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var U=1e3,Vt=5,De=class extends re{static{this.styles=be}static{this.properties={power:{state:!0}}}constructor(){super(),new fe(this),this.power=2}get length(){let t=10**this.power,n=10**Math.max(0,Math.floor(this.power)-1);return Math.round(t/n)*n}render(){let{length:t}=this,n=t>=U,s=a.bugs.count(t);return c`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${a.bugs.depth}</span>
          <input type="range" min="0.5" max=${Vt} step="0.01" .value=${String(this.power)} aria-valuetext=${s}
            @input=${r=>{this.power=Number(r.target.value)}} />
          <output>${s}</output>
        </label>
        <p class="why">${a.bugs.depthText(t)}</p>
        <div class="columns">
          ${this.#e(a.bugs.recursive,a.bugs.frames(Math.min(t+1,U)),n?a.bugs.overflow:a.bugs.fine,n,!0)}
          ${this.#e(a.bugs.iterative,a.bugs.entries(t+1),a.bugs.fine,!1,!1)}
        </div>
      </div>
    </section>`}#e(t,n,s,r,o){let i=d=>`${(100*Math.min(1,Math.log10(d)/Vt)).toFixed(2)}%`,{length:l}=this;return c`<div class="pile ${r?"dies":""}">
      <h2>${t}</h2>
      <div class="room" role="img" aria-label=${n} ${N({"--used":i(r?U:l),"--limit":i(U)})}>
        <div class="used"></div>${o?c`<div class="limit"></div>`:h}
      </div>
      <p>${n}${o?c` <span class="why">· ${a.bugs.limit}</span>`:h}</p>
      <p class=${r?"bad":"good"}><strong>${r?"✗":"✓"} ${s}</strong></p>
      <pre>${o?Es(l):Ls(l)}</pre>
    </div>`}},Wt=e=>e?`+${[...String(e)].map(t=>"₀₁₂₃₄₅₆₇₈₉"[Number(t)]).join("")}`:"x";function Ut(e,t){if(t<=8)return Array.from({length:t},(s,r)=>e(r));let n=a.bugs.between(t-6);return[0,1,2,3].map(e).concat(n,e(t-2),e(t-1))}function Es(e){let t=Math.min(e+1,U);return[...Ut(s=>`${"  ".repeat(Math.min(s,5))}build(${Wt(e-s)})`,t),e>=U?a.bugs.overflow:""].join(`
`)}function Ls(e){return Ut(t=>t===e?"(x, 0)":`(${Wt(e-t)}, 1)`,e+1).join(`
`)}customElements.define("gradwalk-depth",De);function je(e){return new Map(Je.map(t=>[t,P(e,{bug:t}).grads]))}function He({text:e,values:t}){return O(S(e).evaluate(t))}function Xt(e){for(;;){let t=ye(e,"medium"),n=He(t),s=P(n).grads.join(),r=[...je(n)],[o,i]=r[Math.floor(e()*r.length)];if(r.filter(([,d])=>d.join()===i.join()).length===1&&i.join()!==s)return{...t,bug:o}}}var Rs=["overwrite","wrong-order","no-reset","no-visited"],Be=class extends re{static{this.styles=be}static{this.properties={seed:{type:Number},fixed:{type:Boolean},answer:{state:!0}}}#e;#t;constructor(){super(),new fe(this),this.seed=0,this.fixed=!1,this.answer=""}connectedCallback(){super.connectedCallback(),this.seed||this.#n()}willUpdate(t){t.has("seed")&&(this.#e=Xt(ve(this.seed)),this.#t=st(He(this.#e),{bug:this.#e.bug,compare:!0}),this.answer="")}#n(){this.seed=1+Math.floor(Math.random()*1e9);let{seed:t}=this;queueMicrotask(()=>this.dispatchEvent(new CustomEvent("case",{detail:t,bubbles:!0,composed:!0})))}#s(t){this.answer||(this.answer=t,pt(t===this.#e.bug))}render(){let{text:t,values:n,bug:s}=this.#e,{right:r,all:o}=dt(),i=this.#t,l=Object.entries(n).map(([d,u])=>`${d} ${A(u)}`).join(", ");return c`<section class="stage game">
        <div class="banner">
          <div class="words"><p class="what">${t}</p><p class="why">${a.checks.where(l)}</p></div>
          <span class="score">${o?a.bugs.score(r,o):h}</span>
        </div>
        <gradwalk-scene class="picture" .program=${i} .frame=${ie(i.line,i.line.total)} compare></gradwalk-scene>
      </section>
      <section class="panel quiz" aria-live="polite">
        <div class="body">
          <p class="ask">${a.bugs.game}</p>
          <div class="choices">
            ${Rs.map(d=>c`<button
                class="toggle ${this.answer&&d===s?"is-right":""} ${d===this.answer&&d!==s?"is-wrong":""}"
                data-choice=${d}
                aria-pressed=${d===this.answer}
                ?disabled=${this.answer!==""&&d!==this.answer&&d!==s}
                @click=${()=>this.#s(d)}
              >${a.bugs.names[d]}</button>`)}
          </div>
          ${this.answer?this.#r():h}
        </div>
      </section>`}#r(){let{bug:t}=this.#e,n=this.answer===t;return c`<div class="verdict">
      ${n?c`<p><strong class="good">✓ ${a.bugs.correct(a.bugs.names[t])}</strong></p>`:c`<p><strong class="bad">✗ ${a.bugs.incorrect(a.bugs.names[this.answer])}</strong> <code>${this.#o(this.answer)}</code></p>
              <p>${a.bugs.was(a.bugs.names[t])}</p>`}
      <p><strong>${a.bugs.evidence}</strong> ${a.bugs.clues[t]}</p>
      <p class="actions">
        <button class="primary" @click=${()=>this.#n()}>${a.bugs.next}</button>
        ${this.fixed?h:c`<button class="toggle" @click=${()=>this.dispatchEvent(new CustomEvent("show",{detail:this.#e,bubbles:!0,composed:!0}))}>${a.bugs.explore}</button>`}
      </p>
    </div>`}#o(t){let{graph:n,names:s}=this.#t,r=je(n).get(t);return n.nodes.filter(o=>!M(o)).map(o=>`${s[o.id]} ${v(r[o.id])}`).join("   ")}};customElements.define("gradwalk-diagnose",Be);var Ms=/^(x|y|t|target|input|label|data)\d*$/i;function Yt(e){let t=e.filter(n=>!Ms.test(n));return t.length?t:[...e]}function Ke(e,t){return Object.fromEntries(e.names.map(n=>[n,t.get(n)??1]))}function ze(e,t){let n=S(e);return n.evaluate(Ke(n,t)).data}function Qt(e,t,n,s){let r=S(e),o=O(r.evaluate(Ke(r,t))),{expected:i}=P(o),l=new Map(t);for(let d of o.leaves){if(!n.includes(d.label))continue;let u=d.data-s*i[d.id];if(!Number.isFinite(u))return null;l.set(d.label,u)}return l}function Jt(e,t,[n,s],r,o=24){let i=S(e),l=f=>{let b=r.map(x=>x.values.get(f)??0),[$,y]=[Math.min(...b),Math.max(...b)],w=Math.max(.35*(y-$),.3*Math.max(1,Math.abs(y),Math.abs($)));return[$-w,y+w]},[d,u]=[l(n),l(s)],p=Ke(i,t),m=([f,b],$)=>f+(b-f)*($+.5)/o,g=Array.from({length:o},(f,b)=>Array.from({length:o},($,y)=>{let w={...p};return w[n]=m(d,y),w[s]=m(u,o-1-b),i.evaluate(w).data}));return{x:d,y:u,rows:g}}var Ps=200,Y=1e9;function rn(e={},t=null){let n=J("x1"),s={page:"sandbox",text:n.text,good:n.text,values:new Map(Object.entries(n.values)),time:0,unfold:!1,final:!1,predict:!1,strict:!1,view:"2d",look:C,speed:1,bug:"overwrite",order:[],ran:!1,game:!1,seed:0,question:"",lesson:"",teach:!1,scene:"sandbox",staged:"",hold:null,until:null,told:new Map,node:null,edge:null,place:"",given:t,playing:!1,answers:new Map,task:"",help:!1,proof:!1,check:null,compiled:null,theme:"auto",letters:!0,greeted:!1,nudge:null,rate:it,learning:[],way:[],descending:!1,stuck:"",sharing:!1,past:[],future:[],edit:{kind:"",at:0}},r=e.final===!0&&!e.predict;return B({...s,...e,final:r},e.text??s.text)}function Os(e,t,n=0){let s=As(e,t,n);return s.good===e.good&&s.unfold===e.unfold&&s.page===e.page||t.type==="restore"?s:{...s,look:{...C,orbit:s.look.orbit}}}function As(e,t,n){switch(t.type){case"type":return X(e,"type",B({...e,playing:!1,time:e.page==="walk"?0:Y},t.text),n);case"load":{let s=new Map([...e.values,...Object.entries(t.values)]),r={...e,values:s,time:0,playing:t.play??!1,order:[],ran:!1},o=B(r,t.text);return t.own?o:X(e,"load",o,n)}case"value":{let s=new Map(e.values).set(t.name,t.value),o=e.page==="sandbox"&&!e.playing&&!e.predict&&e.time===0?Y:e.time;return X(e,`value ${t.name}`,{...e,values:s,time:o,answers:new Map,way:[],descending:!1,stuck:""},n)}case"page":{if(t.page===e.page)return e;let s=t.time??0;return{...e,page:t.page,time:s,playing:!1,descending:!1,ran:!1,staged:"",hold:null,until:null,teach:!1,node:null,edge:null}}case"seek":return t.keepPlaying?{...e,time:t.time}:{...e,time:t.time,playing:!1,until:null,node:null,edge:null};case"play":{let s=t.on?{node:null,edge:null}:{},r=t.until??null;return{...e,...s,playing:t.on,until:r,time:t.time??e.time}}case"toggle":{let s=t.on??!e[t.flag];if(t.flag==="final"&&s&&e.predict)return e;let r={...e,[t.flag]:s,answers:new Map};return t.flag==="unfold"&&Object.assign(r,{node:null,edge:null,order:[]}),t.flag==="predict"&&s&&Object.assign(r,{final:!1,playing:!1}),X(e,t.flag,t.flag==="strict"?B(r,e.text):r,n)}case"view":return{...e,view:t.view};case"speed":return{...e,speed:t.speed};case"bug":return X(e,"bug",{...e,bug:t.bug,time:Y,playing:!1},n);case"order":return X(e,"order",{...e,order:t.order,ran:!1,time:0,playing:!1},n);case"run":return{...e,ran:t.on,time:t.time,playing:t.on,node:null,edge:null};case"answer":{let{typed:s,right:r}=t,o=(e.answers.get(t.event)?.missed??0)+ +!r,i=new Map(e.answers).set(t.event,{typed:s,right:r,missed:o});return{...e,answers:i}}case"again":return{...e,answers:new Map,time:t.time,playing:!1};case"pick":return{...e,node:t.node,edge:t.edge??null};case"game":return{...e,game:t.on};case"case":return{...e,seed:t.seed};case"question":return{...e,question:t.question};case"task":return{...e,task:t.task};case"lesson":return{...e,lesson:t.lesson,hold:null,playing:!1,descending:!1};case"scene":{let{staged:s,scene:r,text:o,bug:i,unfold:l,rate:d}=t,u=new Map([...e.values,...Object.entries(t.values)]),m={...e,...{predict:!1,final:!1,strict:!1,ran:!1,playing:!1},staged:s,scene:r,bug:i,unfold:l,rate:d,values:u,time:0};return B({...m,...{node:null,edge:null,order:[],way:[],hold:null,until:null},stuck:"",descending:!1,view:"2d"},o)}case"shown":{let{given:s,text:r=e.text}=t,o=new Map([...e.values,...t.values??[]]),i={...e,given:s,values:o,edge:null};return s?{...i,node:(e.node??0)<s.nodes.length?e.node:null}:r===e.text?i:B(i,r)}case"hold":return{...e,hold:t.hold};case"tell":return{...e,told:new Map(e.told).set(t.key,t.told)};case"teach":return{...e,teach:t.on};case"help":return{...e,help:t.on};case"proof":return{...e,proof:t.on,check:t.on?null:e.check};case"look":return{...e,look:t.look};case"checking":return{...e,check:t.check};case"compiled":return{...e,compiled:t.compiled};case"place":return{...e,place:t.place};case"theme":return{...e,theme:t.theme};case"letters":return{...e,letters:t.on};case"greeted":return{...e,greeted:!0};case"descend":return _s(e,t.steps);case"descending":return{...e,descending:t.on,stuck:t.on?"":e.stuck};case"climb":{let s=e.way[0]?.values??e.values;return{...e,values:s,way:[],descending:!1,stuck:""}}case"rate":return{...e,rate:t.rate,stuck:""};case"learning":return{...e,learning:t.learning,stuck:""};case"share":return{...e,sharing:t.on};case"nudge":return{...e,nudge:t.nudge};case"restore":{let{given:s,theme:r,letters:o,greeted:i,past:l,future:d}=e;return{...t.state,given:s,theme:r,letters:o,greeted:i,past:l,future:d}}case"undo":return nn(e,"past","future");case"redo":return nn(e,"future","past")}}function B(e,t){try{let n=S(t,{strict:e.strict}).names,s=tn(e.values,n),r=t===e.good&&t===e.text,o=e.text===t?{}:{node:null,edge:null,order:[],ran:!1},i={answers:new Map,nudge:null,way:[],descending:!1,stuck:""},l=n.filter(p=>e.learning.includes(p)),d=l.length&&r?l:Yt(n),u=r?{learning:d}:{...o,...i,learning:d};return{...e,...u,text:t,good:t,values:s}}catch{let n=qs(e.good)?e.good:J("x1").text;return{...e,text:t,good:n,values:tn(e.values,S(n).names)}}}var Ns=2e3,Zt=20;function _s(e,t){let{values:n}=e,s=e.way.length?[...e.way]:[{values:n,output:ze(e.good,n)}],r="";for(let i=0;i<t&&!r;i++){let l=Qt(e.good,n,e.learning,e.rate),d=l?ze(e.good,l):Number.NaN;if(!l||!Number.isFinite(d)){r="numbers";break}let u=e.learning.some(m=>Math.abs((l.get(m)??0)-(n.get(m)??0))>1e-9);n=l,s.push({values:n,output:d}),u||(r="still");let p=s.slice(-Zt-1);p.length>Zt&&p.every((m,g)=>!g||m.output>p[g-1].output)&&(r="up")}let o=e.descending&&!r;return{...e,values:n,way:s.slice(-Ns),stuck:r,descending:o,time:Y}}function qs(e){try{return S(e),!0}catch{return!1}}var en=[2,-3,10,.5,1.5,-1];function tn(e,t){if(t.every(s=>e.has(s)))return e;let n=new Map(e);return t.forEach((s,r)=>{n.has(s)||n.set(s,en[r%en.length])}),n}var on=["page","text","values","unfold","final","predict","strict","bug","order"],Is=[...on,"time","view","speed","ran","game","seed","question","place"];function an(e){return{...Object.fromEntries(Is.map(n=>[n,e[n]])),node:null,edge:null}}function X(e,t,n,s){if(on.every(i=>e[i]===n[i]))return n;let o=t===e.edit.kind&&s-e.edit.at<900&&e.past.length>0?e.past:[...e.past,an(e)].slice(-Ps);return{...n,past:o,future:[],edit:{kind:t,at:s}}}function nn(e,t,n){let s=e[t].at(-1);if(!s)return e;let r=s.page==="learn"?e.hold:null;return{...B({...e,...s,playing:!1,hold:r,until:null},s.text),edit:{kind:"",at:0},[t]:e[t].slice(0,-1),[n]:[...e[n],an(e)]}}var sn=class{constructor(t){this.state=t;this.#e=new Set;this.dispatch=t=>{let n=Os(this.state,t,Date.now());if(n!==this.state){this.state=n;for(let s of this.#e)s(n)}}}#e;subscribe(t){return this.#e.add(t),()=>this.#e.delete(t)}};function ln(...e){let{events:t,phases:n}=e[0].line,s=n.map(({phase:o})=>{let i=t.filter(l=>l.phase===o).length;return`${a.phases[o]} ${i}`}),r=c`<span class="score">${s.join(", ")}</span>`;return I(a.events.title,Fs(...e),"table",r)}function Fs(e,t,n,s=Number.POSITIVE_INFINITY){let{events:r}=e.line,o=a.events,i=t.phase==="backward"?r.findIndex(m=>m.phase!=="forward"):0,l=i>2?i:0,d=Math.max(0,l-1),u=m=>{let g=m+d;if(l&&!m)return p();let f=r[g],{what:b,how:$,result:y}=wt(e,f),x=g>=s&&f.phase==="backward"?"?":g>t.index?L:null,R=g===t.index?"now":g<t.index?"past":"ahead";return c`<tr class="${f.phase} ${R}" aria-rowindex=${m+2} aria-current=${g===t.index?"step":h} @click=${()=>n(f.end)}>
      <td class="index"><button class="bare" aria-label=${o.goto(g+1,b)} @click=${Re=>{Re.stopPropagation(),n(f.end)}}>${g+1}</button></td>
      <td class="who" title=${b}>${b}</td>
      ${f.phase==="sort"?c`<td class="how" colspan="2" title=${x??$}>${x??$}</td>`:c`<td class="how">${x??$}</td><td class="end">${x??y}</td>`}
    </tr>`},p=()=>{let{graph:m,output:g}=e,f=o.folded(l,`${g} ${A(m.nodes[m.root].data)}`),{end:b}=r[d];return c`<tr class="forward past fold" aria-rowindex="2" @click=${()=>n(b)}>
      <td class="index"><button class="bare" aria-label=${o.goto(l,f)}>▸</button></td>
      <td class="who" colspan="3" title=${f}>${f}</td>
    </tr>`};return c`<table class="events" aria-rowcount=${r.length-d+1} ${N({"--digits":String(String(r.length).length)})}>
    <caption class="hidden">${o.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${o.number}</th><th scope="col">${o.what}</th><th scope="col">${o.how}</th><th scope="col" class="end">${o.result}</th></tr>
    </thead>
    <tbody>${j({count:r.length-d,now:t.index-d,columns:4,row:u})}</tbody>
  </table>`}function ni(e){let{state:t,dispatch:n}=e;return c`
    <div class="bar">
      <span class="segments" role="group" aria-label=${a.bugs.mode}>
        ${[!1,!0].map(s=>c`<button class="segment" aria-pressed=${t.game===s} @click=${()=>n({type:"game",on:s})}>${s?a.bugs.diagnose:a.bugs.explore}</button>`)}
      </span>
      ${t.game?h:c`<div class="choices" role="group" aria-label=${a.bugs.choose}>
              ${pe.map(s=>c`<button class="toggle" data-bug=${s} aria-pressed=${t.bug===s} @click=${()=>n({type:"bug",bug:s})}>${a.bugs.names[s]}</button>`)}
            </div>`}
    </div>
    ${t.game?c`<gradwalk-diagnose .seed=${t.seed} ?fixed=${e.fixed} @case=${s=>n({type:"case",seed:s.detail})} @show=${s=>{let{text:r,values:o,bug:i}=s.detail;n({type:"load",text:r,values:o}),n({type:"bug",bug:i}),n({type:"game",on:!1})}}></gradwalk-diagnose>`:t.bug==="recursion"?c`<section class="panel explain"><div class="body">${un("recursion")}<p>${a.bugs.what.recursion}</p></div></section><gradwalk-depth></gradwalk-depth>`:Cs(e)}`}function Cs(e){let{program:t,state:n,frame:s}=e,{wrong:r}=t.walk,o=t.problem?a.bugs.tooMany:r.length?a.bugs.differs(r.length):a.bugs.same,i=s.time>=t.line.total?c`<div class="words"><p class="what ${r.length?"bad":"good"}">${r.length?"✗":"✓"} ${o}</p><p class="why" title=${a.bugs.what[n.bug]}>${a.bugs.what[n.bug]}</p></div>
          ${r.length||e.fixed?h:c`<button class="toggle showcase" @click=${()=>Gs(e)}>${a.bugs.showcase}</button>`}`:void 0;return c`
    ${W(e)}
    ${H(e,{compare:!0,switches:["unfold"],headline:i})}
    <div class="dock bugs">
      ${I(a.bugs.names[n.bug],c`${un(n.bug)}<p class="why">${a.bugs.what[n.bug]}</p>`,"rule")}
      ${I(a.bugs.table,Ee(t),"table")}
      ${ln(t,s,e.seek)}
    </div>`}var cn={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function Gs(e){e.load(cn[e.state.bug].text,cn[e.state.bug].values),e.seek(Y)}function un(e){let[t,n]=a.bugs.code[e];return c`<dl class="diff">
    <div class="good"><dt>✓ ${a.bugs.rightLine}</dt><dd><code>${t}</code></dd></div>
    <div class="bad"><dt>✗ ${a.bugs.wrongLine}</dt><dd><code>${n||a.bugs.missing}</code></dd></div>
  </dl>`}var Ds={},dn=oe(class extends Xe{constructor(){super(...arguments),this.ot=Ds}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((s,r)=>s===this.ot[r]))return Me}else if(this.ot===t)return Me;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});function pn(e){return!0}var ui=!0;var mn="1",js=16e3,Hs=4096,Ve=256,Bs=1e7,We=["unfold","final","predict","strict","ran","game","teach"],gn=/^[^|\p{C}]{1,200}$/u,Ks=64,Q=/^[\p{L}_][\p{L}\p{N}\p{M}_]{0,79}$/u,zs=/^(neuron|mlp|block|gpt)(\/[^|\p{C}]{1,300})?$/u,Vs=/^[a-z]{1,20}(\.\d{1,2})?$/,Ws=/^[a-z0-9][a-z0-9.-]{0,39}$/;function fn(e,t=[],n=!1){let s=u=>Q.test(t[u]??"")?t[u]:String(u),r=new URLSearchParams;if(!n){r.set("f",e.text);let u=[...e.values].map(([p,m])=>`${p}:${m}`);u.length&&r.set("x",u.join(","))}e.time>=0&&r.set("t",String(Math.round(e.time)));let o=We.filter(u=>e[u]);o.length&&r.set("o",o.join(",")),e.view==="3d"&&r.set("v","3d");let{orbit:i,opened:l}=e.look??C;if(e.view==="3d"&&i!==me){let{turn:u,tilt:p,near:m}=i;r.set("p",[u,p,m].map(g=>Math.round(100*g)).join(","))}l.size&&r.set("g",[...l].filter(u=>gn.test(u)).join("|")),e.speed!==1&&r.set("s",String(e.speed)),e.bug&&r.set("b",e.bug),e.order.length&&r.set("q",e.order.map(s).join(".")),e.seed&&r.set("k",String(e.seed)),e.question&&r.set("c",e.question),e.place&&r.set("m",e.place),e.lesson&&r.set("l",e.lesson),e.edge&&r.set("e",`${s(e.edge.target)}.${e.edge.operand}`),e.node!==null&&r.set("n",s(e.node));let d=r.toString().replaceAll("%28","(").replaceAll("%29",")").replaceAll("%2C",",").replaceAll("%3A",":").replaceAll("%2F","/").replaceAll("%3D","=").replaceAll("%3B",";");return`#${mn}/${e.page}?${d}`}function mi(e){if(e.length>js)return{};let t=/^#?(\d+)\/([a-z]+)(?:\?(.*))?$/s.exec(e);if(!t||t[1]!==mn)return Xs(e);let n=new URLSearchParams(t[3]??""),s=(n.get("o")??"").split(","),r=f=>te(n.get(f)),[o,i]=(n.get("e")??"").split("."),l=(n.get("q")??"").split(".").filter(Boolean),d=n.get("n"),u={};d!==null&&Q.test(d)&&(u.nodeName=d);let p=te(i??null);Q.test(o)&&p!==void 0&&ne(p)&&(u.edgeName={target:o,operand:p}),l.some(f=>Q.test(f))&&(u.orderNames=l.filter(f=>Q.test(f)).slice(0,Ve));let m=Us(n.get("p"),n.get("g"));return m&&(u.look=m),{...hn({page:t[2],text:n.get("f")??void 0,values:Qs(n.get("x")),time:n.has("t")?Number(n.get("t")):void 0,...Object.fromEntries(We.map(f=>[f,s.includes(f)])),view:n.get("v")??"2d",speed:Number(n.get("s")??1),bug:n.get("b")??void 0,order:u.orderNames?[]:l.map(te),seed:r("k")??0,question:n.get("c")??"",place:n.get("m")??"",lesson:n.get("l")??"",node:r("n")??null,edge:te(o)===void 0?null:{target:te(o),operand:p}}),...u}}function Us(e,t){let[n,s,r]=/^-?\d{1,3},-?\d{1,3},\d{1,3}$/.test(e??"")?e.split(",").map(l=>Number(l)/100):[],o=(t??"").split("|").filter(l=>gn.test(l));return n===void 0&&!o.length?void 0:{camera:null,orbit:n!==void 0&&Math.abs(s)<=1.45&&r>=.5&&r<=6?{...me,turn:n,tilt:s,near:r}:me,opened:o.length?new Set(o.slice(0,Ks)):C.opened}}function hn(e){let t={},{page:n,text:s,time:r,speed:o,bug:i,question:l,node:d,order:u,values:p,seed:m}=e;typeof n=="string"&&Ys(n)&&(t.page=n),typeof s=="string"&&s.length<=Hs&&(t.text=s);let g=Js(p);g.size&&(t.values=g),typeof r=="number"&&r>=0&&r<Bs&&(t.time=r);for(let $ of We)typeof e[$]=="boolean"&&(t[$]=e[$]);(e.view==="2d"||e.view==="3d")&&(t.view=e.view),typeof o=="number"&&de.includes(o)&&(t.speed=o),typeof i=="string"&&pe.includes(i)&&(t.bug=i),Array.isArray(u)&&(t.order=[...new Set(u.filter(ne))].slice(0,Ve)),bn(m,2**31)&&(t.seed=m),(l===""||typeof l=="string"&&Ws.test(l))&&(t.question=l),typeof e.place=="string"&&zs.test(e.place)&&(t.place=e.place);let{lesson:f}=e;n==="learn"&&(f==="traces"||f==="write")?t.page=f:(f===""||typeof f=="string"&&Vs.test(f))&&(t.lesson=f),(d===null||ne(d))&&(t.node=d);let b=e.edge;return b===null?t.edge=null:b&&ne(b.target)&&ne(b.operand)&&(t.edge={target:b.target,operand:b.operand}),t}function Xs(e){return hn({page:e.replace(/^#\/?/,"")})}function Ys(e){return at.includes(e)}var bn=(e,t)=>Number.isInteger(e)&&e>=0&&e<t,ne=e=>bn(e,1e5);function te(e){return e!=null&&/^\d{1,10}$/.test(e)?Number(e):void 0}function Qs(e){return(e??"").split(",").map(t=>{let n=t.indexOf(":"),s=t.slice(n+1);return[t.slice(0,Math.max(0,n)),s?Number(s):Number.NaN]})}function Js(e){let t=Array.isArray(e)?e:Object.entries(e??{});return new Map(t.slice(0,Ve).filter(n=>typeof n[0]=="string"&&Q.test(n[0])&&Number.isFinite(n[1])).map(([n,s])=>[n.normalize("NFKC"),s]))}function $n(e,t){let{graph:n,names:s}=ot(e),r=s.map((l,d)=>M(n.nodes[d])?"":l),o=e.page==="learn"&&e.lesson!=="",i={...tt(e),time:o?-1:t??-1};return fn(i,r,e.given!==null||o)}function wi(e,t=null){let{nodeName:n,edgeName:s,orderNames:r,look:o=C,...i}=e,l={...rn(i,t),look:o};if(!n&&!s&&!r)return l;let d=ae(nt(l)),u=f=>d.indexOf(f),p=n?u(n):-1,m=s?u(s.target):-1,g=(r??[]).map(u).filter(f=>f>=0);return{...l,node:p>=0?p:l.node,edge:m>=0?{target:m,operand:s.operand}:l.edge,order:g.length?[...new Set(g)]:l.order}}var Ue=e=>Oe[e].filter(pn);function Pi(e){let t=ue(e.state.page),n=Object.keys(Oe).filter(s=>Ue(s).length);return c`<nav class="doors" aria-label=${a.navigation} @keydown=${wn}>
    ${n.map(s=>yn(e,Ue(s)[0],c`${k(s)}<span>${a.doors[s]}</span>`,s===t))}
  </nav>`}function vn(e){let{page:t,good:n,values:s,given:r,unfold:o}=e.state,i=Ue(ue(t));return e.bare||i.length<2?h:dn([a,t,n,s,r,o],()=>c`<nav class="tabs" aria-label=${a.doors[ue(t)]} @keydown=${wn}>
      ${i.map(l=>yn(e,l,a.pages[l],l===t))}
    </nav>`)}function yn(e,t,n,s){return c`<a
    href=${$n({...e.state,page:t,lesson:"",node:null,edge:null})}
    aria-current=${s?"page":h}
    tabindex=${s?0:-1}
    @click=${r=>{r.ctrlKey||r.metaKey||r.shiftKey||(r.preventDefault(),e.current().open(t))}}
  >${n}</a>`}function wn(e){let t=e.currentTarget,n=[...t.querySelectorAll("a, select, button:not(:disabled)")],s=n.indexOf(e.target),r=getComputedStyle(t).direction==="rtl"?-1:1,o={ArrowRight:s+r,ArrowLeft:s-r}[e.key];o!==void 0&&(e.preventDefault(),e.stopPropagation(),n[(o+n.length)%n.length].focus())}function zi(e){let t=c`<div class="rail">
    <section class="panel moment">
      <div class="title"><h2>${a.now}</h2></div>
      ${Tn(e)}
    </section>
    ${xn(e)}
  </div>`;return c`
    ${Kt(H(e,{head:vn(e),switches:[],foot:kn(e)}),t)}
    ${W(e)}`}function Vi(e){return c`
    ${H(e,{switches:[],headline:Tn(e),foot:kn(e)})}
    <div class="dock descent">${xn(e)}</div>`}function xn(e){return[I(a.descend.curve(e.program.output),er(e),"curve"),I(a.descend.surface,sr(e),"surface"),I(a.descend.leaves,rr(e),"leaves")]}function kn(e){let{state:t,dispatch:n}=e,s=a.descend;return c`<div class="bar descend-bar" role="group" aria-label=${s.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!t.descending})}>${k(t.descending?"pause":"play")} ${t.descending?a.pause:s.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${k("step")} ${s.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>n({type:"climb"})}>${k("start")} ${s.reset}</button>
    <label>${s.rate} <select @change=${r=>n({type:"rate",rate:Number(r.target.value)})}>
      ${lt.map(r=>c`<option value=${r} .selected=${r===t.rate}>${v(r)}</option>`)}
    </select></label>
  </div>`}function Tn(e){let{state:t,program:n}=e,s=a.descend,r=Math.max(0,t.way.length-1),o=n.graph.nodes[n.graph.root].data,i=t.way[0]?.output??o,l=t.stuck==="numbers"?s.strange:t.stuck==="still"?s.still:t.stuck==="up"?s.up:s.rule;return c`<div class="words"><p class="what">${r?s.fell(n.output,v(i),v(o),r):s.start(n.output,A(o))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${l}</p></div>`}var Zs=150;function er(e){let{way:t}=e.state,n=a.descend,s=t.filter(({output:d})=>Number.isFinite(d));if(s.length<2)return c`<p class="why">${n.noCurve}</p>`;let r=s.map(({output:d},u)=>({step:u,loss:d})),o=s.at(-1),{output:i}=e.program,l=n.curveSaid(i,v(s[0].output),v(o.output),s.length-1);return c`<figure class="sparkline">
    ${St([{name:i,points:r,ink:0}],{first:0,high:Zs,said:l})}
    <figcaption><span>${v(s[0].output)}</span><span>${n.steps(s.length-1)}</span><strong>${v(o.output)}</strong></figcaption>
  </figure>`}function tr({state:e}){let t=le(e).filter(n=>e.learning.includes(n));return t.length>=2?[t[0],t[1]]:null}var nr=K((e,t,n,s,r)=>Jt(e,r,[t,n],s.length?s:[{values:r,output:0}]));function sr(e){let{state:t}=e,n=a.descend,s=tr(e);if(!s)return c`<p class="why">${n.noSurface}</p>`;let r=nr(t.good,s[0],s[1],t.way,t.values),o=r.rows.length,i=r.rows.flat().filter(Number.isFinite),[l,d]=[Math.min(...i),Math.max(...i)],u=y=>Number.isFinite(y)?Math.sqrt((y-l)/Math.max(d-l,1e-300)):1,p=y=>o*(y-r.x[0])/(r.x[1]-r.x[0]),m=y=>o-o*(y-r.y[0])/(r.y[1]-r.y[0]),g=(t.way.length?t.way:[{values:t.values,output:0}]).map(({values:y})=>[p(y.get(s[0])??0),m(y.get(s[1])??0)]),f=g.map(([y,w],x)=>`${x?"L":"M"}${y.toFixed(2)} ${w.toFixed(2)}`),[b,$]=g.at(-1);return c`<figure class="surface-map">
    <svg viewBox="0 0 ${o} ${o}" role="img" aria-label=${n.surfaceSaid(s[0],s[1],v(l),v(d))}>
      ${r.rows.map((y,w)=>y.map((x,R)=>G`<rect class="cell" x=${R} y=${w} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${u(x).toFixed(2)} />`))}
      ${G`<path class="way" d=${f.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${b} cy=${$} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(s[0],v(r.x[0]),v(r.x[1]),s[1],v(r.y[0]),v(r.y[1]))}</figcaption>
  </figure>`}function rr(e){let{state:t,program:n,dispatch:s}=e,{graph:r,walk:o}=n,i=a.descend;return c`<table class="numbers learns">
    <caption class="hidden">${i.leaves}</caption>
    <thead><tr><th scope="col">${i.learns}</th><th scope="col" class="end">${a.numbers.value}</th><th scope="col" class="end">${a.numbers.grad}</th></tr></thead>
    <tbody>${r.leaves.map(l=>{let d=t.learning.includes(l.label);return c`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${d} @change=${()=>{let p=d?t.learning.filter(m=>m!==l.label):[...t.learning,l.label];s({type:"learning",learning:p})}} /> ${l.label}</label></td>
        <td class="end">${v(l.data)}</td><td class="end">${d?v(o.expected[l.id]):h}</td></tr>`})}</tbody>
  </table>`}var Le=[["","def __add__(self, other):"],["+","    return Value(self.data + other.data,"],["","        (self, other), (1, 1))"],["","def __mul__(self, other):"],["*","    return Value(self.data * other.data,"],["","        (self, other),"],["","        (other.data, self.data))"],["","def tanh(self):"],["tanh","    t = math.tanh(self.data)"],["other","    return Value(t, (self,), (1 - t * t,))"]],or=[["","topo, visited, stack = [], {self}, [(self, 0)]"],["","while stack:"],["pop","    node, i = stack.pop()"],["","    if i == len(node._children):"],["place","        topo.append(node)"],["","        continue"],["","    stack.append((node, i + 1))"],["","    child = node._children[i]"],["visited","    if child not in visited:"],["","        visited.add(child)"],["push","        stack.append((child, 0))"]],ar=[["seed","self.grad = 1.0"],["visit","for v in reversed(topo):"],["","    edges = zip(v._children, v._local_grads)"],["","    for child, local in edges:"],["push","        child.grad += local * v.grad"]],ir={forward:Le,sort:or,backward:ar};function Ji(e,t,n=Number.POSITIVE_INFINITY){let{event:s}=t,r=s?.kind==="compute"?cr(e,s):ir[t.phase],o=s?ur(e,s):"",i=lr(r.find(([p])=>p===o)?.[1]??""),l=s?dr(e,s).map(p=>c`<li class="note"><code>${i}# ${p}</code></li>`):h,d=s?.kind==="compute"?r.length-1:r.findIndex(([p])=>p&&p===o),u=Math.max(0,Math.min(d+1,r.length)-n);return c`<ol class="code ${t.phase}" aria-label=${a.code.title}>
    ${r.slice(u,u+n).map(([p,m],g)=>c`<li class=${p!==""&&p===o?"now":""}><code>${m}</code></li>${g+u===d?l:h}`)}
  </ol>`}function lr(e){return/^ */.exec(e)[0]}function cr(e,t){let n=e.graph.nodes[t.node],{op:s}=n;if(s==="+"||s==="*"){let o=Le.findIndex(([i])=>i===s);return Le.slice(o-1,o+(s==="+"?2:3))}return s==="tanh"?Le.slice(-3):{"-":[["","def __sub__(self, other):"],["-","    return self + (other * -1)"]],"/":[["","def __truediv__(self, other):"],["/","    return self * other**-1"]],neg:[["","def __neg__(self):"],["neg","    return self * -1"]],"**":[["","def __pow__(self, n):"],["**","    return Value(self.data**n,"],["","        (self,), (n * self.data**(n - 1),))"]],relu:[["","def relu(self):"],["relu","    return Value(max(0, self.data),"],["","        (self,), (float(self.data > 0),))"]],exp:[["","def exp(self):"],["exp","    e = math.exp(self.data)"],["","    return Value(e, (self,), (e,))"]],log:[["","def log(self):"],["log","    return Value(math.log(self.data),"],["","        (self,), (1 / self.data,))"]]}[s]??[["",`def ${s}(…):`],[s,"    return Value(…, inputs, local_grads)"],["",`    # the row ${s} of ops.py`]]}function ur(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":{let n=e.walk.sort[t.row].note;return n==="leaf"||n==="done"?"place":n?"visited":"push"}case"seed":return"seed";case"skip":case"leaf":return"visit";default:return"push"}}function dr(e,t){let{names:n,graph:s,walk:r}=e;switch(t.kind){case"push":{let o=t.push,i=e.walk.bug==="overwrite"?"=":"+=";return[`${n[o.to]}.grad ${i} ${v(o.local)} * ${v(o.incoming)}`,`local ${A(o.local)}, ${n[t.node]}.grad ${A(o.incoming)}`]}case"compute":return[`${n[t.node]} ${A(s.nodes[t.node].data)}`];case"seed":return[`${e.output}.grad = 1`];case"sort":{let{note:o,pop:i}=r.sort[t.row],[l,d]=i;if(o==="leaf"||o==="done")return[`node = ${n[l]}`];let u=n[s.nodes[l].operands[d]];return[o?`child = ${u}: visited`:`push (${u}, 0)`]}case"lost":return[`${n[t.lost.to]}: ✗`];default:return[`v = ${n[t.node]}`]}}function il(e,t,n){let{walk:s,names:r,line:o}=e,i=a.trace,l=o.events.findIndex(m=>m.phase==="sort"),d=Math.min(t.index-l,s.sort.length),u=m=>m.map(([g,f])=>`(${r[g]},${f})`).join(" ")||i.empty,p=m=>{let g=s.sort[m],[f,b]=g.pop,$=o.events[l+m],y=m<=d,w=g.note==="leaf"||g.note==="done"?i[g.note]:g.note?i.already(r[e.graph.nodes[f].operands[b]]):"";return c`<tr class=${`sort ${m===d?"now":y?"past":"ahead"}`} aria-rowindex=${m+2} aria-current=${m===d?"step":h} @click=${()=>n($.end)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(m+1,i.sort)}>${m+1}</button></td>
      <td class="who">${y?c`(${r[f]},${b}) <span class="note">${w}</span>`:L}</td>
      <td class="how">${y?u(g.stack):L}</td>
      <td class="how">${y?pr(e,g.stack,g.sorted):L}</td>
      <td class="how">${y?g.sorted.map(x=>r[x]).join(" "):L}</td>
    </tr>`};return c`<table class="trace sort" aria-rowcount=${s.sort.length+1}>
    <caption>${i.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${i.pop}</th><th scope="col">${i.stack}</th><th scope="col">${i.visited}</th><th scope="col">${i.sorted}</th></tr></thead>
    <tbody>${j({count:s.sort.length,now:d,columns:5,row:p})}</tbody>
  </table>`}function pr(e,t,n){return[...new Set([...n,...t.map(([r])=>r)])].sort((r,o)=>r-o).map(r=>e.names[r]).join(" ")}var mr=K(e=>{let t=new Map;return e.events.forEach(({phase:n,kind:s,row:r},o)=>{if(n!=="backward"||s==="seed")return;let i=t.get(r);i?i.push(o):t.set(r,[o])}),t});function ll(e,t,n){let{walk:s,names:r,line:o,graph:i}=e,l=a.trace,{event:d}=t,p=d?.phase==="backward"?d.kind==="seed"?0:d.row:-1,m=mr(o),g=s.backward.map(($,y)=>({step:$,row:y})).filter(({step:$})=>!M(i.nodes[$.node])),f=$=>{let{step:y,row:w}=g[$],x=m.get(w)??[],R=w<p||w===p&&d?.kind!=="seed",Re=R||w===p&&y.node===i.root,Sn=o.events[x.at(-1)??-1]?.end??0,En=()=>x.filter(se=>se<=t.index).map(se=>o.events[se].push?gr(e,o.events[se].push):h),Ln=y.note==="leaf"?l.skipped:l.skippedZero;return c`<tr class=${`backward ${w===p?"now":R?"past":"ahead"}`} aria-rowindex=${$+2} aria-current=${w===p?"step":h} @click=${()=>n(Sn)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(w+1,l.backward)}>${w+1}</button></td>
      <td class="who">${t.phase==="backward"?r[y.node]:L} (${Re?v(y.grad):L})</td>
      <td class="how">${R?y.note?Ln:En():L}</td>
    </tr>`},b=g.findIndex(({row:$})=>$===p);return c`<table class="trace backward" aria-rowcount=${g.length+1}>
    <caption>${l.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${l.node}</th><th scope="col">${l.pushes}</th></tr></thead>
    <tbody>${j({count:g.length,now:b,columns:3,row:f})}</tbody>
  </table>`}function gr(e,t){let n=t.before===0?"":` → ${v(t.after)}`;return c`<span class="push ${ge(t.contribution)}">${e.names[t.to]} += ${z(t)}${n}</span>`}export{dn as a,Y as b,sn as c,mi as d,hn as e,$n as f,wi as g,_n as h,Lt as i,kr as j,Tr as k,Fn as l,Sr as m,Fr as n,Vn as o,jr as p,ui as q,Pi as r,vn as s,wn as t,ln as u,W as v,It as w,Oo as x,H as y,Kt as z,ps as A,oa as B,bs as C,Ee as D,ni as E,un as F,zi as G,Vi as H,Ji as I,il as J,ll as K};
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

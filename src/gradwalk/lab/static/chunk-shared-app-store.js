import{h as $t}from"./chunk-shared-app-settings.js";import{a as de,c as Rt,d as St,e as _e,f as j,g as Ot}from"./chunk-shared-teach-narration.js";import{a as Nt}from"./chunk-shared-parts-charts.js";import{A as F,B as Pt,C as me,F as At,a as ft,g as A,h as I,i as xt,j as z,l as kt,n as Ne,y as Tt,z as N}from"./chunk-shared-scene-steer.js";import{a as k}from"./chunk-shared-parts-icons.js";import{a as ht,d as bt}from"./chunk-shared-app-progress.js";import{a as ee}from"./chunk-shared-lit-html-directives-live.js";import{A as Pe,B as ie,D as le,E as ct,F as ce,G as ut,I as pt,J as dt,K as mt,L as gt,M as Oe,N as ue,O as G,Q as S,R as y,S as yt,T as vt,U as pe,V as wt,W as H,X as Ae,b as re,c as We,d as Le,e as Je,f as Re,g as oe,h as Ze,i as et,j as tt,k as nt,l as se,m as D,n as ae,o as rt,p as ot,q as J,r as Z,s as st,t as at,u as Se,v as Ee,w as it,x as V,y as Me,z as lt}from"./chunk-shared-app-timeline.js";import{c,d as C,e as _,f as Te,g as b,i as ze,k as a,o as Lt,p as Et,q as Mt}from"./chunk-shared-lit-html-lit-html.js";import{A as Xe,B as P,C as Qe,j as Ue,l as L,m as M,o as O,s as q,t as Ye}from"./chunk-shared-core-rows.js";function ge(e){let t=e>>>0;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var Nn={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},_n=["a","b","c"],In=["d","e","g","h","k","m"],Fn=[-4,-3,-2,-1,1,2,2,3,4,5],_t=60;function fe(e,t){for(;;){let n=qn(e,t);if(Dn(n))return n}}function qn(e,t){let{operations:n,leaves:r,vocabulary:o}=Nn[t],s=m=>m[Math.floor(e()*m.length)],i={},l=_n.slice(0,1+Math.floor(e()*r));for(let m of l)i[m]=s(Fn);let u=[...l],p=[...l],d=[];for(let m=0;m<n;m++){let g=In[m],h=p.length>n-m,f=s(h?["+","*"]:o),$=s(p),v=h?p.filter(E=>E!==$):u,w=s(v.length?v:u);f==="relu"?d.push(`${g} = relu(${$})`):f==="**2"?d.push(`${g} = ${$}**2`):d.push(`${g} = ${$} ${f} ${w}`);let x=f==="relu"||f==="**2"?[$]:[$,w];p=[...p.filter(E=>!x.includes(E)),g],u.push(g)}return{text:d.join("; "),values:i}}function Dn({text:e,values:t}){let n=O(L(e).evaluate(t));if(n.leaves.length!==Object.keys(t).length)return!1;let{expected:r}=P(n);return n.nodes.every(o=>Math.abs(o.data)<=_t&&Math.abs(r[o.id])<=_t&&(o.tags.includes("const")||r[o.id]!==0)&&(o.data!==0||o.op==="relu"))}function he(e,t){let{text:n,values:r}=Je(e);return{id:`${e}-${t}`,text:n,values:r,leaf:t}}var Gn=[he("x1","a"),{...he("x1","b"),values:{a:-1,b:5,c:4}},he("x2","w1"),he("x6","a")];function Cn(e,t){let n=fe(ge(t),e),r=Ft(O(L(n.text).evaluate(n.values)));return{...n,id:`${e}.${t}`,leaf:r}}var It="own";function To(e,t,n){let r=Gn.find(i=>i.id===e);if(r)return r;if(e===It)return t?Hn(t,n,It):null;let[,o,s]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return o?Cn(o,Number(s)):null}function Hn(e,t,n){let r=L(e),o=Object.fromEntries(r.names.map(i=>[i,t[i]??1])),s=O(r.evaluate(o));return s.leaves.length?{id:n,text:e,values:o,leaf:Ft(s)}:null}function Ft(e){let t=e.leaves[0],n=0n;for(let r of e.leaves){let{count:o}=q(e,r.id,1);o>n&&([t,n]=[r,o])}return t.label}function Lo({text:e,values:t}){return O(L(e).evaluate(t))}function jn(e,t){return q(e,t,6)}function Ro(e,t,n){let r=a.checks.diagnosis,o=jn(e,t),s=e.find(t),i=ie(e);if(o.count>1n&&o.complete){for(let l of o.largest)if(H(n,l.product))return r.onePath(l.nodes.map(u=>i[u]).join(" → "));if(H(n,o.largest.reduce((l,u)=>l*u.product,1)))return r.product}return H(n,P(e,{bug:"overwrite"}).grads[s.id])?r.overwrite:H(n,-o.total)?r.flipped:H(n,s.data)?r.value(t):o.largest.some(l=>l.locals.length>1&&l.locals.some(u=>H(n,u)))?r.local:""}var R=e=>({kind:"number",x:e}),te=e=>({kind:"total",node:e}),be=(e,t)=>({kind:"local",node:e,operand:t}),Ie=e=>({kind:"grad",node:e}),T=e=>({kind:"sign",sign:e}),qt=new WeakMap;function Bn(e){let t=qt.get(e);if(t)return t;let n=new Map,r=[];for(let{push:o}of e.events){if(!o)continue;let s=(n.get(o.to)??0)+1;n.set(o.to,s),r.push([o,s])}return t=new Map(r.map(([o,s])=>[o,[s,n.get(o.to)]])),qt.set(e,t),t}function Fe(e,t){let[n,r]=Bn(e.line).get(t)??[1,1],o=q(e.graph,t.to,1).count===BigInt(r);return{place:n,count:r,arePaths:o}}function Dt(e,t,n){let{walk:r}=e,o=t.push,s=t.node,{incoming:i,contribution:l,before:u,after:p,to:d}=o,m=Object.is(i,r.expected[s])||i===r.expected[s],g=[Ie(d),T(Ne(o)?"+=":"="),m?te(s):Ie(s),T("×"),be(s,o.operand),T(I(i,o.local)),R(i),T("×"),R(o.local),T(xt(o)),R(l)],{place:h,count:f}=Fe(e,o);if(!n)return{step:g,holds:null,complete:null};let $=h>1&&Ne(o),v=$?[R(u),T("+"),R(l),T(kt(o))]:[],w=T($?I(u,l):I(p)),x=h===f&&(Object.is(p,r.expected[d])||p===r.expected[d]);return{step:g,holds:x||h===1?null:[Ie(d),w,...v,R(p)],complete:x?[te(d),w,...v,R(p)]:null}}function Gt(e,t){let{graph:n}=e,{operands:r,local_grads:o}=n.nodes[t];return r.flatMap((s,i)=>M(n.nodes[s])?[]:[[be(t,i),T(I(o[i])),R(o[i])]])}function Ct({graph:e,names:t},{target:n,operand:r}){let o=e.nodes[n],s=o.local_grads[r],i=Qe(e,o,r,p=>t[p]),l=i.replaceAll("-","−")!==y(s),u=[T(I(s)),R(s)];return l?[be(n,r),T("="),{kind:"formula",text:i,node:n,operand:r},...u]:[be(n,r),...u]}function Ht({graph:e},t){if(t===e.root)return[te(t),T("="),R(1)];let n=q(e,t,4),r=n.largest.flatMap((p,d)=>[...d?[T("+")]:[],...p.locals.flatMap((m,g)=>g?[T("×"),R(m)]:[R(m)])]);if(r.length<2)return[te(t),T(I(n.total)),R(n.total)];let o=n.largest.map(({locals:p})=>p),s=o.map(p=>p.map(d=>y(d))),i=n.complete?[]:[T("+"),{kind:"rest"}],l=n.complete?Ye("+",s,y(n.total)):I(n.total),u=I(...o.flat());return[te(t),T(u),...r,...i,T(l),R(n.total)]}function Do({program:e,frame:t,state:n,veil:r}){let o=e.line.events[r]!==void 0||n.hold!==null,s=n.node!==null||n.edge!==null||t.event?.kind==="compute";return o&&s?c`<p class="why">${a.predictBox.hidden}</p>`:Kn(e,t,n.node,n.edge)}function Kn(e,t,n,r){if(r)return zn(e,r);if(n!==null)return Wn(e,n);let{event:o}=t;if(o?.kind==="push")return Vn(e,t);if(o?.kind==="compute"){let i=e.graph.nodes[o.node];return c`<p class="why">${a.equation.keeps}</p>
      <div class="locals">${Gt(e,i.id).map(l=>W(e,l))}</div>`}if(o?.kind==="sort")return c`<p class="why">${a.equation.sorting}</p>`;let s=t.index>=e.line.events.length-1;return c`<p class="why">${a.equation.idle} ${s?"":a.equation.stepOn}</p>`}function Vn(e,t){let n=t.event,r=n.push,{step:o,holds:s,complete:i}=Dt(e,n,t.landed),{place:l,count:u,arePaths:p}=Fe(e,r),d=a.equation;return c`
    ${W(e,o)}
    <p class="part">${(p?d.path:d.contribution)(l,u,i!==null)}</p>
    ${s?W(e,s):b}
    ${i?W(e,i):b}`}function zn(e,t){let{graph:n,names:r}=e,o=n.nodes[t.target].operands[t.operand],s=c`<p class="picked">${a.inspect.edge(r[o],r[t.target])}</p>`;if(M(n.nodes[o]))return c`${s}<p class="why">${a.inspect.noPath}</p>`;let i=n.nodes[t.target].local_grads[t.operand];return c`
    ${s}
    ${W(e,Ct(e,t))}
    <p class="why">${a.inspect.wiggle(r[o],r[t.target],y(i))}</p>`}function Wn(e,t){let{graph:n,names:r,output:o}=e,s=n.nodes[t];return M(s)?c`<p class="picked">${a.inspect.node(r[t])}</p>${jt(s)}<p class="why">${a.inspect.noPath}</p>`:c`
    <p class="picked">${a.inspect.node(r[t])}<span class="exact">${yt(s.data)}</span></p>
    ${jt(s)}
    ${W(e,Ht(e,t))}
    ${Un(s.data,e.walk.grads[t])}
    ${t===n.root?b:c`<p class="why">${a.inspect.paths(q(n,t,1).count,r[t],o)}</p>`}`}function Un(...e){let t=[...new Set(e.map(Rt))].filter(Boolean);return t.length?c`<p class="why odd">${t.join(" ")}</p>`:b}function jt(e){return e.scope?c`<p class="why scope">${a.inspect.scope(e.scope)}</p>`:b}function W(e,t){let n=[[]];return t.forEach((r,o)=>{r.kind==="sign"&&r.sign!=="×"&&n.at(-1).length&&n.push([]),n.at(-1).push(Yn(e,r,o>0?t[o-1]:null))}),c`<div class="equation">${n.map(r=>c`<math display="inline" displaystyle="true"><mrow>${r}</mrow></math>`)}</div>`}function Yn(e,t,n){let{names:r,output:o}=e;switch(t.kind){case"number":{let s=n?.kind==="sign"&&!["=","≈","+="].includes(n.sign);return _`<mn class=${pe(t.x)}>${s?vt(t.x):y(t.x)}</mn>`}case"total":return Qn(o,r[t.node]);case"local":return Jn(e,t.node,t.operand);case"grad":return _`<mi class="grad">${a.narration.gradOf(r[t.node])}</mi>`;case"formula":return _`<mtext class="code">${t.text.replaceAll("-","−").replaceAll("*","∗")}</mtext>`;case"rest":return _`<mo>…</mo>`;case"sign":return _`<mo form="infix">${t.sign}</mo>`}}function Xn(e,t){return _`<mfrac><mrow><mo rspace="0">∂</mo><mi>${e}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${t}</mi></mrow></mfrac>`}function Qn(e,t){return _`<mrow class="total">${Xn(e,t)}</mrow>`}function Jn({graph:e,names:t},n,r){let{operands:o}=e.nodes[n],s=o.filter(l=>l===o[r]).length,i=o.slice(0,r+1).filter(l=>l===o[r]).length;return _`<munder class="local"><msub><mi>ℓ</mi><mrow><mi>${t[n]}</mi><mo>→</mo><mi>${t[o[r]]}</mi></mrow></msub><mtext>${a.equation.local(s>1?i:0)}</mtext></munder>`}var $e=new Map;function jo(e,t,n){let r=()=>{$e.set(e,"asked"),t().catch(()=>$e.set(e,"missing")).then(n)};if($e.has(e)||r(),$e.get(e)!=="missing")return null;let o=()=>{r(),n()};return c`<p class="pad missing" role="alert"><span class="bad">${a.missing}</span> <button class="toggle" @click=${o}>${a.again}</button></p>`}function U(e,t=b){return e.fixed?c``:c`<div class="controls">${Zn(e)}${rr(e)}${t}</div>`}function Zn(e,t){let{state:n}=e,r=ct(n.text,n.strict),o=r?Ot(r.said):"",s=r?Math.min(r.column,400):0;return c`<div class="expression ${r?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${a.expression}</label>
      <input
        id="expression"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${Ue}
        placeholder="(a + b) * c"
        aria-invalid=${r!==null}
        aria-describedby="expression-note"
        .value=${ee(n.text)}
        @input=${i=>e.dispatch({type:"type",text:i.target.value})}
        @scroll=${i=>tr(i.target)}
        @keydown=${i=>{i.key==="Enter"&&e.dispatch({type:"play",on:!0,time:0}),i.key==="Escape"&&er(i.target)}}
      />
      ${nr(e,t)}
    </div>
    ${r?c`<span class="caret" aria-hidden="true" ${N({"--column":String(s)})}></span>`:b}
    <p id="expression-note" class="note" role=${r?"alert":b}>
      ${r?c`<span class="message" title=${o}>${o}</span>`:c`<span class="hint">${a.expressionHint}</span>`}
    </p>
  </div>`}function er(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function tr(e){e.closest(".expression")?.style.setProperty("--scroll",`${e.scrollLeft}px`)}function nr(e,t){let n=t?Le.filter(o=>t.includes(o.id)):Le,r=n.find(o=>o.text===e.state.good)?.id??"";return c`<label class="presets"><span class="hidden">${a.presets}</span>
    <select
      aria-label=${a.presets}
      @change=${o=>{let s=n.find(i=>i.id===o.target.value);s&&e.load(s.text,s.values)}}
    >
      ${r?b:c`<option value="" .selected=${!0}>${a.presetOwn}</option>`}
      ${n.map(o=>c`<option value=${o.id} .selected=${o.id===r}>${a.presetNames[o.id]}</option>`)}
    </select>
  </label>`}function rr(e){let t=ce(e.state);return c`<div class="variables" role="group" aria-label=${a.variables}>
    ${me(t,n=>n,n=>or(e,n,e.state.values.get(n)??0))}
  </div>`}function or(e,t,n){let r=sr(n),o=s=>e.dispatch({type:"value",name:t,value:s});return c`<div class="variable">
    <span class="name" aria-hidden="true" title=${t}>${t}</span>
    <input
      type="range"
      min=${-r}
      max=${r}
      step="any"
      aria-label=${a.slider(t)}
      .value=${ee(String(n))}
      @input=${s=>o(Bt(Number(s.target.value),r))}
      @keydown=${s=>ar(s,n,r,o)}
    />
    <gradwalk-number id=${`box-${t}`} .value=${n} label=${a.box(t)} @number=${s=>o(s.detail)}></gradwalk-number>
  </div>`}function sr(e){let t=10;for(;t<Math.abs(e)&&t<1e300;)t*=10;return t}function Bt(e,t){let n=t/100;return Number((Math.round(e/n)*n).toPrecision(10))}function ar(e,t,n,r){let o={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!o)return;e.preventDefault();let s=n/100*(e.shiftKey?10:1);r(Math.max(-n,Math.min(n,Bt(t+o*s,n))))}var qe=new WeakMap,Kt=re(class extends Pt{render(e){return b}update(e,[t]){let n=t!==this.G;return n&&this.rt(void 0),(n||this.lt!==this.ct)&&(this.G=t,this.ht=e.options?.host,this.rt(this.ct=e.element)),b}rt(e){if(this.G!==void 0)if(this.isConnected||(e=void 0),typeof this.G=="function"){let t=this.ht??globalThis,n=qe.get(t);n===void 0&&(n=new WeakMap,qe.set(t,n)),n.get(this.G)!==void 0&&this.G.call(this.ht,void 0),n.set(this.G,e),e!==void 0&&this.G.call(this.ht,e)}else this.G.value=e}get lt(){return typeof this.G=="function"?qe.get(this.ht??globalThis)?.get(this.G):this.G?.value}disconnected(){this.lt===this.ct&&this.rt(void 0)}reconnected(){this.rt(this.ct)}});function De({program:e,veil:t,frame:n}){let r=e.line.events[t];return r!==void 0&&n.time>=r.start-1e-6}function Vt(e){let{program:t,veil:n}=e,r=t.line.events[n],o=r.push,s=a.predictBox,i=e.state.answers.get(n),l=p=>{let d=Ae(o.contribution,p);e.dispatch({type:"answer",event:n,typed:p,right:d}),!(!d&&!i)&&(e.dispatch({type:"play",on:!1,time:r.start+1}),e.step(1))};return c`<form class="words predict" @submit=${p=>{p.preventDefault();let d=p.target,m=d.elements.namedItem("prediction"),g=wt(m.value)===null;if(m.setAttribute("aria-invalid",String(g)),d.querySelector(".invalid").textContent=g?a.notNumber:"",g){m.focus();return}let h=m.value;i||Ae(o.contribution,h)?m.value="":m.select(),l(h)}} novalidate>
    <p class="what"><label for="prediction">${s.ask(t.names[r.node],t.names[o.to],y(o.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${s.input} aria-describedby="prediction-note" ${Kt(p=>ir(p,n))} />
      <button class="primary">${s.check}</button>
      <button type="button" class="toggle" @click=${()=>l("")}>${i?s.show:s.hint}</button>
      <span class="score">${Wt(e)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${i?lr(e,i):zt(e)??s.rule(y(o.incoming))}</p>
  </form>`}function ir(e,t){!e||e.dataset.veil===String(t)||(e.dataset.veil=String(t),queueMicrotask(()=>{let{activeElement:n}=e.getRootNode();n?.matches("input, gradwalk-number, select")||e.focus({preventScroll:!0})}))}function lr(e,t){let{program:n,veil:r}=e,{node:o}=n.line.events[r],s=a.predictBox;return c`${t.typed?c`<strong class="bad">✗ ${s.notIt(t.typed)}</strong> `:b}${s.hintText(_e(n,o))}`}function zt(e){let t=Math.max(-1,...[...e.state.answers.keys()].filter(l=>l<e.veil)),n=e.state.answers.get(t),r=e.program.line.events[t];if(!n||!r?.push)return null;if(n.right)return c`<strong class="good">✓ ${a.predictBox.right}</strong>`;let o=z(r.push),{wrong:s,was:i}=a.predictBox;return c`<strong class="bad">${n.typed?s(n.typed,o):i(o)}</strong> ${a.narration.rule(_e(e.program,r.node))}`}function Wt(e){let t=[...e.state.answers.values()].filter(rt),n=t.filter(o=>o.right),r=n.filter(o=>o.missed>0).length;return t.length?a.predictBox.score(n.length,t.length,r):""}function Ut(e){let{state:t,program:n,veil:r}=e;if(!t.predict||t.page!=="sandbox"||n.line.events[r]||!t.answers.size||e.frame.time<n.line.total-1)return null;let o=[...t.answers.values()].every(s=>s.right);return c`<div class="words predict">
    <p class="what"><span class=${o?"good":""}>${o?"✓ ":""}${Wt(e)}</span>
      <button class="primary" @click=${()=>e.dispatch({type:"again",time:0})}>${a.predictBox.again}</button></p>
    <p class="why">${zt(e)??""} ${o?a.predictBox.all:a.predictBox.some}</p>
  </div>`}var cr=160;function Yt(e){let{state:t,program:n,frame:r}=e,{line:o}=n,s=t.playing,i=c`<button class="play" aria-label=${s?a.pause:a.play} title=${s?a.pause:a.play} @click=${e.playPause}>${k(s?"pause":"play")}</button>`;return c`<div class="transport" role="group" aria-label=${a.time}>
    <div class="buttons">
      ${i}
      ${ye("start",a.toStart,()=>e.seek(0))}
      ${ye("back",a.stepBack,()=>e.step(-1))}
      ${ye("step",a.step,()=>e.step(1))}
      ${ye("end",a.toEnd,()=>e.seek(o.total))}
    </div>
    <div class="segments" role="group" aria-label=${a.phaseSwitch}>
      ${o.phases.map(l=>c`<button
          class="segment ${l.phase}"
          aria-pressed=${r.phase===l.phase&&r.index>=0}
          @click=${()=>e.dispatch({type:"play",on:!0,time:l.start})}
        >${a.phases[l.phase]}</button>`)}
    </div>
    <div class="scrub" ${N(pr(o))}>
      ${dr(o)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(o.total)}
        step="1"
        aria-label=${a.time}
        aria-valuetext=${de(n,r.event).what}
        .value=${ee(String(Math.round(r.time)))}
        @input=${l=>e.seek(Math.min(o.total,Number(l.target.value)))}
        @keydown=${l=>ur(e,l)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${a.speed}</span>
      <select aria-label=${a.speed} @change=${l=>e.dispatch({type:"speed",speed:Number(l.target.value)})}>
        ${tt.map(l=>c`<option value=${l} .selected=${l===t.speed}>${a.speeds(l)}</option>`)}
      </select>
    </label>
  </div>`}function ye(e,t,n){return c`<button class="quiet ${e}" aria-label=${t} title=${t} @click=${n}>${k(e)}</button>`}function ur(e,t){if(t.shiftKey||t.ctrlKey||t.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[t.key];n&&(t.preventDefault(),t.stopPropagation(),e.step(n))}function pr(e){let t=r=>{let o=e.phases.find(s=>s.phase===r);return o?`${(100*o.end/e.total).toFixed(2)}%`:""},n=t("forward")||"0%";return{"--forward-end":n,"--sort-end":t("sort")||n}}function dr(e){return e.events.length>cr?"":c`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${e.events.map(t=>{let n=`${100*t.end/e.total}%`;return C`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function Os({state:e,dispatch:t}){if(e.greeted)return b;let n=()=>{$t(),t({type:"greeted"})};return c`<aside class="greeting" aria-label=${a.welcome.label}><p>${a.welcome.text}</p>
    <button class="quiet" aria-label=${a.welcome.close} title=${a.welcome.close} @click=${n}>${k("close")}</button></aside>`}function Xt(){let e=a.legend,t=n=>c`<svg class="wire ${n}" width="32" height="10" aria-hidden="true">${C`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return c`<ul class="reading" aria-label=${a.helpRead}>
    <li>${t("forward")} ${e.forward}</li>
    <li>${t("backward")} ${e.backward}</li>
    <li class="pos">${e.pos}</li>
    <li class="neg">${e.neg}</li>
    <li class="zero">${e.zero}</li>
    <li><code>${S}</code> ${e.unfilled}</li>
    <li><code>t1</code> ${e.unnamed}</li>
  </ul>`}function mr(e){let t=Math.max(1,Math.abs(e));return 10**(Math.floor(Math.log10(t))-1)}function Qt(e){let{state:t,program:n,frame:r}=e;if(t.page!=="sandbox"||t.predict||e.fixed||t.playing||r.time<n.line.total-1||t.text!==t.good)return null;let{nudge:o}=t;if(o&&t.values.has(o.name))return gr(e);let{graph:s,walk:i,names:l,output:u}=n;if(!Number.isFinite(s.nodes[s.root].data))return null;let p=s.leaves.filter(({id:f,data:$,label:v})=>Number.isFinite(i.grads[f])&&i.grads[f]!==0&&Number.isFinite($)&&t.values.has(v)).sort((f,$)=>Math.abs(i.grads[$.id])-Math.abs(i.grads[f.id]))[0];if(!p)return null;let d=mr(p.data),m=i.grads[p.id],g=l[p.id],h=a.welcome;return c`<p class="why">${h.nudge(g,y(d),u,y(d*m))}
    <button class="primary" @click=${()=>hr(e,p.label,p.data,d,m)}>${h.tryIt}</button></p>`}function gr(e){let{state:t,program:n,dispatch:r}=e,{name:o,from:s,by:i,grad:l,output:u}=t.nudge,p=n.graph.nodes[n.graph.root].data,d=z({incoming:l,local:i,contribution:l*i}),m=a.welcome,g=()=>{r({type:"nudge",nudge:null}),r({type:"value",name:o,value:s})};return c`<p class="why" role="status">${m.moved(n.output,y(u),y(p),y(p-u))} ${m.said(d)} ${Math.abs(p-u-l*i)>.001*Math.abs(l*i)?m.bend:""}
    <button class="toggle" @click=${g}>${m.back}</button></p>`}var fr=700;function hr(e,t,n,r,o){let{dispatch:s}=e,{graph:i}=mt(e.state),l=i.nodes[i.root].data,u=Number((n+r).toPrecision(12)),p=n,d=f=>{p=f,s({type:"value",name:t,value:f})},m=()=>{d(u),s({type:"nudge",nudge:{name:t,from:n,by:r,grad:o,output:l}})};if(ft()){m();return}let g=0,h=f=>{let{good:$,values:v}=e.current().state;if($!==e.state.good||v.get(t)!==p)return;g||=f;let w=Math.min(1,(f-g)/fr);w>=1?m():(d(Number((n+r*w).toPrecision(6))),requestAnimationFrame(h))};requestAnimationFrame(h)}function B(e,t={}){let{state:n,program:r,frame:o}=e,s=t.switches??["final","unfold","predict","3d"],i=n.predict&&s.includes("predict"),l=s.filter(g=>g!=="final"||!i),u=i?r.line.events[e.veil]:void 0,p=u!==void 0||n.hold!==null,d=u&&De(e)?u.edges[0]:p?-1:null,m=n.view==="3d"&&l.includes("3d");return c`<section class="stage" aria-label=${a.graphLabel(r.graph.nodes.length)}>
    <div class=${t.head===void 0?`banner ${o.event?o.phase:"idle"}`:"tabbed"}>
      ${t.head??t.headline??br(e)}
      <div class="switches">
        ${l.includes("final")?ve(e,"final",a.final):b}
        ${l.includes("unfold")&&(n.unfold||e.program.graph.nodes.some(g=>g.tags.includes("derived")))?ve(e,"unfold",a.unfold):b}
        ${l.includes("predict")&&(n.strict||n.text.includes("**"))?ve(e,"strict",a.strict):b}
        ${l.includes("predict")?ve(e,"predict",a.predict):b}
        ${l.includes("3d")?c`<span class="segments" role="group" aria-label=${a.viewSwitch}>
                ${["2d","3d"].map(g=>c`<button class="segment" aria-pressed=${n.view===g} @click=${()=>e.dispatch({type:"view",view:g})}>${g==="2d"?a.view2d:a.view3d}</button>`)}
              </span>`:b}
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
      ${N({"--levels":String($r(r.graph))})}
      .program=${r}
      .frame=${o}
      .node=${n.node}
      .edge=${p?null:n.edge}
      .look=${n.look}
      .lit=${t.lit??null}
      .asked=${d}
      ?final=${n.final&&l.includes("final")}
      ?compare=${t.compare??!1}
      ?deep=${m}
      ?large=${n.teach}
      @look=${g=>e.dispatch({type:"look",look:g.detail})}
      @pick=${g=>e.dispatch({type:"pick",...g.detail})}
    ></gradwalk-scene>
    ${Xt()}
    ${t.foot===void 0?Yt(e):t.foot}
  </section>`}function Jt(e,t,n){return c`<div class="under">${e}</div>${t}${n}`}function br(e){return De(e)?Vt(e):Ut(e)??yr(e)}var $r=G(e=>{let t=[];for(let{id:n,operands:r}of e.nodes)t[n]=1+Math.max(0,...r.map(o=>t[o]));return t[e.root]??1});function yr(e){let t=de(e.program,e.frame.event),n=e.state.hold!==null&&!e.frame.event,r=e.state.text!==e.state.good&&!e.fixed,{graph:o,line:s,output:i}=e.program,l=o.nodes[o.root].data,u=e.frame.time>=s.total,p=r?a.lastGood:u&&!Number.isFinite(l)?a.strangeOutput(i,y(l)):e.state.predict&&e.frame.index<0?a.predictBox.start:t.why,d=Qt(e);return d?c`<div class="words end-card">${d}</div>`:c`<div class="words"><p class="what">${n?a.learn.waits:t.what}</p><p class="why ${r?"bad":""}" title=${p}>${p}</p></div>`}function ve(e,t,n){return c`<button class="toggle" aria-pressed=${e.state[t]} @click=${()=>e.dispatch({type:"toggle",flag:t})}>${n}</button>`}var vr=4;function Zt(e,t,n){let r=e.target.closest("[data-place]"),o=e.currentTarget;if(!r||e.button!==0)return;let s=Number(r.dataset.place),i=[...t()],l=!1,u=d=>{if(!l&&Math.hypot(d.clientX-e.clientX,d.clientY-e.clientY)<vr)return;l=!0,r.classList.add("dragged"),d.preventDefault();let m=[...o.querySelectorAll("[data-place]")].find(f=>{let $=f.getBoundingClientRect();return d.clientX>=$.left&&d.clientX<=$.right&&d.clientY>=$.top-12&&d.clientY<=$.bottom+12}),g=m?i.indexOf(Number(m.dataset.place)):-1,h=i.indexOf(s);g<0||g===h||(i=i.filter(f=>f!==s),i.splice(g,0,s),n(i))},p=()=>{r.classList.remove("dragged"),l&&At(),removeEventListener("pointermove",u),removeEventListener("pointerup",p),removeEventListener("pointercancel",p)};addEventListener("pointermove",u),addEventListener("pointerup",p),addEventListener("pointercancel",p)}var wr=24;function sa(e){return c`${U(e)}${xr(e)}`}function xr(e){let{state:t,program:n}=e,r=Oe(n.graph),o=ue(n.graph,t.order)?t.order:r,s=kr(n),i=t.ran?e:{...e,frame:le(n.line,s)},l=t.ran?void 0:c`<div class="words"><p class="what task">${a.order.task}</p><p class="why">${a.order.rule}</p></div>`;return c`
    ${B(i,{compare:t.ran,switches:[],headline:l,foot:t.ran?void 0:b,lit:t.ran?Pr(n,e.state.edge,e.state.node):null})}
    ${r.length>wr?c`<p class="panel pad">${a.order.count(r.length)}</p>`:Tr(e,o,s)}
    ${t.ran?Er(e):b}`}function kr(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function Tr(e,t,n){let{program:r,dispatch:o,state:s}=e,{names:i}=r,l=p=>o({type:"order",order:p}),u=(p,d)=>{if(d<0||d>=t.length||p===d)return;let m=[...t];m.splice(d,0,...m.splice(p,1)),l(m)};return c`<section class="tray panel" aria-label=${a.order.tray}>
    <ol class="places" @pointerdown=${p=>Zt(p,()=>Lr(e,t),l)}>
      ${me(t,p=>p,(p,d)=>c`<li class="place" data-place=${p}>
          <span class="number" aria-hidden="true">${d+1}</span>
          <button class="bare nudge" aria-label=${a.order.earlier(i[p])} ?disabled=${d===0} @click=${()=>u(d,d-1)}>${k("left")}</button>
          <button class="grip" aria-label=${a.order.place(i[p],d+1,t.length)} @keydown=${m=>Rr(m,d,u)}>${i[p]}</button>
          <button class="bare nudge" aria-label=${a.order.later(i[p])} ?disabled=${d===t.length-1} @click=${()=>u(d,d+1)}>${k("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{ue(r.graph,s.order)||l(t),o({type:"run",on:!0,time:n})}}>${k("play")} ${a.order.run}</button>
      <button class="toggle" @click=${()=>l(Sr(t))}>${a.order.shuffle}</button>
      <button class="toggle" @click=${()=>l(P(r.graph).order.filter(p=>t.includes(p)))}>${a.order.right}</button>
    </div>
  </section>`}function Lr(e,t){return ue(e.program.graph,e.state.order)?e.state.order:t}function Rr(e,t,n){let r={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!r)return;e.preventDefault(),e.stopPropagation(),n(t,t+r);let o=e.currentTarget;requestAnimationFrame(()=>o.focus())}function Sr(e){let t=[...e];for(let n=t.length-1;n>0;n--){let r=Math.floor(Math.random()*(n+1));[t[n],t[r]]=[t[r],t[n]]}return t}function Er(e){let{program:t,frame:n}=e,{walk:r,names:o}=t;if(n.time<t.line.total-1)return c``;if(!r.wrong.length)return c`<section class="panel verdict right"><h2>✓ ${a.order.won}</h2><div class="body"><p>${a.order.insight}</p>${we(t)}</div></section>`;let s=r.backward.filter(i=>i.note==="zero"&&r.expected[i.node]!==0);return c`<section class="panel verdict wrong">
    <h2>✗ ${r.lost.length?a.order.lost(r.lost.length):a.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${r.lost.map(i=>Mr(e,i))}
        ${s.map(i=>c`<li><span>${a.order.starvedRow(o[i.node])}</span></li>`)}
        <li class="insight">${a.order.insight}</li>
      </ul>
      ${we(t)}
    </div>
  </section>`}function Mr(e,t){let{names:n,graph:r}=e.program,o=r.nodes[t.source].operands.indexOf(t.to);return c`<li>
    <span><strong class="bad">${a.order.lostRow(y(t.contribution),t.path.map(s=>n[s]).join(" → "))}</strong>
    <br />${a.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:o}})}>${a.order.showPath}</button>
  </li>`}function Pr(e,t,n){if(!t||n!==null)return null;let r=e.graph.nodes[t.target].operands[t.operand],o=e.walk.lost.find(s=>s.source===t.target&&s.to===r);return o?Tt(e,o.path):null}function we(e){let{walk:t,names:n,graph:r}=e,o=Oe(r).toReversed(),s=new Set(t.wrong);return c`<table class="comparison" aria-rowcount=${o.length+1}>
    <caption>${a.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${a.bugs.node}</th><th scope="col" class="end">${a.order.got}</th><th scope="col" class="end">${a.order.should}</th><th scope="col"><span class="hidden">${a.order.verdict}</span></th></tr></thead>
    <tbody>${j({count:o.length,now:-1,columns:4,row:i=>{let l=o[i],u=s.has(l);return c`<tr class=${u?"differs":""} aria-rowindex=${i+2}><td>${n[l]}</td><td class="end ${u?"bad":""}">${y(t.grads[l])}</td><td class="end">${y(t.expected[l])}</td><td class=${u?"bad":"good"}>${u?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var Y=1e3,en=5,Ge=class extends ze{static{this.styles=Mt(Et)}static{this.properties={power:{state:!0}}}constructor(){super(),new Lt(this),this.power=2}get length(){let t=10**this.power,n=10**Math.max(0,Math.floor(this.power)-1);return Math.round(t/n)*n}render(){let{length:t}=this,n=t>=Y,r=a.bugs.count(t);return c`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${a.bugs.depth}</span>
          <input type="range" min="0.5" max=${en} step="0.01" .value=${String(this.power)} aria-valuetext=${r}
            @input=${o=>{this.power=Number(o.target.value)}} />
          <output>${r}</output>
        </label>
        <p class="why">${a.bugs.depthText(t)}</p>
        <div class="columns">
          ${this.#e(a.bugs.recursive,a.bugs.frames(Math.min(t+1,Y)),n?a.bugs.overflow:a.bugs.fine,n,!0)}
          ${this.#e(a.bugs.iterative,a.bugs.entries(t+1),a.bugs.fine,!1,!1)}
        </div>
      </div>
    </section>`}#e(t,n,r,o,s){let i=u=>`${(100*Math.min(1,Math.log10(u)/en)).toFixed(2)}%`,{length:l}=this;return c`<div class="pile ${o?"dies":""}">
      <h2>${t}</h2>
      <div class="room" role="img" aria-label=${n} ${N({"--used":i(o?Y:l),"--limit":i(Y)})}>
        <div class="used"></div>${s?c`<div class="limit"></div>`:b}
      </div>
      <p>${n}${s?c` <span class="why">· ${a.bugs.limit}</span>`:b}</p>
      <p class=${o?"bad":"good"}><strong>${o?"✗":"✓"} ${r}</strong></p>
      <pre>${s?Or(l):Ar(l)}</pre>
    </div>`}},tn=e=>e?`+${[...String(e)].map(t=>"₀₁₂₃₄₅₆₇₈₉"[Number(t)]).join("")}`:"x";function nn(e,t){if(t<=8)return Array.from({length:t},(r,o)=>e(o));let n=a.bugs.between(t-6);return[0,1,2,3].map(e).concat(n,e(t-2),e(t-1))}function Or(e){let t=Math.min(e+1,Y);return[...nn(r=>`${"  ".repeat(Math.min(r,5))}build(${tn(e-r)})`,t),e>=Y?a.bugs.overflow:""].join(`
`)}function Ar(e){return nn(t=>t===e?"(x, 0)":`(${tn(e-t)}, 1)`,e+1).join(`
`)}customElements.define("gradwalk-depth",Ge);var Nr=/^(x|y|t|target|input|label|data)\d*$/i;function rn(e){let t=e.filter(n=>!Nr.test(n));return t.length?t:[...e]}function Ce(e,t){return Object.fromEntries(e.names.map(n=>[n,t.get(n)??1]))}function He(e,t){let n=L(e);return n.evaluate(Ce(n,t)).data}function on(e,t,n,r){let o=L(e),s=O(o.evaluate(Ce(o,t))),{expected:i}=P(s),l=new Map(t);for(let u of s.leaves){if(!n.includes(u.label))continue;let p=u.data-r*i[u.id];if(!Number.isFinite(p))return null;l.set(u.label,p)}return l}function sn(e,t,[n,r],o,s=24){let i=L(e),l=h=>{let f=o.map(x=>x.values.get(h)??0),[$,v]=[Math.min(...f),Math.max(...f)],w=Math.max(.35*(v-$),.3*Math.max(1,Math.abs(v),Math.abs($)));return[$-w,v+w]},[u,p]=[l(n),l(r)],d=Ce(i,t),m=([h,f],$)=>h+(f-h)*($+.5)/s,g=Array.from({length:s},(h,f)=>Array.from({length:s},($,v)=>{let w={...d};return w[n]=m(u,v),w[r]=m(p,s-1-f),i.evaluate(w).data}));return{x:u,y:p,rows:g}}var _r=200,Q=1e9;function dn(e={},t=null){let n={...V,good:V.text,look:D,scene:"sandbox",staged:"",hold:null,until:null,told:new Map,given:t,playing:!1,answers:new Map,task:"",help:!1,proof:!1,check:null,compiled:null,theme:"auto",letters:!0,greeted:!1,nudge:null,rate:Ze,learning:[],way:[],descending:!1,stuck:"",sharing:!1,past:[],future:[],edit:{kind:"",at:0}},r=e.final===!0&&!e.predict;return K({...n,...e,final:r},e.text??n.text)}function Ir(e,t,n=0){let r=Fr(e,t,n);return r.good===e.good&&r.unfold===e.unfold&&r.page===e.page||t.type==="restore"?r:{...r,look:{...D,orbit:r.look.orbit}}}function Fr(e,t,n){switch(t.type){case"type":return X(e,"type",K({...e,playing:!1,time:e.page==="walk"?0:Q},t.text),n);case"load":{let r=new Map([...e.values,...Object.entries(t.values)]),o={...e,values:r,time:0,playing:t.play??!1,order:[],ran:!1},s=K(o,t.text);return t.own?s:X(e,"load",s,n)}case"value":{let r=new Map(e.values).set(t.name,t.value),s=e.page==="sandbox"&&!e.playing&&!e.predict&&e.time===0?Q:e.time;return X(e,`value ${t.name}`,{...e,values:r,time:s,answers:new Map,way:[],descending:!1,stuck:""},n)}case"page":{if(t.page===e.page)return e;let r=t.time??0;return{...e,page:t.page,time:r,playing:!1,descending:!1,ran:!1,staged:"",hold:null,until:null,teach:!1,node:null,edge:null}}case"seek":return t.keepPlaying?{...e,time:t.time}:{...e,time:t.time,playing:!1,until:null,node:null,edge:null};case"play":{let r=t.on?{node:null,edge:null}:{},o=t.until??null;return{...e,...r,playing:t.on,until:o,time:t.time??e.time}}case"toggle":{let r=t.on??!e[t.flag];if(t.flag==="final"&&r&&e.predict)return e;let o={...e,[t.flag]:r,answers:new Map};return t.flag==="unfold"&&Object.assign(o,{node:null,edge:null,order:[]}),t.flag==="predict"&&r&&Object.assign(o,{final:!1,playing:!1}),X(e,t.flag,t.flag==="strict"?K(o,e.text):o,n)}case"view":return{...e,view:t.view};case"speed":return{...e,speed:t.speed};case"bug":return X(e,"bug",{...e,bug:t.bug,time:Q,playing:!1},n);case"order":return X(e,"order",{...e,order:t.order,ran:!1,time:0,playing:!1},n);case"run":return{...e,ran:t.on,time:t.time,playing:t.on,node:null,edge:null};case"answer":{let{event:r,typed:o,right:s}=t,i=ae(e.answers.get(r),o,s),l=new Map(e.answers).set(r,i);return{...e,answers:l}}case"again":return{...e,answers:new Map,time:t.time,playing:!1};case"pick":return{...e,node:t.node,edge:t.edge??null};case"game":return{...e,game:t.on};case"case":return{...e,seed:t.seed};case"question":return{...e,question:t.question};case"task":return{...e,task:t.task};case"lesson":return{...e,lesson:t.lesson,hold:null,playing:!1,descending:!1};case"scene":{let{staged:r,scene:o,text:s,bug:i,unfold:l,rate:u}=t,p=new Map([...e.values,...Object.entries(t.values)]),m={...e,...{predict:!1,final:!1,strict:!1,ran:!1,playing:!1},staged:r,scene:o,bug:i,unfold:l,rate:u,values:p,time:0};return K({...m,...{node:null,edge:null,order:[],way:[],hold:null,until:null},stuck:"",descending:!1,view:"2d"},s)}case"shown":{let{given:r,text:o=e.text}=t,s=new Map([...e.values,...t.values??[]]),i={...e,given:r,values:s,edge:null};return r?{...i,node:(e.node??0)<r.nodes.length?e.node:null}:o===e.text?i:K(i,o)}case"hold":return{...e,hold:t.hold};case"tell":return{...e,told:new Map(e.told).set(t.key,t.told)};case"teach":return{...e,teach:t.on};case"help":return{...e,help:t.on};case"proof":return{...e,proof:t.on,check:t.on?null:e.check};case"look":return{...e,look:t.look};case"checking":return{...e,check:t.check};case"compiled":return{...e,compiled:t.compiled};case"place":return{...e,place:t.place};case"theme":return{...e,theme:t.theme};case"letters":return{...e,letters:t.on};case"greeted":return{...e,greeted:!0};case"descend":return Dr(e,t.steps);case"descending":return{...e,descending:t.on,stuck:t.on?"":e.stuck};case"climb":{let r=e.way[0]?.values??e.values;return{...e,values:r,way:[],descending:!1,stuck:""}}case"rate":return{...e,rate:t.rate,stuck:""};case"learning":return{...e,learning:t.learning,stuck:""};case"share":return{...e,sharing:t.on};case"nudge":return{...e,nudge:t.nudge};case"restore":{let{given:r,theme:o,letters:s,greeted:i,past:l,future:u}=e;return{...t.state,given:r,theme:o,letters:s,greeted:i,past:l,future:u}}case"undo":return un(e,"past","future");case"redo":return un(e,"future","past")}}function K(e,t){try{let n=L(t,{strict:e.strict}).names,r=cn(e.values,n),o=t===e.good&&t===e.text,s=e.text===t?{}:{node:null,edge:null,order:[],ran:!1},i={answers:new Map,nudge:null,way:[],descending:!1,stuck:""},l=n.filter(d=>e.learning.includes(d)),u=l.length&&o?l:rn(n),p=o?{learning:u}:{...s,...i,learning:u};return{...e,...p,text:t,good:t,values:r}}catch{let n=Gr(e.good)?e.good:V.text;return{...e,text:t,good:n,values:cn(e.values,L(n).names)}}}var qr=2e3,an=20;function Dr(e,t){let{values:n}=e,r=e.way.length?[...e.way]:[{values:n,output:He(e.good,n)}],o="";for(let i=0;i<t&&!o;i++){let l=on(e.good,n,e.learning,e.rate),u=l?He(e.good,l):Number.NaN;if(!l||!Number.isFinite(u)){o="numbers";break}let p=e.learning.some(m=>Math.abs((l.get(m)??0)-(n.get(m)??0))>1e-9);n=l,r.push({values:n,output:u}),p||(o="still");let d=r.slice(-an-1);d.length>an&&d.every((m,g)=>!g||m.output>d[g-1].output)&&(o="up")}let s=e.descending&&!o;return{...e,values:n,way:r.slice(-qr),stuck:o,descending:s,time:Q}}function Gr(e){try{return L(e),!0}catch{return!1}}var ln=[2,-3,10,.5,1.5,-1];function cn(e,t){if(t.every(r=>e.has(r)))return e;let n=new Map(e);return t.forEach((r,o)=>{n.has(r)||n.set(r,ln[o%ln.length])}),n}function X(e,t,n,r){if(it.every(i=>e[i]===n[i]))return n;let s=t===e.edit.kind&&r-e.edit.at<900&&e.past.length>0?e.past:[...e.past,Me(e)].slice(-_r);return{...n,past:s,future:[],edit:{kind:t,at:r}}}function un(e,t,n){let r=e[t].at(-1);if(!r)return e;let o=r.page==="learn"?e.hold:null;return{...K({...e,...r,playing:!1,hold:o,until:null},r.text),edit:{kind:"",at:0},[t]:e[t].slice(0,-1),[n]:[...e[n],Me(e)]}}var pn=class{constructor(t){this.state=t;this.#e=new Set;this.dispatch=t=>{let n=Ir(this.state,t,Date.now());if(n!==this.state){this.state=n;for(let r of this.#e)r(n)}}}#e;subscribe(t){return this.#e.add(t),()=>this.#e.delete(t)}};function je(e){return new Map(Xe.map(t=>[t,P(e,{bug:t}).grads]))}function Be({text:e,values:t}){return O(L(e).evaluate(t))}function mn(e){for(;;){let t=fe(e,"medium"),n=Be(t),r=P(n).grads.join(),o=[...je(n)],[s,i]=o[Math.floor(e()*o.length)];if(o.filter(([,u])=>u.join()===i.join()).length===1&&i.join()!==r)return{...t,bug:s}}}var Cr=["overwrite","wrong-order","no-reset","no-visited"],Hr=G(e=>{let t=mn(ge(e));return{shown:t,program:dt(Be(t),{bug:t.bug,compare:!0})}});function Ke({dispatch:e}){e({type:"case",seed:1+Math.floor(Math.random()*1e9)})}function gn(e){let{state:t,dispatch:n}=e,{shown:r,program:o}=Hr(t.seed),{text:s,values:i,bug:l}=r,{right:u,all:p}=ht(),d=`case.${t.seed}`,m=t.told.get(d)?.typed??"",g=f=>{m||(n({type:"tell",key:d,told:ae(void 0,f,f===l)}),bt(f===l))},h=Object.entries(i).map(([f,$])=>`${f} ${A($)}`).join(", ");return c`<section class="stage game">
      <div class="banner">
        <div class="words"><p class="what">${s}</p><p class="why">${a.checks.where(h)}</p></div>
        <span class="score">${p?a.bugs.score(u,p):b}</span>
      </div>
      <gradwalk-scene class="picture" .program=${o} .frame=${le(o.line,o.line.total)} compare></gradwalk-scene>
    </section>
    <section class="panel quiz" aria-live="polite">
      <div class="body">
        <p class="ask">${a.bugs.game}</p>
        <div class="choices">
          ${Cr.map(f=>c`<button
              class="toggle ${m&&f===l?"is-right":""} ${f===m&&f!==l?"is-wrong":""}"
              data-choice=${f}
              aria-pressed=${f===m}
              ?disabled=${m!==""&&f!==m&&f!==l}
              @click=${()=>g(f)}
            >${a.bugs.names[f]}</button>`)}
        </div>
        ${m?jr(e,r,o,m):b}
      </div>
    </section>`}function jr(e,{text:t,values:n,bug:r},o,s){let i=()=>{e.dispatch({type:"load",text:t,values:n}),e.dispatch({type:"bug",bug:r}),e.dispatch({type:"game",on:!1})};return c`<div class="verdict">
    ${s===r?c`<p><strong class="good">✓ ${a.bugs.correct(a.bugs.names[r])}</strong></p>`:c`<p><strong class="bad">✗ ${a.bugs.incorrect(a.bugs.names[s])}</strong> <code>${Br(o,s)}</code></p>
            <p>${a.bugs.was(a.bugs.names[r])}</p>`}
    <p><strong>${a.bugs.evidence}</strong> ${a.bugs.clues[r]}</p>
    <p class="actions">
      <button class="primary" @click=${()=>Ke(e)}>${a.bugs.next}</button>
      ${e.fixed?b:c`<button class="toggle" @click=${i}>${a.bugs.explore}</button>`}
    </p>
  </div>`}function Br({graph:e,names:t},n){let r=je(e).get(n);return e.nodes.filter(o=>!M(o)).map(o=>`${t[o.id]} ${y(r[o.id])}`).join("   ")}function fn(...e){let{events:t,phases:n}=e[0].line,r=n.map(({phase:s})=>{let i=t.filter(l=>l.phase===s).length;return`${a.phases[s]} ${i}`}),o=c`<span class="score">${r.join(", ")}</span>`;return F(a.events.title,Kr(...e),"table",o)}function Kr(e,t,n,r=Number.POSITIVE_INFINITY){let{events:o}=e.line,s=a.events,i=t.phase==="backward"?o.findIndex(m=>m.phase!=="forward"):0,l=i>2?i:0,u=Math.max(0,l-1),p=m=>{let g=m+u;if(l&&!m)return d();let h=o[g],{what:f,how:$,result:v}=St(e,h),x=g>=r&&h.phase==="backward"?"?":g>t.index?S:null,E=g===t.index?"now":g<t.index?"past":"ahead";return c`<tr class="${h.phase} ${E}" aria-rowindex=${m+2} aria-current=${g===t.index?"step":b} @click=${()=>n(h.end)}>
      <td class="index"><button class="bare" aria-label=${s.goto(g+1,f)} @click=${ke=>{ke.stopPropagation(),n(h.end)}}>${g+1}</button></td>
      <td class="who" title=${f}>${f}</td>
      ${h.phase==="sort"?c`<td class="how" colspan="2" title=${x??$}>${x??$}</td>`:c`<td class="how">${x??$}</td><td class="end">${x??v}</td>`}
    </tr>`},d=()=>{let{graph:m,output:g}=e,h=s.folded(l,`${g} ${A(m.nodes[m.root].data)}`),{end:f}=o[u];return c`<tr class="forward past fold" aria-rowindex="2" @click=${()=>n(f)}>
      <td class="index"><button class="bare" aria-label=${s.goto(l,h)}>▸</button></td>
      <td class="who" colspan="3" title=${h}>${h}</td>
    </tr>`};return c`<table class="events" aria-rowcount=${o.length-u+1} ${N({"--digits":String(String(o.length).length)})}>
    <caption class="hidden">${s.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${s.number}</th><th scope="col">${s.what}</th><th scope="col">${s.how}</th><th scope="col" class="end">${s.result}</th></tr>
    </thead>
    <tbody>${j({count:o.length-u,now:t.index-u,columns:4,row:p})}</tbody>
  </table>`}function ni(e){let{state:t,dispatch:n}=e;return c`
    <div class="bar">
      <span class="segments" role="group" aria-label=${a.bugs.mode}>
        ${[!1,!0].map(r=>c`<button class="segment" aria-pressed=${t.game===r} @click=${()=>Vr(e,r)}>${r?a.bugs.diagnose:a.bugs.explore}</button>`)}
      </span>
      ${t.game?b:c`<div class="choices" role="group" aria-label=${a.bugs.choose}>
              ${nt.map(r=>c`<button class="toggle" data-bug=${r} aria-pressed=${t.bug===r} @click=${()=>n({type:"bug",bug:r})}>${a.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${t.game?gn(e):t.bug==="recursion"?c`<section class="panel explain"><div class="body">${bn("recursion")}<p>${a.bugs.what.recursion}</p></div></section><gradwalk-depth></gradwalk-depth>`:zr(e)}`}function Vr(e,t){t&&!e.state.seed&&Ke(e),e.dispatch({type:"game",on:t})}function zr(e){let{program:t,state:n,frame:r}=e,{wrong:o}=t.walk,s=t.problem?a.bugs.tooMany:o.length?a.bugs.differs(o.length):a.bugs.same,i=r.time>=t.line.total?c`<div class="words"><p class="what ${o.length?"bad":"good"}">${o.length?"✗":"✓"} ${s}</p><p class="why" title=${a.bugs.what[n.bug]}>${a.bugs.what[n.bug]}</p></div>
          ${o.length||e.fixed?b:c`<button class="toggle showcase" @click=${()=>Wr(e)}>${a.bugs.showcase}</button>`}`:void 0;return c`
    ${U(e)}
    ${B(e,{compare:!0,switches:["unfold"],headline:i})}
    <div class="dock bugs">
      ${F(a.bugs.names[n.bug],c`${bn(n.bug)}<p class="why">${a.bugs.what[n.bug]}</p>`,"rule")}
      ${F(a.bugs.table,we(t),"table")}
      ${fn(t,r,e.seek)}
    </div>`}var hn={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function Wr(e){e.load(hn[e.state.bug].text,hn[e.state.bug].values),e.seek(Q)}function bn(e){let[t,n]=a.bugs.code[e];return c`<dl class="diff">
    <div class="good"><dt>✓ ${a.bugs.rightLine}</dt><dd><code>${t}</code></dd></div>
    <div class="bad"><dt>✗ ${a.bugs.wrongLine}</dt><dd><code>${n||a.bugs.missing}</code></dd></div>
  </dl>`}var Ur={},$n=re(class extends We{constructor(){super(...arguments),this.ot=Ur}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((r,o)=>r===this.ot[o]))return Te}else if(this.ot===t)return Te;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});function yn(e){return!0}var ui=!0;var vn="1",Yr=16e3,wn=/^[^|\p{C}]{1,200}$/u,Xr=64;function xn(e,t=[],n=!1){let r=u=>Z.test(t[u]??"")?t[u]:String(u),o=new URLSearchParams;for(let u of Ee){let{letter:p,fresh:d,always:m,write:g=String}=Se[u],h=e[u];if(!p||n&&(u==="text"||u==="values")||!lt(u,e)||!m&&h===d)continue;let $=p===J?[o.get(J),u].filter(Boolean).join(","):g(h,r);($||u==="text")&&o.set(p,$)}let{orbit:s,opened:i}=e.look??D;if(e.view==="3d"&&s!==se){let{turn:u,tilt:p,near:d}=s;o.set("p",[u,p,d].map(m=>Math.round(100*m)).join(","))}i.size&&o.set("g",[...i].filter(u=>wn.test(u)).join("|"));let l=o.toString().replace(/%(28|29|2C|3A|2F|3D|3B)/g,decodeURIComponent);return`#${vn}/${e.page}?${l}`}function gi(e){if(e.length>Yr)return{};let t=/^#?(\d+)\/([a-z]+)(?:\?(.*))?$/s.exec(e);if(!t||t[1]!==vn)return Pe({page:e.replace(/^#\/?/,"")});let n=new URLSearchParams(t[3]??""),r=(n.get(J)??"").split(","),o=Ee.map(s=>{let{letter:i,always:l,read:u}=Se[s],p=n.get(i);return i===J?[s,r.includes(s)]:p===null?[s,l?void 0:V[s]]:[s,u?u(p):p]});return{...Pe({...Object.fromEntries(o),page:t[2]}),...Qr(n)}}function Qr(e){let t={},n=e.get("n");n!==null&&Z.test(n)&&(t.nodeName=n);let[r,o]=(e.get("e")??"").split("."),s=at(o);Z.test(r)&&s!==void 0&&st(s)&&(t.edgeName={target:r,operand:s});let i=(e.get("q")??"").split(".").filter(u=>Z.test(u));i.length&&Object.assign(t,{orderNames:i.slice(0,ot),order:[]});let l=Jr(e.get("p"),e.get("g"));return l?{...t,look:l}:t}function Jr(e,t){let[n,r,o]=/^-?\d{1,3},-?\d{1,3},\d{1,3}$/.test(e??"")?e.split(",").map(l=>Number(l)/100):[],s=(t??"").split("|").filter(l=>wn.test(l));return n===void 0&&!s.length?void 0:{camera:null,orbit:n!==void 0&&Math.abs(r)<=1.45&&o>=.5&&o<=6?{...se,turn:n,tilt:r,near:o}:se,opened:s.length?new Set(s.slice(0,Xr)):D.opened}}function kn(e,t){let{graph:n,names:r}=gt(e),o=r.map((l,u)=>M(n.nodes[u])?"":l),s=e.page==="learn"&&e.lesson!=="",i={...ut(e),time:s?-1:t??-1};return xn(i,o,e.given!==null||s)}function xi(e,t=null){let{nodeName:n,edgeName:r,orderNames:o,look:s=D,...i}=e,l={...dn(i,t),look:s};if(!n&&!r&&!o)return l;let u=ie(pt(l)),p=h=>u.indexOf(h),d=n?p(n):-1,m=r?p(r.target):-1,g=(o??[]).map(p).filter(h=>h>=0);return{...l,node:d>=0?d:l.node,edge:m>=0?{target:m,operand:r.operand}:l.edge,order:g.length?[...new Set(g)]:l.order}}var Ve=e=>Re[e].filter(yn);function Oi(e){let t=oe(e.state.page),n=Object.keys(Re).filter(r=>Ve(r).length);return c`<nav class="doors" aria-label=${a.navigation} @keydown=${Rn}>
    ${n.map(r=>Ln(e,Ve(r)[0],c`${k(r)}<span>${a.doors[r]}</span>`,r===t))}
  </nav>`}function Tn(e){let{page:t,good:n,values:r,given:o,unfold:s}=e.state,i=Ve(oe(t));return e.bare||i.length<2?b:$n([a,t,n,r,o,s],()=>c`<nav class="tabs" aria-label=${a.doors[oe(t)]} @keydown=${Rn}>
      ${i.map(l=>Ln(e,l,a.pages[l],l===t))}
    </nav>`)}function Ln(e,t,n,r){return c`<a
    href=${kn({...e.state,page:t,lesson:"",node:null,edge:null})}
    aria-current=${r?"page":b}
    tabindex=${r?0:-1}
    @click=${o=>{o.ctrlKey||o.metaKey||o.shiftKey||(o.preventDefault(),e.current().open(t))}}
  >${n}</a>`}function Rn(e){let t=e.currentTarget,n=[...t.querySelectorAll("a, select, button:not(:disabled)")],r=n.indexOf(e.target),o=getComputedStyle(t).direction==="rtl"?-1:1,s={ArrowRight:r+o,ArrowLeft:r-o}[e.key];s!==void 0&&(e.preventDefault(),e.stopPropagation(),n[(s+n.length)%n.length].focus())}function zi(e){let t=c`<div class="rail">
    <section class="panel moment">
      <div class="title"><h2>${a.now}</h2></div>
      ${Mn(e)}
    </section>
    ${Sn(e)}
  </div>`,n=B(e,{head:Tn(e),switches:[],foot:En(e)});return Jt(n,U(e),t)}function Wi(e){return c`
    ${B(e,{switches:[],headline:Mn(e),foot:En(e)})}
    <div class="dock descent">${Sn(e)}</div>`}function Sn(e){return[F(a.descend.curve(e.program.output),eo(e),"curve"),F(a.descend.surface,ro(e),"surface"),F(a.descend.leaves,oo(e),"leaves")]}function En(e){let{state:t,dispatch:n}=e,r=a.descend;return c`<div class="bar descend-bar" role="group" aria-label=${r.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!t.descending})}>${k(t.descending?"pause":"play")} ${t.descending?a.pause:r.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${k("step")} ${r.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>n({type:"climb"})}>${k("start")} ${r.reset}</button>
    <label>${r.rate} <select @change=${o=>n({type:"rate",rate:Number(o.target.value)})}>
      ${et.map(o=>c`<option value=${o} .selected=${o===t.rate}>${y(o)}</option>`)}
    </select></label>
  </div>`}function Mn(e){let{state:t,program:n}=e,r=a.descend,o=Math.max(0,t.way.length-1),s=n.graph.nodes[n.graph.root].data,i=t.way[0]?.output??s,l=t.stuck==="numbers"?r.strange:t.stuck==="still"?r.still:t.stuck==="up"?r.up:r.rule;return c`<div class="words"><p class="what">${o?r.fell(n.output,y(i),y(s),o):r.start(n.output,A(s))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${l}</p></div>`}var Zr=150;function eo(e){let{way:t}=e.state,n=a.descend,r=t.filter(({output:u})=>Number.isFinite(u));if(r.length<2)return c`<p class="why">${n.noCurve}</p>`;let o=r.map(({output:u},p)=>({step:p,loss:u})),s=r.at(-1),{output:i}=e.program,l=n.curveSaid(i,y(r[0].output),y(s.output),r.length-1);return c`<figure class="sparkline">
    ${Nt([{name:i,points:o,ink:0}],{first:0,high:Zr,said:l})}
    <figcaption><span>${y(r[0].output)}</span><span>${n.steps(r.length-1)}</span><strong>${y(s.output)}</strong></figcaption>
  </figure>`}function to({state:e}){let t=ce(e).filter(n=>e.learning.includes(n));return t.length>=2?[t[0],t[1]]:null}var no=G((e,t,n,r,o)=>sn(e,o,[t,n],r.length?r:[{values:o,output:0}]));function ro(e){let{state:t}=e,n=a.descend,r=to(e);if(!r)return c`<p class="why">${n.noSurface}</p>`;let o=no(t.good,r[0],r[1],t.way,t.values),s=o.rows.length,i=o.rows.flat().filter(Number.isFinite),[l,u]=[Math.min(...i),Math.max(...i)],p=v=>Number.isFinite(v)?Math.sqrt((v-l)/Math.max(u-l,1e-300)):1,d=v=>s*(v-o.x[0])/(o.x[1]-o.x[0]),m=v=>s-s*(v-o.y[0])/(o.y[1]-o.y[0]),g=(t.way.length?t.way:[{values:t.values,output:0}]).map(({values:v})=>[d(v.get(r[0])??0),m(v.get(r[1])??0)]),h=g.map(([v,w],x)=>`${x?"L":"M"}${v.toFixed(2)} ${w.toFixed(2)}`),[f,$]=g.at(-1);return c`<figure class="surface-map">
    <svg viewBox="0 0 ${s} ${s}" role="img" aria-label=${n.surfaceSaid(r[0],r[1],y(l),y(u))}>
      ${o.rows.map((v,w)=>v.map((x,E)=>C`<rect class="cell" x=${E} y=${w} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${p(x).toFixed(2)} />`))}
      ${C`<path class="way" d=${h.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${f} cy=${$} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(r[0],y(o.x[0]),y(o.x[1]),r[1],y(o.y[0]),y(o.y[1]))}</figcaption>
  </figure>`}function oo(e){let{state:t,program:n,dispatch:r}=e,{graph:o,walk:s}=n,i=a.descend;return c`<table class="numbers learns">
    <caption class="hidden">${i.leaves}</caption>
    <thead><tr><th scope="col">${i.learns}</th><th scope="col" class="end">${a.numbers.value}</th><th scope="col" class="end">${a.numbers.grad}</th></tr></thead>
    <tbody>${o.leaves.map(l=>{let u=t.learning.includes(l.label);return c`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${u} @change=${()=>{let d=u?t.learning.filter(m=>m!==l.label):[...t.learning,l.label];r({type:"learning",learning:d})}} /> ${l.label}</label></td>
        <td class="end">${y(l.data)}</td><td class="end">${u?y(s.expected[l.id]):b}</td></tr>`})}</tbody>
  </table>`}var xe=[["","def __add__(self, other):"],["+","    return Value(self.data + other.data,"],["","        (self, other), (1, 1))"],["","def __mul__(self, other):"],["*","    return Value(self.data * other.data,"],["","        (self, other),"],["","        (other.data, self.data))"],["","def tanh(self):"],["tanh","    t = math.tanh(self.data)"],["other","    return Value(t, (self,), (1 - t * t,))"]],so=[["","topo, visited, stack = [], {self}, [(self, 0)]"],["","while stack:"],["pop","    node, i = stack.pop()"],["","    if i == len(node._children):"],["place","        topo.append(node)"],["","        continue"],["","    stack.append((node, i + 1))"],["","    child = node._children[i]"],["visited","    if child not in visited:"],["","        visited.add(child)"],["push","        stack.append((child, 0))"]],ao=[["seed","self.grad = 1.0"],["visit","for v in reversed(topo):"],["","    edges = zip(v._children, v._local_grads)"],["","    for child, local in edges:"],["push","        child.grad += local * v.grad"]],io={forward:xe,sort:so,backward:ao};function Zi(e,t,n=Number.POSITIVE_INFINITY){let{event:r}=t,o=r?.kind==="compute"?co(e,r):io[t.phase],s=r?uo(e,r):"",i=lo(o.find(([d])=>d===s)?.[1]??""),l=r?po(e,r).map(d=>c`<li class="note"><code>${i}# ${d}</code></li>`):b,u=r?.kind==="compute"?o.length-1:o.findIndex(([d])=>d&&d===s),p=Math.max(0,Math.min(u+1,o.length)-n);return c`<ol class="code ${t.phase}" aria-label=${a.code.title}>
    ${o.slice(p,p+n).map(([d,m],g)=>c`<li class=${d!==""&&d===s?"now":""}><code>${m}</code></li>${g+p===u?l:b}`)}
  </ol>`}function lo(e){return/^ */.exec(e)[0]}function co(e,t){let n=e.graph.nodes[t.node],{op:r}=n;if(r==="+"||r==="*"){let s=xe.findIndex(([i])=>i===r);return xe.slice(s-1,s+(r==="+"?2:3))}return r==="tanh"?xe.slice(-3):{"-":[["","def __sub__(self, other):"],["-","    return self + (other * -1)"]],"/":[["","def __truediv__(self, other):"],["/","    return self * other**-1"]],neg:[["","def __neg__(self):"],["neg","    return self * -1"]],"**":[["","def __pow__(self, n):"],["**","    return Value(self.data**n,"],["","        (self,), (n * self.data**(n - 1),))"]],relu:[["","def relu(self):"],["relu","    return Value(max(0, self.data),"],["","        (self,), (float(self.data > 0),))"]],exp:[["","def exp(self):"],["exp","    e = math.exp(self.data)"],["","    return Value(e, (self,), (e,))"]],log:[["","def log(self):"],["log","    return Value(math.log(self.data),"],["","        (self,), (1 / self.data,))"]]}[r]??[["",`def ${r}(…):`],[r,"    return Value(…, inputs, local_grads)"],["",`    # the row ${r} of ops.py`]]}function uo(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":{let n=e.walk.sort[t.row].note;return n==="leaf"||n==="done"?"place":n?"visited":"push"}case"seed":return"seed";case"skip":case"leaf":return"visit";default:return"push"}}function po(e,t){let{names:n,graph:r,walk:o}=e;switch(t.kind){case"push":{let s=t.push,i=e.walk.bug==="overwrite"?"=":"+=";return[`${n[s.to]}.grad ${i} ${y(s.local)} * ${y(s.incoming)}`,`local ${A(s.local)}, ${n[t.node]}.grad ${A(s.incoming)}`]}case"compute":return[`${n[t.node]} ${A(r.nodes[t.node].data)}`];case"seed":return[`${e.output}.grad = 1`];case"sort":{let{note:s,pop:i}=o.sort[t.row],[l,u]=i;if(s==="leaf"||s==="done")return[`node = ${n[l]}`];let p=n[r.nodes[l].operands[u]];return[s?`child = ${p}: visited`:`push (${p}, 0)`]}case"lost":return[`${n[t.lost.to]}: ✗`];default:return[`v = ${n[t.node]}`]}}function ll(e,t,n){let{walk:r,names:o,line:s}=e,i=a.trace,l=s.events.findIndex(m=>m.phase==="sort"),u=Math.min(t.index-l,r.sort.length),p=m=>m.map(([g,h])=>`(${o[g]},${h})`).join(" ")||i.empty,d=m=>{let g=r.sort[m],[h,f]=g.pop,$=s.events[l+m],v=m<=u,w=g.note==="leaf"||g.note==="done"?i[g.note]:g.note?i.already(o[e.graph.nodes[h].operands[f]]):"";return c`<tr class=${`sort ${m===u?"now":v?"past":"ahead"}`} aria-rowindex=${m+2} aria-current=${m===u?"step":b} @click=${()=>n($.end)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(m+1,i.sort)}>${m+1}</button></td>
      <td class="who">${v?c`(${o[h]},${f}) <span class="note">${w}</span>`:S}</td>
      <td class="how">${v?p(g.stack):S}</td>
      <td class="how">${v?mo(e,g.stack,g.sorted):S}</td>
      <td class="how">${v?g.sorted.map(x=>o[x]).join(" "):S}</td>
    </tr>`};return c`<table class="trace sort" aria-rowcount=${r.sort.length+1}>
    <caption>${i.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${i.pop}</th><th scope="col">${i.stack}</th><th scope="col">${i.visited}</th><th scope="col">${i.sorted}</th></tr></thead>
    <tbody>${j({count:r.sort.length,now:u,columns:5,row:d})}</tbody>
  </table>`}function mo(e,t,n){return[...new Set([...n,...t.map(([o])=>o)])].sort((o,s)=>o-s).map(o=>e.names[o]).join(" ")}var go=G(e=>{let t=new Map;return e.events.forEach(({phase:n,kind:r,row:o},s)=>{if(n!=="backward"||r==="seed")return;let i=t.get(o);i?i.push(s):t.set(o,[s])}),t});function cl(e,t,n){let{walk:r,names:o,line:s,graph:i}=e,l=a.trace,{event:u}=t,d=u?.phase==="backward"?u.kind==="seed"?0:u.row:-1,m=go(s),g=r.backward.map(($,v)=>({step:$,row:v})).filter(({step:$})=>!M(i.nodes[$.node])),h=$=>{let{step:v,row:w}=g[$],x=m.get(w)??[],E=w<d||w===d&&u?.kind!=="seed",ke=E||w===d&&v.node===i.root,Pn=s.events[x.at(-1)??-1]?.end??0,On=()=>x.filter(ne=>ne<=t.index).map(ne=>s.events[ne].push?fo(e,s.events[ne].push):b),An=v.note==="leaf"?l.skipped:l.skippedZero;return c`<tr class=${`backward ${w===d?"now":E?"past":"ahead"}`} aria-rowindex=${$+2} aria-current=${w===d?"step":b} @click=${()=>n(Pn)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(w+1,l.backward)}>${w+1}</button></td>
      <td class="who">${t.phase==="backward"?o[v.node]:S} (${ke?y(v.grad):S})</td>
      <td class="how">${E?v.note?An:On():S}</td>
    </tr>`},f=g.findIndex(({row:$})=>$===d);return c`<table class="trace backward" aria-rowcount=${g.length+1}>
    <caption>${l.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${l.node}</th><th scope="col">${l.pushes}</th></tr></thead>
    <tbody>${j({count:g.length,now:f,columns:3,row:h})}</tbody>
  </table>`}function fo(e,t){let n=t.before===0?"":` → ${y(t.after)}`;return c`<span class="push ${pe(t.contribution)}">${e.names[t.to]} += ${z(t)}${n}</span>`}export{$n as a,Q as b,pn as c,gi as d,kn as e,xi as f,Gn as g,It as h,To as i,Lo as j,jn as k,Ro as l,Do as m,Qn as n,jo as o,ui as p,Oi as q,Tn as r,Rn as s,fn as t,U as u,Kt as v,Os as w,B as x,Jt as y,br as z,sa as A,xr as B,we as C,ni as D,bn as E,zi as F,Wi as G,Zi as H,ll as I,cl as J};
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

import{a as ge,b as Pe,c as Ae,d as Ne,i as G,k as _e,l as Ue,p as P,q as ze}from"./chunk-shared-app-store.js";import{a as We}from"./chunk-shared-parts-charts.js";import{j as He,k as O,o as Xe}from"./chunk-shared-scene-steer.js";import{a as W,d as Fe,o as Be,p as Q}from"./chunk-shared-teach-arithmetic.js";import{a as k}from"./chunk-shared-parts-icons.js";import{a as je,d as Ce}from"./chunk-shared-app-progress.js";import{a as le}from"./chunk-shared-lit-html-directives-live.js";import{A as Te,B as ae,E as U,F as Re,G as z,H as Ee,J as Se,K as Me,M as Oe,N as ie,O as X,P as N,R as S,S as v,V as De,X as M,d as ne,e as he,f as re,g as K,i as $e,k as ve,l as B,n as D,o as we,q as ye,r as F,s as H,t as xe,u as ke,v as se,w as oe,y as Le}from"./chunk-shared-app-timeline.js";import{b as Ge,c as Ie,d as Ke}from"./chunk-shared-parts-styles-learn.js";import{c,d as ee,g as $,k as a}from"./chunk-shared-lit-html-lit-html.js";import{B as _,j as fe,l as R,m as A,o as E,s as te,y as be,z as T}from"./chunk-shared-core-rows.js";function Y(e){let t=e>>>0;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var yt={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},xt=["a","b","c"],kt=["d","e","g","h","k","m"],Lt=[-4,-3,-2,-1,1,2,2,3,4,5],Qe=60;function q(e,t){for(;;){let n=Tt(e,t);if(Rt(n))return n}}function Tt(e,t){let{operations:n,leaves:r,vocabulary:s}=yt[t],o=p=>p[Math.floor(e()*p.length)],i={},l=xt.slice(0,1+Math.floor(e()*r));for(let p of l)i[p]=o(Lt);let u=[...l],d=[...l],m=[];for(let p=0;p<n;p++){let g=kt[p],w=d.length>n-p,f=o(w?["+","*"]:s),h=o(d),b=w?d.filter(L=>L!==h):u,y=o(b.length?b:u);f==="relu"?m.push(`${g} = relu(${h})`):f==="**2"?m.push(`${g} = ${h}**2`):m.push(`${g} = ${h} ${f} ${y}`);let x=f==="relu"||f==="**2"?[h]:[h,y];d=[...d.filter(L=>!x.includes(L)),g],u.push(g)}return{text:m.join("; "),values:i}}function Rt({text:e,values:t}){let n=E(R(e).evaluate(t));if(n.leaves.length!==Object.keys(t).length)return!1;let{expected:r}=T(n);return n.nodes.every(s=>Math.abs(s.data)<=Qe&&Math.abs(r[s.id])<=Qe&&(s.tags.includes("const")||r[s.id]!==0)&&(s.data!==0||s.op==="relu"))}function V(e,t){let{text:n,values:r}=he(e);return{id:`${e}-${t}`,text:n,values:r,leaf:t}}var Et=[V("x1","a"),{...V("x1","b"),values:{a:-1,b:5,c:4}},V("x2","w1"),V("x6","a")];function St(e,t){let n=q(Y(t),e),r=qe(E(R(n.text).evaluate(n.values)));return{...n,id:`${e}.${t}`,leaf:r}}var Ye="own";function Sn(e,t,n){let r=Et.find(i=>i.id===e);if(r)return r;if(e===Ye)return t?Mt(t,n,Ye):null;let[,s,o]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return s?St(s,Number(o)):null}function Mt(e,t,n){let r=R(e),s=Object.fromEntries(r.names.map(i=>[i,t[i]??1])),o=E(r.evaluate(s));return o.leaves.length?{id:n,text:e,values:s,leaf:qe(o)}:null}function qe(e){let t=e.leaves[0],n=0n;for(let r of e.leaves){let{count:s}=te(e,r.id,1);s>n&&([t,n]=[r,s])}return t.label}function Mn({text:e,values:t}){return E(R(e).evaluate(t))}function Ot(e,t){return te(e,t,6)}function On(e,t,n){let r=a.checks.diagnosis,s=Ot(e,t),o=e.find(t),i=_(e);if(s.count>1n&&s.complete){for(let l of s.largest)if(M(n,l.product))return r.onePath(l.nodes.map(u=>i[u]).join(" → "));if(M(n,s.largest.reduce((l,u)=>l*u.product,1)))return r.product}return M(n,T(e,{bug:"overwrite"}).grads[o.id])?r.overwrite:M(n,-s.total)?r.flipped:M(n,o.data)?r.value(t):s.largest.some(l=>l.locals.length>1&&l.locals.some(u=>M(n,u)))?r.local:""}var J=new Map;function jn(e,t,n){let r=()=>{J.set(e,"asked"),t().catch(()=>J.set(e,"missing")).then(n)};if(J.has(e)||r(),J.get(e)!=="missing")return null;let s=()=>{r(),n()};return c`<p class="pad missing" role="alert"><span class="bad">${a.missing}</span> <button class="toggle" @click=${s}>${a.again}</button></p>`}function j(e,t=$){return e.fixed?c``:c`<div class="controls">${Pt(e)}${Dt(e)}${t}</div>`}function Pt(e,t){let{state:n}=e,r=Re(n.text,n.strict),s=r?Ue(r.said):"";return c`<div class="expression ${r?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${a.expression}</label>
      <div class="grow">
        <textarea
          id="expression"
          rows="1"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          maxlength=${fe}
          placeholder="(a + b) * c"
          aria-invalid=${r!==null}
          aria-describedby="expression-note"
          .value=${le(n.text)}
          @input=${o=>e.dispatch({type:"type",text:jt(o.target.value)})}
          @keydown=${o=>{o.key==="Enter"&&(o.preventDefault(),e.dispatch({type:"play",on:!0,time:0})),o.key==="Escape"&&At(o.target)}}
        ></textarea>
        <div class="mirror" aria-hidden="true">${Nt(n.text,r?.column)}</div>
      </div>
      ${Ct(e,t)}
    </div>
    <p id="expression-note" class="note" role=${r?"alert":$}>
      ${r?c`<span class="message" title=${s}>${s}</span>`:c`<span class="hint">${a.expressionHint}</span>`}
    </p>
  </div>`}function At(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function Nt(e,t=-1){if(t<0)return`${e}​`;let n=[...e],[r,s]=[n.slice(0,t).join(""),n.slice(t).join("")];return c`${r}<span class="caret"></span>${s}\u200b`}var jt=e=>e.replace(/\s*\n\s*/g," ");function Ct(e,t){let n=t?ne.filter(s=>t.includes(s.id)):ne,r=n.find(s=>s.text===e.state.good)?.id??"";return c`<label class="presets"><span class="hidden">${a.presets}</span>
    <select
      aria-label=${a.presets}
      @change=${s=>{let o=n.find(i=>i.id===s.target.value);o&&e.load(o.text,o.values)}}
    >
      ${r?$:c`<option value="" .selected=${!0}>${a.presetOwn}</option>`}
      ${n.map(s=>c`<option value=${s.id} .selected=${s.id===r}>${a.presetNames[s.id]}</option>`)}
    </select>
  </label>`}function Dt(e){let t=z(e.state);return c`<div class="variables" role="group" aria-label=${a.variables}>
    ${Q(t,n=>n,n=>Ft(e,n,e.state.values.get(n)??0))}
  </div>`}function Ft(e,t,n){let r=Ht(n),s=o=>e.dispatch({type:"value",name:t,value:o});return c`<div class="variable">
    <span class="name" aria-hidden="true" title=${t}>${t}</span>
    <input
      type="range"
      min=${-r}
      max=${r}
      step="any"
      aria-label=${a.slider(t)}
      .value=${le(String(n))}
      @input=${o=>s(Ve(Number(o.target.value),r))}
      @keydown=${o=>Gt(o,n,r,s)}
    />
    <gradwalk-number id=${`box-${t}`} .value=${n} label=${a.box(t)} @number=${o=>s(o.detail)}></gradwalk-number>
  </div>`}function Ht(e){let t=10;for(;t<Math.abs(e)&&t<1e300;)t*=10;return t}function Ve(e,t){let n=t/100;return Number((Math.round(e/n)*n).toPrecision(10))}function Gt(e,t,n,r){let s={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!s)return;e.preventDefault();let o=n/100*(e.shiftKey?10:1);r(Math.max(-n,Math.min(n,Ve(t+s*o,n))))}var It=4;function Je(e,t,n){let r=e.target.closest("[data-place]"),s=e.currentTarget;if(!r||e.button!==0)return;let o=Number(r.dataset.place),i=[...t()],l=!1,u=m=>{if(!l&&Math.hypot(m.clientX-e.clientX,m.clientY-e.clientY)<It)return;l=!0,r.classList.add("dragged"),m.preventDefault();let p=[...s.querySelectorAll("[data-place]")].find(f=>{let h=f.getBoundingClientRect();return m.clientX>=h.left&&m.clientX<=h.right&&m.clientY>=h.top-12&&m.clientY<=h.bottom+12}),g=p?i.indexOf(Number(p.dataset.place)):-1,w=i.indexOf(o);g<0||g===w||(i=i.filter(f=>f!==o),i.splice(g,0,o),n(i))},d=()=>{r.classList.remove("dragged"),l&&Xe(),removeEventListener("pointermove",u),removeEventListener("pointerup",d),removeEventListener("pointercancel",d)};addEventListener("pointermove",u),addEventListener("pointerup",d),addEventListener("pointercancel",d)}var Kt=24;function ar(e){return c`${j(e)}${Bt(e)}`}function Bt(e){let{state:t,program:n}=e,r=ie(n.graph),s=X(n.graph,t.order)?t.order:r,o=_t(n),i=t.ran?e:{...e,frame:U(n.line,o)},l=t.ran?void 0:c`<div class="words"><p class="what task">${a.order.task}</p><p class="why">${a.order.rule}</p></div>`;return c`
    ${P(i,{compare:t.ran,switches:[],headline:l,foot:t.ran?void 0:$,lit:t.ran?qt(n,e.state.edge,e.state.node):null})}
    ${r.length>Kt?c`<p class="panel pad">${a.order.count(r.length)}</p>`:Ut(e,s,o)}
    ${t.ran?Qt(e):$}`}function _t(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function Ut(e,t,n){let{program:r,dispatch:s,state:o}=e,{names:i}=r,l=d=>s({type:"order",order:d}),u=(d,m)=>{if(m<0||m>=t.length||d===m)return;let p=[...t];p.splice(m,0,...p.splice(d,1)),l(p)};return c`<section class="tray panel" aria-label=${a.order.tray}>
    <ol class="places" @pointerdown=${d=>Je(d,()=>zt(e,t),l)}>
      ${Q(t,d=>d,(d,m)=>c`<li class="place" data-place=${d}>
          <span class="number" aria-hidden="true">${m+1}</span>
          <button class="bare nudge" aria-label=${a.order.earlier(i[d])} ?disabled=${m===0} @click=${()=>u(m,m-1)}>${k("left")}</button>
          <button class="grip" aria-label=${a.order.place(i[d],m+1,t.length)} @keydown=${p=>Xt(p,m,u)}>${i[d]}</button>
          <button class="bare nudge" aria-label=${a.order.later(i[d])} ?disabled=${m===t.length-1} @click=${()=>u(m,m+1)}>${k("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{X(r.graph,o.order)||l(t),s({type:"run",on:!0,time:n})}}>${k("play")} ${a.order.run}</button>
      <button class="toggle" @click=${()=>l(Wt(t))}>${a.order.shuffle}</button>
      <button class="toggle" @click=${()=>l(T(r.graph).order.filter(d=>t.includes(d)))}>${a.order.right}</button>
    </div>
  </section>`}function zt(e,t){return X(e.program.graph,e.state.order)?e.state.order:t}function Xt(e,t,n){let r={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!r)return;e.preventDefault(),e.stopPropagation(),n(t,t+r);let s=e.currentTarget;requestAnimationFrame(()=>s.focus())}function Wt(e){let t=[...e];for(let n=t.length-1;n>0;n--){let r=Math.floor(Math.random()*(n+1));[t[n],t[r]]=[t[r],t[n]]}return t}function Qt(e){let{program:t,frame:n}=e,{walk:r,names:s}=t;if(n.time<t.line.total-1)return c``;if(!r.wrong.length)return c`<section class="panel verdict right"><h2>✓ ${a.order.won}</h2><div class="body"><p>${a.order.insight}</p>${Z(t)}</div></section>`;let o=r.backward.filter(i=>i.note==="zero"&&r.expected[i.node]!==0);return c`<section class="panel verdict wrong">
    <h2>✗ ${r.lost.length?a.order.lost(r.lost.length):a.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${r.lost.map(i=>Yt(e,i))}
        ${o.map(i=>c`<li><span>${a.order.starvedRow(s[i.node])}</span></li>`)}
        <li class="insight">${a.order.insight}</li>
      </ul>
      ${Z(t)}
    </div>
  </section>`}function Yt(e,t){let{names:n,graph:r}=e.program,s=r.nodes[t.source].operands.indexOf(t.to);return c`<li>
    <span><strong class="bad">${a.order.lostRow(v(t.contribution),t.path.map(o=>n[o]).join(" → "))}</strong>
    <br />${a.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:s}})}>${a.order.showPath}</button>
  </li>`}function qt(e,t,n){if(!t||n!==null)return null;let r=e.graph.nodes[t.target].operands[t.operand],s=e.walk.lost.find(o=>o.source===t.target&&o.to===r);return s?He(e,s.path):null}function Z(e){let{walk:t,names:n,graph:r}=e,s=ie(r).toReversed(),o=new Set(t.wrong);return c`<table class="comparison" aria-rowcount=${s.length+1}>
    <caption>${a.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${a.bugs.node}</th><th scope="col" class="end">${a.order.got}</th><th scope="col" class="end">${a.order.should}</th><th scope="col"><span class="hidden">${a.order.verdict}</span></th></tr></thead>
    <tbody>${G({count:s.length,now:-1,columns:4,row:i=>{let l=s[i],u=o.has(l);return c`<tr class=${u?"differs":""} aria-rowindex=${i+2}><td>${n[l]}</td><td class="end ${u?"bad":""}">${v(t.grads[l])}</td><td class="end">${v(t.expected[l])}</td><td class=${u?"bad":"good"}>${u?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var C=1e3,Ze=5,ce=class extends Ge(()=>({power:2})){static{this.styles=Ke(Ie)}get length(){let t=10**this.power,n=10**Math.max(0,Math.floor(this.power)-1);return Math.round(t/n)*n}render(){let{length:t}=this,n=t>=C,r=a.bugs.count(t);return c`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${a.bugs.depth}</span>
          <input type="range" min="0.5" max=${Ze} step="0.01" .value=${String(this.power)} aria-valuetext=${r}
            @input=${s=>{this.power=Number(s.target.value)}} />
          <output>${r}</output>
        </label>
        <p class="why">${a.bugs.depthText(t)}</p>
        <div class="columns">
          ${this.#e(a.bugs.recursive,a.bugs.frames(Math.min(t+1,C)),n?a.bugs.overflow:a.bugs.fine,n,!0)}
          ${this.#e(a.bugs.iterative,a.bugs.entries(t+1),a.bugs.fine,!1,!1)}
        </div>
      </div>
    </section>`}#e(t,n,r,s,o){let i=u=>`${(100*Math.min(1,Math.log10(u)/Ze)).toFixed(2)}%`,{length:l}=this;return c`<div class="pile ${s?"dies":""}">
      <h2>${t}</h2>
      <div class="room" role="img" aria-label=${n} ${Be({"--used":i(s?C:l),"--limit":i(C)})}>
        <div class="used"></div>${o?c`<div class="limit"></div>`:$}
      </div>
      <p>${n}${o?c` <span class="why">· ${a.bugs.limit}</span>`:$}</p>
      <p class=${s?"bad":"good"}><strong>${s?"✗":"✓"} ${r}</strong></p>
      <pre>${o?Vt(l):Jt(l)}</pre>
    </div>`}},et=e=>e?`+${[...String(e)].map(t=>"₀₁₂₃₄₅₆₇₈₉"[Number(t)]).join("")}`:"x";function tt(e,t){if(t<=8)return Array.from({length:t},(r,s)=>e(s));let n=a.bugs.between(t-6);return[0,1,2,3].map(e).concat(n,e(t-2),e(t-1))}function Vt(e){let t=Math.min(e+1,C);return[...tt(r=>`${"  ".repeat(Math.min(r,5))}build(${et(e-r)})`,t),e>=C?a.bugs.overflow:""].join(`
`)}function Jt(e){return tt(t=>t===e?"(x, 0)":`(${et(e-t)}, 1)`,e+1).join(`
`)}customElements.define("gradwalk-depth",ce);function ue(e){return new Map(be.map(t=>[t,T(e,{bug:t}).grads]))}function pe({text:e,values:t}){return E(R(e).evaluate(t))}function nt(e){for(;;){let t=q(e,"medium"),n=pe(t),r=T(n).grads.join(),s=[...ue(n)],[o,i]=s[Math.floor(e()*s.length)];if(s.filter(([,u])=>u.join()===i.join()).length===1&&i.join()!==r)return{...t,bug:o}}}var Zt=["overwrite","wrong-order","no-reset","no-visited"],en=N(e=>{let t=nt(Y(e));return{shown:t,program:Me(pe(t),{bug:t.bug,compare:!0})}});function de({dispatch:e}){e({type:"case",seed:1+Math.floor(Math.random()*1e9)})}function rt(e){let{state:t,dispatch:n}=e,{shown:r,program:s}=en(t.seed),{text:o,values:i,bug:l}=r,{right:u,all:d}=je(),m=`case.${t.seed}`,p=t.told.get(m)?.typed??"",g=f=>{p||(n({type:"tell",key:m,told:we(void 0,f,f===l)}),Ce(f===l))},w=Object.entries(i).map(([f,h])=>`${f} ${W(h)}`).join(", ");return c`<section class="stage game">
      <div class="banner">
        <div class="words"><p class="what">${o}</p><p class="why">${a.checks.where(w)}</p></div>
        <span class="score">${d?a.bugs.score(u,d):$}</span>
      </div>
      <gradwalk-scene class="picture" .program=${s} .frame=${U(s.line,s.line.total)} compare></gradwalk-scene>
    </section>
    <section class="panel quiz" aria-live="polite">
      <div class="body">
        <p class="ask">${a.bugs.game}</p>
        <div class="choices">
          ${Zt.map(f=>c`<button
              class="toggle ${p&&f===l?"is-right":""} ${f===p&&f!==l?"is-wrong":""}"
              data-choice=${f}
              aria-pressed=${f===p}
              ?disabled=${p!==""&&f!==p&&f!==l}
              @click=${()=>g(f)}
            >${a.bugs.names[f]}</button>`)}
        </div>
        ${p?tn(e,r,s,p):$}
      </div>
    </section>`}function tn(e,{text:t,values:n,bug:r},s,o){let i=()=>{e.dispatch({type:"load",text:t,values:n}),e.dispatch({type:"bug",bug:r}),e.dispatch({type:"game",on:!1})};return c`<div class="verdict">
    ${o===r?c`<p><strong class="good">✓ ${a.bugs.correct(a.bugs.names[r])}</strong></p>`:c`<p><strong class="bad">✗ ${a.bugs.incorrect(a.bugs.names[o])}</strong> <code>${nn(s,o)}</code></p>
            <p>${a.bugs.was(a.bugs.names[r])}</p>`}
    <p><strong>${a.bugs.evidence}</strong> ${a.bugs.clues[r]}</p>
    <p class="actions">
      <button class="primary" @click=${()=>de(e)}>${a.bugs.next}</button>
      ${e.fixed?$:c`<button class="toggle" @click=${i}>${a.bugs.explore}</button>`}
    </p>
  </div>`}function nn({graph:e,names:t},n){let r=ue(e).get(n);return e.nodes.filter(s=>!A(s)).map(s=>`${t[s.id]} ${v(r[s.id])}`).join("   ")}function Kr(e){let{state:t,dispatch:n}=e;return c`
    <div class="bar">
      <span class="segments" role="group" aria-label=${a.bugs.mode}>
        ${[!1,!0].map(r=>c`<button class="segment" aria-pressed=${t.game===r} @click=${()=>rn(e,r)}>${r?a.bugs.diagnose:a.bugs.explore}</button>`)}
      </span>
      ${t.game?$:c`<div class="choices" role="group" aria-label=${a.bugs.choose}>
              ${ve.map(r=>c`<button class="toggle" data-bug=${r} aria-pressed=${t.bug===r} @click=${()=>n({type:"bug",bug:r})}>${a.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${t.game?rt(e):t.bug==="recursion"?c`<section class="panel explain"><div class="body">${ot("recursion")}<p>${a.bugs.what.recursion}</p></div></section><gradwalk-depth></gradwalk-depth>`:sn(e)}`}function rn(e,t){t&&!e.state.seed&&de(e),e.dispatch({type:"game",on:t})}function sn(e){let{program:t,state:n,frame:r}=e,{wrong:s}=t.walk,o=t.problem?a.bugs.tooMany:s.length?a.bugs.differs(s.length):a.bugs.same,i=r.time>=t.line.total?c`<div class="words"><p class="what ${s.length?"bad":"good"}">${s.length?"✗":"✓"} ${o}</p><p class="why" title=${a.bugs.what[n.bug]}>${a.bugs.what[n.bug]}</p></div>
          ${s.length||e.fixed?$:c`<button class="toggle showcase" @click=${()=>on(e)}>${a.bugs.showcase}</button>`}`:void 0;return c`
    ${j(e)}
    ${P(e,{compare:!0,switches:["unfold"],headline:i})}
    <div class="dock bugs">
      ${O(a.bugs.names[n.bug],c`${ot(n.bug)}<p class="why">${a.bugs.what[n.bug]}</p>`,"rule")}
      ${O(a.bugs.table,Z(t),"table")}
      ${_e(t,r,e.seek)}
    </div>`}var st={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function on(e){e.load(st[e.state.bug].text,st[e.state.bug].values),e.seek(Ae)}function ot(e){let[t,n]=a.bugs.code[e];return c`<dl class="diff">
    <div class="good"><dt>✓ ${a.bugs.rightLine}</dt><dd><code>${t}</code></dd></div>
    <div class="bad"><dt>✗ ${a.bugs.wrongLine}</dt><dd><code>${n||a.bugs.missing}</code></dd></div>
  </dl>`}function at(e){return!0}var _r=!0;var it="1",an=16e3,lt=/^[^|\p{C}]{1,200}$/u,ln=64;function ct(e,t=[],n=!1){let r=u=>H.test(t[u]??"")?t[u]:String(u),s=new URLSearchParams;for(let u of oe){let{letter:d,fresh:m,always:p,write:g=String}=se[u],w=e[u];if(!d||n&&(u==="text"||u==="values")||!Te(u,e)||!p&&w===m)continue;let h=d===F?[s.get(F),u].filter(Boolean).join(","):g(w,r);(h||u==="text")&&s.set(d,h)}let{orbit:o,opened:i}=e.look??D;if(e.view==="3d"&&o!==B){let{turn:u,tilt:d,near:m}=o;s.set("p",[u,d,m].map(p=>Math.round(100*p)).join(","))}i.size&&s.set("g",[...i].filter(u=>lt.test(u)).join("|"));let l=s.toString().replace(/%(28|29|2C|3A|2F|3D|3B)/g,decodeURIComponent);return`#${it}/${e.page}?${l}`}function Wr(e){if(e.length>an)return{};let t=/^#?(\d+)\/([a-z]+)(?:\?(.*))?$/s.exec(e);if(!t||t[1]!==it)return ae({page:e.replace(/^#\/?/,"")});let n=new URLSearchParams(t[3]??""),r=(n.get(F)??"").split(","),s=oe.map(o=>{let{letter:i,always:l,read:u}=se[o],d=n.get(i);return i===F?[o,r.includes(o)]:d===null?[o,l?void 0:Le[o]]:[o,u?u(d):d]});return{...ae({...Object.fromEntries(s),page:t[2]}),...cn(n)}}function cn(e){let t={},n=e.get("n");n!==null&&H.test(n)&&(t.nodeName=n);let[r,s]=(e.get("e")??"").split("."),o=ke(s);H.test(r)&&o!==void 0&&xe(o)&&(t.edgeName={target:r,operand:o});let i=(e.get("q")??"").split(".").filter(u=>H.test(u));i.length&&Object.assign(t,{orderNames:i.slice(0,ye),order:[]});let l=un(e.get("p"),e.get("g"));return l?{...t,look:l}:t}function un(e,t){let[n,r,s]=/^-?\d{1,3},-?\d{1,3},\d{1,3}$/.test(e??"")?e.split(",").map(l=>Number(l)/100):[],o=(t??"").split("|").filter(l=>lt.test(l));return n===void 0&&!o.length?void 0:{camera:null,orbit:n!==void 0&&Math.abs(r)<=1.45&&s>=.5&&s<=6?{...B,turn:n,tilt:r,near:s}:B,opened:o.length?new Set(o.slice(0,ln)):D.opened}}function ut(e,t){let{graph:n,names:r}=Oe(e),s=r.map((l,u)=>A(n.nodes[u])?"":l),o=e.page==="learn"&&e.lesson!=="",i={...Ee(e),time:o?-1:t??-1};return ct(i,s,e.given!==null||o)}function ts(e,t=null){let{nodeName:n,edgeName:r,orderNames:s,look:o=D,...i}=e,l={...Ne(i,t),look:o};if(!n&&!r&&!s)return l;let u=_(Se(l)),d=w=>u.indexOf(w),m=n?d(n):-1,p=r?d(r.target):-1,g=(s??[]).map(d).filter(w=>w>=0);return{...l,node:m>=0?m:l.node,edge:p>=0?{target:p,operand:r.operand}:l.edge,order:g.length?[...new Set(g)]:l.order}}var me=e=>re[e].filter(at);function us(e){let t=K(e.state.page),n=Object.keys(re).filter(r=>me(r).length);return c`<nav class="doors" aria-label=${a.navigation} @keydown=${mt}>
    ${n.map(r=>dt(e,me(r)[0],c`${k(r)}<span>${a.doors[r]}</span>`,r===t))}
  </nav>`}function pt(e){let{page:t,good:n,values:r,given:s,unfold:o}=e.state,i=me(K(t));return e.bare||i.length<2?$:ge([a,t,n,r,s,o],()=>c`<nav class="tabs" aria-label=${a.doors[K(t)]} @keydown=${mt}>
      ${i.map(l=>dt(e,l,a.pages[l],l===t))}
    </nav>`)}function dt(e,t,n,r){return c`<a
    href=${ut({...e.state,page:t,lesson:"",node:null,edge:null})}
    aria-current=${r?"page":$}
    tabindex=${r?0:-1}
    @click=${s=>{s.ctrlKey||s.metaKey||s.shiftKey||(s.preventDefault(),e.current().open(t))}}
  >${n}</a>`}function mt(e){let t=e.currentTarget,n=[...t.querySelectorAll("a, select, button:not(:disabled)")],r=n.indexOf(e.target),s=getComputedStyle(t).direction==="rtl"?-1:1,o={ArrowRight:r+s,ArrowLeft:r-s}[e.key];o!==void 0&&(e.preventDefault(),e.stopPropagation(),n[(o+n.length)%n.length].focus())}function Ts(e){let t=c`<div class="rail">
    <section class="panel moment">
      <div class="title"><h2>${a.now}</h2></div>
      ${bt(e)}
    </section>
    ${gt(e)}
  </div>`,n=P(e,{head:pt(e),switches:[],foot:ft(e)});return ze(n,j(e),t)}function Rs(e){return c`
    ${P(e,{switches:[],headline:bt(e),foot:ft(e)})}
    <div class="dock descent">${gt(e)}</div>`}function gt(e){return[O(a.descend.curve(e.program.output),dn(e),"curve"),O(a.descend.surface,fn(e),"surface"),O(a.descend.leaves,bn(e),"leaves")]}function ft(e){let{state:t,dispatch:n}=e,r=a.descend;return c`<div class="bar descend-bar" role="group" aria-label=${r.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!t.descending})}>${k(t.descending?"pause":"play")} ${t.descending?a.pause:r.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${k("step")} ${r.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>n({type:"climb"})}>${k("start")} ${r.reset}</button>
    <label>${r.rate} <select @change=${s=>n({type:"rate",rate:Number(s.target.value)})}>
      ${$e.map(s=>c`<option value=${s} .selected=${s===t.rate}>${v(s)}</option>`)}
    </select></label>
  </div>`}function bt(e){let{state:t,program:n}=e,r=a.descend,s=Math.max(0,t.way.length-1),o=n.graph.nodes[n.graph.root].data,i=t.way[0]?.output??o,l=t.stuck==="numbers"?r.strange:t.stuck==="still"?r.still:t.stuck==="up"?r.up:r.rule;return c`<div class="words"><p class="what">${s?r.fell(n.output,v(i),v(o),s):r.start(n.output,W(o))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${l}</p></div>`}var pn=150;function dn(e){let{way:t}=e.state,n=a.descend,r=t.filter(({output:u})=>Number.isFinite(u));if(r.length<2)return c`<p class="why">${n.noCurve}</p>`;let s=r.map(({output:u},d)=>({step:d,loss:u})),o=r.at(-1),{output:i}=e.program,l=n.curveSaid(i,v(r[0].output),v(o.output),r.length-1);return c`<figure class="sparkline">
    ${We([{name:i,points:s,ink:0}],{first:0,high:pn,said:l})}
    <figcaption><span>${v(r[0].output)}</span><span>${n.steps(r.length-1)}</span><strong>${v(o.output)}</strong></figcaption>
  </figure>`}function mn({state:e}){let t=z(e).filter(n=>e.learning.includes(n));return t.length>=2?[t[0],t[1]]:null}var gn=N((e,t,n,r,s)=>Pe(e,s,[t,n],r.length?r:[{values:s,output:0}]));function fn(e){let{state:t}=e,n=a.descend,r=mn(e);if(!r)return c`<p class="why">${n.noSurface}</p>`;let s=gn(t.good,r[0],r[1],t.way,t.values),o=s.rows.length,i=s.rows.flat().filter(Number.isFinite),[l,u]=[Math.min(...i),Math.max(...i)],d=b=>Number.isFinite(b)?Math.sqrt((b-l)/Math.max(u-l,1e-300)):1,m=b=>o*(b-s.x[0])/(s.x[1]-s.x[0]),p=b=>o-o*(b-s.y[0])/(s.y[1]-s.y[0]),g=(t.way.length?t.way:[{values:t.values,output:0}]).map(({values:b})=>[m(b.get(r[0])??0),p(b.get(r[1])??0)]),w=g.map(([b,y],x)=>`${x?"L":"M"}${b.toFixed(2)} ${y.toFixed(2)}`),[f,h]=g.at(-1);return c`<figure class="surface-map">
    <svg viewBox="0 0 ${o} ${o}" role="img" aria-label=${n.surfaceSaid(r[0],r[1],v(l),v(u))}>
      ${s.rows.map((b,y)=>b.map((x,L)=>ee`<rect class="cell" x=${L} y=${y} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${d(x).toFixed(2)} />`))}
      ${ee`<path class="way" d=${w.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${f} cy=${h} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(r[0],v(s.x[0]),v(s.x[1]),r[1],v(s.y[0]),v(s.y[1]))}</figcaption>
  </figure>`}function bn(e){let{state:t,program:n,dispatch:r}=e,{graph:s,walk:o}=n,i=a.descend;return c`<table class="numbers learns">
    <caption class="hidden">${i.leaves}</caption>
    <thead><tr><th scope="col">${i.learns}</th><th scope="col" class="end">${a.numbers.value}</th><th scope="col" class="end">${a.numbers.grad}</th></tr></thead>
    <tbody>${s.leaves.map(l=>{let u=t.learning.includes(l.label);return c`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${u} @change=${()=>{let m=u?t.learning.filter(p=>p!==l.label):[...t.learning,l.label];r({type:"learning",learning:m})}} /> ${l.label}</label></td>
        <td class="end">${v(l.data)}</td><td class="end">${u?v(o.expected[l.id]):$}</td></tr>`})}</tbody>
  </table>`}function Cs(e,t,n){let{walk:r,names:s,line:o}=e,i=a.trace,l=o.events.findIndex(p=>p.phase==="sort"),u=Math.min(t.index-l,r.sort.length),d=p=>p.map(([g,w])=>`(${s[g]},${w})`).join(" ")||i.empty,m=p=>{let g=r.sort[p],[w,f]=g.pop,h=o.events[l+p],b=p<=u,y=g.note==="leaf"||g.note==="done"?i[g.note]:g.note?i.already(s[e.graph.nodes[w].operands[f]]):"";return c`<tr class=${`sort ${p===u?"now":b?"past":"ahead"}`} aria-rowindex=${p+2} aria-current=${p===u?"step":$} @click=${()=>n(h.end)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(p+1,i.sort)}>${p+1}</button></td>
      <td class="who">${b?c`(${s[w]},${f}) <span class="note">${y}</span>`:S}</td>
      <td class="how">${b?d(g.stack):S}</td>
      <td class="how">${b?hn(e,g.stack,g.sorted):S}</td>
      <td class="how">${b?g.sorted.map(x=>s[x]).join(" "):S}</td>
    </tr>`};return c`<table class="trace sort" aria-rowcount=${r.sort.length+1}>
    <caption>${i.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${i.pop}</th><th scope="col">${i.stack}</th><th scope="col">${i.visited}</th><th scope="col">${i.sorted}</th></tr></thead>
    <tbody>${G({count:r.sort.length,now:u,columns:5,row:m})}</tbody>
  </table>`}function hn(e,t,n){return[...new Set([...n,...t.map(([s])=>s)])].sort((s,o)=>s-o).map(s=>e.names[s]).join(" ")}var $n=N(e=>{let t=new Map;return e.events.forEach(({phase:n,kind:r,row:s},o)=>{if(n!=="backward"||r==="seed")return;let i=t.get(s);i?i.push(o):t.set(s,[o])}),t});function Ds(e,t,n){let{walk:r,names:s,line:o,graph:i}=e,l=a.trace,{event:u}=t,m=u?.phase==="backward"?u.kind==="seed"?0:u.row:-1,p=$n(o),g=r.backward.map((h,b)=>({step:h,row:b})).filter(({step:h})=>!A(i.nodes[h.node])),w=h=>{let{step:b,row:y}=g[h],x=p.get(y)??[],L=y<m||y===m&&u?.kind!=="seed",ht=L||y===m&&b.node===i.root,$t=o.events[x.at(-1)??-1]?.end??0,vt=()=>x.filter(I=>I<=t.index).map(I=>o.events[I].push?vn(e,o.events[I].push):$),wt=b.note==="leaf"?l.skipped:l.skippedZero;return c`<tr class=${`backward ${y===m?"now":L?"past":"ahead"}`} aria-rowindex=${h+2} aria-current=${y===m?"step":$} @click=${()=>n($t)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(y+1,l.backward)}>${y+1}</button></td>
      <td class="who">${t.phase==="backward"?s[b.node]:S} (${ht?v(b.grad):S})</td>
      <td class="how">${L?b.note?wt:vt():S}</td>
    </tr>`},f=g.findIndex(({row:h})=>h===m);return c`<table class="trace backward" aria-rowcount=${g.length+1}>
    <caption>${l.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${l.node}</th><th scope="col">${l.pushes}</th></tr></thead>
    <tbody>${G({count:g.length,now:f,columns:3,row:w})}</tbody>
  </table>`}function vn(e,t){let n=t.before===0?"":` → ${v(t.after)}`;return c`<span class="push ${De(t.contribution)}">${e.names[t.to]} += ${Fe(t)}${n}</span>`}export{Wr as a,ut as b,ts as c,Et as d,Ye as e,Sn as f,Mn as g,Ot as h,On as i,jn as j,_r as k,us as l,pt as m,mt as n,j as o,ar as p,Bt as q,Z as r,Kr as s,ot as t,Ts as u,Rs as v,Cs as w,Ds as x};

import{a as fe,b as Pe,d as Ae,e as Ne,f as je,l as G,n as Be,o as _e,s as P,t as Ue}from"./chunk-shared-app-store.js";import{a as ze}from"./chunk-shared-parts-charts.js";import{j as Ie,k as O,o as Xe}from"./chunk-shared-scene-steer.js";import{a as W,d as Ge,o as Ke,p as Q}from"./chunk-shared-teach-arithmetic.js";import{a as k}from"./chunk-shared-parts-icons.js";import{a as Ce,d as De}from"./chunk-shared-app-progress.js";import{a as ce}from"./chunk-shared-lit-html-directives-live.js";import{$ as S,A as se,C as Le,E as Te,F as ae,I as U,J as Re,K as X,L as Ee,N as Se,O as Me,Q as Oe,R as ie,S as z,T as N,X as Fe,aa as v,b as me,c as ge,d as ne,da as He,e as $e,f as re,fa as M,g as K,i as ve,k as we,l as B,n as D,u as ye,v as F,w as H,x as xe,y as ke,z as oe}from"./chunk-shared-app-timeline.js";import{c as l,d as ee,g as $,k as a}from"./chunk-shared-lit-html-lit-html.js";import{B as _,j as be,l as R,m as A,o as E,s as te,y as he,z as T}from"./chunk-shared-core-rows.js";var Ln=me(class extends ge{constructor(){super(...arguments),this.key=$}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(Fe(e),this.key=t),n}});function Y(e){let t=e>>>0;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var xt={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},kt=["a","b","c"],Lt=["d","e","g","h","k","m"],Tt=[-4,-3,-2,-1,1,2,2,3,4,5],We=60;function V(e,t){for(;;){let n=Rt(e,t);if(Et(n))return n}}function Rt(e,t){let{operations:n,leaves:r,vocabulary:o}=xt[t],s=u=>u[Math.floor(e()*u.length)],i={},c=kt.slice(0,1+Math.floor(e()*r));for(let u of c)i[u]=s(Tt);let p=[...c],d=[...c],m=[];for(let u=0;u<n;u++){let g=Lt[u],w=d.length>n-u,f=s(w?["+","*"]:o),h=s(d),b=w?d.filter(L=>L!==h):p,y=s(b.length?b:p);f==="relu"?m.push(`${g} = relu(${h})`):f==="**2"?m.push(`${g} = ${h}**2`):m.push(`${g} = ${h} ${f} ${y}`);let x=f==="relu"||f==="**2"?[h]:[h,y];d=[...d.filter(L=>!x.includes(L)),g],p.push(g)}return{text:m.join("; "),values:i}}function Et({text:e,values:t}){let n=E(R(e).evaluate(t));if(n.leaves.length!==Object.keys(t).length)return!1;let{expected:r}=T(n);return n.nodes.every(o=>Math.abs(o.data)<=We&&Math.abs(r[o.id])<=We&&(o.tags.includes("const")||r[o.id]!==0)&&(o.data!==0||o.op==="relu"))}function q(e,t){let{text:n,values:r}=$e(e);return{id:`${e}-${t}`,text:n,values:r,leaf:t}}var St=[q("x1","a"),{...q("x1","b"),values:{a:-1,b:5,c:4}},q("x2","w1"),q("x6","a")];function Mt(e,t){let n=V(Y(t),e),r=Ye(E(R(n.text).evaluate(n.values)));return{...n,id:`${e}.${t}`,leaf:r}}var Qe="own";function Fn(e,t,n){let r=St.find(i=>i.id===e);if(r)return r;if(e===Qe)return t?Ot(t,n,Qe):null;let[,o,s]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return o?Mt(o,Number(s)):null}function Ot(e,t,n){let r=R(e),o=Object.fromEntries(r.names.map(i=>[i,t[i]??1])),s=E(r.evaluate(o));return s.leaves.length?{id:n,text:e,values:o,leaf:Ye(s)}:null}function Ye(e){let t=e.leaves[0],n=0n;for(let r of e.leaves){let{count:o}=te(e,r.id,1);o>n&&([t,n]=[r,o])}return t.label}function Hn({text:e,values:t}){return E(R(e).evaluate(t))}function Pt(e,t){return te(e,t,6)}function Gn(e,t,n){let r=a.checks.diagnosis,o=Pt(e,t),s=e.find(t),i=_(e);if(o.count>1n&&o.complete){for(let c of o.largest)if(M(n,c.product))return r.onePath(c.nodes.map(p=>i[p]).join(" → "));if(M(n,o.largest.reduce((c,p)=>c*p.product,1)))return r.product}return M(n,T(e,{bug:"overwrite"}).grads[s.id])?r.overwrite:M(n,-o.total)?r.flipped:M(n,s.data)?r.value(t):o.largest.some(c=>c.locals.length>1&&c.locals.some(p=>M(n,p)))?r.local:""}var J=new Map;function _n(e,t,n){let r=()=>{J.set(e,"asked"),t().catch(()=>J.set(e,"missing")).then(n)};if(J.has(e)||r(),J.get(e)!=="missing")return null;let o=()=>{r(),n()};return l`<p class="pad missing" role="alert"><span class="bad">${a.missing}</span> <button class="toggle" @click=${o}>${a.again}</button></p>`}function j(e,t=$){return e.fixed?l``:l`<div class="controls">${At(e)}${Ft(e)}${t}</div>`}function At(e,t){let{state:n}=e,r=Re(n.text,n.strict),o=r?_e(r.said):"";return l`<div class="expression ${r?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${a.expression}</label>
      <div class="grow">
        <textarea
          id="expression"
          rows="1"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          maxlength=${be}
          placeholder="(a + b) * c"
          aria-invalid=${r!==null}
          aria-describedby="expression-note"
          .value=${ce(n.text)}
          @input=${s=>e.dispatch({type:"type",text:Ct(s.target.value)})}
          @keydown=${s=>{s.key==="Enter"&&(s.preventDefault(),e.dispatch({type:"play",on:!0,time:0})),s.key==="Escape"&&Nt(s.target)}}
        ></textarea>
        <div class="mirror" aria-hidden="true">${jt(n.text,r?.column)}</div>
      </div>
      ${Dt(e,t)}
    </div>
    <p id="expression-note" class="note" role=${r?"alert":$}>
      ${r?l`<span class="message" title=${o}>${o}</span>`:l`<span class="hint">${a.expressionHint}</span>`}
    </p>
  </div>`}function Nt(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function jt(e,t=-1){if(t<0)return`${e}​`;let n=[...e],[r,o]=[n.slice(0,t).join(""),n.slice(t).join("")];return l`${r}<span class="caret"></span>${o}\u200b`}var Ct=e=>e.replace(/\s*\n\s*/g," ");function Dt(e,t){let n=t?ne.filter(o=>t.includes(o.id)):ne,r=n.find(o=>o.text===e.state.good)?.id??"";return l`<label class="presets"><span class="hidden">${a.presets}</span>
    <select
      aria-label=${a.presets}
      @change=${o=>{let s=n.find(i=>i.id===o.target.value);s&&e.load(s.text,s.values)}}
    >
      ${r?$:l`<option value="" .selected=${!0}>${a.presetOwn}</option>`}
      ${n.map(o=>l`<option value=${o.id} .selected=${o.id===r}>${a.presetNames[o.id]}</option>`)}
    </select>
  </label>`}function Ft(e){let t=X(e.state);return l`<div class="variables" role="group" aria-label=${a.variables}>
    ${Q(t,n=>n,n=>Ht(e,n,e.state.values.get(n)??0))}
  </div>`}function Ht(e,t,n){let r=Gt(n),o=s=>e.dispatch({type:"value",name:t,value:s});return l`<div class="variable">
    <span class="name" aria-hidden="true" title=${t}>${t}</span>
    <input
      type="range"
      min=${-r}
      max=${r}
      step="any"
      aria-label=${a.slider(t)}
      .value=${ce(String(n))}
      @input=${s=>o(Ve(Number(s.target.value),r))}
      @keydown=${s=>It(s,n,r,o)}
    />
    <gradwalk-number id=${`box-${t}`} .value=${n} label=${a.box(t)} @number=${s=>o(s.detail)}></gradwalk-number>
  </div>`}function Gt(e){let t=10;for(;t<Math.abs(e)&&t<1e300;)t*=10;return t}function Ve(e,t){let n=t/100;return Number((Math.round(e/n)*n).toPrecision(10))}function It(e,t,n,r){let o={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!o)return;e.preventDefault();let s=n/100*(e.shiftKey?10:1);r(Math.max(-n,Math.min(n,Ve(t+o*s,n))))}var Kt=4;function qe(e,t,n){let r=e.target.closest("[data-place]"),o=e.currentTarget;if(!r||e.button!==0)return;let s=Number(r.dataset.place),i=[...t()],c=!1,p=m=>{if(!c&&Math.hypot(m.clientX-e.clientX,m.clientY-e.clientY)<Kt)return;c=!0,r.classList.add("dragged"),m.preventDefault();let u=[...o.querySelectorAll("[data-place]")].find(f=>{let h=f.getBoundingClientRect();return m.clientX>=h.left&&m.clientX<=h.right&&m.clientY>=h.top-12&&m.clientY<=h.bottom+12}),g=u?i.indexOf(Number(u.dataset.place)):-1,w=i.indexOf(s);g<0||g===w||(i=i.filter(f=>f!==s),i.splice(g,0,s),n(i))},d=()=>{r.classList.remove("dragged"),c&&Xe(),removeEventListener("pointermove",p),removeEventListener("pointerup",d),removeEventListener("pointercancel",d)};addEventListener("pointermove",p),addEventListener("pointerup",d),addEventListener("pointercancel",d)}var Bt=24;function fr(e){return l`${j(e)}${_t(e)}`}function _t(e){let{state:t,program:n}=e,r=ie(n.graph),o=z(n.graph,t.order)?t.order:r,s=Ut(n),i=t.ran?e:{...e,frame:U(n.line,s)},c=t.ran?void 0:l`<div class="words"><p class="what task">${a.order.task}</p><p class="why">${a.order.rule}</p></div>`;return l`
    ${P(i,{compare:t.ran,switches:[],headline:c,foot:t.ran?void 0:$,lit:t.ran?qt(n,e.state.edge,e.state.node):null})}
    ${r.length>Bt?l`<p class="panel pad">${a.order.count(r.length)}</p>`:Xt(e,o,s)}
    ${t.ran?Yt(e):$}`}function Ut(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function Xt(e,t,n){let{program:r,dispatch:o,state:s}=e,{names:i}=r,c=d=>o({type:"order",order:d}),p=(d,m)=>{if(m<0||m>=t.length||d===m)return;let u=[...t];u.splice(m,0,...u.splice(d,1)),c(u)};return l`<section class="tray panel" aria-label=${a.order.tray}>
    <ol class="places" @pointerdown=${d=>qe(d,()=>zt(e,t),c)}>
      ${Q(t,d=>d,(d,m)=>l`<li class="place" data-place=${d}>
          <span class="number" aria-hidden="true">${m+1}</span>
          <button class="bare nudge" aria-label=${a.order.earlier(i[d])} ?disabled=${m===0} @click=${()=>p(m,m-1)}>${k("left")}</button>
          <button class="grip" aria-label=${a.order.place(i[d],m+1,t.length)} @keydown=${u=>Wt(u,m,p)}>${i[d]}</button>
          <button class="bare nudge" aria-label=${a.order.later(i[d])} ?disabled=${m===t.length-1} @click=${()=>p(m,m+1)}>${k("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{z(r.graph,s.order)||c(t),o({type:"run",on:!0,time:n})}}>${k("play")} ${a.order.run}</button>
      <button class="toggle" @click=${()=>c(Qt(t))}>${a.order.shuffle}</button>
      <button class="toggle" @click=${()=>c(T(r.graph).order.filter(d=>t.includes(d)))}>${a.order.right}</button>
    </div>
  </section>`}function zt(e,t){return z(e.program.graph,e.state.order)?e.state.order:t}function Wt(e,t,n){let r={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!r)return;e.preventDefault(),e.stopPropagation(),n(t,t+r);let o=e.currentTarget;requestAnimationFrame(()=>o.focus())}function Qt(e){let t=[...e];for(let n=t.length-1;n>0;n--){let r=Math.floor(Math.random()*(n+1));[t[n],t[r]]=[t[r],t[n]]}return t}function Yt(e){let{program:t,frame:n}=e,{walk:r,names:o}=t;if(n.time<t.line.total-1)return l``;if(!r.wrong.length)return l`<section class="panel verdict right"><h2>✓ ${a.order.won}</h2><div class="body"><p>${a.order.insight}</p>${Z(t)}</div></section>`;let s=r.backward.filter(i=>i.note==="zero"&&r.expected[i.node]!==0);return l`<section class="panel verdict wrong">
    <h2>✗ ${r.lost.length?a.order.lost(r.lost.length):a.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${r.lost.map(i=>Vt(e,i))}
        ${s.map(i=>l`<li><span>${a.order.starvedRow(o[i.node])}</span></li>`)}
        <li class="insight">${a.order.insight}</li>
      </ul>
      ${Z(t)}
    </div>
  </section>`}function Vt(e,t){let{names:n,graph:r}=e.program,o=r.nodes[t.source].operands.indexOf(t.to);return l`<li>
    <span><strong class="bad">${a.order.lostRow(v(t.contribution),t.path.map(s=>n[s]).join(" → "))}</strong>
    <br />${a.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:o}})}>${a.order.showPath}</button>
  </li>`}function qt(e,t,n){if(!t||n!==null)return null;let r=e.graph.nodes[t.target].operands[t.operand],o=e.walk.lost.find(s=>s.source===t.target&&s.to===r);return o?Ie(e,o.path):null}function Z(e){let{walk:t,names:n,graph:r}=e,o=ie(r).toReversed(),s=new Set(t.wrong);return l`<table class="comparison" aria-rowcount=${o.length+1}>
    <caption>${a.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${a.bugs.node}</th><th scope="col" class="end">${a.order.got}</th><th scope="col" class="end">${a.order.should}</th><th scope="col"><span class="hidden">${a.order.verdict}</span></th></tr></thead>
    <tbody>${G({count:o.length,now:-1,columns:4,row:i=>{let c=o[i],p=s.has(c);return l`<tr class=${p?"differs":""} aria-rowindex=${i+2}><td>${n[c]}</td><td class="end ${p?"bad":""}">${v(t.grads[c])}</td><td class="end">${v(t.expected[c])}</td><td class=${p?"bad":"good"}>${p?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var C=1e3,Ze=5;function et(e){let[{power:t},n]=Pe(e,"depth",{power:2}),r=10**Math.max(0,Math.floor(t)-1),o=Math.round(10**t/r)*r,s=o>=C,i=a.bugs.count(o),{recursive:c,iterative:p,frames:d,entries:m,overflow:u,fine:g}=a.bugs,w=f=>n({power:Number(f.target.value)});return l`<section class="panel depth">
    <div class="body">
      <label class="variable wide">
        <span>${a.bugs.depth}</span>
        <input type="range" min="0.5" max=${Ze} step="0.01" .value=${String(t)} aria-valuetext=${i}
          @input=${w} />
        <output>${i}</output>
      </label>
      <p class="why">${a.bugs.depthText(o)}</p>
      <div class="columns">
        ${Je(o,c,d(Math.min(o+1,C)),s?u:g,s,!0)}
        ${Je(o,p,m(o+1),g,!1,!1)}
      </div>
    </div>
  </section>`}function Je(e,t,n,r,o,s){let i=c=>`${(100*Math.min(1,Math.log10(c)/Ze)).toFixed(2)}%`;return l`<div class="pile ${o?"dies":""}">
      <h2>${t}</h2>
      <div class="room" role="img" aria-label=${n} ${Ke({"--used":i(o?C:e),"--limit":i(C)})}>
        <div class="used"></div>${s?l`<div class="limit"></div>`:$}
      </div>
      <p>${n}${s?l` <span class="why">· ${a.bugs.limit}</span>`:$}</p>
      <p class=${o?"bad":"good"}><strong>${o?"✗":"✓"} ${r}</strong></p>
      <pre>${s?Jt(e):Zt(e)}</pre>
    </div>`}var tt=e=>e?`+${[...String(e)].map(t=>"₀₁₂₃₄₅₆₇₈₉"[Number(t)]).join("")}`:"x";function nt(e,t){if(t<=8)return Array.from({length:t},(r,o)=>e(o));let n=a.bugs.between(t-6);return[0,1,2,3].map(e).concat(n,e(t-2),e(t-1))}function Jt(e){let t=Math.min(e+1,C);return[...nt(r=>`${"  ".repeat(Math.min(r,5))}build(${tt(e-r)})`,t),e>=C?a.bugs.overflow:""].join(`
`)}function Zt(e){return nt(t=>t===e?"(x, 0)":`(${tt(e-t)}, 1)`,e+1).join(`
`)}function le(e){return new Map(he.map(t=>[t,T(e,{bug:t}).grads]))}function pe({text:e,values:t}){return E(R(e).evaluate(t))}function rt(e){for(;;){let t=V(e,"medium"),n=pe(t),r=T(n).grads.join(),o=[...le(n)],[s,i]=o[Math.floor(e()*o.length)];if(o.filter(([,p])=>p.join()===i.join()).length===1&&i.join()!==r)return{...t,bug:s}}}var en=["overwrite","wrong-order","no-reset","no-visited"],tn=N(e=>{let t=rt(Y(e));return{shown:t,program:Me(pe(t),{bug:t.bug,compare:!0})}});function ue({dispatch:e}){e({type:"case",seed:1+Math.floor(Math.random()*1e9)})}function ot(e){let{state:t,dispatch:n}=e,{shown:r,program:o}=tn(t.seed),{text:s,values:i,bug:c}=r,{right:p,all:d}=Ce(),m=`case.${t.seed}`,u=t.told.get(m)?.typed??"",g=f=>{u||(n({type:"tell",key:m,typed:f,right:f===c}),De(f===c))},w=Object.entries(i).map(([f,h])=>`${f} ${W(h)}`).join(", ");return l`<section class="stage game">
      <div class="banner">
        <div class="words"><p class="what">${s}</p><p class="why">${a.checks.where(w)}</p></div>
        <span class="score">${d?a.bugs.score(p,d):$}</span>
      </div>
      <gradwalk-scene class="picture" .program=${o} .frame=${U(o.line,o.line.total)} compare></gradwalk-scene>
    </section>
    <section class="panel quiz" aria-live="polite">
      <div class="body">
        <p class="ask">${a.bugs.game}</p>
        <div class="choices">
          ${en.map(f=>l`<button
              class="toggle ${u&&f===c?"is-right":""} ${f===u&&f!==c?"is-wrong":""}"
              data-choice=${f}
              aria-pressed=${f===u}
              ?disabled=${u!==""&&f!==u&&f!==c}
              @click=${()=>g(f)}
            >${a.bugs.names[f]}</button>`)}
        </div>
        ${u?nn(e,r,o,u):$}
      </div>
    </section>`}function nn(e,{text:t,values:n,bug:r},o,s){let i=()=>{e.dispatch({type:"load",text:t,values:n}),e.dispatch({type:"bug",bug:r}),e.dispatch({type:"game",on:!1})};return l`<div class="verdict">
    ${s===r?l`<p><strong class="good">✓ ${a.bugs.correct(a.bugs.names[r])}</strong></p>`:l`<p><strong class="bad">✗ ${a.bugs.incorrect(a.bugs.names[s])}</strong> <code>${rn(o,s)}</code></p>
            <p>${a.bugs.was(a.bugs.names[r])}</p>`}
    <p><strong>${a.bugs.evidence}</strong> ${a.bugs.clues[r]}</p>
    <p class="actions">
      <button class="primary" @click=${()=>ue(e)}>${a.bugs.next}</button>
      ${e.fixed?$:l`<button class="toggle" @click=${i}>${a.bugs.explore}</button>`}
    </p>
  </div>`}function rn({graph:e,names:t},n){let r=le(e).get(n);return e.nodes.filter(o=>!A(o)).map(o=>`${t[o.id]} ${v(r[o.id])}`).join("   ")}function Wr(e){let{state:t,dispatch:n}=e;return l`
    <div class="bar">
      <span class="segments" role="group" aria-label=${a.bugs.mode}>
        ${[!1,!0].map(r=>l`<button class="segment" aria-pressed=${t.game===r} @click=${()=>on(e,r)}>${r?a.bugs.diagnose:a.bugs.explore}</button>`)}
      </span>
      ${t.game?$:l`<div class="choices" role="group" aria-label=${a.bugs.choose}>
              ${we.map(r=>l`<button class="toggle" data-bug=${r} aria-pressed=${t.bug===r} @click=${()=>n({type:"bug",bug:r})}>${a.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${t.game?ot(e):t.bug==="recursion"?l`<section class="panel explain"><div class="body">${at("recursion")}<p>${a.bugs.what.recursion}</p></div></section>${et(e)}`:sn(e)}`}function on(e,t){t&&!e.state.seed&&ue(e),e.dispatch({type:"game",on:t})}function sn(e){let{program:t,state:n,frame:r}=e,{wrong:o}=t.walk,s=t.problem?a.bugs.tooMany:o.length?a.bugs.differs(o.length):a.bugs.same,i=r.time>=t.line.total?l`<div class="words"><p class="what ${o.length?"bad":"good"}">${o.length?"✗":"✓"} ${s}</p><p class="why" title=${a.bugs.what[n.bug]}>${a.bugs.what[n.bug]}</p></div>
          ${o.length||e.fixed?$:l`<button class="toggle showcase" @click=${()=>an(e)}>${a.bugs.showcase}</button>`}`:void 0;return l`
    ${j(e)}
    ${P(e,{compare:!0,switches:["unfold"],headline:i})}
    <div class="dock bugs">
      ${O(a.bugs.names[n.bug],l`${at(n.bug)}<p class="why">${a.bugs.what[n.bug]}</p>`,"rule")}
      ${O(a.bugs.table,Z(t),"table")}
      ${Be(t,r,e.seek)}
    </div>`}var st={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function an(e){e.load(st[e.state.bug].text,st[e.state.bug].values),e.seek(Ne)}function at(e){let[t,n]=a.bugs.code[e];return l`<dl class="diff">
    <div class="good"><dt>✓ ${a.bugs.rightLine}</dt><dd><code>${t}</code></dd></div>
    <div class="bad"><dt>✗ ${a.bugs.wrongLine}</dt><dd><code>${n||a.bugs.missing}</code></dd></div>
  </dl>`}function it(e){return!0}var Yr=!0;var ct="1",cn=16e3,lt=/^[^|\p{C}]{1,200}$/u,ln=64;function pt(e,t=[],n=!1){let r=p=>H.test(t[p]??"")?t[p]:String(p),o=new URLSearchParams;for(let p of se){let{letter:d,fresh:m,always:u,write:g=String}=oe[p],w=e[p];if(!d||n&&(p==="text"||p==="values")||!Te(p,e)||!u&&w===m)continue;let h=d===F?[o.get(F),p].filter(Boolean).join(","):g(w,r);(h||p==="text")&&o.set(d,h)}let{orbit:s,opened:i}=e.look??D;if(e.view==="3d"&&s!==B){let{turn:p,tilt:d,near:m}=s;o.set("p",[p,d,m].map(u=>Math.round(100*u)).join(","))}i.size&&o.set("g",[...i].filter(p=>lt.test(p)).join("|"));let c=o.toString().replace(/%(28|29|2C|3A|2F|3D|3B)/g,decodeURIComponent);return`#${ct}/${e.page}?${c}`}function Zr(e){if(e.length>cn)return{};let t=/^#?(\d+)\/([a-z]+)(?:\?(.*))?$/s.exec(e);if(!t||t[1]!==ct)return ae({page:e.replace(/^#\/?/,"")});let n=new URLSearchParams(t[3]??""),r=(n.get(F)??"").split(","),o=se.map(s=>{let{letter:i,always:c,read:p}=oe[s],d=n.get(i);return i===F?[s,r.includes(s)]:d===null?[s,c?void 0:Le[s]]:[s,p?p(d):d]});return{...ae({...Object.fromEntries(o),page:t[2]}),...pn(n)}}function pn(e){let t={},n=e.get("n");n!==null&&H.test(n)&&(t.nodeName=n);let[r,o]=(e.get("e")??"").split("."),s=ke(o);H.test(r)&&s!==void 0&&xe(s)&&(t.edgeName={target:r,operand:s});let i=(e.get("q")??"").split(".").filter(p=>H.test(p));i.length&&Object.assign(t,{orderNames:i.slice(0,ye),order:[]});let c=un(e.get("p"),e.get("g"));return c?{...t,look:c}:t}function un(e,t){let[n,r,o]=/^-?\d{1,3},-?\d{1,3},\d{1,3}$/.test(e??"")?e.split(",").map(c=>Number(c)/100):[],s=(t??"").split("|").filter(c=>lt.test(c));return n===void 0&&!s.length?void 0:{camera:null,orbit:n!==void 0&&Math.abs(r)<=1.45&&o>=.5&&o<=6?{...B,turn:n,tilt:r,near:o}:B,opened:s.length?new Set(s.slice(0,ln)):D.opened}}function ut(e,t){let{graph:n,names:r}=Oe(e),o=r.map((c,p)=>A(n.nodes[p])?"":c),s=e.page==="learn"&&e.lesson!=="",i={...Ee(e),time:s?-1:t??-1};return pt(i,o,e.given!==null||s)}function io(e,t=null){let{nodeName:n,edgeName:r,orderNames:o,look:s=D,...i}=e,c={...je(i,t),look:s};if(!n&&!r&&!o)return c;let p=_(Se(c)),d=w=>p.indexOf(w),m=n?d(n):-1,u=r?d(r.target):-1,g=(o??[]).map(d).filter(w=>w>=0);return{...c,node:m>=0?m:c.node,edge:u>=0?{target:u,operand:r.operand}:c.edge,order:g.length?[...new Set(g)]:c.order}}var de=e=>re[e].filter(it);function ho(e){let t=K(e.state.page),n=Object.keys(re).filter(r=>de(r).length);return l`<nav class="doors" aria-label=${a.navigation} @keydown=${gt}>
    ${n.map(r=>mt(e,de(r)[0],l`${k(r)}<span>${a.doors[r]}</span>`,r===t))}
  </nav>`}function dt(e){let{page:t,good:n,values:r,given:o,unfold:s}=e.state,i=de(K(t));return e.bare||i.length<2?$:fe([a,t,n,r,o,s],()=>l`<nav class="tabs" aria-label=${a.doors[K(t)]} @keydown=${gt}>
      ${i.map(c=>mt(e,c,a.pages[c],c===t))}
    </nav>`)}function mt(e,t,n,r){return l`<a
    href=${ut({...e.state,page:t,lesson:"",node:null,edge:null})}
    aria-current=${r?"page":$}
    tabindex=${r?0:-1}
    @click=${o=>{o.ctrlKey||o.metaKey||o.shiftKey||(o.preventDefault(),e.current().open(t))}}
  >${n}</a>`}function gt(e){let t=e.currentTarget,n=[...t.querySelectorAll("a, select, button:not(:disabled)")],r=n.indexOf(e.target),o=getComputedStyle(t).direction==="rtl"?-1:1,s={ArrowRight:r+o,ArrowLeft:r-o}[e.key];s!==void 0&&(e.preventDefault(),e.stopPropagation(),n[(s+n.length)%n.length].focus())}function Ao(e){let t=l`<div class="rail">
    <section class="panel moment">
      <div class="title"><h2>${a.now}</h2></div>
      ${ht(e)}
    </section>
    ${ft(e)}
  </div>`,n=P(e,{head:dt(e),switches:[],foot:bt(e)});return Ue(n,j(e),t)}function No(e){return l`
    ${P(e,{switches:[],headline:ht(e),foot:bt(e)})}
    <div class="dock descent">${ft(e)}</div>`}function ft(e){return[O(a.descend.curve(e.program.output),mn(e),"curve"),O(a.descend.surface,bn(e),"surface"),O(a.descend.leaves,hn(e),"leaves")]}function bt(e){let{state:t,dispatch:n}=e,r=a.descend;return l`<div class="bar descend-bar" role="group" aria-label=${r.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!t.descending})}>${k(t.descending?"pause":"play")} ${t.descending?a.pause:r.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${k("step")} ${r.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>n({type:"climb"})}>${k("start")} ${r.reset}</button>
    <label>${r.rate} <select @change=${o=>n({type:"rate",rate:Number(o.target.value)})}>
      ${ve.map(o=>l`<option value=${o} .selected=${o===t.rate}>${v(o)}</option>`)}
    </select></label>
  </div>`}function ht(e){let{state:t,program:n}=e,r=a.descend,o=Math.max(0,t.way.length-1),s=n.graph.nodes[n.graph.root].data,i=t.way[0]?.output??s,c=t.stuck==="numbers"?r.strange:t.stuck==="still"?r.still:t.stuck==="up"?r.up:r.rule;return l`<div class="words"><p class="what">${o?r.fell(n.output,v(i),v(s),o):r.start(n.output,W(s))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${c}</p></div>`}var dn=150;function mn(e){let{way:t}=e.state,n=a.descend,r=t.filter(({output:p})=>Number.isFinite(p));if(r.length<2)return l`<p class="why">${n.noCurve}</p>`;let o=r.map(({output:p},d)=>({step:d,loss:p})),s=r.at(-1),{output:i}=e.program,c=n.curveSaid(i,v(r[0].output),v(s.output),r.length-1);return l`<figure class="sparkline">
    ${ze([{name:i,points:o,ink:0}],{first:0,high:dn,said:c})}
    <figcaption><span>${v(r[0].output)}</span><span>${n.steps(r.length-1)}</span><strong>${v(s.output)}</strong></figcaption>
  </figure>`}function gn({state:e}){let t=X(e).filter(n=>e.learning.includes(n));return t.length>=2?[t[0],t[1]]:null}var fn=N((e,t,n,r,o)=>Ae(e,o,[t,n],r.length?r:[{values:o,output:0}]));function bn(e){let{state:t}=e,n=a.descend,r=gn(e);if(!r)return l`<p class="why">${n.noSurface}</p>`;let o=fn(t.good,r[0],r[1],t.way,t.values),s=o.rows.length,i=o.rows.flat().filter(Number.isFinite),[c,p]=[Math.min(...i),Math.max(...i)],d=b=>Number.isFinite(b)?Math.sqrt((b-c)/Math.max(p-c,1e-300)):1,m=b=>s*(b-o.x[0])/(o.x[1]-o.x[0]),u=b=>s-s*(b-o.y[0])/(o.y[1]-o.y[0]),g=(t.way.length?t.way:[{values:t.values,output:0}]).map(({values:b})=>[m(b.get(r[0])??0),u(b.get(r[1])??0)]),w=g.map(([b,y],x)=>`${x?"L":"M"}${b.toFixed(2)} ${y.toFixed(2)}`),[f,h]=g.at(-1);return l`<figure class="surface-map">
    <svg viewBox="0 0 ${s} ${s}" role="img" aria-label=${n.surfaceSaid(r[0],r[1],v(c),v(p))}>
      ${o.rows.map((b,y)=>b.map((x,L)=>ee`<rect class="cell" x=${L} y=${y} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${d(x).toFixed(2)} />`))}
      ${ee`<path class="way" d=${w.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${f} cy=${h} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(r[0],v(o.x[0]),v(o.x[1]),r[1],v(o.y[0]),v(o.y[1]))}</figcaption>
  </figure>`}function hn(e){let{state:t,program:n,dispatch:r}=e,{graph:o,walk:s}=n,i=a.descend;return l`<table class="numbers learns">
    <caption class="hidden">${i.leaves}</caption>
    <thead><tr><th scope="col">${i.learns}</th><th scope="col" class="end">${a.numbers.value}</th><th scope="col" class="end">${a.numbers.grad}</th></tr></thead>
    <tbody>${o.leaves.map(c=>{let p=t.learning.includes(c.label);return l`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${p} @change=${()=>{let m=p?t.learning.filter(u=>u!==c.label):[...t.learning,c.label];r({type:"learning",learning:m})}} /> ${c.label}</label></td>
        <td class="end">${v(c.data)}</td><td class="end">${p?v(s.expected[c.id]):$}</td></tr>`})}</tbody>
  </table>`}function Bo(e,t,n){let{walk:r,names:o,line:s}=e,i=a.trace,c=s.events.findIndex(u=>u.phase==="sort"),p=Math.min(t.index-c,r.sort.length),d=u=>u.map(([g,w])=>`(${o[g]},${w})`).join(" ")||i.empty,m=u=>{let g=r.sort[u],[w,f]=g.pop,h=s.events[c+u],b=u<=p,y=g.note==="leaf"||g.note==="done"?i[g.note]:g.note?i.already(o[e.graph.nodes[w].operands[f]]):"";return l`<tr class=${`sort ${u===p?"now":b?"past":"ahead"}`} aria-rowindex=${u+2} aria-current=${u===p?"step":$} @click=${()=>n(h.end)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(u+1,i.sort)}>${u+1}</button></td>
      <td class="who">${b?l`(${o[w]},${f}) <span class="note">${y}</span>`:S}</td>
      <td class="how">${b?d(g.stack):S}</td>
      <td class="how">${b?$n(e,g.stack,g.sorted):S}</td>
      <td class="how">${b?g.sorted.map(x=>o[x]).join(" "):S}</td>
    </tr>`};return l`<table class="trace sort" aria-rowcount=${r.sort.length+1}>
    <caption>${i.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${i.pop}</th><th scope="col">${i.stack}</th><th scope="col">${i.visited}</th><th scope="col">${i.sorted}</th></tr></thead>
    <tbody>${G({count:r.sort.length,now:p,columns:5,row:m})}</tbody>
  </table>`}function $n(e,t,n){return[...new Set([...n,...t.map(([o])=>o)])].sort((o,s)=>o-s).map(o=>e.names[o]).join(" ")}var vn=N(e=>{let t=new Map;return e.events.forEach(({phase:n,kind:r,row:o},s)=>{if(n!=="backward"||r==="seed")return;let i=t.get(o);i?i.push(s):t.set(o,[s])}),t});function _o(e,t,n){let{walk:r,names:o,line:s,graph:i}=e,c=a.trace,{event:p}=t,m=p?.phase==="backward"?p.kind==="seed"?0:p.row:-1,u=vn(s),g=r.backward.map((h,b)=>({step:h,row:b})).filter(({step:h})=>!A(i.nodes[h.node])),w=h=>{let{step:b,row:y}=g[h],x=u.get(y)??[],L=y<m||y===m&&p?.kind!=="seed",$t=L||y===m&&b.node===i.root,vt=s.events[x.at(-1)??-1]?.end??0,wt=()=>x.filter(I=>I<=t.index).map(I=>s.events[I].push?wn(e,s.events[I].push):$),yt=b.note==="leaf"?c.skipped:c.skippedZero;return l`<tr class=${`backward ${y===m?"now":L?"past":"ahead"}`} aria-rowindex=${h+2} aria-current=${y===m?"step":$} @click=${()=>n(vt)}>
      <td class="index"><button class="bare" aria-label=${a.events.goto(y+1,c.backward)}>${y+1}</button></td>
      <td class="who">${t.phase==="backward"?o[b.node]:S} (${$t?v(b.grad):S})</td>
      <td class="how">${L?b.note?yt:wt():S}</td>
    </tr>`},f=g.findIndex(({row:h})=>h===m);return l`<table class="trace backward" aria-rowcount=${g.length+1}>
    <caption>${c.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${c.node}</th><th scope="col">${c.pushes}</th></tr></thead>
    <tbody>${G({count:g.length,now:f,columns:3,row:w})}</tbody>
  </table>`}function wn(e,t){let n=t.before===0?"":` → ${v(t.after)}`;return l`<span class="push ${He(t.contribution)}">${e.names[t.to]} += ${Ge(t)}${n}</span>`}export{Zr as a,ut as b,io as c,Ln as d,St as e,Qe as f,Fn as g,Hn as h,Pt as i,Gn as j,_n as k,Yr as l,ho as m,dt as n,gt as o,j as p,fr as q,_t as r,Z as s,Wr as t,at as u,Ao as v,No as w,Bo as x,_o as y};
/*! Bundled license information:

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

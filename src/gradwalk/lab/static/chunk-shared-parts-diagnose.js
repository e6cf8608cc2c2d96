import{c as _}from"./chunk-shared-pages-order.js";import{a as q,b as z}from"./chunk-shared-teach-generate.js";import{a as B}from"./chunk-shared-parts-events.js";import{b as A}from"./chunk-shared-app-store.js";import{a as w}from"./chunk-shared-parts-panel.js";import{a as U}from"./chunk-shared-parts-expression.js";import{d as D}from"./chunk-shared-parts-stage.js";import{b as N}from"./chunk-shared-lit-html-directives-repeat.js";import{a as P}from"./chunk-shared-app-lab.js";import{a as H}from"./chunk-shared-teach-arithmetic.js";import{a as E,d as G}from"./chunk-shared-app-progress.js";import{F as C,L as j,Q as O,T as I,h as S}from"./chunk-shared-app-timeline.js";import{c as n,g as m,k as s}from"./chunk-shared-lit-html-lit-html.js";import{A as v,l as M,m as L,o as R,z as T}from"./chunk-shared-core-rows.js";var l=1e3,W=5;function J(t){let[{power:e},a]=P(t,"depth",{power:2}),r=10**Math.max(0,Math.floor(e)-1),o=Math.round(10**e/r)*r,c=o>=l,p=s.bugs.count(o),{recursive:d,iterative:g,frames:b,entries:$,overflow:u,fine:f}=s.bugs,h=i=>a({power:Number(i.target.value)});return n`<section class="panel depth">
    <div class="body">
      <label class="variable wide">
        <span>${s.bugs.depth}</span>
        <input type="range" min="0.5" max=${W} step="0.01" .value=${String(e)} aria-valuetext=${p}
          @input=${h} />
        <output>${p}</output>
      </label>
      <p class="why">${s.bugs.depthText(o)}</p>
      <div class="columns">
        ${F(o,d,b(Math.min(o+1,l)),c?u:f,c,!0)}
        ${F(o,g,$(o+1),f,!1,!1)}
      </div>
    </div>
  </section>`}function F(t,e,a,r,o,c){let p=d=>`${(100*Math.min(1,Math.log10(d)/W)).toFixed(2)}%`;return n`<div class="pile ${o?"dies":""}">
      <h2>${e}</h2>
      <div class="room" role="img" aria-label=${a} ${N({"--used":p(o?l:t),"--limit":p(l)})}>
        <div class="used"></div>${c?n`<div class="limit"></div>`:m}
      </div>
      <p>${a}${c?n` <span class="why">· ${s.bugs.limit}</span>`:m}</p>
      <p class=${o?"bad":"good"}><strong>${o?"✗":"✓"} ${r}</strong></p>
      <pre>${c?et(t):st(t)}</pre>
    </div>`}var K=t=>t?`+${[...String(t)].map(e=>"₀₁₂₃₄₅₆₇₈₉"[Number(e)]).join("")}`:"x";function Q(t,e){if(e<=8)return Array.from({length:e},(r,o)=>t(o));let a=s.bugs.between(e-6);return[0,1,2,3].map(t).concat(a,t(e-2),t(e-1))}function et(t){let e=Math.min(t+1,l);return[...Q(r=>`${"  ".repeat(Math.min(r,5))}build(${K(t-r)})`,e),t>=l?s.bugs.overflow:""].join(`
`)}function st(t){return Q(e=>e===t?"(x, 0)":`(${K(t-e)}, 1)`,t+1).join(`
`)}function y(t){return new Map(T.map(e=>[e,v(t,{bug:e}).grads]))}function x({text:t,values:e}){return R(M(t).evaluate(e))}function V(t){for(;;){let e=z(t,"medium"),a=x(e),r=v(a).grads.join(),o=[...y(a)],[c,p]=o[Math.floor(t()*o.length)];if(o.filter(([,g])=>g.join()===p.join()).length===1&&p.join()!==r)return{...e,bug:c}}}var ot=["overwrite","wrong-order","no-reset","no-visited"],rt=O(t=>{let e=V(q(t));return{shown:e,program:j(x(e),{bug:e.bug,compare:!0})}});function k({dispatch:t}){t({type:"case",seed:1+Math.floor(Math.random()*1e9)})}function X(t){let{state:e,dispatch:a}=t,{shown:r,program:o}=rt(e.seed),{text:c,values:p,bug:d}=r,{right:g,all:b}=E(),$=`case.${e.seed}`,u=e.told.get($)?.typed??"",f=i=>{u||(a({type:"tell",key:$,typed:i,right:i===d}),G(i===d))},h=Object.entries(p).map(([i,tt])=>`${i} ${H(tt)}`).join(", ");return n`<section class="stage game">
      <div class="banner">
        <div class="words"><p class="what">${c}</p><p class="why">${s.checks.where(h)}</p></div>
        <span class="score">${b?s.bugs.score(g,b):m}</span>
      </div>
      <gradwalk-scene class="picture" .program=${o} .frame=${C(o.line,o.line.total)} compare></gradwalk-scene>
    </section>
    <section class="panel quiz" aria-live="polite">
      <div class="body">
        <p class="ask">${s.bugs.game}</p>
        <div class="choices">
          ${ot.map(i=>n`<button
              class="toggle ${u&&i===d?"is-right":""} ${i===u&&i!==d?"is-wrong":""}"
              data-choice=${i}
              aria-pressed=${i===u}
              ?disabled=${u!==""&&i!==u&&i!==d}
              @click=${()=>f(i)}
            >${s.bugs.names[i]}</button>`)}
        </div>
        ${u?at(t,r,o,u):m}
      </div>
    </section>`}function at(t,{text:e,values:a,bug:r},o,c){let p=()=>{t.dispatch({type:"load",text:e,values:a}),t.dispatch({type:"bug",bug:r}),t.dispatch({type:"game",on:!1})};return n`<div class="verdict">
    ${c===r?n`<p><strong class="good">✓ ${s.bugs.correct(s.bugs.names[r])}</strong></p>`:n`<p><strong class="bad">✗ ${s.bugs.incorrect(s.bugs.names[c])}</strong> <code>${nt(o,c)}</code></p>
            <p>${s.bugs.was(s.bugs.names[r])}</p>`}
    <p><strong>${s.bugs.evidence}</strong> ${s.bugs.clues[r]}</p>
    <p class="actions">
      <button class="primary" @click=${()=>k(t)}>${s.bugs.next}</button>
      ${t.fixed?m:n`<button class="toggle" @click=${p}>${s.bugs.explore}</button>`}
    </p>
  </div>`}function nt({graph:t,names:e},a){let r=y(t).get(a);return t.nodes.filter(o=>!L(o)).map(o=>`${e[o.id]} ${I(r[o.id])}`).join("   ")}function Dt(t){let{state:e,dispatch:a}=t;return n`
    <div class="bar">
      <span class="segments" role="group" aria-label=${s.bugs.mode}>
        ${[!1,!0].map(r=>n`<button class="segment" aria-pressed=${e.game===r} @click=${()=>it(t,r)}>${r?s.bugs.diagnose:s.bugs.explore}</button>`)}
      </span>
      ${e.game?m:n`<div class="choices" role="group" aria-label=${s.bugs.choose}>
              ${S.map(r=>n`<button class="toggle" data-bug=${r} aria-pressed=${e.bug===r} @click=${()=>a({type:"bug",bug:r})}>${s.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${e.game?X(t):e.bug==="recursion"?n`<section class="panel explain"><div class="body">${Z("recursion")}<p>${s.bugs.what.recursion}</p></div></section>${J(t)}`:ct(t)}`}function it(t,e){e&&!t.state.seed&&k(t),t.dispatch({type:"game",on:e})}function ct(t){let{program:e,state:a,frame:r}=t,{wrong:o}=e.walk,c=e.problem?s.bugs.tooMany:o.length?s.bugs.differs(o.length):s.bugs.same,p=r.time>=e.line.total?n`<div class="words"><p class="what ${o.length?"bad":"good"}">${o.length?"✗":"✓"} ${c}</p><p class="why" title=${s.bugs.what[a.bug]}>${s.bugs.what[a.bug]}</p></div>
          ${o.length||t.fixed?m:n`<button class="toggle showcase" @click=${()=>pt(t)}>${s.bugs.showcase}</button>`}`:void 0;return n`
    ${U(t)}
    ${D(t,{compare:!0,switches:["unfold"],headline:p})}
    <div class="dock bugs">
      ${w(s.bugs.names[a.bug],n`${Z(a.bug)}<p class="why">${s.bugs.what[a.bug]}</p>`,"rule")}
      ${w(s.bugs.table,_(e),"table")}
      ${B(e,r,t.seek)}
    </div>`}var Y={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function pt(t){t.load(Y[t.state.bug].text,Y[t.state.bug].values),t.seek(A)}function Z(t){let[e,a]=s.bugs.code[t];return n`<dl class="diff">
    <div class="good"><dt>✓ ${s.bugs.right}</dt><dd><code>${e}</code></dd></div>
    <div class="bad"><dt>✗ ${s.bugs.wrong}</dt><dd><code>${a||s.bugs.missing}</code></dd></div>
  </dl>`}export{Dt as a,Z as b};

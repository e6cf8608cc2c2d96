import{a as h,b as U}from"./chunk-shared-teach-generate.js";import{c as D}from"./chunk-shared-pages-order.js";import{a as F}from"./chunk-shared-parts-events.js";import{a as j}from"./chunk-shared-app-store.js";import{a as O}from"./chunk-shared-app-lab.js";import{a as f,b as I}from"./chunk-shared-app-random.js";import{a as x}from"./chunk-shared-parts-panel.js";import{a as N}from"./chunk-shared-parts-expression.js";import{f as H}from"./chunk-shared-parts-stage.js";import{a as A}from"./chunk-shared-teach-arithmetic.js";import{a as B}from"./chunk-shared-scene-css.js";import{a as E,d as P}from"./chunk-shared-app-progress.js";import{F as S,L as T,Q as C,T as G,h as L}from"./chunk-shared-app-timeline.js";import{c as n,g as u,k as s}from"./chunk-shared-lit-html-lit-html.js";import{B as y,m as M,z as R}from"./chunk-shared-core-rows.js";var g=1e3,_=5,q="RecursionError: maximum recursion depth exceeded";function z(t){let[{power:e},a]=O(t,"depth",{power:2}),r=10**Math.max(0,Math.floor(e)-1),o=Math.round(10**e/r)*r,i=o>=g,p=s.group.few(o),{recursive:m,iterative:l,frames:b,entries:$,fine:d}=s.bugs,v=w=>a({power:Number(w.target.value)});return n`<section class="panel depth">
    <div class="body">
      <label class="variable wide">
        <span>${s.bugs.depth}</span>
        <input type="range" min="0.5" max=${_} step="0.01" .value=${String(e)} aria-valuetext=${p}
          @input=${v} />
        <output>${p}</output>
      </label>
      <p class="why">${s.bugs.depthText(o)}</p>
      <div class="columns">
        ${W(o,m,b(Math.min(o+1,g)),i?q:d,i,!0)}
        ${W(o,l,$(o+1),d,!1,!1)}
      </div>
    </div>
  </section>`}function W(t,e,a,r,o,i){let p=m=>`${(100*Math.min(1,Math.log10(m)/_)).toFixed(2)}%`;return n`<div class="pile ${o?"dies":""}">
      <h2>${e}</h2>
      <div class="room" role="img" aria-label=${a} ${B({"--used":p(o?g:t),"--limit":p(g)})}>
        <div class="used"></div>${i?n`<div class="limit"></div>`:u}
      </div>
      <p>${a}${i?n` <span class="why">· ${s.bugs.limit}</span>`:u}</p>
      <p class=${o?"bad":"good"}><strong>${o?"✗":"✓"} ${r}</strong></p>
      <pre>${i?tt(t):et(t)}</pre>
    </div>`}var V=t=>t?`+${[...String(t)].map(e=>"₀₁₂₃₄₅₆₇₈₉"[Number(e)]).join("")}`:"x";function J(t,e){if(e<=8)return Array.from({length:e},(r,o)=>t(o));let a=s.bugs.between(e-6);return[0,1,2,3].map(t).concat(a,t(e-2),t(e-1))}function tt(t){let e=Math.min(t+1,g);return[...J(r=>`${"  ".repeat(Math.min(r,5))}build(${V(t-r)})`,e),t>=g?q:""].join(`
`)}function et(t){return J(e=>e===t?"(x, 0)":`(${V(t-e)}, 1)`,t+1).join(`
`)}function k(t){return new Map(R.map(e=>[e,y(t,{bug:e}).grads]))}function K(t){for(;;){let e=U(t,"medium"),a=h(e),r=y(a).grads.join(),o=[...k(a)],[i,p]=o[Math.floor(t()*o.length)];if(o.filter(([,l])=>l.join()===p.join()).length===1&&p.join()!==r)return{...e,bug:i}}}var st=["overwrite","wrong-order","no-reset","no-visited"],ot=C(t=>{let e=K(I(t));return{shown:e,program:T(h(e),{bug:e.bug,compare:!0})}});function Q(t){let{state:e,dispatch:a}=t,{shown:r,program:o}=ot(e.seed),{text:i,values:p,bug:m}=r,{right:l,all:b}=E(),$=`case.${e.seed}`,d=e.told.get($)?.typed??"",v=c=>{d||(a({type:"tell",key:$,typed:c,right:c===m}),P(c===m))},w=Object.entries(p).map(([c,Z])=>`${c} ${A(Z)}`).join(", ");return n`<section class="stage game">
      <div class="banner">
        <div class="words"><p class="what">${i}</p><p class="why">${s.checks.where(w)}</p></div>
        <span class="score">${b?s.predictBox.score(l,b):u}</span>
      </div>
      <gradwalk-scene class="picture" .program=${o} .frame=${S(o.line,o.line.total)} .compare=${!0}></gradwalk-scene>
    </section>
    <section class="panel quiz" aria-live="polite">
      <div class="body">
        <p class="ask">${s.bugs.game}</p>
        <div class="actions choices">
          ${st.map(c=>n`<button
              class="toggle ${d&&c===m?"is-right":""} ${c===d&&c!==m?"is-wrong":""}"
              data-choice=${c}
              aria-pressed=${c===d}
              ?disabled=${d!==""&&c!==d&&c!==m}
              @click=${()=>v(c)}
            >${s.bugs.names[c]}</button>`)}
        </div>
        ${d?rt(t,r,o,d):u}
      </div>
    </section>`}function rt(t,{text:e,values:a,bug:r},o,i){let p=()=>{t.dispatch({type:"load",text:e,values:a}),t.dispatch({type:"bug",bug:r}),t.dispatch({type:"set",change:{game:!1}})};return n`<div class="verdict">
    ${i===r?n`<p><strong class="good">✓ ${s.bugs.correct(s.bugs.names[r])}</strong></p>`:n`<p><strong class="bad">✗ ${s.bugs.incorrect(s.bugs.names[i])}</strong> <code>${at(o,i)}</code></p>
            <p>${s.bugs.was(s.bugs.names[r])}</p>`}
    <p><strong>${s.bugs.evidence}</strong> ${s.bugs.clues[r]}</p>
    <p class="actions">
      <button class="primary" @click=${()=>t.dispatch({type:"set",change:{seed:f()}})}>${s.bugs.next}</button>
      ${t.fixed?u:n`<button class="toggle" @click=${p}>${s.bugs.explore}</button>`}
    </p>
  </div>`}function at({graph:t,names:e},a){let r=k(t).get(a);return t.nodes.filter(o=>!M(o)).map(o=>`${e[o.id]} ${G(r[o.id])}`).join("   ")}function Dt(t){let{state:e,dispatch:a}=t;return n`
    <div class="bar">
      <span class="segments" role="group" aria-label=${s.bugs.mode}>
        ${[!0,!1].map(r=>n`<button class="segment" aria-pressed=${e.game===r} @click=${()=>nt(t,r)}>${r?s.bugs.diagnose:s.bugs.explore}</button>`)}
      </span>
      ${e.game?u:n`<div class="actions choices" role="group" aria-label=${s.bugs.choose}>
              ${L.map(r=>n`<button class="toggle" data-bug=${r} aria-pressed=${e.bug===r} @click=${()=>a({type:"bug",bug:r})}>${s.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${e.game?Q(t):e.bug==="recursion"?n`<section class="panel explain"><div class="body">${Y("recursion")}<p>${s.bugs.what.recursion}</p></div></section>${z(t)}`:it(t)}`}function nt(t,e){t.dispatch({type:"set",change:{game:e,seed:t.state.seed||f()}})}function it(t){let{program:e,state:a,frame:r}=t,{wrong:o}=e.walk,i=e.problem?s.bugs.tooMany:o.length?s.bugs.differs(o.length):s.bugs.same,p=r.time>=e.line.total?n`<div class="words"><p class="what ${o.length?"bad":"good"}">${o.length?"✗":"✓"} ${i}</p><p class="why" title=${s.bugs.what[a.bug]}>${s.bugs.what[a.bug]}</p></div>
          ${o.length||t.fixed?u:n`<button class="toggle showcase" @click=${()=>ct(t)}>${s.bugs.showcase}</button>`}`:void 0;return n`
    ${N(t)}
    ${H(t,{compare:!0,switches:["unfold"],headline:p})}
    <div class="dock bugs">
      ${x(s.bugs.names[a.bug],n`${Y(a.bug)}<p class="why">${s.bugs.what[a.bug]}</p>`,"rule")}
      ${x(s.bugs.table,D(e),"table")}
      ${F(e,r,t.seek)}
    </div>`}var X={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function ct(t){t.load(X[t.state.bug].text,X[t.state.bug].values),t.seek(j)}function Y(t){let[e,a]=s.bugs.code[t];return n`<dl class="diff">
    <div class="good"><dt>✓ ${s.bugs.right}</dt><dd><code>${e}</code></dd></div>
    <div class="bad"><dt>✗ ${s.bugs.wrong}</dt><dd><code>${a||s.bugs.missing}</code></dd></div>
  </dl>`}export{Dt as a,Y as b};

import{a as V,b,c as h,d as W,e as T,f as x,g as M}from"./chunk-shared-teach-questions.js";import"./chunk-shared-teach-generate.js";import{b as J}from"./chunk-shared-parts-equation.js";import{a as H}from"./chunk-shared-app-lab.js";import{d as D}from"./chunk-shared-scene-find.js";import"./chunk-shared-teach-narration.js";import"./chunk-shared-app-player.js";import{a as I,m as N,n as z}from"./chunk-shared-teach-arithmetic.js";import{a as A,c as F}from"./chunk-shared-app-progress.js";import{F as q,L as S,T as E,X as w,Z as j,q as y}from"./chunk-shared-app-timeline.js";import"./chunk-shared-lit-html-directive-helpers.js";import{c as a,g as u,k as o}from"./chunk-shared-lit-html-lit-html.js";import"./chunk-shared-app-names.js";import"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";var Y=["easy","medium","hard"],Z={made:[],level:"medium",path:-1,of:""},f=t=>H(t,"checks",Z);function B({state:t,fixed:e},n){return W(n,e?"":t.good,Object.fromEntries(t.values))}function C(t,...e){return[...new Set([...f(t)[0].made,t.state.question,...e])].filter(s=>s&&!b.some(i=>i.id===s))}function R(t){return[...b,...C(t).flatMap(e=>B(t,e)??[])]}function G(t){return R(t).find(({id:e})=>e===t.state.question)??b[0]}function L({told:t},e){return t.get($(e))}function X(t,e,n,s=!1,i=!0){t.dispatch({type:"tell",key:$(e),typed:n,right:s,misses:i}),s&&e.id!==h&&F(`check:${e.id}`)}function O(t,e){f(t)[1]({made:C(t,e)}),t.dispatch({type:"question",question:e}),setTimeout(()=>t.root.querySelector("#answer")?.focus())}function _(t){let e=R(t),n=e.findIndex(({id:r})=>r===G(t).id),i=[...e.slice(n+1),...e.slice(0,n)].find(r=>!P(t,r)&&!y(L(t.state,r)));i?O(t,i.id):K(t)}function P({state:t},e){return L(t,e)?.right===!0||A().done.has(`check:${e.id}`)}function K(t){O(t,`${f(t)[0].level}.${Math.floor(Math.random()*1e9)}`)}function kt(t){let e=G(t),n=T(e),s=S(n),i=L(t.state,e),r=y(i),l=r?s.line.total:s.line.phases[0]?.end??0,c=x(n,e.leaf),g=U(t,e),m=r&&g>=0?D(s,c.largest[g].nodes):null,k=Object.entries(e.values).map(([p,d])=>`${p} ${I(d)}`).join(", "),Q=p=>{p.preventDefault();let{value:d}=p.target.elements.namedItem("answer");X(t,e,d,j(c.total,d),w(d)!==null)},v=i?.typed??"";return a`<div class="checks">
    ${tt(t,e)}
    <div class="check">
      <section class="stage">
        <div class="banner"><div class="words">
          <p class="what">${e.text}</p><p class="why">${o.checks.where(k)}</p>
        </div></div>
        <gradwalk-scene class="picture" .program=${s} .frame=${q(s.line,l)}
          .lit=${m} .asked=${r?null:-1}></gradwalk-scene>
      </section>
      <section class="panel quiz"><div class="body">
        <form @submit=${Q} novalidate>
          <label for="answer" class="ask"><span class="hidden">${o.checks.question(s.output,e.leaf)}</span>
            <math aria-hidden="true"><mrow>${J(s.output,e.leaf)}<mo>=</mo></mrow></math></label>
          ${V($(e),a`<input id="answer" name="answer" inputmode="decimal" autocomplete="off" size="10"
              aria-label=${o.checks.answer} .value=${v} />`)}
          <button class="primary">${o.checks.check}</button>
          ${r?a`<button type="button" class="toggle" data-next @click=${()=>_(t)}>${o.checks.next}</button>`:a`<button type="button" class="toggle" @click=${()=>X(t,e,v)}>${i?.missed?o.checks.reveal:o.checks.hint}</button>`}
        </form>
        <div class="verdict" aria-live="polite">${i?st(t,e,s,i):u}</div>
      </div></section>
    </div>
  </div>`}function U(t,e){let[{path:n,of:s}]=f(t);return s===$(e)?n:-1}function tt(t,e){let n=R(t),[{level:s},i]=f(t),r=n.filter(c=>P(t,c)).length,l=c=>i({level:c.target.value});return a`<section class="panel list">
    <h2>${o.checks.list} <span class="score">${o.checks.solved(r,n.length)}</span></h2>
    <div class="body" tabindex="0" role="region" aria-label=${o.checks.list}>
      <p class="why">${o.checks.intro}</p>
      <ol class="questions">${n.map(c=>et(t,c,c.id===e.id))}</ol>
      <div class="more">
        <label>${o.checks.level} <select @change=${l}>
          ${Y.map(c=>a`<option value=${c} .selected=${c===s}>${o.checks[c]}</option>`)}
        </select></label>
        <button class="toggle" @click=${()=>K(t)}>${o.checks.generate}</button>
        ${B(t,h)?a`<button class="toggle" @click=${()=>O(t,h)}>${o.checks.own}</button>`:u}
      </div>
    </div>
  </section>`}function et(t,e,n){let s=P(t,e),i=s?"✓":nt(L(t.state,e))?"✗":"○";return a`<li><button class="question ${s?"good":""}" aria-current=${n?"true":u}
    @click=${()=>O(t,e.id)}><span aria-hidden="true">${i}</span>
    <span>${s?a`<span class="hidden">${o.checks.done}: </span>`:u}<code>${e.text}</code><br />
      <span class="asked">${o.checks.ask(ot(e),e.leaf)}</span></span></button></li>`}function st(t,e,n,s){let[,i]=f(t),r=U(t,e),l=w(s.typed),c=x(n.graph,e.leaf);if(!y(s)){if(s.typed&&l===null)return a`<p class="bad">${o.notNumber}</p>`;let m=l===null?"":M(n.graph,e.leaf,l);return a`<p>${l===null?u:a`<strong class="bad">✗ ${o.checks.wrong(E(l,10))}</strong> `}${m}</p>
        <p>${o.checks.hintText(c.count,e.leaf,n.output)}</p>`}let g=s.right||l===null?"":M(n.graph,e.leaf,l);return a`
      ${s.right?a`<p><strong class="good">✓ ${o.checks.right}</strong></p>`:l===null?u:a`<p><strong class="bad">✗ ${o.checks.wrong(E(l,10))}</strong> ${g}</p>`}
      <p>${c.count===1n?o.checks.onePath:o.checks.manyPaths(c.count,e.leaf)}</p>
      <ul class="paths">
        ${c.largest.map((m,k)=>{let Q=m.nodes.map(d=>n.names[d]).join(" → "),v=N(m),p=()=>i({path:k,of:$(e)});return a`<li><button class="path" aria-pressed=${r===k} @click=${p} @mouseenter=${p}><span class="way">${Q}</span><span class="product">${v}</span></button></li>`})}
        ${c.complete?u:a`<li class="why">…</li>`}
      </ul>
      ${c.count>1n?a`<p class="sum">${z(c)}</p>`:u}`}function nt(t){return t!==void 0&&(w(t.typed)!==null||t.missed>1)}function $({id:t,text:e,values:n}){return`check.${t===h?JSON.stringify([e,n]):t}`}function ot(t){return S(T(t)).output}export{kt as checksPage};

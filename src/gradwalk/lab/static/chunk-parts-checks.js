import{a as W,b,c as h,d as X,e as x,f as M}from"./chunk-shared-teach-questions.js";import{a as T}from"./chunk-shared-teach-generate.js";import{b as J}from"./chunk-shared-parts-equation.js";import{a as H}from"./chunk-shared-app-lab.js";import"./chunk-shared-app-random.js";import"./chunk-shared-app-player.js";import{g as V}from"./chunk-shared-teach-narration.js";import"./chunk-shared-lit-html-async-directive.js";import{d as D}from"./chunk-shared-scene-find.js";import{a as I,m as N,n as z}from"./chunk-shared-teach-arithmetic.js";import{a as A,c as F}from"./chunk-shared-app-progress.js";import"./chunk-shared-lit-html-directive-helpers.js";import{$ as j,F as q,L as Q,T as S,Z as w,q as y}from"./chunk-shared-app-timeline.js";import"./chunk-shared-lit-html-directive.js";import{c as a,g as p,k as o}from"./chunk-shared-lit-html-lit-html.js";import"./chunk-shared-app-names.js";import"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";var Z=["easy","medium","hard"],_={made:[],level:"medium",path:-1,of:"",to:""},f=t=>H(t,"checks",_);function C({state:t,fixed:e},s){return X(s,e?"":t.good,Object.fromEntries(t.values))}function G(t,...e){return[...new Set([...f(t)[0].made,t.state.question,...e])].filter(n=>n&&!b.some(i=>i.id===n))}function R(t){return[...b,...G(t).flatMap(e=>C(t,e)??[])]}function K(t){return R(t).find(({id:e})=>e===t.state.question)??b[0]}function L({told:t},e){return t.get($(e))}function B(t,e,s,n=!1,i=!0){t.dispatch({type:"tell",key:$(e),typed:s,right:n,misses:i}),n&&e.id!==h&&F(`check:${e.id}`)}function O(t,e){f(t)[1]({made:G(t,e),to:e}),t.dispatch({type:"set",change:{question:e}})}function tt(t){let e=R(t),s=e.findIndex(({id:r})=>r===K(t).id),i=[...e.slice(s+1),...e.slice(0,s)].find(r=>!P(t,r)&&!y(L(t.state,r)));i?O(t,i.id):U(t)}function P({state:t},e){return L(t,e)?.right===!0||A().done.has(`check:${e.id}`)}function U(t){O(t,`${f(t)[0].level}.${Math.floor(Math.random()*1e9)}`)}function bt(t){let e=K(t),s=T(e),n=Q(s),i=L(t.state,e),r=y(i),l=r?n.line.total:n.line.phases[0]?.end??0,c=x(s,e.leaf),g=Y(t,e),m=r&&g>=0?D(n,c.largest[g].nodes):null,k=Object.entries(e.values).map(([u,d])=>`${u} ${I(d)}`).join(", "),E=u=>{u.preventDefault();let{value:d}=u.target.elements.namedItem("answer");B(t,e,d,j(c.total,d),w(d)!==null)},v=i?.typed??"";return a`<div class="checks">
    ${st(t,e)}
    <div class="check">
      <section class="stage">
        <div class="banner"><div class="words">
          <p class="what">${e.text}</p><p class="why">${o.checks.where(k)}</p>
        </div></div>
        <gradwalk-scene class="picture" .program=${n} .frame=${q(n.line,l)}
          .lit=${m} .asked=${r?null:-1}></gradwalk-scene>
      </section>
      <section class="panel quiz"><div class="body">
        <form @submit=${E} novalidate>
          <label for="answer" class="ask"><span class="hidden">${o.checks.question(n.output,e.leaf)}</span>
            <math aria-hidden="true"><mrow>${J(n.output,e.leaf)}<mo>=</mo></mrow></math></label>
          ${W($(e),a`<input id="answer" name="answer" inputmode="decimal" autocomplete="off" size="10"
              aria-label=${o.checks.answer} .value=${v} ${V(u=>et(t,u))} />`)}
          <button class="primary">${o.checks.check}</button>
          ${r?a`<button type="button" class="toggle" data-next @click=${()=>tt(t)}>${o.checks.next}</button>`:a`<button type="button" class="toggle" @click=${()=>B(t,e,v)}>${i?.missed?o.checks.reveal:o.checks.hint}</button>`}
        </form>
        <div class="verdict" aria-live="polite">${i?ot(t,e,n,i):p}</div>
      </div></section>
    </div>
  </div>`}function et(t,e){if(!(e instanceof HTMLElement)||e.dataset.met)return;e.dataset.met="yes";let{to:s}=f(t)[0];s&&s===t.state.question&&queueMicrotask(()=>e.focus())}function Y(t,e){let[{path:s,of:n}]=f(t);return n===$(e)?s:-1}function st(t,e){let s=R(t),[{level:n},i]=f(t),r=s.filter(c=>P(t,c)).length,l=c=>i({level:c.target.value});return a`<section class="panel list">
    <h2>${o.checks.list} <span class="score">${o.checks.solved(r,s.length)}</span></h2>
    <div class="body" tabindex="0" role="region" aria-label=${o.checks.list}>
      <p class="why">${o.checks.intro}</p>
      <ol class="questions">${s.map(c=>nt(t,c,c.id===e.id))}</ol>
      <div class="actions">
        <label>${o.checks.level} <select @change=${l}>
          ${Z.map(c=>a`<option value=${c} .selected=${c===n}>${o.checks[c]}</option>`)}
        </select></label>
        <button class="toggle" @click=${()=>U(t)}>${o.checks.generate}</button>
        ${C(t,h)?a`<button class="toggle" @click=${()=>O(t,h)}>${o.checks.own}</button>`:p}
      </div>
    </div>
  </section>`}function nt(t,e,s){let n=P(t,e),i=n?"✓":ct(L(t.state,e))?"✗":"○";return a`<li><button class="question ${n?"good":""}" aria-current=${s?"true":p}
    @click=${()=>O(t,e.id)}><span aria-hidden="true">${i}</span>
    <span>${n?a`<span class="hidden">${o.checks.done}: </span>`:p}<code>${e.text}</code><br />
      <span class="asked">${o.checks.ask(at(e),e.leaf)}</span></span></button></li>`}function ot(t,e,s,n){let[,i]=f(t),r=Y(t,e),l=w(n.typed),c=x(s.graph,e.leaf);if(!y(n)){if(n.typed&&l===null)return a`<p class="bad">${o.notNumber}</p>`;let m=l===null?"":M(s.graph,e.leaf,l);return a`<p>${l===null?p:a`<strong class="bad">✗ ${o.checks.wrong(S(l,10))}</strong> `}${m}</p>
        <p>${o.checks.hintText(c.count,e.leaf,s.output)}</p>`}let g=n.right||l===null?"":M(s.graph,e.leaf,l);return a`
      ${n.right?a`<p><strong class="good">✓ ${o.checks.right}</strong></p>`:l===null?p:a`<p><strong class="bad">✗ ${o.checks.wrong(S(l,10))}</strong> ${g}</p>`}
      <p>${c.count===1n?o.checks.onePath:o.checks.manyPaths(c.count,e.leaf)}</p>
      <ul class="paths">
        ${c.largest.map((m,k)=>{let E=m.nodes.map(d=>s.names[d]).join(" → "),v=N(m),u=()=>i({path:k,of:$(e)});return a`<li><button class="path" aria-pressed=${r===k} @click=${u} @mouseenter=${u}><span class="way">${E}</span><span class="product">${v}</span></button></li>`})}
        ${c.complete?p:a`<li class="why">…</li>`}
      </ul>
      ${c.count>1n?a`<p class="sum">${z(c)}</p>`:p}`}function ct(t){return t!==void 0&&(w(t.typed)!==null||t.missed>1)}function $({id:t,text:e,values:s}){return`check.${t===h?JSON.stringify([e,s]):t}`}function at(t){return Q(T(t)).output}export{bt as checksPage};

import{B as ge,E as k,G as fe,L as H,M as $e,O as ye,P as be,Q as ke,b as ee,d as te,g as x,i as L,j as ne,l as re,m as ce,o as de,p as b,w as pe,x as ue,y as me,z as he}from"./chunk-chunk-DCFENO4D.js";import"./chunk-chunk-2NSRNHVO.js";import{h as le}from"./chunk-chunk-AZJCWQUG.js";import{$ as ie,H as T,N as z,P as E,b as G,c as J,f as Q,l as X,m as Z,y as se}from"./chunk-chunk-27FSW5VQ.js";import"./chunk-chunk-FUDOTPXD.js";import{c as i,g as h,i as Y,l as o,p as oe,q as ae,r as S}from"./chunk-chunk-ILZVXRCL.js";import{l as V,m as D,o as B}from"./chunk-chunk-Q7PSIRFV.js";import"./chunk-chunk-PJCQUFCQ.js";var ve=G(class extends J{constructor(){super(...arguments),this.key=h}render(e,t){return this.key=e,t}update(e,[t,s]){return t!==this.key&&(ie(e),this.key=t),s}});function we(e,t,s){let n=s.event?Be(t,s.event):"";return i`<ol class="code annotated ${s.phase}" aria-label=${o.code.title}>
    ${e.map(({text:r,note:l,event:a})=>i`<li class=${a!==void 0&&a===n?"now":""}><code>${r}</code>${l?i`<span class="remark">${l}</span>`:h}</li>`)}
  </ol>`}function Be(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}function xe(e,t){let s=([n,r])=>`(${t[n]},${r})`;return e.sort.map((n,r)=>({pop:{key:`pop ${r}`,right:s(n.pop)},stack:{key:`stack ${r}`,right:n.stack.map(s).join(" ")},sorted:{key:`sorted ${r}`,right:n.sorted.map(l=>t[l]).join(" ")}}))}function Le(e,t){return e.backward.filter(s=>!D(e.graph.nodes[s.node])).flatMap(s=>s.pushes.filter(n=>!D(e.graph.nodes[n.to])).map((n,r)=>({from:t[s.node],to:t[n.to],local:{key:`local ${s.node} ${r}`,right:n.local},contribution:{key:`contribution ${s.node} ${r}`,right:n.contribution},after:{key:`after ${s.node} ${r}`,right:n.after}})))}function M({right:e},t){if(typeof e=="number")return E(e,t);let s=n=>n.normalize("NFKC").replaceAll("−","-").replace(/[(),;\s]+/g," ").replace(/^(empty|-|–|—)$/i,"").trim();return s(t)===s(e)}var Ce=["x7","x1","x6","x5"],A="own",ze=12,I=class extends Y{static{this.styles=ae}static{this.properties={text:{},values:{attribute:!1},chosen:{state:!0},typed:{state:!0},graded:{state:!0},shown:{state:!0}}}constructor(){super(),new oe(this),this.text="",this.values=new Map,this.chosen=Ce[0],this.typed=new Map,this.graded=null,this.shown=!1}willUpdate(t){t.has("chosen")&&(this.typed=new Map,this.graded=null,this.shown=!1)}get#t(){let t=ee.find(({id:a})=>a===this.chosen),s=t?.text??this.text,n=t?.values??Object.fromEntries(this.values),r=V(s),l=Object.fromEntries(r.names.map(a=>[a,n[a]??1]));return X(B(r.evaluate(l)),{sort:!0,leaves:!0})}get#s(){try{return this.text!==""&&B(V(this.text).evaluate(this.values)).nodes.length<=ze}catch{return!1}}#n(t,s){this.typed=new Map(this.typed).set(t,s)}#r(t){this.graded=this.typed,t.every(n=>M(n,this.typed.get(n.key)??""))&&!this.shown&&this.chosen!==A&&L(`trace:${this.chosen}`)}render(){let t=this.#t,{walk:s,names:n}=t,r=xe(s,n),l=Le(s,n),a=[...r.slice(1).flatMap(({pop:p,stack:m,sorted:g})=>[p,m,g]),...l.flatMap(({local:p,contribution:m,after:g})=>[p,m,g])],c=this.graded?a.filter(p=>M(p,this.graded.get(p.key)??"")).length:0,d=o.traces,u=t.line.phases[0]?.end??0;return i`<div class="traces">
      <section class="panel"><div class="body">
        <h2 tabindex="-1">${d.title}</h2>
        <p>${d.intro}</p>
        <div class="choices" role="group" aria-label=${d.choose}>
          ${Ce.map(p=>i`<button class="toggle" aria-pressed=${this.chosen===p} @click=${()=>{this.chosen=p}}>${o.presetNames[p]}${x().done.has(`trace:${p}`)?i` ✓<span class="hidden"> ${o.checks.done}</span>`:h}</button>`)}
          ${this.#s?i`<button class="toggle" aria-pressed=${this.chosen===A} @click=${()=>{this.chosen=A}}>${o.checks.own}</button>`:h}
        </div>
      </div></section>
      <section class="stage"><gradwalk-scene class="picture" .program=${t} .frame=${Q(t.line,u)} unfilled="·"></gradwalk-scene></section>
      <form class="panel" novalidate @submit=${p=>{p.preventDefault(),this.#r(a)}}>
        <div class="body tables">
          <table class="fill">
            <caption>${o.trace.sort}</caption>
            <thead><tr><th scope="col">#</th><th scope="col">${o.trace.pop}</th><th scope="col">${o.trace.stack}</th><th scope="col">${o.trace.sorted}</th></tr></thead>
            <tbody>${r.map(({pop:p,stack:m,sorted:g},$)=>i`<tr><th scope="row">${$+1}</th>${$?this.#e([p,m,g],[o.trace.pop,o.trace.stack,o.trace.sorted],$):[p,m,g].map(y=>i`<td><code>${Re(y)}</code></td>`)}</tr>`)}</tbody>
          </table>
          <table class="fill">
            <caption>${o.trace.backward}</caption>
            <thead><tr><th scope="col">${d.arrow}</th><th scope="col">${o.equation.local(0)}</th><th scope="col">${d.contribution}</th><th scope="col">${d.after}</th></tr></thead>
            <tbody>${l.map(({from:p,to:m,local:g,contribution:$,after:y},j)=>i`<tr><th scope="row"><code>${p} → ${m}</code></th>${this.#e([g,$,y],[o.equation.local(0),d.contribution,d.after],j)}</tr>`)}</tbody>
          </table>
        </div>
        <div class="actions pad">
          <button class="primary">${d.grade}</button>
          <button type="button" class="toggle" @click=${()=>this.#o(a)}>${d.show}</button>
          <span role="status">${this.graded?d.score(c,a.length):h}</span>
        </div>
      </form>
    </div>`}#o(t){this.shown=!0,this.typed=new Map(t.map(s=>[s.key,Re(s)])),this.graded=this.typed}#e(t,s,n){let{graded:r}=this,l=r!==null&&t.some(({key:a})=>r.get(a));return t.map((a,c)=>{let d=l&&M(a,r.get(a.key)??""),u=l?d?"right":"wrong":"",p=u?`: ${o.traces[u]}`:"";return i`<td class=${u}><input autocomplete="off" spellcheck="false" size=${Math.max(6,String(a.right).length)}
        aria-label=${`${s[c]}, ${n+1}${p}`} .value=${le(this.typed.get(a.key)??"")}
        @input=${m=>this.#n(a.key,m.target.value)} /><span aria-hidden="true">${u?d?"✓":"✗":""}</span></td>`})}};function Re({right:e}){return typeof e=="number"?T(e):e}customElements.define("gradwalk-traces",I);var Te={en:()=>import("./chunk-en-7MIOL2AP.js"),ru:()=>import("./chunk-ru-M5E7PJMR.js"),et:()=>import("./chunk-et-3LI33EOE.js")},P=new Map,U=null;function O(){return U=P.get(o.lang)??U,U}function Se(){return P.has(o.lang)}async function Ee(){let{lang:e}=o,t=Te[e]??Te.en,s=P.get(e)??(await t()).default;return P.set(e,s),s}function N(e,t){let[s,n]=t.split("."),r=e.lessons.find(l=>l.id===s);return r?{lesson:r,index:Math.min(r.steps.length-1,Number(n??0))}:null}function Me(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function Pe(e,t){let[s,n]=t.split(" "),r=a=>e.phases.find(c=>c.phase===a)?.end??0;if(s==="end")return e.total;if(s==="forward")return r("forward");if(s==="seed")return e.events.find(({kind:a})=>a==="seed")?.end??0;if(s!=="sort"&&s!=="backward")return 0;let l=e.events.filter(a=>a.phase===s&&a.kind!=="seed"&&a.kind!=="leaf");return l[Math.min(l.length,Number(n))-1]?.end??r("forward")}var He={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function Ae(e){await Ee();let t=e.current();t.state.page==="learn"&&(t.state.staged!==t.state.lesson&&qe(t),e.refresh())}function Oe(e,t){let s=O(),n=s&&N(s,e.state.lesson);if(!n)return;let{lesson:r,index:l}=n,a=l+t;a>=0&&a<r.steps.length?C(e,`${r.id}.${a}`):a>=r.steps.length&&Ie(e,s,r)}function C(e,t){e.dispatch({type:"lesson",lesson:t}),qe(e.current()),Ue()}function Ie(e,t,s){W(e.state,s);let n=t.lessons[t.lessons.indexOf(s)+1];C(e,n?n.id:"")}function Ue(){requestAnimationFrame(()=>{let e=document.querySelector("gradwalk-lab")?.shadowRoot;e?.querySelector(".lesson h2, .course h2")?.focus(),e?.querySelector(".lesson .text")?.scrollTo({top:0})})}function qe(e){let{state:t,dispatch:s}=e,n=O(),r=n&&N(n,t.lesson);if(!r)return;let l=r.lesson.steps[r.index],a=l.walk;if(!a)return;s({type:"scene",staged:t.lesson,scene:He[a.view]??"sandbox",text:a.text,values:{...a.values},bug:a.bug??"",unfold:a.view==="unfold"});let c=e.current().state,d=Pe(Z(c).line,a.at),{check:u}=l,m=u!==void 0&&u.kind!=="choice"&&!K(c.told.get(`${r.lesson.id}.${r.index}`));s({type:"seek",time:d}),m&&a.at!=="end"&&s({type:"hold",hold:d})}function ds(e){Se()||Ae(e);let t=O();if(!t)return i`<p class="pad">${o.learn.loading}</p>`;let s=N(t,e.state.lesson);return s?Qe(e,s.lesson,s.index):i`<div class="course">
    ${_e(e)}
    ${Ke(e,t)}
  </div>`}function Ke(e,t){switch(e.state.lesson){case"glossary":return Je(t);case"traces":return i`<gradwalk-traces .text=${e.fixed?"":e.state.good} .values=${e.state.values}></gradwalk-traces>`;case"write":return import("./chunk-write-QHNVZEX6.js"),i`<gradwalk-write .theme=${e.state.theme}><p class="pad">${o.learn.loading}</p></gradwalk-write>`;default:return Ye(e,t)}}var We=["","traces","write","glossary"];function _e(e){let{lesson:t}=e.state;return i`<div class="bar">
    <span class="segments" role="group" aria-label=${o.learn.title}>
      ${We.map(s=>i`<button class="segment" aria-pressed=${t===s} @click=${()=>e.dispatch({type:"lesson",lesson:s})}>${o.learn.tabs[s||"lessons"]}</button>`)}
    </span>
  </div>`}function Ye(e,t){let s=t.lessons.filter(r=>q(r)).length,n=t.lessons.find(r=>!q(r));return i`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${o.learn.head}</h2>
      <p>${o.learn.intro}</p>
      <progress max=${t.lessons.length} value=${s} aria-label=${o.learn.progress(s,t.lessons.length)}></progress>
      <div class="actions">
        <span>${o.learn.progress(s,t.lessons.length)}</span>
        ${n?i`<button class="primary" @click=${()=>C(e,n.id)}>${S("play")} ${s?o.learn.resume:o.learn.start}</button>`:i`<strong class="good">✓ ${o.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${it}>${o.learn.save}</button>
        <label class="toggle file">${o.learn.load}<input type="file" accept="application/json,.json" @change=${r=>{ct(e,r)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((r,l)=>Ge(e,r,l))}
    </ol>`}function Ge(e,t,s){let n=q(t),r=je(t),l=r.filter(a=>Fe(t,a)).length;return i`<li><a class="entry ${n?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${a=>{a.ctrlKey||a.metaKey||a.shiftKey||(a.preventDefault(),C(e,t.id))}}>
    <span class="number" aria-hidden="true">${n?"✓":s+1}</span>
    <span class="name">${f(t.title)}${n?i`<span class="hidden">, ${o.learn.complete}</span>`:h}</span>
    <span class="facts">${o.learn.minutes(t.minutes)} · ${o.learn.solved(l,r.length)}</span>
  </a></li>`}function Je(e){return i`<section class="panel"><div class="body"><h2 tabindex="-1">${o.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,s])=>i`<div><dt>${f(t)}</dt><dd>${f(s)}</dd></div>`)}</dl>
  </div></section>`}function Qe(e,t,s){let{state:n}=e,r=t.steps[s],l=s===t.steps.length-1;return i`<div class="lesson ${r.walk?.view??"graph"}">
    <article class="panel text" aria-label=${o.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${o.learn.back} title=${o.learn.back} @click=${()=>C(e,"")}>${S("left")}</button>
        <span class="where">${f(t.title)}</span>
        <button class="toggle" aria-pressed=${n.teach} @click=${()=>Xe(e,!n.teach)}>${n.teach?o.learn.unteach:o.learn.teach}</button>
      </div>
      <div class="body">
        <h2 tabindex="-1">${f(r.title)}</h2>
        ${r.blocks.map(Ne)}
        ${r.check?st(e,t,s,r.check):h}
        ${n.teach&&r.notes?i`<aside class="notes"><h3>${o.learn.notes}</h3>${r.notes.map(Ne)}</aside>`:h}
        ${l&&q(t)?i`<p class="complete" role="status">✓ ${o.learn.completed}</p>`:h}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${s===0} @click=${()=>Oe(e,-1)}>${S("left")} ${o.learn.before}</button>
        <ol class="dots" aria-label=${o.learn.steps}>${t.steps.map((a,c)=>i`<li><button class="dot" aria-current=${c===s?"step":h} aria-label=${o.learn.step(c+1,t.steps.length)} title=${Me(a.title)} @click=${()=>C(e,`${t.id}.${c}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>Oe(e,1)}>${l?o.learn.finish:o.learn.next} ${S("right")}</button>
      </div>
    </article>
    <div class="work">${Ze(e,r)}</div>
  </div>`}function Xe(e,t){e.dispatch({type:"teach",on:t}),t?document.documentElement.requestFullscreen?.().catch(()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function Ze(e,t){let{program:s,frame:n,state:r,dispatch:l}=e,a=t.walk?.view??"graph",c=de(e,{switches:a==="unfold"?["unfold"]:[],compare:a==="bugs",unfilled:"·"}),d=()=>k(o.equation.title,he(s,n,r.node,r.edge),"rule");switch(a){case"order":return pe(e);case"descend":return ye(e);case"sliders":return[ce(e),c,b(e)];case"numbers":return[c,b(e),k(o.numbers.title,ge(s,n,r.node,!1,u=>l({type:"pick",node:u})),"table")];case"chain":return[c,b(e),d()];case"code":return[c,b(e),k(o.code.title,me(s,n),"engine")];case"trace":return[c,b(e),i`<div class="pair">
          ${k(o.trace.sort,be(s,n,e.seek),"table")}
          ${k(o.trace.backward,ke(s,n,e.seek),"table")}
        </div>`];case"rules":return[et(),c,b(e),d()];case"bugs":return[c,b(e),i`<div class="pair">
          ${k(o.bugs.names[r.bug]??"",fe(r.bug||"overwrite"),"rule")}
          ${k(o.bugs.table,r.hold===null?ue(s):h,"table")}
        </div>`];case"source":return[c,b(e),t.source?k(o.learn.source(t.source.name),we(t.source.rows,s,n),"engine source"):h];default:return[c,b(e)]}}function et(){return i`<div class="pair rules">
    ${["+","*"].map(e=>i`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${o.learn.rules[e][0]}</strong><br />${o.learn.rules[e][1]}</p></section>`)}
  </div>`}function tt(e,t,s){let n=t.steps[s].walk;return n?.view!=="sliders"?!1:e.good!==n.text?!0:Object.entries(n.values).some(([r,l])=>e.values.get(r)!==l)}var K=e=>e!==void 0&&(e.right||e.missed>1);function st(e,t,s,n){let r=`${t.id}.${s}`;if(n.kind==="choice")return at(e,t,s,n);let l=n.kind==="grad"&&tt(e.state,t,s),{program:a,state:c}=e,{graph:d,walk:u}=a,m=d.nodes.find(v=>v.label===n.node)??d.leaves[0];if(l&&!m)return i``;let g=l?`${r} ${c.good} ${d.leaves.map(v=>v.data)}`:r,$=l?u.expected[m.id]:n.answer,y=c.told.get(g),j=l?[o.checks.question(a.output,m.label)]:n.ask,Ve=l?[o.learn.paths(H(d,m.label).count,m.label)]:n.why,_=(v,w,R)=>{e.dispatch({type:"tell",key:g,told:{typed:v,right:w,missed:R}}),w&&L(`lesson:${r}`),(w||R>1)&&(W(e.current().state,t),nt(e))},F=y?.missed??0;return i`<section class="ask" aria-label=${o.learn.question}>
    ${l?i`<p class="why">${o.learn.own}</p>`:h}
    <p class="asked">${f(j)}</p>
    ${c.teach?h:i`<form novalidate @submit=${v=>{v.preventDefault();let w=v.target.querySelector("input"),R=E($,w.value),De=z(w.value)!==null;_(w.value,R,F+Number(De&&!R))}}>
            ${ve(g,i`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${o.checks.answer} .value=${y?.typed??""} />`)}
            <button class="primary">${o.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?ot(e,n,m.label,y,$,Ve,l):h}</div>
    ${c.hold!==null&&!c.teach?i`<p class="why">${o.learn.held}</p>`:h}
    ${K(y)?h:i`<button class="toggle" @click=${()=>_(y?.typed??"",!1,c.teach?2:F+1)}>${c.teach||F?o.learn.show:o.checks.hint}</button>`}
  </section>`}function nt(e){e.dispatch({type:"hold",hold:null}),se()?e.dispatch({type:"seek",time:te}):e.dispatch({type:"play",on:!0})}var rt=/^(start|value)\b/;function ot(e,t,s,n,r,l,a){let c=z(n.typed);if(n.right)return i`<p class="good"><strong>✓ ${o.checks.right}</strong></p><p>${f(l)}</p>`;let{graph:d}=e.program,u=t.kind==="grad"&&d.leaves.some($=>$.label===s),p=c!==null&&u?$e(d,s,c):"",m=c===null?n.typed?i`<p class="bad">${o.notNumber}</p>`:h:i`<p><strong class="bad">✗ ${o.checks.wrong(T(c,10))}</strong> ${p}</p>`;if(n.missed>1)return i`${m}<p>${o.learn.answer} <code>${T(r)}</code></p><p>${f(l)}</p>`;if(!n.missed)return i`${m}`;let g=t.kind==="grad"&&(a||u)?rt.test(e.state.lesson)?o.learn.nudge(s,e.program.output):o.checks.hintText(H(d,s).count,s,e.program.output):o.learn.look;return i`${m}<p>${g}</p>`}function at(e,t,s,n){let r=`${t.id}.${s}`,l=e.state.told.get(r),a=d=>{let{right:u}=n.options[d],p=(l?.missed??0)+ +!u;e.dispatch({type:"tell",key:r,told:{typed:String(d),right:u,missed:p}}),u&&L(`lesson:${r}`),W(e.current().state,t)},c=l?n.options[Number(l.typed)]:void 0;return i`<section class="ask" aria-label=${o.learn.question}>
    <p class="asked">${f(n.ask)}</p>
    <div class="options" role="group" aria-label=${o.learn.choices}>
      ${n.options.map((d,u)=>{let p=l?.typed===String(u)?d.right?"right":"wrong":"";return i`<button class="option ${p}" aria-pressed=${p!==""} @click=${()=>a(u)}><span aria-hidden="true">${p==="right"?"✓":p==="wrong"?"✗":"○"}</span> <span>${f(d.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${c?i`<p class=${c.right?"good":"bad"}>${f(c.why)}</p>`:h}</div>
  </section>`}function je(e){return e.steps.flatMap((t,s)=>t.check?[s]:[])}function Fe(e,t){return x().done.has(`lesson:${e.id}.${t}`)}function q(e){return x().done.has(`lesson:${e.id}`)}function W(e,t){je(t).some(n=>!Fe(t,n)&&!K(e.told.get(`${t.id}.${n}`)))||L(`lesson:${t.id}`)}function it(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([re(x())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var lt=1e5;async function ct(e,t){let s=t.target,n=s.files?.[0];if(!n)return;let r=n.size<=lt&&ne(await n.text());s.value="",s.setCustomValidity(r?"":o.learn.unreadable),r||s.reportValidity(),e.refresh()}function f(e){return e.map(t=>{if(typeof t=="string")return t;let[s,n]=t;return s==="c"?i`<code class=${n.length<20?"short":""}>${n}</code>`:s==="b"?i`<strong>${n}</strong>`:i`<em>${n}</em>`})}function Ne(e){return"code"in e?i`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?i`<ul>${e.ul.map(t=>i`<li>${f(t)}</li>`)}</ul>`:i`<p>${f(e.p)}</p>`}export{Ae as begin,ds as learnPage,Oe as turn};
/*! Bundled license information:

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

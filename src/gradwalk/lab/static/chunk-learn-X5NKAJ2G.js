import{B as fe,E as k,G as ge,L as z,M as $e,O as ye,P as be,Q as ke,b as ee,d as te,g as x,i as L,j as ne,l as re,m as ce,o as de,p as b,w as pe,x as ue,y as me,z as he}from"./chunk-chunk-JPULV6PR.js";import"./chunk-chunk-2NSRNHVO.js";import{h as le}from"./chunk-chunk-2G43AQBY.js";import{$ as ie,H as S,N as A,P as E,b as G,c as J,f as Q,l as X,m as Z,y as se}from"./chunk-chunk-BK4SSROR.js";import"./chunk-chunk-A2MHMUAO.js";import{c as i,g as h,i as Y,l as r,p as oe,q as ae,r as T}from"./chunk-chunk-HDQTMHZT.js";import{l as V,m as D,o as B}from"./chunk-chunk-Q7PSIRFV.js";import"./chunk-chunk-KC2BXE6A.js";var ve=G(class extends J{constructor(){super(...arguments),this.key=h}render(e,t){return this.key=e,t}update(e,[t,s]){return t!==this.key&&(ie(e),this.key=t),s}});function we(e,t,s){let n=s.event?Ae(t,s.event):"";return i`<ol class="code annotated ${s.phase}" aria-label=${r.code.title}>
    ${e.map(({text:o,note:l,event:a})=>i`<li class=${a!==void 0&&a===n?"now":""}><code>${o}</code>${l?i`<span class="remark">${l}</span>`:h}</li>`)}
  </ol>`}function Ae(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}function xe(e,t){let s=([n,o])=>`(${t[n]},${o})`;return e.sort.map((n,o)=>({pop:{key:`pop ${o}`,right:s(n.pop)},stack:{key:`stack ${o}`,right:n.stack.map(s).join(" ")},sorted:{key:`sorted ${o}`,right:n.sorted.map(l=>t[l]).join(" ")}}))}function Le(e,t){return e.backward.filter(s=>!D(e.graph.nodes[s.node])).flatMap(s=>s.pushes.filter(n=>!D(e.graph.nodes[n.to])).map((n,o)=>({from:t[s.node],to:t[n.to],local:{key:`local ${s.node} ${o}`,right:n.local},contribution:{key:`contribution ${s.node} ${o}`,right:n.contribution},after:{key:`after ${s.node} ${o}`,right:n.after}})))}function M({right:e},t){if(typeof e=="number")return E(e,t);let s=n=>n.normalize("NFKC").replaceAll("−","-").replace(/[(),;\s]+/g," ").replace(/^(empty|-|–|—)$/i,"").trim();return s(t)===s(e)}var Ce=["x7","x1","x6","x5"],H="own",ze=12,I=class extends Y{static{this.styles=ae}static{this.properties={text:{},values:{attribute:!1},chosen:{state:!0},typed:{state:!0},graded:{state:!0},shown:{state:!0}}}constructor(){super(),new oe(this),this.text="",this.values=new Map,this.chosen=Ce[0],this.typed=new Map,this.graded=null,this.shown=!1}willUpdate(t){t.has("chosen")&&(this.typed=new Map,this.graded=null,this.shown=!1)}get#t(){let t=ee.find(({id:a})=>a===this.chosen),s=t?.text??this.text,n=t?.values??Object.fromEntries(this.values),o=V(s),l=Object.fromEntries(o.names.map(a=>[a,n[a]??1]));return X(B(o.evaluate(l)),{sort:!0,leaves:!0})}get#s(){try{return this.text!==""&&B(V(this.text).evaluate(this.values)).nodes.length<=ze}catch{return!1}}#n(t,s){this.typed=new Map(this.typed).set(t,s)}#r(t){this.graded=this.typed,t.every(n=>M(n,this.typed.get(n.key)??""))&&!this.shown&&this.chosen!==H&&L(`trace:${this.chosen}`)}render(){let t=this.#t,{walk:s,names:n}=t,o=xe(s,n),l=Le(s,n),a=[...o.slice(1).flatMap(({pop:p,stack:m,sorted:f})=>[p,m,f]),...l.flatMap(({local:p,contribution:m,after:f})=>[p,m,f])],c=this.graded?a.filter(p=>M(p,this.graded.get(p.key)??"")).length:0,d=r.traces,u=t.line.phases[0]?.end??0;return i`<div class="traces">
      <section class="panel"><div class="body">
        <h2 tabindex="-1">${d.title}</h2>
        <p>${d.intro}</p>
        <div class="choices" role="group" aria-label=${d.choose}>
          ${Ce.map(p=>i`<button class="toggle" aria-pressed=${this.chosen===p} @click=${()=>{this.chosen=p}}>${r.presetNames[p]}${x().done.has(`trace:${p}`)?i` ✓<span class="hidden"> ${r.checks.done}</span>`:h}</button>`)}
          ${this.#s?i`<button class="toggle" aria-pressed=${this.chosen===H} @click=${()=>{this.chosen=H}}>${r.checks.own}</button>`:h}
        </div>
      </div></section>
      <section class="stage"><gradwalk-scene class="picture" .program=${t} .frame=${Q(t.line,u)} unfilled="·"></gradwalk-scene></section>
      <form class="panel" novalidate @submit=${p=>{p.preventDefault(),this.#r(a)}}>
        <div class="body tables">
          <table class="fill">
            <caption>${r.trace.sort}</caption>
            <thead><tr><th scope="col">#</th><th scope="col">${r.trace.pop}</th><th scope="col">${r.trace.stack}</th><th scope="col">${r.trace.sorted}</th></tr></thead>
            <tbody>${o.map(({pop:p,stack:m,sorted:f},$)=>i`<tr><th scope="row">${$+1}</th>${$?this.#e([p,m,f],[r.trace.pop,r.trace.stack,r.trace.sorted],$):[p,m,f].map(y=>i`<td><code>${Re(y)}</code></td>`)}</tr>`)}</tbody>
          </table>
          <table class="fill">
            <caption>${r.trace.backward}</caption>
            <thead><tr><th scope="col">${d.arrow}</th><th scope="col">${r.equation.local(0)}</th><th scope="col">${d.contribution}</th><th scope="col">${d.after}</th></tr></thead>
            <tbody>${l.map(({from:p,to:m,local:f,contribution:$,after:y},F)=>i`<tr><th scope="row"><code>${p} → ${m}</code></th>${this.#e([f,$,y],[r.equation.local(0),d.contribution,d.after],F)}</tr>`)}</tbody>
          </table>
        </div>
        <div class="actions pad">
          <button class="primary">${d.grade}</button>
          <button type="button" class="toggle" @click=${()=>this.#o(a)}>${d.show}</button>
          <span role="status">${this.graded?d.score(c,a.length):h}</span>
        </div>
      </form>
    </div>`}#o(t){this.shown=!0,this.typed=new Map(t.map(s=>[s.key,Re(s)])),this.graded=this.typed}#e(t,s,n){let{graded:o}=this,l=o!==null&&t.some(({key:a})=>o.get(a));return t.map((a,c)=>{let d=l&&M(a,o.get(a.key)??""),u=l?d?"right":"wrong":"",p=u?`: ${r.traces[u]}`:"";return i`<td class=${u}><input autocomplete="off" spellcheck="false" size=${Math.max(6,String(a.right).length)}
        aria-label=${`${s[c]}, ${n+1}${p}`} .value=${le(this.typed.get(a.key)??"")}
        @input=${m=>this.#n(a.key,m.target.value)} /><span aria-hidden="true">${u?d?"✓":"✗":""}</span></td>`})}};function Re({right:e}){return typeof e=="number"?S(e):e}customElements.define("gradwalk-traces",I);var Se={en:()=>import("./chunk-en-MSNEC5L5.js"),ru:()=>import("./chunk-ru-3PO7FBZ5.js"),et:()=>import("./chunk-et-FGGGBGTA.js")},P=new Map,U=null;function q(){return U=P.get(r.lang)??U,U}function Te(){return P.has(r.lang)}async function Ee(){let{lang:e}=r,t=Se[e]??Se.en,s=P.get(e)??(await t()).default;return P.set(e,s),s}function O(e,t){let[s,n]=t.split("."),o=e.lessons.find(l=>l.id===s);return o?{lesson:o,index:Math.min(o.steps.length-1,Number(n??0))}:null}function Me(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function Pe(e,t){let[s,n]=t.split(" "),o=a=>e.phases.find(c=>c.phase===a)?.end??0;if(s==="end")return e.total;if(s==="forward")return o("forward");if(s==="seed")return e.events.find(({kind:a})=>a==="seed")?.end??0;if(s!=="sort"&&s!=="backward")return 0;let l=e.events.filter(a=>a.phase===s&&a.kind!=="seed"&&a.kind!=="leaf");return l[Math.min(l.length,Number(n))-1]?.end??o("forward")}var He={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function Ie(e){await Ee();let t=e.current();t.state.page==="learn"&&(t.state.staged!==t.state.lesson&&Ne(t),e.refresh())}function qe(e,t,s=!1){let n=q(),o=n&&O(n,e.state.lesson);if(!o)return;let{lesson:l,index:a}=o,c=a+t;e.state.teach&&c===l.steps.length&&!s||(c>=0&&c<l.steps.length?C(e,`${l.id}.${c}`):c>=l.steps.length&&Ue(e,n,l))}function C(e,t){e.dispatch({type:"lesson",lesson:t}),Ne(e.current()),Ke()}function Ue(e,t,s){W(e.state,s);let n=t.lessons[t.lessons.indexOf(s)+1];C(e,n?n.id:"")}function Ke(){requestAnimationFrame(()=>{let e=document.querySelector("gradwalk-lab")?.shadowRoot;e?.querySelector(".lesson h2, .course h2")?.focus(),e?.querySelector(".lesson .text")?.scrollTo({top:0})})}function Ne(e){let{state:t,dispatch:s}=e,n=q(),o=n&&O(n,t.lesson);if(!o)return;let l=o.lesson.steps[o.index],a=l.walk;if(!a)return;s({type:"scene",staged:t.lesson,scene:He[a.view]??"sandbox",text:a.text,values:{...a.values},bug:a.bug??"",unfold:a.view==="unfold"});let c=e.current().state,d=Pe(Z(c).line,a.at),{check:u}=l,m=u!==void 0&&u.kind!=="choice"&&!K(c.told.get(`${o.lesson.id}.${o.index}`));s({type:"seek",time:d}),m&&a.at!=="end"&&s({type:"hold",hold:d})}function us(e){Te()||Ie(e);let t=q();if(!t)return i`<p class="pad">${r.learn.loading}</p>`;let s=O(t,e.state.lesson);return s?Xe(e,s.lesson,s.index):i`<div class="course">
    ${Ye(e)}
    ${We(e,t)}
  </div>`}function We(e,t){switch(e.state.lesson){case"glossary":return Qe(t);case"traces":return i`<gradwalk-traces .text=${e.fixed?"":e.state.good} .values=${e.state.values}></gradwalk-traces>`;case"write":return import("./chunk-write-UVJQGD47.js"),i`<gradwalk-write .theme=${e.state.theme}><p class="pad">${r.learn.loading}</p></gradwalk-write>`;default:return Ge(e,t)}}var _e=["","traces","write","glossary"];function Ye(e){let{lesson:t}=e.state;return i`<div class="bar">
    <span class="segments" role="group" aria-label=${r.learn.title}>
      ${_e.map(s=>i`<button class="segment" aria-pressed=${t===s} @click=${()=>e.dispatch({type:"lesson",lesson:s})}>${r.learn.tabs[s||"lessons"]}</button>`)}
    </span>
  </div>`}function Ge(e,t){let s=t.lessons.filter(o=>N(o)).length,n=t.lessons.find(o=>!N(o));return i`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${r.learn.head}</h2>
      <p>${r.learn.intro}</p>
      <progress max=${t.lessons.length} value=${s} aria-label=${r.learn.progress(s,t.lessons.length)}></progress>
      <div class="actions">
        <span>${r.learn.progress(s,t.lessons.length)}</span>
        ${n?i`<button class="primary" @click=${()=>C(e,n.id)}>${T("play")} ${s?r.learn.resume:r.learn.start}</button>`:i`<strong class="good">✓ ${r.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${ct}>${r.learn.save}</button>
        <label class="toggle file">${r.learn.load}<input type="file" accept="application/json,.json" @change=${o=>{pt(e,o)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((o,l)=>Je(e,o,l))}
    </ol>`}function Je(e,t,s){let n=N(t),o=je(t),l=o.filter(a=>Ve(t,a)).length;return i`<li><a class="entry ${n?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${a=>{a.ctrlKey||a.metaKey||a.shiftKey||(a.preventDefault(),C(e,t.id))}}>
    <span class="number" aria-hidden="true">${n?"✓":s+1}</span>
    <span class="name">${g(t.title)}${n?i`<span class="hidden">, ${r.learn.complete}</span>`:h}</span>
    <span class="facts">${r.learn.minutes(t.minutes)} · ${r.learn.solved(l,o.length)}</span>
  </a></li>`}function Qe(e){return i`<section class="panel"><div class="body"><h2 tabindex="-1">${r.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,s])=>i`<div><dt>${g(t)}</dt><dd>${g(s)}</dd></div>`)}</dl>
  </div></section>`}function Xe(e,t,s){let{state:n}=e,o=t.steps[s],l=s===t.steps.length-1;return i`<div class="lesson ${o.walk?.view??"graph"}">
    <article class="panel text" aria-label=${r.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${r.learn.back} title=${r.learn.back} @click=${()=>C(e,"")}>${T("left")}</button>
        <span class="where">${g(t.title)}</span>
        <button class="toggle" @click=${()=>Ze(e,!n.teach)}>${n.teach?r.learn.unteach:r.learn.teach}</button>
      </div>
      <div class="body" tabindex=${n.teach?0:h}>
        <h2 tabindex="-1">${g(o.title)}</h2>
        ${o.blocks.map(Oe)}
        ${o.check?rt(e,t,s,o.check):h}
        ${n.teach&&o.notes?i`<details class="notes"><summary>${r.learn.notes}</summary>${o.notes.map(Oe)}</details>`:h}
        ${l&&N(t)?i`<p class="complete" role="status">✓ ${r.learn.completed}</p>`:h}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${s===0} @click=${()=>qe(e,-1)}>${T("left")} ${r.learn.before}</button>
        <ol class="dots" aria-label=${r.learn.steps}>${t.steps.map((a,c)=>i`<li><button class="dot" aria-current=${c===s?"step":h} aria-label=${r.learn.step(c+1,t.steps.length)} title=${Me(a.title)} @click=${()=>C(e,`${t.id}.${c}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>qe(e,1,!0)}>${l?r.learn.finish:r.learn.next} ${T("right")}</button>
      </div>
    </article>
    <div class="work">${tt(e,o)}</div>
  </div>`}function Ze(e,t){e.dispatch({type:"teach",on:t}),t?document.documentElement.requestFullscreen?.().then(()=>et(e),()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function et(e){document.addEventListener("fullscreenchange",function t(){document.fullscreenElement||(document.removeEventListener("fullscreenchange",t),e.dispatch({type:"teach",on:!1}))})}function Fe(e){e.state.teach&&requestAnimationFrame(()=>{document.querySelector("gradwalk-lab")?.shadowRoot?.querySelector(".ask")?.scrollIntoView({block:"nearest"})})}function tt(e,t){let{program:s,frame:n,state:o,dispatch:l}=e,a=t.walk?.view??"graph",c=de(e,{switches:a==="unfold"?["unfold"]:[],compare:a==="bugs",unfilled:"·"}),d=()=>k(r.equation.title,he(s,n,o.node,o.edge),"rule");switch(a){case"order":return pe(e);case"descend":return ye(e);case"sliders":return[ce(e),c,b(e)];case"numbers":return[c,b(e),k(r.numbers.title,fe(s,n,o.node,!1,u=>l({type:"pick",node:u})),"table")];case"chain":return[c,b(e),d()];case"code":return[c,b(e),k(r.code.title,me(s,n),"engine")];case"trace":{let u=k(r.trace.sort,be(s,n,e.seek),"table"),p=k(r.trace.backward,ke(s,n,e.seek),"table"),m=o.teach?n.phase==="backward"?p:u:i`<div class="pair">${u}${p}</div>`;return[c,b(e),m]}case"rules":return[st(),c,b(e),d()];case"bugs":return[c,b(e),i`<div class="pair">
          ${k(r.bugs.names[o.bug]??"",ge(o.bug||"overwrite"),"rule")}
          ${k(r.bugs.table,o.hold===null?ue(s):h,"table")}
        </div>`];case"source":return[c,b(e),t.source?k(r.learn.source(t.source.name),we(t.source.rows,s,n),"engine source"):h];default:return[c,b(e)]}}function st(){return i`<div class="pair rules">
    ${["+","*"].map(e=>i`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${r.learn.rules[e][0]}</strong><br />${r.learn.rules[e][1]}</p></section>`)}
  </div>`}function nt(e,t,s){let n=t.steps[s].walk;return n?.view!=="sliders"?!1:e.good!==n.text?!0:Object.entries(n.values).some(([o,l])=>e.values.get(o)!==l)}var K=e=>e!==void 0&&(e.right||e.missed>1);function rt(e,t,s,n){let o=`${t.id}.${s}`;if(n.kind==="choice")return lt(e,t,s,n);let l=n.kind==="grad"&&nt(e.state,t,s),{program:a,state:c}=e,{graph:d,walk:u}=a,m=d.nodes.find(v=>v.label===n.node)??d.leaves[0];if(l&&!m)return i``;let f=l?`${o} ${c.good} ${d.leaves.map(v=>v.data)}`:o,$=l?u.expected[m.id]:n.answer,y=c.told.get(f),F=l?[r.checks.question(a.output,m.label)]:n.ask,De=l?[r.learn.paths(z(d,m.label).count,m.label)]:n.why,_=(v,w,R)=>{e.dispatch({type:"tell",key:f,told:{typed:v,right:w,missed:R}}),Fe(e),w&&L(`lesson:${o}`),(w||R>1)&&(W(e.current().state,t),ot(e))},j=y?.missed??0;return i`<section class="ask" aria-label=${r.learn.question}>
    ${l?i`<p class="why">${r.learn.own}</p>`:h}
    <p class="asked">${g(F)}</p>
    ${c.teach?h:i`<form novalidate @submit=${v=>{v.preventDefault();let w=v.target.querySelector("input"),R=E($,w.value),Be=A(w.value)!==null;_(w.value,R,j+Number(Be&&!R))}}>
            ${ve(f,i`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${r.checks.answer} .value=${y?.typed??""} />`)}
            <button class="primary">${r.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?it(e,n,m.label,y,$,De,l):h}</div>
    ${c.hold!==null&&!c.teach?i`<p class="why">${r.learn.held}</p>`:h}
    ${K(y)?h:i`<button class="toggle" @click=${()=>_(y?.typed??"",!1,c.teach?2:j+1)}>${c.teach||j?r.learn.show:r.checks.hint}</button>`}
  </section>`}function ot(e){e.dispatch({type:"hold",hold:null}),se()?e.dispatch({type:"seek",time:te}):e.dispatch({type:"play",on:!0})}var at=/^(start|value)\b/;function it(e,t,s,n,o,l,a){let c=A(n.typed);if(n.right)return i`<p class="good"><strong>✓ ${r.checks.right}</strong></p><p>${g(l)}</p>`;let{graph:d}=e.program,u=t.kind==="grad"&&d.leaves.some($=>$.label===s),p=c!==null&&u?$e(d,s,c):"",m=c===null?n.typed?i`<p class="bad">${r.notNumber}</p>`:h:i`<p><strong class="bad">✗ ${r.checks.wrong(S(c,10))}</strong> ${p}</p>`;if(n.missed>1)return i`${m}<p>${r.learn.answer} <code>${S(o)}</code></p><p>${g(l)}</p>`;if(!n.missed)return i`${m}`;let f=t.kind==="grad"&&(a||u)?at.test(e.state.lesson)?r.learn.nudge(s,e.program.output):r.checks.hintText(z(d,s).count,s,e.program.output):t.kind==="data"?r.learn.compute:r.learn.look;return i`${m}<p>${f}</p>`}function lt(e,t,s,n){let o=`${t.id}.${s}`,l=e.state.told.get(o),a=d=>{let{right:u}=n.options[d],p=(l?.missed??0)+ +!u;e.dispatch({type:"tell",key:o,told:{typed:String(d),right:u,missed:p}}),Fe(e),u&&L(`lesson:${o}`),W(e.current().state,t)},c=l?n.options[Number(l.typed)]:void 0;return i`<section class="ask" aria-label=${r.learn.question}>
    <p class="asked">${g(n.ask)}</p>
    <div class="options" role="group" aria-label=${r.learn.choices}>
      ${n.options.map((d,u)=>{let p=l?.typed===String(u)?d.right?"right":"wrong":"";return i`<button class="option ${p}" aria-pressed=${p!==""} @click=${()=>a(u)}><span aria-hidden="true">${p==="right"?"✓":p==="wrong"?"✗":"○"}</span> <span>${g(d.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${c?i`<p class=${c.right?"good":"bad"}>${g(c.why)}</p>`:h}</div>
  </section>`}function je(e){return e.steps.flatMap((t,s)=>t.check?[s]:[])}function Ve(e,t){return x().done.has(`lesson:${e.id}.${t}`)}function N(e){return x().done.has(`lesson:${e.id}`)}function W(e,t){je(t).some(n=>!Ve(t,n)&&!K(e.told.get(`${t.id}.${n}`)))||L(`lesson:${t.id}`)}function ct(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([re(x())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var dt=1e5;async function pt(e,t){let s=t.target,n=s.files?.[0];if(!n)return;let o=n.size<=dt&&ne(await n.text());s.value="",s.setCustomValidity(o?"":r.learn.unreadable),o||s.reportValidity(),e.refresh()}function g(e){return e.map(t=>{if(typeof t=="string")return t;let[s,n]=t;return s==="c"?i`<code class=${n.length<20?"short":""}>${n}</code>`:s==="b"?i`<strong>${n}</strong>`:i`<em>${n}</em>`})}function Oe(e){return"code"in e?i`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?i`<ul>${e.ul.map(t=>i`<li>${g(t)}</li>`)}</ul>`:i`<p>${g(e.p)}</p>`}export{Ie as begin,us as learnPage,qe as turn};
/*! Bundled license information:

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

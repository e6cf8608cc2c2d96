import{A as k,C as ye,H as z,I as be,K as ke,L as ve,M as we,b as se,g as x,i as L,j as oe,l as ae,m as D,n as pe,p as ue,q as b,s as me,t as he,u as fe,v as ge,x as $e}from"./chunk-shared-app-store.js";import"./chunk-shared-parts-charts.js";import"./chunk-shared-app-settings.js";import{g as de}from"./chunk-shared-teach-narration.js";import{H as T,L as H,N as E,b as X,c as Z,ca as ce,f as ee,l as te,m as ne,y as re}from"./chunk-shared-app-timeline.js";import"./chunk-shared-app-server.js";import{c as i,g as h,i as Q,k as o,o as ie,p as le,q as S}from"./chunk-shared-parts-styles-learn.js";import"./chunk-shared-app-python.js";import{l as V,m as A,o as B}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";var xe=X(class extends Z{constructor(){super(...arguments),this.key=h}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(ce(e),this.key=t),n}});function Le(e,t,n){let s=n.event?De(t,n.event):"";return i`<ol class="code annotated ${n.phase}" aria-label=${o.code.title}>
    ${e.map(({text:r,note:l,event:a})=>i`<li class=${a!==void 0&&a===s?"now":""}><code>${r}</code>${l?i`<span class="remark">${l}</span>`:h}</li>`)}
  </ol>`}function De(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}function Ce(e,t){let n=([s,r])=>`(${t[s]},${r})`;return e.sort.map((s,r)=>({pop:{key:`pop ${r}`,right:n(s.pop)},stack:{key:`stack ${r}`,right:s.stack.map(n).join(" ")},sorted:{key:`sorted ${r}`,right:s.sorted.map(l=>t[l]).join(" ")}}))}function Re(e,t){return e.backward.filter(n=>!A(e.graph.nodes[n.node])).flatMap(n=>n.pushes.filter(s=>!A(e.graph.nodes[s.to])).map((s,r)=>({from:t[n.node],to:t[s.to],local:{key:`local ${n.node} ${r}`,right:s.local},contribution:{key:`contribution ${n.node} ${r}`,right:s.contribution},after:{key:`after ${n.node} ${r}`,right:s.after}})))}function M({right:e},t){if(typeof e=="number")return E(e,t);let n=s=>s.normalize("NFKC").replaceAll("−","-").replace(/[(),;\s]+/g," ").replace(/^(empty|-|–|—)$/i,"").trim();return n(t)===n(e)}var Te=["x7","x1","x6","x5"],I="own",He=12,U=class extends Q{static{this.styles=le}static{this.properties={text:{},values:{attribute:!1},chosen:{state:!0},typed:{state:!0},graded:{state:!0},shown:{state:!0}}}constructor(){super(),new ie(this),this.text="",this.values=new Map,this.chosen=Te[0],this.typed=new Map,this.graded=null,this.shown=!1}willUpdate(t){t.has("chosen")&&(this.typed=new Map,this.graded=null,this.shown=!1)}get#t(){let t=se.find(({id:a})=>a===this.chosen),n=t?.text??this.text,s=t?.values??Object.fromEntries(this.values),r=V(n),l=Object.fromEntries(r.names.map(a=>[a,s[a]??1]));return te(B(r.evaluate(l)),{sort:!0,leaves:!0})}get#n(){try{return this.text!==""&&B(V(this.text).evaluate(this.values)).nodes.length<=He}catch{return!1}}#s(t,n){this.typed=new Map(this.typed).set(t,n)}#r(t){this.graded=this.typed,t.every(s=>M(s,this.typed.get(s.key)??""))&&!this.shown&&this.chosen!==I&&L(`trace:${this.chosen}`)}render(){let t=this.#t,{walk:n,names:s}=t,r=Ce(n,s),l=Re(n,s),a=[...r.slice(1).flatMap(({pop:p,stack:m,sorted:f})=>[p,m,f]),...l.flatMap(({local:p,contribution:m,after:f})=>[p,m,f])],c=this.graded?a.filter(p=>M(p,this.graded.get(p.key)??"")).length:0,d=o.traces,u=t.line.phases[0]?.end??0;return i`<div class="traces">
      <section class="panel"><div class="body">
        <h2 tabindex="-1">${d.title}</h2>
        <p>${d.intro}</p>
        <div class="choices" role="group" aria-label=${d.choose}>
          ${Te.map(p=>i`<button class="toggle" aria-pressed=${this.chosen===p} @click=${()=>{this.chosen=p}}>${o.presetNames[p]}${x().done.has(`trace:${p}`)?i` ✓<span class="hidden"> ${o.checks.done}</span>`:h}</button>`)}
          ${this.#n?i`<button class="toggle" aria-pressed=${this.chosen===I} @click=${()=>{this.chosen=I}}>${o.checks.own}</button>`:h}
        </div>
      </div></section>
      <section class="stage"><gradwalk-scene class="picture" .program=${t} .frame=${ee(t.line,u)}></gradwalk-scene></section>
      <form class="panel" novalidate @submit=${p=>{p.preventDefault(),this.#r(a)}}>
        <div class="body tables">
          <table class="fill">
            <caption>${o.trace.sort}</caption>
            <thead><tr><th scope="col">#</th><th scope="col">${o.trace.pop}</th><th scope="col">${o.trace.stack}</th><th scope="col">${o.trace.sorted}</th></tr></thead>
            <tbody>${r.map(({pop:p,stack:m,sorted:f},$)=>i`<tr><th scope="row">${$+1}</th>${$?this.#e([p,m,f],[o.trace.pop,o.trace.stack,o.trace.sorted],$):[p,m,f].map(y=>i`<td><code>${Se(y)}</code></td>`)}</tr>`)}</tbody>
          </table>
          <table class="fill">
            <caption>${o.trace.backward}</caption>
            <thead><tr><th scope="col">${d.arrow}</th><th scope="col">${o.equation.local(0)}</th><th scope="col">${d.contribution}</th><th scope="col">${d.after}</th></tr></thead>
            <tbody>${l.map(({from:p,to:m,local:f,contribution:$,after:y},F)=>i`<tr><th scope="row"><code>${p} → ${m}</code></th>${this.#e([f,$,y],[o.equation.local(0),d.contribution,d.after],F)}</tr>`)}</tbody>
          </table>
        </div>
        <div class="actions pad">
          <button class="primary">${d.grade}</button>
          <button type="button" class="toggle" @click=${()=>this.#o(a)}>${d.show}</button>
          <span role="status">${this.graded?d.score(c,a.length):h}</span>
        </div>
      </form>
    </div>`}#o(t){this.shown=!0,this.typed=new Map(t.map(n=>[n.key,Se(n)])),this.graded=this.typed}#e(t,n,s){let{graded:r}=this,l=r!==null&&t.some(({key:a})=>r.get(a));return t.map((a,c)=>{let d=l&&M(a,r.get(a.key)??""),u=l?d?"right":"wrong":"",p=u?`: ${o.traces[u]}`:"";return i`<td class=${u}><input autocomplete="off" spellcheck="false" size=${Math.max(6,String(a.right).length)}
        aria-label=${`${n[c]}, ${s+1}${p}`} .value=${de(this.typed.get(a.key)??"")}
        @input=${m=>this.#s(a.key,m.target.value)} /><span aria-hidden="true">${u?d?"✓":"✗":""}</span></td>`})}};function Se({right:e}){return typeof e=="number"?T(e):e}customElements.define("gradwalk-traces",U);var Ee={en:()=>import("./chunk-teach-lessons-en.js"),ru:()=>import("./chunk-teach-lessons-ru.js"),et:()=>import("./chunk-teach-lessons-et.js")},P=new Map,K=null;function O(){return K=P.get(o.lang)??K,K}function W(){return P.has(o.lang)}async function _(){let{lang:e}=o,t=Ee[e]??Ee.en,n=P.get(e)??(await t()).default;return P.set(e,n),n}function q(e,t){let[n,s]=t.split("."),r=e.lessons.find(l=>l.id===n);return r?{lesson:r,index:Math.min(r.steps.length-1,Number(s??0))}:null}function Me(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function Pe(e,t){let[n,s]=t.split(" "),r=a=>e.phases.find(c=>c.phase===a)?.end??0;if(n==="end")return e.total;if(n==="forward")return r("forward");if(n==="seed")return e.events.find(({kind:a})=>a==="seed")?.end??0;if(n!=="sort"&&n!=="backward")return 0;let l=e.events.filter(a=>a.phase===n&&a.kind!=="seed"&&a.kind!=="leaf");return l[Math.min(l.length,Number(s))-1]?.end??r("forward")}var Ie={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function Ue(e){if(!await _().catch(()=>null))return;let t=e.current();t.state.page==="learn"&&(t.state.staged!==t.state.lesson&&Ne(t),e.refresh())}function Oe(e,t,n=!1){let s=O(),r=s&&q(s,e.state.lesson);if(!r)return;let{lesson:l,index:a}=r,c=a+t;e.state.teach&&c===l.steps.length&&!n||(c>=0&&c<l.steps.length?C(e,`${l.id}.${c}`):c>=l.steps.length&&Ke(e,s,l))}function C(e,t){e.dispatch({type:"lesson",lesson:t}),Ne(e.current()),We(e)}function Ke(e,t,n){G(e.state,n);let s=t.lessons[t.lessons.indexOf(n)+1];C(e,s?s.id:"")}function We({root:e}){requestAnimationFrame(()=>{e.querySelector(".lesson h2, .course h2")?.focus(),e.querySelector(".lesson .text")?.scrollTo({top:0})})}function Ne(e){let{state:t,dispatch:n}=e,s=O(),r=s&&q(s,t.lesson);if(!r)return;let l=r.lesson.steps[r.index],a=l.walk;if(!a)return;n({type:"scene",staged:t.lesson,scene:Ie[a.view]??"sandbox",text:a.text,values:{...a.values},bug:a.bug??"",unfold:a.view==="unfold",rate:a.rate??.1});let c=e.current().state,d=Pe(ne(c).line,a.at),{check:u}=l,m=u!==void 0&&u.kind!=="choice"&&!Y(c.told.get(`${r.lesson.id}.${r.index}`));n({type:"seek",time:d}),m&&a.at!=="end"&&n({type:"hold",hold:d})}function fn(e){let t=()=>W()?void Ue(e.current()):e.refresh(),n=W()?null:D(`lessons ${o.lang}`,_,t),s=O();if(!s)return n??i`<p class="pad">${o.learn.loading}</p>`;let r=q(s,e.state.lesson);return r?Ze(e,r.lesson,r.index):i`<div class="course">
    ${Ge(e)}
    ${_e(e,s)}
  </div>`}function _e(e,t){switch(e.state.lesson){case"glossary":return Xe(t);case"traces":return i`<gradwalk-traces .text=${e.fixed?"":e.state.good} .values=${e.state.values}></gradwalk-traces>`;case"write":return D("write",()=>import("./chunk-parts-write.js"),e.refresh)??i`<gradwalk-write .theme=${e.state.theme}><p class="pad">${o.learn.loading}</p></gradwalk-write>`;default:return Je(e,t)}}var Ye=["","traces","write","glossary"];function Ge(e){let{lesson:t}=e.state;return i`<div class="bar">
    <span class="segments" role="group" aria-label=${o.learn.title}>
      ${Ye.map(n=>i`<button class="segment" aria-pressed=${t===n} @click=${()=>e.dispatch({type:"lesson",lesson:n})}>${o.learn.tabs[n||"lessons"]}</button>`)}
    </span>
  </div>`}function Je(e,t){let n=t.lessons.filter(r=>N(r)).length,s=t.lessons.find(r=>!N(r));return i`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${o.learn.head}</h2>
      <p>${o.learn.intro}</p>
      <progress max=${t.lessons.length} value=${n} aria-label=${o.learn.progress(n,t.lessons.length)}></progress>
      <div class="actions">
        <span>${o.learn.progress(n,t.lessons.length)}</span>
        ${s?i`<button class="primary" @click=${()=>C(e,s.id)}>${S("play")} ${n?o.learn.resume:o.learn.start}</button>`:i`<strong class="good">✓ ${o.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${dt}>${o.learn.save}</button>
        <label class="toggle file">${o.learn.load}<input type="file" accept="application/json,.json" @change=${r=>{ut(e,r)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((r,l)=>Qe(e,r,l))}
    </ol>`}function Qe(e,t,n){let s=N(t),r=je(t),l=r.filter(a=>Ve(t,a)).length;return i`<li><a class="entry ${s?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${a=>{a.ctrlKey||a.metaKey||a.shiftKey||(a.preventDefault(),C(e,t.id))}}>
    <span class="number" aria-hidden="true">${s?"✓":n+1}</span>
    <span class="name">${g(t.title)}${s?i`<span class="hidden">, ${o.learn.complete}</span>`:h}</span>
    <span class="facts">${o.learn.minutes(t.minutes)}, ${o.learn.solved(l,r.length)}</span>
  </a></li>`}function Xe(e){return i`<section class="panel"><div class="body"><h2 tabindex="-1">${o.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,n])=>i`<div><dt>${g(t)}</dt><dd>${g(n)}</dd></div>`)}</dl>
  </div></section>`}function Ze(e,t,n){let{state:s}=e,r=t.steps[n],l=n===t.steps.length-1;return i`<div class="lesson ${r.walk?.view??"graph"}">
    <article class="panel text" aria-label=${o.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${o.learn.back} title=${o.learn.back} @click=${()=>C(e,"")}>${S("left")}</button>
        <span class="where">${g(t.title)}</span>
        <button class="toggle" @click=${()=>et(e,!s.teach)}>${s.teach?o.learn.unteach:o.learn.teach}</button>
      </div>
      <div class="body" tabindex=${s.teach?0:h}>
        <h2 tabindex="-1">${g(r.title)}</h2>
        ${r.blocks.map(qe)}
        ${r.check?ot(e,t,n,r.check):h}
        ${s.teach&&r.notes?i`<details class="notes"><summary>${o.learn.notes}</summary>${r.notes.map(qe)}</details>`:h}
        ${l&&N(t)?i`<p class="complete" role="status">✓ ${o.learn.completed}</p>`:h}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${n===0} @click=${()=>Oe(e,-1)}>${S("left")} ${o.learn.before}</button>
        <ol class="dots" aria-label=${o.learn.steps}>${t.steps.map((a,c)=>i`<li><button class="dot" aria-current=${c===n?"step":h} aria-label=${o.learn.step(c+1,t.steps.length)} title=${Me(a.title)} @click=${()=>C(e,`${t.id}.${c}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>Oe(e,1,!0)}>${l?o.learn.finish:o.learn.next} ${S("right")}</button>
      </div>
    </article>
    <div class="work">${nt(e,r)}</div>
  </div>`}function et(e,t){e.dispatch({type:"teach",on:t}),t?document.documentElement.requestFullscreen?.().then(()=>tt(e),()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function tt(e){document.addEventListener("fullscreenchange",function t(){document.fullscreenElement||(document.removeEventListener("fullscreenchange",t),e.dispatch({type:"teach",on:!1}))})}function Fe(e){e.state.teach&&requestAnimationFrame(()=>{e.root.querySelector(".ask")?.scrollIntoView({block:"nearest"})})}function nt(e,t){let{program:n,frame:s,state:r,dispatch:l}=e,a=t.walk?.view??"graph",c=ue(e,{switches:a==="unfold"?["unfold"]:[],compare:a==="bugs"}),d=()=>k(o.equation.title,ge(n,s,r.node,r.edge),"rule");switch(a){case"order":return me(e);case"descend":return ke(e);case"sliders":return[pe(e),c,b(e)];case"numbers":return[c,b(e),k(o.numbers.title,$e(n,s,r.node,!1,u=>l({type:"pick",node:u})),"table")];case"chain":return[c,b(e),d()];case"code":return[c,b(e),k(o.code.title,fe(n,s),"engine")];case"trace":{let u=k(o.trace.sort,ve(n,s,e.seek),"table"),p=k(o.trace.backward,we(n,s,e.seek),"table"),m=r.teach?s.phase==="backward"?p:u:i`<div class="pair">${u}${p}</div>`;return[c,b(e),m]}case"rules":return[st(),c,b(e),d()];case"bugs":return[c,b(e),i`<div class="pair">
          ${k(o.bugs.names[r.bug]??"",ye(r.bug||"overwrite"),"rule")}
          ${k(o.bugs.table,r.hold===null?he(n):h,"table")}
        </div>`];case"source":return[c,b(e),t.source?k(o.learn.source(t.source.name),Le(t.source.rows,n,s),"engine source"):h];default:return[c,b(e)]}}function st(){return i`<div class="pair rules">
    ${["+","*"].map(e=>i`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${o.learn.rules[e][0]}</strong><br />${o.learn.rules[e][1]}</p></section>`)}
  </div>`}function rt(e,t,n){let s=t.steps[n].walk;return s?.view!=="sliders"?!1:e.good!==s.text?!0:Object.entries(s.values).some(([r,l])=>e.values.get(r)!==l)}var Y=e=>e!==void 0&&(e.right||e.missed>1);function ot(e,t,n,s){let r=`${t.id}.${n}`;if(s.kind==="choice")return ct(e,t,n,s);let l=s.kind==="grad"&&rt(e.state,t,n),{program:a,state:c}=e,{graph:d,walk:u}=a,m=d.nodes.find(v=>v.label===s.node)??d.leaves[0];if(l&&!m)return i``;let f=l?`${r} ${c.good} ${d.leaves.map(v=>v.data)}`:r,$=l?u.expected[m.id]:s.answer,y=c.told.get(f),F=l?[o.checks.question(a.output,m.label)]:s.ask,Ae=l?[o.learn.paths(z(d,m.label).count,m.label)]:s.why,J=(v,w,R)=>{e.dispatch({type:"tell",key:f,told:{typed:v,right:w,missed:R}}),Fe(e),w&&L(`lesson:${r}`),(w||R>1)&&(G(e.current().state,t),at(e,s.kind,m.id))},j=y?.missed??0;return i`<section class="ask" aria-label=${o.learn.question}>
    ${l?i`<p class="why">${o.learn.own}</p>`:h}
    <p class="asked">${g(F)}</p>
    ${c.teach?h:i`<form novalidate @submit=${v=>{v.preventDefault();let w=v.target.querySelector("input"),R=E($,w.value),Be=H(w.value)!==null;J(w.value,R,j+Number(Be&&!R))}}>
            ${xe(f,i`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${o.checks.answer} .value=${y?.typed??""} />`)}
            <button class="primary">${o.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?lt(e,s,m.label,y,$,Ae,l):h}</div>
    ${c.hold!==null&&!c.teach?i`<p class="why">${o.learn.held}</p>`:h}
    ${Y(y)?h:i`<button class="toggle" @click=${()=>J(y?.typed??"",!1,c.teach?2:j+1)}>${c.teach||j?o.learn.show:o.checks.hint}</button>`}
  </section>`}function at(e,t,n){let{events:s,total:r}=e.program.line,l=c=>t==="data"?c.kind==="compute"&&c.node===n:c.push?.to===n,a=s.findLast(l)?.end??r;e.dispatch({type:"hold",hold:null}),!(e.frame.time>=a)&&(re()?e.dispatch({type:"seek",time:a}):e.dispatch({type:"play",on:!0,until:a}))}var it=/^(start|value)\b/;function lt(e,t,n,s,r,l,a){let c=H(s.typed);if(s.right)return i`<p class="good"><strong>✓ ${o.checks.right}</strong></p><p>${g(l)}</p>`;let{graph:d}=e.program,u=t.kind==="grad"&&d.leaves.some($=>$.label===n),p=c!==null&&u?be(d,n,c):"",m=c===null?s.typed?i`<p class="bad">${o.notNumber}</p>`:h:i`<p><strong class="bad">✗ ${o.checks.wrong(T(c,10))}</strong> ${p}</p>`;if(s.missed>1)return i`${m}<p>${o.learn.answer} <code>${T(r)}</code></p><p>${g(l)}</p>`;if(!s.missed)return i`${m}`;let f=t.kind==="grad"&&(a||u)?it.test(e.state.lesson)?o.learn.nudge(n,e.program.output):o.checks.hintText(z(d,n).count,n,e.program.output):t.kind==="data"?o.learn.compute:o.learn.look;return i`${m}<p>${f}</p>`}function ct(e,t,n,s){let r=`${t.id}.${n}`,l=e.state.told.get(r),a=d=>{let{right:u}=s.options[d],p=(l?.missed??0)+ +!u;e.dispatch({type:"tell",key:r,told:{typed:String(d),right:u,missed:p}}),Fe(e),u&&L(`lesson:${r}`),G(e.current().state,t)},c=l?s.options[Number(l.typed)]:void 0;return i`<section class="ask" aria-label=${o.learn.question}>
    <p class="asked">${g(s.ask)}</p>
    <div class="options" role="group" aria-label=${o.learn.choices}>
      ${s.options.map((d,u)=>{let p=l?.typed===String(u)?d.right?"right":"wrong":"";return i`<button class="option ${p}" aria-pressed=${p!==""} @click=${()=>a(u)}><span aria-hidden="true">${p==="right"?"✓":p==="wrong"?"✗":"○"}</span> <span>${g(d.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${c?i`<p class=${c.right?"good":"bad"}>${g(c.why)}</p>`:h}</div>
  </section>`}function je(e){return e.steps.flatMap((t,n)=>t.check?[n]:[])}function Ve(e,t){return x().done.has(`lesson:${e.id}.${t}`)}function N(e){return x().done.has(`lesson:${e.id}`)}function G(e,t){je(t).some(s=>!Ve(t,s)&&!Y(e.told.get(`${t.id}.${s}`)))||L(`lesson:${t.id}`)}function dt(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([ae(x())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var pt=1e5;async function ut(e,t){let n=t.target,s=n.files?.[0];if(!s)return;let r=s.size<=pt&&oe(await s.text());n.value="",n.setCustomValidity(r?"":o.learn.unreadable),r||n.reportValidity(),e.refresh()}function g(e){return e.map(t=>{if(typeof t=="string")return t;let[n,s]=t;return n==="c"?i`<code class=${s.length<20?"short":""}>${s}</code>`:n==="b"?i`<strong>${s}</strong>`:i`<em>${s}</em>`})}function qe(e){return"code"in e?i`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?i`<ul>${e.ul.map(t=>i`<li>${g(t)}</li>`)}</ul>`:i`<p>${g(e.p)}</p>`}export{Ue as begin,fn as learnPage,Oe as turn};
/*! Bundled license information:

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

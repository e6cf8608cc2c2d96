import{C as ce,D as de,F as ue,H as pe,I as me,J as fe,K as ge,k as H,l as ne,m as se,p as re,v as ie,y as le}from"./chunk-shared-app-store.js";import"./chunk-shared-app-settings.js";import{f as ae}from"./chunk-shared-teach-narration.js";import"./chunk-shared-parts-charts.js";import{A as b,a as J}from"./chunk-shared-scene-steer.js";import{a as E}from"./chunk-shared-parts-icons.js";import{a as P,c as N,e as Q,g as X}from"./chunk-shared-app-progress.js";import"./chunk-shared-lit-html-directives-live.js";import{J as W,O as Z,P as j,Q as C,R as q,T as ee,U as B,W as te,_ as oe,b as K,c as Y,h as _}from"./chunk-shared-app-timeline.js";import{c as i,g as p,k as r}from"./chunk-shared-lit-html-lit-html.js";import{m as G}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";var $e=K(class extends Y{constructor(){super(...arguments),this.key=p}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(oe(e),this.key=t),n}});function he(e,t,n,s,o){let{graph:l,names:a,walk:c}=e,d=r.numbers,u=l.nodes.filter(h=>!G(h)).toReversed(),f=h=>{let g=u[h],y=g.id===n,T=t.node(g.id),v=s?c.grads[g.id]:T.grad,R=ee(v),L=y?q:C;return i`<tr class=${`${y?"now":""} ${t.phase}`} aria-rowindex=${h+2} @click=${()=>o(g.id)}>
      <td title=${a[g.id]}><button class="bare" aria-label=${d.select(a[g.id])} aria-pressed=${y}>${a[g.id]}</button></td>
      <td class="end" title=${T.filled?q(g.data):""}>${T.filled?L(g.data):j}</td>
      <td class="end ${R}" title=${v===null?"":q(v)}>${v===null?j:L(v)} ${Z[R]}</td>
    </tr>`},m=n===null?-1:u.findIndex(({id:h})=>h===n);return i`<table class="numbers" aria-rowcount=${u.length+1}>
    <caption class="hidden">${d.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${d.node}</th><th scope="col" class="end">${d.value}</th><th scope="col" class="end">${d.grad}</th></tr></thead>
    <tbody>${ae({count:u.length,now:m,columns:3,row:f})}</tbody>
  </table>`}function ye(e,t,n){let s=n.event?Ee(t,n.event):"";return i`<ol class="code annotated ${n.phase}" aria-label=${r.code.title}>
    ${e.map(({text:o,note:l,event:a})=>i`<li class=${a!==void 0&&a===s?"now":""}><code>${o}</code>${l?i`<span class="remark">${l}</span>`:p}</li>`)}
  </ol>`}function Ee(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}var be={en:()=>import("./chunk-teach-lessons-en.js"),ru:()=>import("./chunk-teach-lessons-ru.js"),et:()=>import("./chunk-teach-lessons-et.js")},O=new Map,A=null;function F(){return A=O.get(r.lang)??A,A}function I(){return O.has(r.lang)}async function D(){let{lang:e}=r,t=be[e]??be.en,n=O.get(e)??(await t()).default;return O.set(e,n),n}function V(e,t){let[n,s]=t.split("."),o=e.lessons.find(l=>l.id===n);return o?{lesson:o,index:Math.min(o.steps.length-1,Number(s??0))}:null}function ke(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function ve(e,t){let[n,s]=t.split(" "),o=a=>e.phases.find(c=>c.phase===a)?.end??0;if(n==="end")return e.total;if(n==="forward")return o("forward");if(n==="seed")return e.events.find(({kind:a})=>a==="seed")?.end??0;if(n!=="sort"&&n!=="backward")return 0;let l=e.events.filter(a=>a.phase===n&&a.kind!=="seed"&&a.kind!=="leaf");return l[Math.min(l.length,Number(s))-1]?.end??o("forward")}var Pe={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function Ne(e){if(!await D().catch(()=>null))return;let t=e.current();t.state.page==="learn"&&(t.state.staged!==t.state.lesson&&xe(t),e.refresh())}function we(e,t,n=!1){let s=F(),o=s&&V(s,e.state.lesson);if(!o)return;let{lesson:l,index:a}=o,c=a+t;e.state.teach&&c===l.steps.length&&!n||(c>=0&&c<l.steps.length?x(e,`${l.id}.${c}`):c>=l.steps.length&&qe(e,s,l))}function x(e,t){e.dispatch({type:"lesson",lesson:t}),xe(e.current()),Oe(e)}function qe(e,t,n){z(e.state,n);let s=t.lessons[t.lessons.indexOf(n)+1];x(e,s?s.id:"")}function Oe({root:e}){requestAnimationFrame(()=>{e.querySelector(".lesson h2, .course h2")?.focus(),e.querySelector(".lesson .text")?.scrollTo({top:0})})}function xe(e){let{state:t,dispatch:n}=e,s=F(),o=s&&V(s,t.lesson);if(!o)return;let l=o.lesson.steps[o.index],a=l.walk;if(!a)return;n({type:"scene",staged:t.lesson,scene:Pe[a.view]??"sandbox",text:a.text,values:{...a.values},bug:a.bug??"",unfold:a.view==="unfold",rate:a.rate??_});let c=e.current().state,d=ve(W(c).line,a.at),{check:u}=l,m=u!==void 0&&u.kind!=="choice"&&!U(c.told.get(`${o.lesson.id}.${o.index}`));n({type:"seek",time:d}),m&&a.at!=="end"&&n({type:"hold",hold:d})}function Dt(e){let t=()=>I()?void Ne(e.current()):e.refresh(),n=I()?null:re(`lessons ${r.lang}`,D,t),s=F();if(!s)return n??i`<p class="pad">${r.learn.loading}</p>`;let o=V(s,e.state.lesson);return o?He(e,o.lesson,o.index):i`<div class="course">
    ${Ve(e)}
    ${e.state.lesson==="glossary"?Be(s):Me(e,s)}
  </div>`}var Fe=["","glossary"];function Ve(e){let{lesson:t}=e.state;return i`<div class="bar">
    <span class="segments" role="group" aria-label=${r.learn.title}>
      ${Fe.map(n=>i`<button class="segment" aria-pressed=${t===n} @click=${()=>e.dispatch({type:"lesson",lesson:n})}>${r.learn.tabs[n||"lessons"]}</button>`)}
    </span>
  </div>`}function Me(e,t){let n=t.lessons.filter(o=>M(o)).length,s=t.lessons.find(o=>!M(o));return i`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${r.learn.head}</h2>
      <p>${r.learn.intro}</p>
      <progress max=${t.lessons.length} value=${n} aria-label=${r.learn.progress(n,t.lessons.length)}></progress>
      <div class="actions">
        <span>${r.learn.progress(n,t.lessons.length)}</span>
        ${s?i`<button class="primary" @click=${()=>x(e,s.id)}>${E("play")} ${n?r.learn.resume:r.learn.start}</button>`:i`<strong class="good">✓ ${r.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${Je}>${r.learn.save}</button>
        <label class="toggle file">${r.learn.load}<input type="file" accept="application/json,.json" @change=${o=>{Xe(e,o)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((o,l)=>je(e,o,l))}
    </ol>`}function je(e,t,n){let s=M(t),o=Re(t),l=o.filter(a=>Se(t,a)).length;return i`<li><a class="entry ${s?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${a=>{a.ctrlKey||a.metaKey||a.shiftKey||(a.preventDefault(),x(e,t.id))}}>
    <span class="number" aria-hidden="true">${s?"✓":n+1}</span>
    <span class="name">${$(t.title)}${s?i`<span class="hidden">, ${r.learn.complete}</span>`:p}</span>
    <span class="facts">${r.learn.minutes(t.minutes)}, ${r.learn.solved(l,o.length)}</span>
  </a></li>`}function Be(e){return i`<section class="panel"><div class="body"><h2 tabindex="-1">${r.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,n])=>i`<div><dt>${$(t)}</dt><dd>${$(n)}</dd></div>`)}</dl>
  </div></section>`}function He(e,t,n){let{state:s}=e,o=t.steps[n],l=n===t.steps.length-1;return i`<div class="lesson ${o.walk?.view??"graph"}">
    <article class="panel text" aria-label=${r.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${r.learn.back} title=${r.learn.back} @click=${()=>x(e,"")}>${E("left")}</button>
        <span class="where">${$(t.title)}</span>
        <button class="toggle" @click=${()=>Ae(e,!s.teach)}>${s.teach?r.learn.unteach:r.learn.teach}</button>
      </div>
      <div class="body" tabindex=${s.teach?0:p}>
        <h2 tabindex="-1">${$(o.title)}</h2>
        ${o.blocks.map(Le)}
        ${o.check?Ke(e,t,n,o.check):p}
        ${s.teach&&o.notes?i`<details class="notes"><summary>${r.learn.notes}</summary>${o.notes.map(Le)}</details>`:p}
        ${l&&M(t)?i`<p class="complete" role="status">✓ ${r.learn.completed}</p>`:p}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${n===0} @click=${()=>we(e,-1)}>${E("left")} ${r.learn.before}</button>
        <ol class="dots" aria-label=${r.learn.steps}>${t.steps.map((a,c)=>i`<li><button class="dot" aria-current=${c===n?"step":p} aria-label=${r.learn.step(c+1,t.steps.length)} title=${ke(a.title)} @click=${()=>x(e,`${t.id}.${c}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>we(e,1,!0)}>${l?r.learn.finish:r.learn.next} ${E("right")}</button>
      </div>
    </article>
    <div class="work">${De(e,o)}</div>
  </div>`}function Ae(e,t){e.dispatch({type:"teach",on:t}),t?document.documentElement.requestFullscreen?.().then(()=>Ie(e),()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function Ie(e){document.addEventListener("fullscreenchange",function t(){document.fullscreenElement||(document.removeEventListener("fullscreenchange",t),e.dispatch({type:"teach",on:!1}))})}function Te(e){e.state.teach&&requestAnimationFrame(()=>{e.root.querySelector(".ask")?.scrollIntoView({block:"nearest"})})}function De(e,t){let{program:n,frame:s,state:o,dispatch:l}=e,a=t.walk?.view??"graph",c=le(e,{switches:a==="unfold"?["unfold"]:[],compare:a==="bugs"}),d=()=>b(r.equation.title,se(e),"rule");switch(a){case"order":return ce(e);case"descend":return pe(e);case"sliders":return[ie(e),c];case"numbers":return[c,b(r.numbers.title,he(n,s,o.node,!1,u=>l({type:"pick",node:u})),"table")];case"chain":return[c,d()];case"code":return[c,b(r.code.title,me(n,s),"engine")];case"trace":{let u=b(r.trace.sort,fe(n,s,e.seek),"table"),f=b(r.trace.backward,ge(n,s,e.seek),"table"),m=o.teach?s.phase==="backward"?f:u:i`<div class="pair">${u}${f}</div>`;return[c,m]}case"rules":return[Ue(),c,d()];case"bugs":return[c,i`<div class="pair">
          ${b(r.bugs.names[o.bug]??"",ue(o.bug||"overwrite"),"rule")}
          ${b(r.bugs.table,o.hold===null?de(n):p,"table")}
        </div>`];case"source":return[c,t.source?b(r.learn.source(t.source.name),ye(t.source.rows,n,s),"engine source"):p];default:return c}}function Ue(){return i`<div class="pair rules">
    ${["+","*"].map(e=>i`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${r.learn.rules[e][0]}</strong><br />${r.learn.rules[e][1]}</p></section>`)}
  </div>`}function ze(e,t,n){let s=t.steps[n].walk;return s?.view!=="sliders"?!1:e.good!==s.text?!0:Object.entries(s.values).some(([o,l])=>e.values.get(o)!==l)}var U=e=>e!==void 0&&(e.right||e.missed>1);function Ke(e,t,n,s){let o=`${t.id}.${n}`;if(s.kind==="choice")return We(e,t,n,s);let l=s.kind==="grad"&&ze(e.state,t,n),{program:a,state:c}=e,{graph:d,walk:u}=a,m=d.nodes.find(k=>k.label===s.node)??d.leaves[0];if(l&&!m)return i``;let h=l?`${o} ${c.good} ${d.leaves.map(k=>k.data)}`:o,g=l?u.expected[m.id]:s.answer,y=c.told.get(h),T=l?[r.checks.question(a.output,m.label)]:s.ask,v=l?[r.learn.paths(H(d,m.label).count,m.label)]:s.why,R=(k,w,S)=>{e.dispatch({type:"tell",key:h,told:{typed:k,right:w,missed:S}}),Te(e),w&&N(`lesson:${o}`),(w||S>1)&&(z(e.current().state,t),Ye(e,s.kind,m.id))},L=y?.missed??0;return i`<section class="ask" aria-label=${r.learn.question}>
    ${l?i`<p class="why">${r.learn.own}</p>`:p}
    <p class="asked">${$(T)}</p>
    ${c.teach?p:i`<form novalidate @submit=${k=>{k.preventDefault();let w=k.target.querySelector("input"),S=te(g,w.value),Ce=B(w.value)!==null;R(w.value,S,L+Number(Ce&&!S))}}>
            ${$e(h,i`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${r.checks.answer} .value=${y?.typed??""} />`)}
            <button class="primary">${r.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?_e(e,s,m.label,y,g,v,l):p}</div>
    ${c.hold!==null&&!c.teach?i`<p class="why">${r.learn.held}</p>`:p}
    ${U(y)?p:i`<button class="toggle" @click=${()=>R(y?.typed??"",!1,c.teach?2:L+1)}>${c.teach||L?r.learn.show:r.checks.hint}</button>`}
  </section>`}function Ye(e,t,n){let{events:s,total:o}=e.program.line,l=c=>t==="data"?c.kind==="compute"&&c.node===n:c.push?.to===n,a=s.findLast(l)?.end??o;e.dispatch({type:"hold",hold:null}),!(e.frame.time>=a)&&(J()?e.dispatch({type:"seek",time:a}):e.dispatch({type:"play",on:!0,until:a}))}var Ge=/^(start|value)\b/;function _e(e,t,n,s,o,l,a){let c=B(s.typed);if(s.right)return i`<p class="good"><strong>✓ ${r.checks.right}</strong></p><p>${$(l)}</p>`;let{graph:d}=e.program,u=t.kind==="grad"&&d.leaves.some(g=>g.label===n),f=c!==null&&u?ne(d,n,c):"",m=c===null?s.typed?i`<p class="bad">${r.notNumber}</p>`:p:i`<p><strong class="bad">✗ ${r.checks.wrong(C(c,10))}</strong> ${f}</p>`;if(s.missed>1)return i`${m}<p>${r.learn.answer} <code>${C(o)}</code></p><p>${$(l)}</p>`;if(!s.missed)return i`${m}`;let h=t.kind==="grad"&&(a||u)?Ge.test(e.state.lesson)?r.learn.nudge(n,e.program.output):r.checks.hintText(H(d,n).count,n,e.program.output):t.kind==="data"?r.learn.compute:r.learn.look;return i`${m}<p>${h}</p>`}function We(e,t,n,s){let o=`${t.id}.${n}`,l=e.state.told.get(o),a=d=>{let{right:u}=s.options[d],f=(l?.missed??0)+ +!u;e.dispatch({type:"tell",key:o,told:{typed:String(d),right:u,missed:f}}),Te(e),u&&N(`lesson:${o}`),z(e.current().state,t)},c=l?s.options[Number(l.typed)]:void 0;return i`<section class="ask" aria-label=${r.learn.question}>
    <p class="asked">${$(s.ask)}</p>
    <div class="options" role="group" aria-label=${r.learn.choices}>
      ${s.options.map((d,u)=>{let f=l?.typed===String(u)?d.right?"right":"wrong":"";return i`<button class="option ${f}" aria-pressed=${f!==""} @click=${()=>a(u)}><span aria-hidden="true">${f==="right"?"✓":f==="wrong"?"✗":"○"}</span> <span>${$(d.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${c?i`<p class=${c.right?"good":"bad"}>${$(c.why)}</p>`:p}</div>
  </section>`}function Re(e){return e.steps.flatMap((t,n)=>t.check?[n]:[])}function Se(e,t){return P().done.has(`lesson:${e.id}.${t}`)}function M(e){return P().done.has(`lesson:${e.id}`)}function z(e,t){Re(t).some(s=>!Se(t,s)&&!U(e.told.get(`${t.id}.${s}`)))||N(`lesson:${t.id}`)}function Je(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([X(P())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var Qe=1e5;async function Xe(e,t){let n=t.target,s=n.files?.[0];if(!s)return;let o=s.size<=Qe&&Q(await s.text());n.value="",n.setCustomValidity(o?"":r.learn.unreadable),o||n.reportValidity(),e.refresh()}function $(e){return e.map(t=>{if(typeof t=="string")return t;let[n,s]=t;return n==="c"?i`<code class=${s.length<20?"short":""}>${s}</code>`:n==="b"?i`<strong>${s}</strong>`:i`<em>${s}</em>`})}function Le(e){return"code"in e?i`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?i`<ul>${e.ul.map(t=>i`<li>${$(t)}</li>`)}</ul>`:i`<p>${$(e.p)}</p>`}export{Ne as begin,Dt as learnPage,we as turn};
/*! Bundled license information:

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

import{h as H,i as ne,j as re,o as ie,q as ce,r as de,t as ue,v as pe,w as fe,x as ge}from"./chunk-shared-pages-order.js";import{g as se,i as ae,p as le,s as me}from"./chunk-shared-app-store.js";import"./chunk-shared-app-settings.js";import"./chunk-shared-parts-charts.js";import{a as J,k}from"./chunk-shared-scene-steer.js";import"./chunk-shared-teach-arithmetic.js";import{a as C}from"./chunk-shared-parts-icons.js";import{a as P,c as q,e as Q,g as X}from"./chunk-shared-app-progress.js";import"./chunk-shared-lit-html-directives-live.js";import{L as W,Q as Z,R as j,S,T as N,V as ee,W as B,Y as te,aa as oe,b as K,c as Y,h as _,o as E,p as R}from"./chunk-shared-app-timeline.js";import"./chunk-shared-parts-styles-learn.js";import{c as i,g as p,k as r}from"./chunk-shared-lit-html-lit-html.js";import{m as G}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";var $e=K(class extends Y{constructor(){super(...arguments),this.key=p}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(oe(e),this.key=t),n}});function he(e,t,n,s,o){let{graph:l,names:a,walk:c}=e,d=r.numbers,u=l.nodes.filter(h=>!G(h)).toReversed(),g=h=>{let f=u[h],y=f.id===n,x=t.node(f.id),v=s?c.grads[f.id]:x.grad,T=ee(v),w=y?N:S;return i`<tr class=${`${y?"now":""} ${t.phase}`} aria-rowindex=${h+2} @click=${()=>o(f.id)}>
      <td title=${a[f.id]}><button class="bare" aria-label=${d.select(a[f.id])} aria-pressed=${y}>${a[f.id]}</button></td>
      <td class="end" title=${x.filled?N(f.data):""}>${x.filled?w(f.data):j}</td>
      <td class="end ${T}" title=${v===null?"":N(v)}>${v===null?j:w(v)} ${Z[T]}</td>
    </tr>`},m=n===null?-1:u.findIndex(({id:h})=>h===n);return i`<table class="numbers" aria-rowcount=${u.length+1}>
    <caption class="hidden">${d.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${d.node}</th><th scope="col" class="end">${d.value}</th><th scope="col" class="end">${d.grad}</th></tr></thead>
    <tbody>${ae({count:u.length,now:m,columns:3,row:g})}</tbody>
  </table>`}function ye(e,t,n){let s=n.event?qe(t,n.event):"";return i`<ol class="code annotated ${n.phase}" aria-label=${r.code.title}>
    ${e.map(({text:o,note:l,event:a})=>i`<li class=${a!==void 0&&a===s?"now":""}><code>${o}</code>${l?i`<span class="remark">${l}</span>`:p}</li>`)}
  </ol>`}function qe(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}var be={en:()=>import("./chunk-teach-lessons-en.js"),ru:()=>import("./chunk-teach-lessons-ru.js"),et:()=>import("./chunk-teach-lessons-et.js")},O=new Map,I=null;function F(){return I=O.get(r.lang)??I,I}function D(){return O.has(r.lang)}async function U(){let{lang:e}=r,t=be[e]??be.en,n=O.get(e)??(await t()).default;return O.set(e,n),n}function V(e,t){let[n,s]=t.split("."),o=e.lessons.find(l=>l.id===n);return o?{lesson:o,index:Math.min(o.steps.length-1,Number(s??0))}:null}function ke(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function ve(e,t){let[n,s]=t.split(" "),o=a=>e.phases.find(c=>c.phase===a)?.end??0;if(n==="end")return e.total;if(n==="forward")return o("forward");if(n==="seed")return e.events.find(({kind:a})=>a==="seed")?.end??0;if(n!=="sort"&&n!=="backward")return 0;let l=e.events.filter(a=>a.phase===n&&a.kind!=="seed"&&a.kind!=="leaf");return l[Math.min(l.length,Number(s))-1]?.end??o("forward")}var Ne={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function Oe(e){if(!await U().catch(()=>null))return;let t=e.current();t.state.page==="learn"&&(t.state.staged!==t.state.lesson&&xe(t),e.refresh())}function we(e,t,n=!1){let s=F(),o=s&&V(s,e.state.lesson);if(!o)return;let{lesson:l,index:a}=o,c=a+t;e.state.teach&&c===l.steps.length&&!n||(c>=0&&c<l.steps.length?L(e,`${l.id}.${c}`):c>=l.steps.length&&Fe(e,s,l))}function L(e,t){e.dispatch({type:"lesson",lesson:t}),xe(e.current()),Ve(e)}function Fe(e,t,n){z(e.state,n);let s=t.lessons[t.lessons.indexOf(n)+1];L(e,s?s.id:"")}function Ve({root:e}){requestAnimationFrame(()=>{e.querySelector(".lesson h2, .course h2")?.focus(),e.querySelector(".lesson .text")?.scrollTo({top:0})})}function xe(e){let{state:t,dispatch:n}=e,s=F(),o=s&&V(s,t.lesson);if(!o)return;let l=o.lesson.steps[o.index],a=l.walk;if(!a)return;n({type:"scene",staged:t.lesson,scene:Ne[a.view]??"sandbox",text:a.text,values:{...a.values},bug:a.bug??"",unfold:a.view==="unfold",rate:a.rate??_});let c=e.current().state,d=ve(W(c).line,a.at),{check:u}=l,m=u!==void 0&&u.kind!=="choice"&&!R(c.told.get(`${o.lesson.id}.${o.index}`));n({type:"seek",time:d}),m&&a.at!=="end"&&n({type:"hold",hold:d})}function zt(e){let t=()=>D()?void Oe(e.current()):e.refresh(),n=D()?null:re(`lessons ${r.lang}`,U,t),s=F();if(!s)return n??i`<p class="pad">${r.learn.loading}</p>`;let o=V(s,e.state.lesson);return o?Ie(e,o.lesson,o.index):i`<div class="course">
    ${Me(e)}
    ${e.state.lesson==="glossary"?He(s):je(e,s)}
  </div>`}var Ae=["","glossary"];function Me(e){let{lesson:t}=e.state;return i`<div class="bar">
    <span class="segments" role="group" aria-label=${r.learn.title}>
      ${Ae.map(n=>i`<button class="segment" aria-pressed=${t===n} @click=${()=>e.dispatch({type:"lesson",lesson:n})}>${r.learn.tabs[n||"lessons"]}</button>`)}
    </span>
  </div>`}function je(e,t){let n=t.lessons.filter(o=>A(o)).length,s=t.lessons.find(o=>!A(o));return i`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${r.learn.head}</h2>
      <p>${r.learn.intro}</p>
      <progress max=${t.lessons.length} value=${n} aria-label=${r.learn.progress(n,t.lessons.length)}></progress>
      <div class="actions">
        <span>${r.learn.progress(n,t.lessons.length)}</span>
        ${s?i`<button class="primary" @click=${()=>L(e,s.id)}>${C("play")} ${n?r.learn.resume:r.learn.start}</button>`:i`<strong class="good">✓ ${r.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${Xe}>${r.learn.save}</button>
        <label class="toggle file">${r.learn.load}<input type="file" accept="application/json,.json" @change=${o=>{et(e,o)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((o,l)=>Be(e,o,l))}
    </ol>`}function Be(e,t,n){let s=A(t),o=Re(t),l=o.filter(a=>Se(t,a)).length;return i`<li><a class="entry ${s?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${a=>{a.ctrlKey||a.metaKey||a.shiftKey||(a.preventDefault(),L(e,t.id))}}>
    <span class="number" aria-hidden="true">${s?"✓":n+1}</span>
    <span class="name">${$(t.title)}${s?i`<span class="hidden">, ${r.learn.complete}</span>`:p}</span>
    <span class="facts">${r.learn.minutes(t.minutes)}, ${r.learn.solved(l,o.length)}</span>
  </a></li>`}function He(e){return i`<section class="panel"><div class="body"><h2 tabindex="-1">${r.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,n])=>i`<div><dt>${$(t)}</dt><dd>${$(n)}</dd></div>`)}</dl>
  </div></section>`}function Ie(e,t,n){let{state:s}=e,o=t.steps[n],l=n===t.steps.length-1;return i`<div class="lesson ${o.walk?.view??"graph"}">
    <article class="panel text" aria-label=${r.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${r.learn.back} title=${r.learn.back} @click=${()=>L(e,"")}>${C("left")}</button>
        <span class="where">${$(t.title)}</span>
        <button class="toggle" @click=${()=>De(e,!s.teach)}>${s.teach?r.learn.unteach:r.learn.teach}</button>
      </div>
      <div class="body" tabindex=${s.teach?0:p}>
        <h2 tabindex="-1">${$(o.title)}</h2>
        ${o.blocks.map(Le)}
        ${o.check?Ge(e,t,n,o.check):p}
        ${s.teach&&o.notes?i`<details class="notes"><summary>${r.learn.notes}</summary>${o.notes.map(Le)}</details>`:p}
        ${l&&A(t)?i`<p class="complete" role="status">✓ ${r.learn.completed}</p>`:p}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${n===0} @click=${()=>we(e,-1)}>${C("left")} ${r.learn.before}</button>
        <ol class="dots" aria-label=${r.learn.steps}>${t.steps.map((a,c)=>i`<li><button class="dot" aria-current=${c===n?"step":p} aria-label=${r.learn.step(c+1,t.steps.length)} title=${ke(a.title)} @click=${()=>L(e,`${t.id}.${c}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>we(e,1,!0)}>${l?r.learn.finish:r.learn.next} ${C("right")}</button>
      </div>
    </article>
    <div class="work">${ze(e,o)}</div>
  </div>`}function De(e,t){e.dispatch({type:"teach",on:t}),t?document.documentElement.requestFullscreen?.().then(()=>Ue(e),()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function Ue(e){document.addEventListener("fullscreenchange",function t(){document.fullscreenElement||(document.removeEventListener("fullscreenchange",t),e.dispatch({type:"teach",on:!1}))})}function Te(e){e.state.teach&&requestAnimationFrame(()=>{e.root.querySelector(".ask")?.scrollIntoView({block:"nearest"})})}function ze(e,t){let{program:n,frame:s,state:o,dispatch:l}=e,a=t.walk?.view??"graph",c=le(e,{switches:a==="unfold"?["unfold"]:[],compare:a==="bugs"}),d=()=>k(r.equation.title,se(e),"rule");switch(a){case"order":return ce(e);case"descend":return pe(e);case"sliders":return[ie(e),c];case"numbers":return[c,k(r.numbers.title,he(n,s,o.node,!1,u=>l({type:"pick",node:u})),"table")];case"chain":return[c,d()];case"code":return[c,k(r.code.title,me(n,s),"engine")];case"trace":{let u=k(r.trace.sort,fe(n,s,e.seek),"table"),g=k(r.trace.backward,ge(n,s,e.seek),"table"),m=o.teach?s.phase==="backward"?g:u:i`<div class="pair">${u}${g}</div>`;return[c,m]}case"rules":return[Ke(),c,d()];case"bugs":return[c,i`<div class="pair">
          ${k(r.bugs.names[o.bug]??"",ue(o.bug||"overwrite"),"rule")}
          ${k(r.bugs.table,o.hold===null?de(n):p,"table")}
        </div>`];case"source":return[c,t.source?k(r.learn.source(t.source.name),ye(t.source.rows,n,s),"engine source"):p];default:return c}}function Ke(){return i`<div class="pair rules">
    ${["+","*"].map(e=>i`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${r.learn.rules[e][0]}</strong><br />${r.learn.rules[e][1]}</p></section>`)}
  </div>`}function Ye(e,t,n){let s=t.steps[n].walk;return s?.view!=="sliders"?!1:e.good!==s.text?!0:Object.entries(s.values).some(([o,l])=>e.values.get(o)!==l)}function Ge(e,t,n,s){let o=`${t.id}.${n}`;if(s.kind==="choice")return Qe(e,t,n,s);let l=s.kind==="grad"&&Ye(e.state,t,n),{program:a,state:c}=e,{graph:d,walk:u}=a,m=d.nodes.find(b=>b.label===s.node)??d.leaves[0];if(l&&!m)return i``;let h=l?`${o} ${c.good} ${d.leaves.map(b=>b.data)}`:o,f=l?u.expected[m.id]:s.answer,y=c.told.get(h),x=l?[r.checks.question(a.output,m.label)]:s.ask,v=l?[r.learn.paths(H(d,m.label).count,m.label)]:s.why,T=b=>{e.dispatch({type:"tell",key:h,told:b}),Te(e),b.right&&q(`lesson:${o}`),R(b)&&(z(e.current().state,t),_e(e,s.kind,m.id))},w=y?.typed??"",Ce=c.teach?{typed:w,right:!1,missed:2}:E(y,w,!1);return i`<section class="ask" aria-label=${r.learn.question}>
    ${l?i`<p class="why">${r.learn.own}</p>`:p}
    <p class="asked">${$(x)}</p>
    ${c.teach?p:i`<form novalidate @submit=${b=>{b.preventDefault();let M=b.target.querySelector("input"),Ee=te(f,M.value),Pe=B(M.value)!==null;T(E(y,M.value,Ee,Pe))}}>
            ${$e(h,i`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${r.checks.answer} .value=${w} />`)}
            <button class="primary">${r.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?Je(e,s,m.label,y,f,v,l):p}</div>
    ${c.hold!==null&&!c.teach?i`<p class="why">${r.learn.held}</p>`:p}
    ${R(y)?p:i`<button class="toggle" @click=${()=>T(Ce)}>${c.teach||y?.missed?r.learn.show:r.checks.hint}</button>`}
  </section>`}function _e(e,t,n){let{events:s,total:o}=e.program.line,l=c=>t==="data"?c.kind==="compute"&&c.node===n:c.push?.to===n,a=s.findLast(l)?.end??o;e.dispatch({type:"hold",hold:null}),!(e.frame.time>=a)&&(J()?e.dispatch({type:"seek",time:a}):e.dispatch({type:"play",on:!0,until:a}))}var We=/^(start|value)\b/;function Je(e,t,n,s,o,l,a){let c=B(s.typed);if(s.right)return i`<p class="good"><strong>✓ ${r.checks.right}</strong></p><p>${$(l)}</p>`;let{graph:d}=e.program,u=t.kind==="grad"&&d.leaves.some(f=>f.label===n),g=c!==null&&u?ne(d,n,c):"",m=c===null?s.typed?i`<p class="bad">${r.notNumber}</p>`:p:i`<p><strong class="bad">✗ ${r.checks.wrong(S(c,10))}</strong> ${g}</p>`;if(s.missed>1)return i`${m}<p>${r.learn.answer} <code>${S(o)}</code></p><p>${$(l)}</p>`;if(!s.missed)return i`${m}`;let h=t.kind==="grad"&&(a||u)?We.test(e.state.lesson)?r.learn.nudge(n,e.program.output):r.checks.hintText(H(d,n).count,n,e.program.output):t.kind==="data"?r.learn.compute:r.learn.look;return i`${m}<p>${h}</p>`}function Qe(e,t,n,s){let o=`${t.id}.${n}`,l=e.state.told.get(o),a=d=>{let{right:u}=s.options[d];e.dispatch({type:"tell",key:o,told:E(l,String(d),u)}),Te(e),u&&q(`lesson:${o}`),z(e.current().state,t)},c=l?s.options[Number(l.typed)]:void 0;return i`<section class="ask" aria-label=${r.learn.question}>
    <p class="asked">${$(s.ask)}</p>
    <div class="options" role="group" aria-label=${r.learn.choices}>
      ${s.options.map((d,u)=>{let g=l?.typed===String(u)?d.right?"right":"wrong":"";return i`<button class="option ${g}" aria-pressed=${g!==""} @click=${()=>a(u)}><span aria-hidden="true">${g==="right"?"✓":g==="wrong"?"✗":"○"}</span> <span>${$(d.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${c?i`<p class=${c.right?"good":"bad"}>${$(c.why)}</p>`:p}</div>
  </section>`}function Re(e){return e.steps.flatMap((t,n)=>t.check?[n]:[])}function Se(e,t){return P().done.has(`lesson:${e.id}.${t}`)}function A(e){return P().done.has(`lesson:${e.id}`)}function z(e,t){Re(t).some(s=>!Se(t,s)&&!R(e.told.get(`${t.id}.${s}`)))||q(`lesson:${t.id}`)}function Xe(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([X(P())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var Ze=1e5;async function et(e,t){let n=t.target,s=n.files?.[0];if(!s)return;let o=s.size<=Ze&&Q(await s.text());n.value="",n.setCustomValidity(o?"":r.learn.unreadable),o||n.reportValidity(),e.refresh()}function $(e){return e.map(t=>{if(typeof t=="string")return t;let[n,s]=t;return n==="c"?i`<code class=${s.length<20?"short":""}>${s}</code>`:n==="b"?i`<strong>${s}</strong>`:i`<em>${s}</em>`})}function Le(e){return"code"in e?i`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?i`<ul>${e.ul.map(t=>i`<li>${$(t)}</li>`)}</ul>`:i`<p>${$(e.p)}</p>`}export{Oe as begin,zt as learnPage,we as turn};
/*! Bundled license information:

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

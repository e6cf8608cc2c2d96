import{b as de}from"./chunk-shared-parts-diagnose.js";import{b as le,c as ce}from"./chunk-shared-pages-order.js";import{b as ue}from"./chunk-shared-pages-descend.js";import"./chunk-shared-parts-charts.js";import{a as pe,f as I,g as me}from"./chunk-shared-teach-questions.js";import"./chunk-shared-teach-generate.js";import{a as Z,b as fe,c as ge}from"./chunk-shared-parts-trace.js";import{a as se}from"./chunk-shared-parts-code.js";import"./chunk-shared-parts-events.js";import{a as re}from"./chunk-shared-parts-rows.js";import"./chunk-shared-scene-steer.js";import"./chunk-shared-app-url.js";import"./chunk-shared-lit-html-directives-guard.js";import{d as J}from"./chunk-shared-app-store.js";import{a as b}from"./chunk-shared-parts-panel.js";import{a as ie}from"./chunk-shared-parts-expression.js";import{d as ae}from"./chunk-shared-parts-stage.js";import"./chunk-shared-app-settings.js";import"./chunk-shared-lit-async-directive.js";import"./chunk-shared-lit-html-directives-repeat.js";import{a as C}from"./chunk-shared-parts-icons.js";import{a as oe}from"./chunk-shared-parts-equation.js";import"./chunk-shared-app-lab.js";import"./chunk-shared-scene-find.js";import"./chunk-shared-teach-narration.js";import{a as W}from"./chunk-shared-app-player.js";import"./chunk-shared-lit-html-async-directive.js";import"./chunk-shared-teach-arithmetic.js";import"./chunk-shared-lit-html-directives-live.js";import{a as q,c as N,e as Q,g as X}from"./chunk-shared-app-progress.js";import{M as _,R as ee,S as B,T as E,V as O,X as te,Y as H,_ as ne,e as G,q as S}from"./chunk-shared-app-timeline.js";import"./chunk-shared-lit-html-directive-helpers.js";import{c as i,g as p,k as o}from"./chunk-shared-lit-html-lit-html.js";import"./chunk-shared-app-names.js";import{m as Y}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";function $e(e,t,n,s,r){let{graph:a,names:c,walk:l}=e,d=o.numbers,u=a.nodes.filter(g=>!Y(g)).toReversed(),h=g=>{let f=u[g],y=f.id===n,x=t.node(f.id),k=s?l.grads[f.id]:x.grad,T=te(k),R=y?O:E;return i`<tr class=${`${y?"now":""} ${t.phase}`} aria-rowindex=${g+2} @click=${()=>r(f.id)}>
      <td title=${c[f.id]}><button class="bare" aria-label=${d.select(c[f.id])} aria-pressed=${y}>${c[f.id]}</button></td>
      <td class="end" title=${x.filled?O(f.data):""}>${x.filled?R(f.data):B}</td>
      <td class="end ${T}" title=${k===null?"":O(k)}>${k===null?B:R(k)} ${ee[T]}</td>
    </tr>`},m=n===null?-1:u.findIndex(({id:g})=>g===n);return i`<table class="numbers" aria-rowcount=${u.length+1}>
    <caption class="hidden">${d.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${d.node}</th><th scope="col" class="end">${d.value}</th><th scope="col" class="end">${d.grad}</th></tr></thead>
    <tbody>${re({count:u.length,now:m,columns:3,row:h})}</tbody>
  </table>`}function he(e,t,n){let s=n.event?Se(t,n.event):"";return i`<ol class="code annotated ${n.phase}" aria-label=${o.code.title}>
    ${e.map(({text:r,note:a,event:c})=>i`<li class=${c!==void 0&&c===s?"now":""}><code>${r}</code>${a?i`<span class="remark">${a}</span>`:p}</li>`)}
  </ol>`}function Se(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}var ye={en:()=>import("./chunk-teach-lessons-en.js"),ru:()=>import("./chunk-teach-lessons-ru.js"),et:()=>import("./chunk-teach-lessons-et.js")},A=new Map,U=null;function F(){return U=A.get(o.lang)??U,U}function z(){return A.has(o.lang)}async function D(){let{lang:e}=o,t=ye[e]??ye.en,n=A.get(e)??(await t()).default;return A.set(e,n),n}function M(e,t){let[n,s]=t.split("."),r=e.lessons.find(a=>a.id===n);return r?{lesson:r,index:Math.min(r.steps.length-1,Number(s??0))}:null}function be(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function we(e,t){let[n,s]=t.split(" "),r=c=>e.phases.find(l=>l.phase===c)?.end??0;if(n==="end")return e.total;if(n==="forward")return r("forward");if(n==="seed")return e.events.find(({kind:c})=>c==="seed")?.end??0;if(n!=="sort"&&n!=="backward")return 0;let a=e.events.filter(c=>c.phase===n&&c.kind!=="seed"&&c.kind!=="leaf");return a[Math.min(a.length,Number(s))-1]?.end??r("forward")}var Ce={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function Ee(e){if(!await D().catch(()=>null))return;let t=e.current();if(t.state.page!=="learn")return;let{staged:n,lesson:s}=t.state;n!==s&&t.dispatch(Le(t.state,s)),e.refresh()}function ke(e,t,n=!1){let s=F(),r=s&&M(s,e.state.lesson);if(!r)return;let{lesson:a,index:c}=r,l=c+t;e.state.teach&&l===a.steps.length&&!n||(l>=0&&l<a.steps.length?L(e,`${a.id}.${l}`):l>=a.steps.length&&Pe(e,s,a))}function L(e,t){e.dispatch(Le(e.state,t)),qe(e)}function Pe(e,t,n){K(e.state,n);let s=t.lessons[t.lessons.indexOf(n)+1];L(e,s?s.id:"")}function qe({root:e}){requestAnimationFrame(()=>{e.querySelector(".lesson h2, .course h2")?.focus(),e.querySelector(".lesson .text")?.scrollTo({top:0})})}function Le(e,t){let n=F(),s=n&&M(n,t),r=s?.lesson.steps[s.index],a=r?.walk;if(!a)return{type:"lesson",lesson:t};let c={type:"scene",lesson:t,scene:Ce[a.view]??"sandbox",text:a.text,values:{...a.values},bug:a.bug??"",unfold:a.view==="unfold",rate:a.rate??G,time:0,hold:null},l=we(_(J(e,c)).line,a.at),u=r.check!==void 0&&r.check.kind!=="choice"&&!S(e.told.get(`${s.lesson.id}.${s.index}`));return{...c,time:l,hold:u&&a.at!=="end"?l:null}}function At(e){let t=()=>z()?void Ee(e.current()):e.refresh(),n=z()?null:Z(`lessons ${o.lang}`,D,t),s=F();if(!s)return n??i`<p class="pad">${o.learn.loading}</p>`;let r=M(s,e.state.lesson);return r?Ve(e,r.lesson,r.index):i`<div class="course">
    ${Oe(e)}
    ${e.state.lesson==="glossary"?Me(s):Ae(e,s)}
  </div>`}var Ne=["","glossary"];function Oe(e){let{lesson:t}=e.state;return i`<div class="bar">
    <span class="segments" role="group" aria-label=${o.learn.title}>
      ${Ne.map(n=>i`<button class="segment" aria-pressed=${t===n} @click=${()=>e.dispatch({type:"lesson",lesson:n})}>${o.learn.tabs[n||"lessons"]}</button>`)}
    </span>
  </div>`}function Ae(e,t){let n=t.lessons.filter(r=>V(r)).length,s=t.lessons.find(r=>!V(r));return i`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${o.learn.head}</h2>
      <p>${o.learn.intro}</p>
      <progress max=${t.lessons.length} value=${n} aria-label=${o.learn.progress(n,t.lessons.length)}></progress>
      <div class="actions">
        <span>${o.learn.progress(n,t.lessons.length)}</span>
        ${s?i`<button class="primary" @click=${()=>L(e,s.id)}>${C("play")} ${n?o.learn.resume:o.learn.start}</button>`:i`<strong class="good">✓ ${o.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${_e}>${o.learn.save}</button>
        <label class="toggle file">${o.learn.load}<input type="file" accept="application/json,.json" @change=${r=>{Je(e,r)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((r,a)=>Fe(e,r,a))}
    </ol>`}function Fe(e,t,n){let s=V(t),r=Te(t),a=r.filter(c=>Re(t,c)).length;return i`<li><a class="entry ${s?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${c=>{c.ctrlKey||c.metaKey||c.shiftKey||(c.preventDefault(),L(e,t.id))}}>
    <span class="number" aria-hidden="true">${s?"✓":n+1}</span>
    <span class="name">${$(t.title)}${s?i`<span class="hidden">, ${o.learn.complete}</span>`:p}</span>
    <span class="facts">${o.learn.minutes(t.minutes)}, ${o.learn.solved(a,r.length)}</span>
  </a></li>`}function Me(e){return i`<section class="panel"><div class="body"><h2 tabindex="-1">${o.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,n])=>i`<div><dt>${$(t)}</dt><dd>${$(n)}</dd></div>`)}</dl>
  </div></section>`}function Ve(e,t,n){let{state:s}=e,r=t.steps[n],a=n===t.steps.length-1;return i`<div class="lesson ${r.walk?.view??"graph"}">
    <article class="panel text" aria-label=${o.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${o.learn.back} title=${o.learn.back} @click=${()=>L(e,"")}>${C("left")}</button>
        <span class="where">${$(t.title)}</span>
        <button class="toggle" @click=${()=>je(e,!s.teach)}>${s.teach?o.learn.unteach:o.learn.teach}</button>
      </div>
      <div class="body" tabindex=${s.teach?0:p}>
        <h2 tabindex="-1">${$(r.title)}</h2>
        ${r.blocks.map(ve)}
        ${r.check?ze(e,t,n,r.check):p}
        ${s.teach&&r.notes?i`<details class="notes"><summary>${o.learn.notes}</summary>${r.notes.map(ve)}</details>`:p}
        ${a&&V(t)?i`<p class="complete" role="status">✓ ${o.learn.completed}</p>`:p}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${n===0} @click=${()=>ke(e,-1)}>${C("left")} ${o.learn.before}</button>
        <ol class="dots" aria-label=${o.learn.steps}>${t.steps.map((c,l)=>i`<li><button class="dot" aria-current=${l===n?"step":p} aria-label=${o.learn.step(l+1,t.steps.length)} title=${be(c.title)} @click=${()=>L(e,`${t.id}.${l}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>ke(e,1,!0)}>${a?o.learn.finish:o.learn.next} ${C("right")}</button>
      </div>
    </article>
    <div class="work">${He(e,r)}</div>
  </div>`}function je(e,t){e.dispatch({type:"teach",on:t}),t?document.documentElement.requestFullscreen?.().then(()=>Be(e),()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function Be(e){document.addEventListener("fullscreenchange",function t(){document.fullscreenElement||(document.removeEventListener("fullscreenchange",t),e.dispatch({type:"teach",on:!1}))})}function xe(e){e.state.teach&&requestAnimationFrame(()=>{e.root.querySelector(".ask")?.scrollIntoView({block:"nearest"})})}function He(e,t){let{program:n,frame:s,state:r,dispatch:a}=e,c=t.walk?.view??"graph",l=ae(e,{switches:c==="unfold"?["unfold"]:[],compare:c==="bugs"}),d=()=>b(o.equation.title,oe(e),"rule");switch(c){case"order":return le(e);case"descend":return ue(e);case"sliders":return[ie(e),l];case"numbers":return[l,b(o.numbers.title,$e(n,s,r.node,!1,u=>a({type:"pick",node:u})),"table")];case"chain":return[l,d()];case"code":return[l,b(o.code.title,se(n,s),"engine")];case"trace":{let u=b(o.trace.sort,fe(n,s,e.seek),"table"),h=b(o.trace.backward,ge(n,s,e.seek),"table"),m=r.teach?s.phase==="backward"?h:u:i`<div class="pair">${u}${h}</div>`;return[l,m]}case"rules":return[Ie(),l,d()];case"bugs":return[l,i`<div class="pair">
          ${b(o.bugs.names[r.bug]??"",de(r.bug||"overwrite"),"rule")}
          ${b(o.bugs.table,r.hold===null?ce(n):p,"table")}
        </div>`];case"source":return[l,t.source?b(o.learn.source(t.source.name),he(t.source.rows,n,s),"engine source"):p];default:return l}}function Ie(){return i`<div class="pair rules">
    ${["+","*"].map(e=>i`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${o.learn.rules[e][0]}</strong><br />${o.learn.rules[e][1]}</p></section>`)}
  </div>`}function Ue(e,t,n){let s=t.steps[n].walk;return s?.view!=="sliders"?!1:e.good!==s.text?!0:Object.entries(s.values).some(([r,a])=>e.values.get(r)!==a)}function ze(e,t,n,s){let r=`${t.id}.${n}`;if(s.kind==="choice")return Ge(e,t,n,s);let a=s.kind==="grad"&&Ue(e.state,t,n),{program:c,state:l}=e,{graph:d,walk:u}=c,m=d.nodes.find(w=>w.label===s.node)??d.leaves[0];if(a&&!m)return i``;let g=a?`${r} ${l.good} ${d.leaves.map(w=>w.data)}`:r,f=a?u.expected[m.id]:s.answer,y=l.told.get(g),x=a?[o.checks.question(c.output,m.label)]:s.ask,k=a?[o.learn.paths(I(d,m.label).count,m.label)]:s.why,T=y?.typed??"",R=(w,v=!1,j=!0)=>{e.dispatch({type:"tell",key:g,typed:w,right:v,misses:j,shown:l.teach}),xe(e),v&&N(`lesson:${r}`);let P=e.current().state;S(P.told.get(g))&&(K(P,t),De(e,s.kind,m.id))};return i`<section class="ask" aria-label=${o.learn.question}>
    ${a?i`<p class="why">${o.learn.own}</p>`:p}
    <p class="asked">${$(x)}</p>
    ${l.teach?p:i`<form novalidate @submit=${w=>{w.preventDefault();let v=w.target.querySelector("input"),j=ne(f,v.value),P=H(v.value)!==null;R(v.value,j,P)}}>
            ${pe(g,i`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${o.checks.answer} .value=${T} />`)}
            <button class="primary">${o.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?Ye(e,s,m.label,y,f,k,a):p}</div>
    ${l.hold!==null&&!l.teach?i`<p class="why">${o.learn.held}</p>`:p}
    ${S(y)?p:i`<button class="toggle" @click=${()=>R(T)}>${l.teach||y?.missed?o.learn.show:o.checks.hint}</button>`}
  </section>`}function De(e,t,n){let{events:s,total:r}=e.program.line,a=l=>t==="data"?l.kind==="compute"&&l.node===n:l.push?.to===n,c=s.findLast(a)?.end??r;e.dispatch({type:"hold",hold:null}),!(e.frame.time>=c)&&(W()?e.dispatch({type:"seek",time:c}):e.dispatch({type:"play",on:!0,until:c}))}var Ke=/^(start|value)\b/;function Ye(e,t,n,s,r,a,c){let l=H(s.typed);if(s.right)return i`<p class="good"><strong>✓ ${o.checks.right}</strong></p><p>${$(a)}</p>`;let{graph:d}=e.program,u=t.kind==="grad"&&d.leaves.some(f=>f.label===n),h=l!==null&&u?me(d,n,l):"",m=l===null?s.typed?i`<p class="bad">${o.notNumber}</p>`:p:i`<p><strong class="bad">✗ ${o.checks.wrong(E(l,10))}</strong> ${h}</p>`;if(s.missed>1)return i`${m}<p>${o.learn.answer} <code>${E(r)}</code></p><p>${$(a)}</p>`;if(!s.missed)return i`${m}`;let g=t.kind==="grad"&&(c||u)?Ke.test(e.state.lesson)?o.learn.nudge(n,e.program.output):o.checks.hintText(I(d,n).count,n,e.program.output):t.kind==="data"?o.learn.compute:o.learn.look;return i`${m}<p>${g}</p>`}function Ge(e,t,n,s){let r=`${t.id}.${n}`,a=e.state.told.get(r),c=d=>{let{right:u}=s.options[d];e.dispatch({type:"tell",key:r,typed:String(d),right:u}),xe(e),u&&N(`lesson:${r}`),K(e.current().state,t)},l=a?s.options[Number(a.typed)]:void 0;return i`<section class="ask" aria-label=${o.learn.question}>
    <p class="asked">${$(s.ask)}</p>
    <div class="options" role="group" aria-label=${o.learn.choices}>
      ${s.options.map((d,u)=>{let h=a?.typed===String(u)?d.right?"right":"wrong":"";return i`<button class="option ${h}" aria-pressed=${h!==""} @click=${()=>c(u)}><span aria-hidden="true">${h==="right"?"✓":h==="wrong"?"✗":"○"}</span> <span>${$(d.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${l?i`<p class=${l.right?"good":"bad"}>${$(l.why)}</p>`:p}</div>
  </section>`}function Te(e){return e.steps.flatMap((t,n)=>t.check?[n]:[])}function Re(e,t){return q().done.has(`lesson:${e.id}.${t}`)}function V(e){return q().done.has(`lesson:${e.id}`)}function K(e,t){Te(t).some(s=>!Re(t,s)&&!S(e.told.get(`${t.id}.${s}`)))||N(`lesson:${t.id}`)}function _e(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([X(q())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var We=1e5;async function Je(e,t){let n=t.target,s=n.files?.[0];if(!s)return;let r=s.size<=We&&Q(await s.text());n.value="",n.setCustomValidity(r?"":o.learn.unreadable),r||n.reportValidity(),e.refresh()}function $(e){return e.map(t=>{if(typeof t=="string")return t;let[n,s]=t;return n==="c"?i`<code class=${s.length<20?"short":""}>${s}</code>`:n==="b"?i`<strong>${s}</strong>`:i`<em>${s}</em>`})}function ve(e){return"code"in e?i`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?i`<ul>${e.ul.map(t=>i`<li>${$(t)}</li>`)}</ul>`:i`<p>${$(e.p)}</p>`}export{Ee as begin,At as learnPage,ke as turn};

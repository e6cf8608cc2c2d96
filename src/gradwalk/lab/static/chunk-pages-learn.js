import{b as pe}from"./chunk-shared-pages-descend.js";import{a as me,e as U,f as fe}from"./chunk-shared-teach-questions.js";import{f as ae}from"./chunk-shared-app-pull.js";import"./chunk-shared-parts-charts.js";import"./chunk-shared-teach-ticks.js";import{b as ue}from"./chunk-shared-parts-diagnose.js";import"./chunk-shared-teach-generate.js";import"./chunk-shared-app-random.js";import{b as ce,c as de}from"./chunk-shared-pages-order.js";import{a as ge,b as $e}from"./chunk-shared-parts-trace.js";import"./chunk-shared-app-url.js";import{a as se}from"./chunk-shared-parts-code.js";import"./chunk-shared-lit-html-directives-guard.js";import{a as oe}from"./chunk-shared-parts-equation.js";import"./chunk-shared-parts-events.js";import{c as J}from"./chunk-shared-app-store.js";import"./chunk-shared-app-lab.js";import"./chunk-shared-app-descent.js";import{a as b}from"./chunk-shared-parts-panel.js";import{a as B}from"./chunk-shared-app-player.js";import{a as ie}from"./chunk-shared-parts-expression.js";import{a as Z,f as le}from"./chunk-shared-parts-stage.js";import"./chunk-shared-teach-narration.js";import{a as re}from"./chunk-shared-parts-rows.js";import"./chunk-shared-app-settings.js";import"./chunk-shared-scene-hold.js";import"./chunk-shared-lit-async-directive.js";import"./chunk-shared-lit-html-async-directive.js";import"./chunk-shared-lit-html-directives-repeat.js";import{a as C}from"./chunk-shared-parts-icons.js";import"./chunk-shared-scene-find.js";import"./chunk-shared-teach-arithmetic.js";import"./chunk-shared-scene-css.js";import{a as q,c as N,e as Q,g as X}from"./chunk-shared-app-progress.js";import"./chunk-shared-lit-html-directives-live.js";import"./chunk-shared-lit-html-directive-helpers.js";import{$ as ne,M as W,R as ee,S as H,T as P,W as O,Y as te,Z as I,e as _,q as S}from"./chunk-shared-app-timeline.js";import"./chunk-shared-lit-html-directive.js";import{c as l,g as p,k as o}from"./chunk-shared-lit-html-lit-html.js";import"./chunk-shared-app-names.js";import{m as G}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";function he(e,t,n,s,r){let{graph:a,names:c,walk:i}=e,d=o.numbers,u=a.nodes.filter(g=>!G(g)).toReversed(),h=g=>{let f=u[g],y=f.id===n,x=t.node(f.id),k=s?i.grads[f.id]:x.grad,T=te(k),R=y?O:P;return l`<tr class=${`${y?"now":""} ${t.phase}`} aria-rowindex=${g+2} @click=${()=>r(f.id)}>
      <td title=${c[f.id]}><button class="bare" aria-label=${d.select(c[f.id])} aria-pressed=${y}>${c[f.id]}</button></td>
      <td class="end" title=${x.filled?O(f.data):""}>${x.filled?R(f.data):H}</td>
      <td class="end ${T}" title=${k===null?"":O(k)}>${k===null?H:R(k)} ${ee[T]}</td>
    </tr>`},m=n===null?-1:u.findIndex(({id:g})=>g===n);return l`<table class="numbers" aria-rowcount=${u.length+1}>
    <caption class="hidden">${d.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${d.node}</th><th scope="col" class="end">${d.value}</th><th scope="col" class="end">${d.grad}</th></tr></thead>
    <tbody>${re({count:u.length,now:m,columns:3,row:h})}</tbody>
  </table>`}function ye(e,t,n){let s=n.event?Se(t,n.event):"";return l`<ol class="code annotated ${n.phase}" aria-label=${o.code.title}>
    ${e.map(({text:r,note:a,event:c})=>l`<li class=${c!==void 0&&c===s?"now":""}><code>${r}</code>${a?l`<span class="remark">${a}</span>`:p}</li>`)}
  </ol>`}function Se(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}var j=new Map,z=null;function A(){return z=j.get(o.lang)??z,z}function D(){return j.has(o.lang)}async function K(){let{lang:e}=o,t=j.get(e)??await Ce(e);return j.set(e,t),t}async function Ce(e){let t=await fetch(`lessons-${e}.json`);if(!t.ok)throw new Error(`lessons-${e}.json: ${t.status}`);return await t.json()}function F(e,t){let[n,s]=t.split("."),r=e.lessons.find(a=>a.id===n);return r?{lesson:r,index:Math.min(r.steps.length-1,Number(s??0))}:null}function be(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function we(e,t){let[n,s]=t.split(" "),r=c=>e.phases.find(i=>i.phase===c)?.end??0;if(n==="end")return e.total;if(n==="forward")return r("forward");if(n==="seed")return e.events.find(({kind:c})=>c==="seed")?.end??0;if(n!=="sort"&&n!=="backward")return 0;let a=e.events.filter(c=>c.phase===n&&c.kind!=="seed"&&c.kind!=="leaf");return a[Math.min(a.length,Number(s))-1]?.end??r("forward")}var Pe={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function Ee(e){if(!await K().catch(()=>null))return;let t=e.current();if(t.state.page!=="learn")return;let{staged:n,lesson:s}=t.state;n!==s&&Le(t,s),e.refresh()}function ke(e,t,n=!1){let s=A(),r=s&&F(s,e.state.lesson);if(!r)return;let{lesson:a,index:c}=r,i=c+t;e.state.teach&&i===a.steps.length&&!n||(i>=0&&i<a.steps.length?L(e,`${a.id}.${i}`):i>=a.steps.length&&qe(e,s,a))}function Le(e,t){let n=Oe(e.state,t);e.dispatch(n),!(n.type!=="scene"||!n.pull||B())&&(e.dispatch({type:"pull",pull:null}),ae(e.current(),n.pull))}function L(e,t){Le(e,t),Ne(e)}function qe(e,t,n){Y(e.state,n);let s=t.lessons[t.lessons.indexOf(n)+1];L(e,s?s.id:"")}function Ne({root:e}){requestAnimationFrame(()=>{e.querySelector(".lesson h2, .course h2")?.focus(),e.querySelector(".lesson .text")?.scrollTo({top:0})})}function Oe(e,t){let n=A(),s=n&&F(n,t),r=s?.lesson.steps[s.index],a=r?.walk;if(!a)return{type:"lesson",lesson:t};let c={type:"scene",lesson:t,scene:Pe[a.view]??"sandbox",text:a.text,values:{...a.values},bug:a.bug??"",unfold:a.view==="unfold",rate:a.rate??_,time:0,hold:null,pull:a.pull??null},i=we(W(J(e,c)).line,a.at),u=r.check!==void 0&&r.check.kind!=="choice"&&!S(e.told.get(`${s.lesson.id}.${s.index}`));return{...c,time:i,hold:u&&a.at!=="end"?i:null}}function Mt(e){let t=()=>D()?void Ee(e.current()):e.refresh(),n=D()?null:Z(`lessons ${o.lang}`,K,t),s=A();if(!s)return n??l`<p class="pad">${o.learn.loading}</p>`;let r=F(s,e.state.lesson);return r?Be(e,r.lesson,r.index):l`<div class="course">
    ${Ae(e)}
    ${e.state.lesson==="glossary"?Ve(s):Fe(e,s)}
  </div>`}var je=["","glossary"];function Ae(e){let{lesson:t}=e.state;return l`<div class="bar">
    <span class="segments" role="group" aria-label=${o.pages.learn}>
      ${je.map(n=>l`<button class="segment" aria-pressed=${t===n} @click=${()=>e.dispatch({type:"lesson",lesson:n})}>${o.learn.tabs[n||"lessons"]}</button>`)}
    </span>
  </div>`}function Fe(e,t){let n=t.lessons.filter(r=>M(r)).length,s=t.lessons.find(r=>!M(r));return l`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${o.learn.head}</h2>
      <p>${o.learn.intro}</p>
      <progress max=${t.lessons.length} value=${n} aria-label=${o.learn.progress(n,t.lessons.length)}></progress>
      <div class="actions">
        <span>${o.learn.progress(n,t.lessons.length)}</span>
        ${s?l`<button class="primary" @click=${()=>L(e,s.id)}>${C("play")} ${n?o.learn.resume:o.learn.start}</button>`:l`<strong class="good">✓ ${o.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${Je}>${o.learn.save}</button>
        <label class="toggle file">${o.learn.load}<input type="file" accept="application/json,.json" @change=${r=>{Xe(e,r)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((r,a)=>Me(e,r,a))}
    </ol>`}function Me(e,t,n){let s=M(t),r=Te(t),a=r.filter(c=>Re(t,c)).length;return l`<li><a class="entry ${s?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${c=>{c.ctrlKey||c.metaKey||c.shiftKey||(c.preventDefault(),L(e,t.id))}}>
    <span class="number" aria-hidden="true">${s?"✓":n+1}</span>
    <span class="name">${$(t.title)}${s?l`<span class="hidden">, ${o.learn.complete}</span>`:p}</span>
    <span class="facts">${o.learn.minutes(t.minutes)}, ${o.learn.solved(a,r.length)}</span>
  </a></li>`}function Ve(e){return l`<section class="panel"><div class="body"><h2 tabindex="-1">${o.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,n])=>l`<div><dt>${$(t)}</dt><dd>${$(n)}</dd></div>`)}</dl>
  </div></section>`}function Be(e,t,n){let{state:s}=e,r=t.steps[n],a=n===t.steps.length-1;return l`<div class="lesson ${r.walk?.view??"graph"}">
    <article class="panel text" aria-label=${o.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${o.learn.back} title=${o.learn.back} @click=${()=>L(e,"")}>${C("left")}</button>
        <span class="where">${$(t.title)}</span>
        <button class="toggle" @click=${()=>He(e,!s.teach)}>${s.teach?o.learn.unteach:o.learn.teach}</button>
      </div>
      <div class="body" tabindex=${s.teach?0:p}>
        <h2 tabindex="-1">${$(r.title)}</h2>
        ${r.blocks.map(ve)}
        ${r.check?Ke(e,t,n,r.check):p}
        ${s.teach&&r.notes?l`<details class="notes"><summary>${o.learn.notes}</summary>${r.notes.map(ve)}</details>`:p}
        ${a&&M(t)?l`<p class="complete" role="status">✓ ${o.learn.completed}</p>`:p}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${n===0} @click=${()=>ke(e,-1)}>${C("left")} ${o.learn.before}</button>
        <ol class="dots" aria-label=${o.learn.steps}>${t.steps.map((c,i)=>l`<li><button class="dot" aria-current=${i===n?"step":p} aria-label=${o.learn.step(i+1,t.steps.length)} title=${be(c.title)} @click=${()=>L(e,`${t.id}.${i}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>ke(e,1,!0)}>${a?o.learn.finish:o.learn.next} ${C("right")}</button>
      </div>
    </article>
    <div class="work">${Ue(e,r)}</div>
  </div>`}function He(e,t){e.dispatch({type:"set",change:{teach:t}}),t?document.documentElement.requestFullscreen?.().then(()=>Ie(e),()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function Ie(e){document.addEventListener("fullscreenchange",function t(){document.fullscreenElement||(document.removeEventListener("fullscreenchange",t),e.dispatch({type:"set",change:{teach:!1}}))})}function xe(e){e.state.teach&&requestAnimationFrame(()=>{e.root.querySelector(".ask")?.scrollIntoView({block:"nearest"})})}function Ue(e,t){let{program:n,frame:s,state:r,dispatch:a}=e,c=t.walk?.view??"graph",i=le(e,{switches:c==="unfold"?["unfold"]:[],compare:c==="bugs",pulls:t.walk?.pull!==void 0}),d=()=>b(o.equation.title,oe(e),"rule");switch(c){case"order":return ce(e);case"descend":return pe(e);case"sliders":return[ie(e),i];case"numbers":return[i,b(o.numbers.title,he(n,s,r.node,!1,u=>a({type:"pick",node:u})),"table")];case"chain":return[i,d()];case"code":return[i,b(o.code.title,se(n,s),"engine")];case"trace":{let u=b(o.trace.sort,ge(n,s,e.seek),"table"),h=b(o.trace.backward,$e(n,s,e.seek),"table"),m=r.teach?s.phase==="backward"?h:u:l`<div class="pair">${u}${h}</div>`;return[i,m]}case"rules":return[ze(),i,d()];case"bugs":return[i,l`<div class="pair">
          ${b(o.bugs.names[r.bug]??"",ue(r.bug||"overwrite"),"rule")}
          ${b(o.bugs.table,r.hold===null?de(n):p,"table")}
        </div>`];case"source":return[i,t.source?b(o.learn.source(t.source.name),ye(t.source.rows,n,s),"engine source"):p];default:return i}}function ze(){return l`<div class="pair rules">
    ${["+","*"].map(e=>l`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${o.learn.rules[e][0]}</strong><br />${o.learn.rules[e][1]}</p></section>`)}
  </div>`}function De(e,t,n){let s=t.steps[n].walk;return s?.view!=="sliders"?!1:e.good!==s.text?!0:Object.entries(s.values).some(([r,a])=>e.values.get(r)!==a)}function Ke(e,t,n,s){let r=`${t.id}.${n}`;if(s.kind==="choice")return We(e,t,n,s);let a=s.kind==="grad"&&De(e.state,t,n),{program:c,state:i}=e,{graph:d,walk:u}=c,m=d.nodes.find(w=>w.label===s.node)??d.leaves[0];if(a&&!m)return l``;let g=a?`${r} ${i.good} ${d.leaves.map(w=>w.data)}`:r,f=a?u.expected[m.id]:s.answer,y=i.told.get(g),x=a?[o.checks.question(c.output,m.label)]:s.ask,k=a?[o.checks.manyPaths(U(d,m.label).count,m.label)]:s.why,T=y?.typed??"",R=(w,v=!1,V=!0)=>{e.dispatch({type:"tell",key:g,typed:w,right:v,misses:V,shown:i.teach}),xe(e),v&&N(`lesson:${r}`);let E=e.current().state;S(E.told.get(g))&&(Y(E,t),Ye(e,s.kind,m.id))};return l`<section class="ask" aria-label=${o.learn.question}>
    ${a?l`<p class="why">${o.learn.own}</p>`:p}
    <p class="asked">${$(x)}</p>
    ${i.teach?p:l`<form novalidate @submit=${w=>{w.preventDefault();let v=w.target.querySelector("input"),V=ne(f,v.value),E=I(v.value)!==null;R(v.value,V,E)}}>
            ${me(g,l`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${o.checks.answer} .value=${T} />`)}
            <button class="primary">${o.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?_e(e,s,m.label,y,f,k,a):p}</div>
    ${i.hold!==null&&!i.teach?l`<p class="why">${o.learn.held}</p>`:p}
    ${S(y)?p:l`<button class="toggle" @click=${()=>R(T)}>${i.teach||y?.missed?o.learn.show:o.checks.hint}</button>`}
  </section>`}function Ye(e,t,n){let{events:s,total:r}=e.program.line,a=i=>t==="data"?i.kind==="compute"&&i.node===n:i.push?.to===n,c=s.findLast(a)?.end??r;e.dispatch({type:"set",change:{hold:null}}),!(e.frame.time>=c)&&(B()?e.dispatch({type:"seek",time:c}):e.dispatch({type:"play",on:!0,until:c}))}var Ge=/^(start|value)\b/;function _e(e,t,n,s,r,a,c){let i=I(s.typed);if(s.right)return l`<p class="good"><strong>✓ ${o.checks.right}</strong></p><p>${$(a)}</p>`;let{graph:d}=e.program,u=t.kind==="grad"&&d.leaves.some(f=>f.label===n),h=i!==null&&u?fe(d,n,i):"",m=i===null?s.typed?l`<p class="bad">${o.notNumber}</p>`:p:l`<p><strong class="bad">✗ ${o.checks.wrong(P(i,10))}</strong> ${h}</p>`;if(s.missed>1)return l`${m}<p>${o.learn.answer} <code>${P(r)}</code></p><p>${$(a)}</p>`;if(!s.missed)return l`${m}`;let g=t.kind==="grad"&&(c||u)?Ge.test(e.state.lesson)?o.learn.nudge(n,e.program.output):o.checks.hintText(U(d,n).count,n,e.program.output):t.kind==="data"?o.learn.compute:o.learn.look;return l`${m}<p>${g}</p>`}function We(e,t,n,s){let r=`${t.id}.${n}`,a=e.state.told.get(r),c=d=>{let{right:u}=s.options[d];e.dispatch({type:"tell",key:r,typed:String(d),right:u}),xe(e),u&&N(`lesson:${r}`),Y(e.current().state,t)},i=a?s.options[Number(a.typed)]:void 0;return l`<section class="ask" aria-label=${o.learn.question}>
    <p class="asked">${$(s.ask)}</p>
    <div class="options" role="group" aria-label=${o.learn.choices}>
      ${s.options.map((d,u)=>{let h=a?.typed===String(u)?d.right?"right":"wrong":"";return l`<button class="option ${h}" aria-pressed=${h!==""} @click=${()=>c(u)}><span aria-hidden="true">${h==="right"?"✓":h==="wrong"?"✗":"○"}</span> <span>${$(d.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${i?l`<p class=${i.right?"good":"bad"}>${$(i.why)}</p>`:p}</div>
  </section>`}function Te(e){return e.steps.flatMap((t,n)=>t.check?[n]:[])}function Re(e,t){return q().done.has(`lesson:${e.id}.${t}`)}function M(e){return q().done.has(`lesson:${e.id}`)}function Y(e,t){Te(t).some(s=>!Re(t,s)&&!S(e.told.get(`${t.id}.${s}`)))||N(`lesson:${t.id}`)}function Je(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([X(q())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var Qe=1e5;async function Xe(e,t){let n=t.target,s=n.files?.[0];if(!s)return;let r=s.size<=Qe&&Q(await s.text());n.value="",n.setCustomValidity(r?"":o.learn.unreadable),r||n.reportValidity(),e.refresh()}function $(e){return e.map(t=>{if(typeof t=="string")return t;let[n,s]=t;return n==="c"?l`<code class=${s.length<20?"short":""}>${s}</code>`:n==="b"?l`<strong>${s}</strong>`:l`<em>${s}</em>`})}function ve(e){return"code"in e?l`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?l`<ul>${e.ul.map(t=>l`<li>${$(t)}</li>`)}</ul>`:l`<p>${$(e.p)}</p>`}export{Ee as begin,Mt as learnPage,ke as turn};

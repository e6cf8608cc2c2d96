import{b as ye}from"./chunk-shared-pages-descend.js";import{a as be,e as I,f as we}from"./chunk-shared-teach-questions.js";import{f as ue}from"./chunk-shared-app-pull.js";import"./chunk-shared-parts-charts.js";import"./chunk-shared-teach-ticks.js";import{b as he}from"./chunk-shared-parts-diagnose.js";import"./chunk-shared-teach-generate.js";import{b as ge,c as $e}from"./chunk-shared-pages-order.js";import{a as ve,b as ke}from"./chunk-shared-parts-trace.js";import"./chunk-shared-app-url.js";import{a as pe}from"./chunk-shared-scene-wire.js";import{a as ie}from"./chunk-shared-parts-code.js";import"./chunk-shared-lit-html-directives-guard.js";import{a as ce}from"./chunk-shared-parts-equation.js";import"./chunk-shared-parts-events.js";import{c as te}from"./chunk-shared-app-store.js";import"./chunk-shared-app-lab.js";import"./chunk-shared-app-descent.js";import"./chunk-shared-app-random.js";import{a as b}from"./chunk-shared-parts-panel.js";import{a as H}from"./chunk-shared-app-player.js";import{a as fe}from"./chunk-shared-parts-expression.js";import{a as re,f as me}from"./chunk-shared-parts-stage.js";import"./chunk-shared-teach-narration.js";import{a as de}from"./chunk-shared-parts-rows.js";import"./chunk-shared-app-settings.js";import"./chunk-shared-scene-hold.js";import"./chunk-shared-lit-async-directive.js";import"./chunk-shared-lit-html-async-directive.js";import"./chunk-shared-lit-html-directives-repeat.js";import{a as C}from"./chunk-shared-parts-icons.js";import"./chunk-shared-scene-find.js";import"./chunk-shared-teach-arithmetic.js";import"./chunk-shared-scene-css.js";import{a as A,c as O,e as ne,g as se}from"./chunk-shared-app-progress.js";import"./chunk-shared-lit-html-directives-live.js";import"./chunk-shared-lit-html-directive-helpers.js";import{$ as le,M as Z,Q as ee,R as oe,S as D,T as P,W as N,Y as ae,Z as z,e as X,q as S}from"./chunk-shared-app-timeline.js";import"./chunk-shared-lit-html-directive.js";import{c as l,d as q,g as p,k as o}from"./chunk-shared-lit-html-lit-html.js";import"./chunk-shared-app-names.js";import{l as _,m as W,o as J,q as Q}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";function Le(e,t,n,s,r){let{graph:a,names:c,walk:i}=e,u=o.numbers,d=a.nodes.filter(g=>!W(g)).toReversed(),h=g=>{let f=d[g],y=f.id===n,x=t.node(f.id),v=s?i.grads[f.id]:x.grad,T=ae(v),R=y?N:P;return l`<tr class=${`${y?"now":""} ${t.phase}`} aria-rowindex=${g+2} @click=${()=>r(f.id)}>
      <td title=${c[f.id]}><button class="bare" aria-label=${u.select(c[f.id])} aria-pressed=${y}>${c[f.id]}</button></td>
      <td class="end" title=${x.filled?N(f.data):""}>${x.filled?R(f.data):D}</td>
      <td class="end ${T}" title=${v===null?"":N(v)}>${v===null?D:R(v)} ${oe[T]}</td>
    </tr>`},m=n===null?-1:d.findIndex(({id:g})=>g===n);return l`<table class="numbers" aria-rowcount=${d.length+1}>
    <caption class="hidden">${u.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${u.node}</th><th scope="col" class="end">${u.value}</th><th scope="col" class="end">${u.grad}</th></tr></thead>
    <tbody>${de({count:d.length,now:m,columns:3,row:h})}</tbody>
  </table>`}function xe(e,t,n){let s=n.event?Ne(t,n.event):"";return l`<ol class="code annotated ${n.phase}" aria-label=${o.code.title}>
    ${e.map(({text:r,note:a,event:c})=>l`<li class=${c!==void 0&&c===s?"now":""}><code>${r}</code>${a?l`<span class="remark">${a}</span>`:p}</li>`)}
  </ol>`}function Ne(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}var j=new Map,U=null;function F(){return U=j.get(o.lang)??U,U}function K(){return j.has(o.lang)}async function Y(){let{lang:e}=o,t=j.get(e)??await je(e);return j.set(e,t),t}async function je(e){let t=await fetch(`lessons-${e}.json`);if(!t.ok)throw new Error(`lessons-${e}.json: ${t.status}`);return await t.json()}function M(e,t){let[n,s]=t.split("."),r=e.lessons.find(a=>a.id===n);return r?{lesson:r,index:Math.min(r.steps.length-1,Number(s??0))}:null}function Te(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function Re(e,t){let[n,s]=t.split(" "),r=c=>e.phases.find(i=>i.phase===c)?.end??0;if(n==="end")return e.total;if(n==="forward")return r("forward");if(n==="seed")return e.events.find(({kind:c})=>c==="seed")?.end??0;if(n!=="sort"&&n!=="backward")return 0;let a=e.events.filter(c=>c.phase===n&&c.kind!=="seed"&&c.kind!=="leaf");return a[Math.min(a.length,Number(s))-1]?.end??r("forward")}var Fe=[80,44],Me={gap:24,margin:8,pills:!1,channel:[44,44]},Be=ee(({text:e,values:t,at:n})=>{let s=J(_(e).evaluate({...t})),{cards:r,edges:a,width:c,height:i}=Q(s,{...Me,sizes:s.nodes.map(()=>Fe)});return q`<svg class="thumb ${n==="start"||n==="forward"?"forward":"backward"}" viewBox="0 0 ${c} ${i}" aria-hidden="true">
      ${a.map(d=>q`<path d=${pe(d,!1).middle} />`)}
      ${r.map(d=>q`<rect x=${d.x} y=${d.y} width=${d.width} height=${d.height} rx="10" />`)}
    </svg>`});function Se({steps:e}){let t=e.flatMap(({walk:s})=>s??[]),[n]=t.sort((s,r)=>r.text.length-s.text.length);return n?Be(n):null}var Ve={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function He(e){if(!await Y().catch(()=>null))return;let t=e.current();if(t.state.page!=="learn")return;let{staged:n,lesson:s}=t.state;n!==s&&Ee(t,s),e.refresh()}function Ce(e,t,n=!1){let s=F(),r=s&&M(s,e.state.lesson);if(!r)return;let{lesson:a,index:c}=r,i=c+t;e.state.teach&&i===a.steps.length&&!n||(i>=0&&i<a.steps.length?L(e,`${a.id}.${i}`):i>=a.steps.length&&De(e,s,a))}function Ee(e,t){let n=Ie(e.state,t);e.dispatch(n),!(n.type!=="scene"||!n.pull||H())&&(e.dispatch({type:"pull",pull:null}),ue(e.current(),n.pull))}function L(e,t){Ee(e,t),ze(e)}function De(e,t,n){G(e.state,n);let s=t.lessons[t.lessons.indexOf(n)+1];L(e,s?s.id:"")}function ze({root:e}){requestAnimationFrame(()=>{e.querySelector(".lesson h2, .course h2")?.focus(),e.querySelector(".lesson .text")?.scrollTo({top:0})})}function Ie(e,t){let n=F(),s=n&&M(n,t),r=s?.lesson.steps[s.index],a=r?.walk;if(!a)return{type:"lesson",lesson:t};let c={type:"scene",lesson:t,scene:Ve[a.view]??"sandbox",text:a.text,values:{...a.values},bug:a.bug??"",unfold:a.view==="unfold",rate:a.rate??X,time:0,hold:null,pull:a.pull??null},i=Re(Z(te(e,c)).line,a.at),d=r.check!==void 0&&r.check.kind!=="choice"&&!S(e.told.get(`${s.lesson.id}.${s.index}`));return{...c,time:i,hold:d&&a.at!=="end"?i:null}}function Zt(e){let t=()=>K()?void He(e.current()):e.refresh(),n=K()?null:re(`lessons ${o.lang}`,Y,t),s=F();if(!s)return n??l`<p class="pad">${o.learn.loading}</p>`;let r=M(s,e.state.lesson);return r?We(e,r.lesson,r.index):l`<div class="course">
    ${Ke(e)}
    ${e.state.lesson==="glossary"?_e(s):Ye(e,s)}
  </div>`}var Ue=["","glossary"];function Ke(e){let{lesson:t}=e.state;return l`<div class="bar">
    <span class="segments" role="group" aria-label=${o.pages.learn}>
      ${Ue.map(n=>l`<button class="segment" aria-pressed=${t===n} @click=${()=>e.dispatch({type:"lesson",lesson:n})}>${o.learn.tabs[n||"lessons"]}</button>`)}
    </span>
  </div>`}function Ye(e,t){let n=t.lessons.filter(r=>B(r)).length,s=t.lessons.find(r=>!B(r));return l`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${o.learn.head}</h2>
      <p>${o.learn.intro}</p>
      <progress max=${t.lessons.length} value=${n} aria-label=${o.learn.progress(n,t.lessons.length)}></progress>
      <div class="actions">
        <span>${o.learn.progress(n,t.lessons.length)}</span>
        ${s?l`<button class="primary" @click=${()=>L(e,s.id)}>${C("play")} ${n?o.learn.resume:o.learn.start}</button>`:l`<strong class="good">✓ ${o.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${at}>${o.learn.save}</button>
        <label class="toggle file">${o.learn.load}<input type="file" accept="application/json,.json" @change=${r=>{it(e,r)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((r,a)=>Ge(e,r,a))}
    </ol>`}function Ge(e,t,n){let s=B(t),r=Ae(t),a=r.filter(c=>Oe(t,c)).length;return l`<li><a class="entry ${s?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${c=>{c.ctrlKey||c.metaKey||c.shiftKey||(c.preventDefault(),L(e,t.id))}}>
    ${Se(t)}
    <span class="number" aria-hidden="true">${s?"✓":n+1}</span>
    <span class="name">${$(t.title)}${s?l`<span class="hidden">, ${o.learn.complete}</span>`:p}</span>
    <span class="facts">${o.learn.minutes(t.minutes)}, ${o.learn.solved(a,r.length)}</span>
  </a></li>`}function _e(e){return l`<section class="panel"><div class="body"><h2 tabindex="-1">${o.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,n])=>l`<div><dt>${$(t)}</dt><dd>${$(n)}</dd></div>`)}</dl>
  </div></section>`}function We(e,t,n){let{state:s}=e,r=t.steps[n],a=n===t.steps.length-1;return l`<div class="lesson ${r.walk?.view??"graph"}">
    <article class="panel text" aria-label=${o.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${o.learn.back} title=${o.learn.back} @click=${()=>L(e,"")}>${C("left")}</button>
        <span class="where">${$(t.title)}</span>
        <button class="toggle" @click=${()=>Je(e,!s.teach)}>${s.teach?o.learn.unteach:o.learn.teach}</button>
      </div>
      <div class="body" tabindex=${s.teach?0:p}>
        <h2 tabindex="-1">${$(r.title)}</h2>
        ${r.blocks.map(Pe)}
        ${r.check?tt(e,t,n,r.check):p}
        ${s.teach&&r.notes?l`<details class="notes"><summary>${o.learn.notes}</summary>${r.notes.map(Pe)}</details>`:p}
        ${a&&B(t)?l`<p class="complete" role="status">✓ ${o.learn.completed}</p>`:p}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${n===0} @click=${()=>Ce(e,-1)}>${C("left")} ${o.learn.before}</button>
        <ol class="dots" aria-label=${o.learn.steps}>${t.steps.map((c,i)=>l`<li><button class="dot" aria-current=${i===n?"step":p} aria-label=${o.learn.step(i+1,t.steps.length)} title=${Te(c.title)} @click=${()=>L(e,`${t.id}.${i}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>Ce(e,1,!0)}>${a?o.learn.finish:o.learn.next} ${C("right")}</button>
      </div>
    </article>
    <div class="work">${Xe(e,r)}</div>
  </div>`}function Je(e,t){e.dispatch({type:"set",change:{teach:t}}),t?document.documentElement.requestFullscreen?.().then(()=>Qe(e),()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function Qe(e){document.addEventListener("fullscreenchange",function t(){document.fullscreenElement||(document.removeEventListener("fullscreenchange",t),e.dispatch({type:"set",change:{teach:!1}}))})}function qe(e){e.state.teach&&requestAnimationFrame(()=>{e.root.querySelector(".ask")?.scrollIntoView({block:"nearest"})})}function Xe(e,t){let{program:n,frame:s,state:r,dispatch:a}=e,c=t.walk?.view??"graph",i=me(e,{switches:c==="unfold"?["unfold"]:[],compare:c==="bugs",pulls:t.walk?.pull!==void 0}),u=()=>b(o.equation.title,ce(e),"rule");switch(c){case"order":return ge(e);case"descend":return ye(e);case"sliders":return[fe(e),i];case"numbers":return[i,b(o.numbers.title,Le(n,s,r.node,!1,d=>a({type:"pick",node:d})),"table")];case"chain":return[i,u()];case"code":return[i,b(o.code.title,ie(n,s),"engine")];case"trace":{let d=b(o.trace.sort,ve(n,s,e.seek),"table"),h=b(o.trace.backward,ke(n,s,e.seek),"table"),m=r.teach?s.phase==="backward"?h:d:l`<div class="pair">${d}${h}</div>`;return[i,m]}case"rules":return[Ze(),i,u()];case"bugs":return[i,l`<div class="pair">
          ${b(o.bugs.names[r.bug]??"",he(r.bug||"overwrite"),"rule")}
          ${b(o.bugs.table,r.hold===null?$e(n):p,"table")}
        </div>`];case"source":return[i,t.source?b(o.learn.source(t.source.name),xe(t.source.rows,n,s),"engine source"):p];default:return i}}function Ze(){return l`<div class="pair rules">
    ${["+","*"].map(e=>l`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${o.learn.rules[e][0]}</strong><br />${o.learn.rules[e][1]}</p></section>`)}
  </div>`}function et(e,t,n){let s=t.steps[n].walk;return s?.view!=="sliders"?!1:e.good!==s.text?!0:Object.entries(s.values).some(([r,a])=>e.values.get(r)!==a)}function tt(e,t,n,s){let r=`${t.id}.${n}`;if(s.kind==="choice")return ot(e,t,n,s);let a=s.kind==="grad"&&et(e.state,t,n),{program:c,state:i}=e,{graph:u,walk:d}=c,m=u.nodes.find(w=>w.label===s.node)??u.leaves[0];if(a&&!m)return l``;let g=a?`${r} ${i.good} ${u.leaves.map(w=>w.data)}`:r,f=a?d.expected[m.id]:s.answer,y=i.told.get(g),x=a?[o.checks.question(c.output,m.label)]:s.ask,v=a?[o.checks.manyPaths(I(u,m.label).count,m.label)]:s.why,T=y?.typed??"",R=(w,k=!1,V=!0)=>{e.dispatch({type:"tell",key:g,typed:w,right:k,misses:V,shown:i.teach}),qe(e),k&&O(`lesson:${r}`);let E=e.current().state;S(E.told.get(g))&&(G(E,t),nt(e,s.kind,m.id))};return l`<section class="ask" aria-label=${o.learn.question}>
    ${a?l`<p class="why">${o.learn.own}</p>`:p}
    <p class="asked">${$(x)}</p>
    ${i.teach?p:l`<form novalidate @submit=${w=>{w.preventDefault();let k=w.target.querySelector("input"),V=le(f,k.value),E=z(k.value)!==null;R(k.value,V,E)}}>
            ${be(g,l`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${o.checks.answer} .value=${T} />`)}
            <button class="primary">${o.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?rt(e,s,m.label,y,f,v,a):p}</div>
    ${i.hold!==null&&!i.teach?l`<p class="why">${o.learn.held}</p>`:p}
    ${S(y)?p:l`<button class="toggle" @click=${()=>R(T)}>${i.teach||y?.missed?o.learn.show:o.checks.hint}</button>`}
  </section>`}function nt(e,t,n){let{events:s,total:r}=e.program.line,a=i=>t==="data"?i.kind==="compute"&&i.node===n:i.push?.to===n,c=s.findLast(a)?.end??r;e.dispatch({type:"set",change:{hold:null}}),!(e.frame.time>=c)&&(H()?e.dispatch({type:"seek",time:c}):e.dispatch({type:"play",on:!0,until:c}))}var st=/^(start|value)\b/;function rt(e,t,n,s,r,a,c){let i=z(s.typed);if(s.right)return l`<p class="good"><strong>✓ ${o.checks.right}</strong></p><p>${$(a)}</p>`;let{graph:u}=e.program,d=t.kind==="grad"&&u.leaves.some(f=>f.label===n),h=i!==null&&d?we(u,n,i):"",m=i===null?s.typed?l`<p class="bad">${o.notNumber}</p>`:p:l`<p><strong class="bad">✗ ${o.checks.wrong(P(i,10))}</strong> ${h}</p>`;if(s.missed>1)return l`${m}<p>${o.learn.answer} <code>${P(r)}</code></p><p>${$(a)}</p>`;if(!s.missed)return l`${m}`;let g=t.kind==="grad"&&(c||d)?st.test(e.state.lesson)?o.learn.nudge(n,e.program.output):o.checks.hintText(I(u,n).count,n,e.program.output):t.kind==="data"?o.learn.compute:o.learn.look;return l`${m}<p>${g}</p>`}function ot(e,t,n,s){let r=`${t.id}.${n}`,a=e.state.told.get(r),c=u=>{let{right:d}=s.options[u];e.dispatch({type:"tell",key:r,typed:String(u),right:d}),qe(e),d&&O(`lesson:${r}`),G(e.current().state,t)},i=a?s.options[Number(a.typed)]:void 0;return l`<section class="ask" aria-label=${o.learn.question}>
    <p class="asked">${$(s.ask)}</p>
    <div class="options" role="group" aria-label=${o.learn.choices}>
      ${s.options.map((u,d)=>{let h=a?.typed===String(d)?u.right?"right":"wrong":"";return l`<button class="option ${h}" aria-pressed=${h!==""} @click=${()=>c(d)}><span aria-hidden="true">${h==="right"?"✓":h==="wrong"?"✗":"○"}</span> <span>${$(u.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${i?l`<p class=${i.right?"good":"bad"}>${$(i.why)}</p>`:p}</div>
  </section>`}function Ae(e){return e.steps.flatMap((t,n)=>t.check?[n]:[])}function Oe(e,t){return A().done.has(`lesson:${e.id}.${t}`)}function B(e){return A().done.has(`lesson:${e.id}`)}function G(e,t){Ae(t).some(s=>!Oe(t,s)&&!S(e.told.get(`${t.id}.${s}`)))||O(`lesson:${t.id}`)}function at(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([se(A())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var lt=1e5;async function it(e,t){let n=t.target,s=n.files?.[0];if(!s)return;let r=s.size<=lt&&ne(await s.text());n.value="",n.setCustomValidity(r?"":o.learn.unreadable),r||n.reportValidity(),e.refresh()}function $(e){return e.map(t=>{if(typeof t=="string")return t;let[n,s]=t;return n==="c"?l`<code class=${s.length<20?"short":""}>${s}</code>`:n==="b"?l`<strong>${s}</strong>`:l`<em>${s}</em>`})}function Pe(e){return"code"in e?l`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?l`<ul>${e.ul.map(t=>l`<li>${$(t)}</li>`)}</ul>`:l`<p>${$(e.p)}</p>`}export{He as begin,Zt as learnPage,Ce as turn};

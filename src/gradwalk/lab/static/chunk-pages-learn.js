import{b as de}from"./chunk-shared-parts-diagnose.js";import{b as le,c as ce}from"./chunk-shared-pages-order.js";import{b as ue}from"./chunk-shared-pages-descend.js";import"./chunk-shared-parts-charts.js";import{a as pe,e as I,f as me}from"./chunk-shared-teach-questions.js";import"./chunk-shared-teach-generate.js";import"./chunk-shared-app-random.js";import{a as Z,b as fe,c as ge}from"./chunk-shared-parts-trace.js";import{a as se}from"./chunk-shared-parts-code.js";import"./chunk-shared-parts-events.js";import{a as re}from"./chunk-shared-parts-rows.js";import"./chunk-shared-scene-steer.js";import"./chunk-shared-app-url.js";import"./chunk-shared-lit-html-directives-guard.js";import{d as J}from"./chunk-shared-app-store.js";import{a as b}from"./chunk-shared-parts-panel.js";import{a as ie}from"./chunk-shared-parts-expression.js";import{d as ae}from"./chunk-shared-parts-stage.js";import"./chunk-shared-app-settings.js";import"./chunk-shared-lit-async-directive.js";import"./chunk-shared-lit-html-directives-repeat.js";import{a as C}from"./chunk-shared-parts-icons.js";import{a as oe}from"./chunk-shared-parts-equation.js";import"./chunk-shared-app-lab.js";import"./chunk-shared-scene-find.js";import"./chunk-shared-teach-narration.js";import{a as W}from"./chunk-shared-app-player.js";import"./chunk-shared-lit-html-async-directive.js";import"./chunk-shared-teach-arithmetic.js";import"./chunk-shared-lit-html-directives-live.js";import{a as q,c as N,e as Q,g as X}from"./chunk-shared-app-progress.js";import{M as _,R as ee,S as B,T as E,V as O,X as te,Y as H,_ as ne,e as G,q as S}from"./chunk-shared-app-timeline.js";import"./chunk-shared-lit-html-directive-helpers.js";import{c as i,g as p,k as o}from"./chunk-shared-lit-html-lit-html.js";import"./chunk-shared-app-names.js";import{m as Y}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";function $e(e,t,s,n,r){let{graph:a,names:c,walk:l}=e,d=o.numbers,u=a.nodes.filter(g=>!Y(g)).toReversed(),h=g=>{let f=u[g],y=f.id===s,x=t.node(f.id),k=n?l.grads[f.id]:x.grad,T=te(k),R=y?O:E;return i`<tr class=${`${y?"now":""} ${t.phase}`} aria-rowindex=${g+2} @click=${()=>r(f.id)}>
      <td title=${c[f.id]}><button class="bare" aria-label=${d.select(c[f.id])} aria-pressed=${y}>${c[f.id]}</button></td>
      <td class="end" title=${x.filled?O(f.data):""}>${x.filled?R(f.data):B}</td>
      <td class="end ${T}" title=${k===null?"":O(k)}>${k===null?B:R(k)} ${ee[T]}</td>
    </tr>`},m=s===null?-1:u.findIndex(({id:g})=>g===s);return i`<table class="numbers" aria-rowcount=${u.length+1}>
    <caption class="hidden">${d.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${d.node}</th><th scope="col" class="end">${d.value}</th><th scope="col" class="end">${d.grad}</th></tr></thead>
    <tbody>${re({count:u.length,now:m,columns:3,row:h})}</tbody>
  </table>`}function he(e,t,s){let n=s.event?Re(t,s.event):"";return i`<ol class="code annotated ${s.phase}" aria-label=${o.code.title}>
    ${e.map(({text:r,note:a,event:c})=>i`<li class=${c!==void 0&&c===n?"now":""}><code>${r}</code>${a?i`<span class="remark">${a}</span>`:p}</li>`)}
  </ol>`}function Re(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}var j=new Map,U=null;function A(){return U=j.get(o.lang)??U,U}function z(){return j.has(o.lang)}async function D(){let{lang:e}=o,t=j.get(e)??await Se(e);return j.set(e,t),t}async function Se(e){let t=await fetch(`lessons-${e}.json`);if(!t.ok)throw new Error(`lessons-${e}.json: ${t.status}`);return await t.json()}function F(e,t){let[s,n]=t.split("."),r=e.lessons.find(a=>a.id===s);return r?{lesson:r,index:Math.min(r.steps.length-1,Number(n??0))}:null}function ye(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function be(e,t){let[s,n]=t.split(" "),r=c=>e.phases.find(l=>l.phase===c)?.end??0;if(s==="end")return e.total;if(s==="forward")return r("forward");if(s==="seed")return e.events.find(({kind:c})=>c==="seed")?.end??0;if(s!=="sort"&&s!=="backward")return 0;let a=e.events.filter(c=>c.phase===s&&c.kind!=="seed"&&c.kind!=="leaf");return a[Math.min(a.length,Number(n))-1]?.end??r("forward")}var Ce={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function Ee(e){if(!await D().catch(()=>null))return;let t=e.current();if(t.state.page!=="learn")return;let{staged:s,lesson:n}=t.state;s!==n&&t.dispatch(ve(t.state,n)),e.refresh()}function we(e,t,s=!1){let n=A(),r=n&&F(n,e.state.lesson);if(!r)return;let{lesson:a,index:c}=r,l=c+t;e.state.teach&&l===a.steps.length&&!s||(l>=0&&l<a.steps.length?L(e,`${a.id}.${l}`):l>=a.steps.length&&Pe(e,n,a))}function L(e,t){e.dispatch(ve(e.state,t)),qe(e)}function Pe(e,t,s){K(e.state,s);let n=t.lessons[t.lessons.indexOf(s)+1];L(e,n?n.id:"")}function qe({root:e}){requestAnimationFrame(()=>{e.querySelector(".lesson h2, .course h2")?.focus(),e.querySelector(".lesson .text")?.scrollTo({top:0})})}function ve(e,t){let s=A(),n=s&&F(s,t),r=n?.lesson.steps[n.index],a=r?.walk;if(!a)return{type:"lesson",lesson:t};let c={type:"scene",lesson:t,scene:Ce[a.view]??"sandbox",text:a.text,values:{...a.values},bug:a.bug??"",unfold:a.view==="unfold",rate:a.rate??G,time:0,hold:null},l=be(_(J(e,c)).line,a.at),u=r.check!==void 0&&r.check.kind!=="choice"&&!S(e.told.get(`${n.lesson.id}.${n.index}`));return{...c,time:l,hold:u&&a.at!=="end"?l:null}}function jt(e){let t=()=>z()?void Ee(e.current()):e.refresh(),s=z()?null:Z(`lessons ${o.lang}`,D,t),n=A();if(!n)return s??i`<p class="pad">${o.learn.loading}</p>`;let r=F(n,e.state.lesson);return r?Me(e,r.lesson,r.index):i`<div class="course">
    ${Oe(e)}
    ${e.state.lesson==="glossary"?Fe(n):je(e,n)}
  </div>`}var Ne=["","glossary"];function Oe(e){let{lesson:t}=e.state;return i`<div class="bar">
    <span class="segments" role="group" aria-label=${o.pages.learn}>
      ${Ne.map(s=>i`<button class="segment" aria-pressed=${t===s} @click=${()=>e.dispatch({type:"lesson",lesson:s})}>${o.learn.tabs[s||"lessons"]}</button>`)}
    </span>
  </div>`}function je(e,t){let s=t.lessons.filter(r=>M(r)).length,n=t.lessons.find(r=>!M(r));return i`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${o.learn.head}</h2>
      <p>${o.learn.intro}</p>
      <progress max=${t.lessons.length} value=${s} aria-label=${o.learn.progress(s,t.lessons.length)}></progress>
      <div class="actions">
        <span>${o.learn.progress(s,t.lessons.length)}</span>
        ${n?i`<button class="primary" @click=${()=>L(e,n.id)}>${C("play")} ${s?o.learn.resume:o.learn.start}</button>`:i`<strong class="good">✓ ${o.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${_e}>${o.learn.save}</button>
        <label class="toggle file">${o.learn.load}<input type="file" accept="application/json,.json" @change=${r=>{Je(e,r)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((r,a)=>Ae(e,r,a))}
    </ol>`}function Ae(e,t,s){let n=M(t),r=xe(t),a=r.filter(c=>Te(t,c)).length;return i`<li><a class="entry ${n?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${c=>{c.ctrlKey||c.metaKey||c.shiftKey||(c.preventDefault(),L(e,t.id))}}>
    <span class="number" aria-hidden="true">${n?"✓":s+1}</span>
    <span class="name">${$(t.title)}${n?i`<span class="hidden">, ${o.learn.complete}</span>`:p}</span>
    <span class="facts">${o.learn.minutes(t.minutes)}, ${o.learn.solved(a,r.length)}</span>
  </a></li>`}function Fe(e){return i`<section class="panel"><div class="body"><h2 tabindex="-1">${o.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,s])=>i`<div><dt>${$(t)}</dt><dd>${$(s)}</dd></div>`)}</dl>
  </div></section>`}function Me(e,t,s){let{state:n}=e,r=t.steps[s],a=s===t.steps.length-1;return i`<div class="lesson ${r.walk?.view??"graph"}">
    <article class="panel text" aria-label=${o.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${o.learn.back} title=${o.learn.back} @click=${()=>L(e,"")}>${C("left")}</button>
        <span class="where">${$(t.title)}</span>
        <button class="toggle" @click=${()=>Ve(e,!n.teach)}>${n.teach?o.learn.unteach:o.learn.teach}</button>
      </div>
      <div class="body" tabindex=${n.teach?0:p}>
        <h2 tabindex="-1">${$(r.title)}</h2>
        ${r.blocks.map(ke)}
        ${r.check?ze(e,t,s,r.check):p}
        ${n.teach&&r.notes?i`<details class="notes"><summary>${o.learn.notes}</summary>${r.notes.map(ke)}</details>`:p}
        ${a&&M(t)?i`<p class="complete" role="status">✓ ${o.learn.completed}</p>`:p}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${s===0} @click=${()=>we(e,-1)}>${C("left")} ${o.learn.before}</button>
        <ol class="dots" aria-label=${o.learn.steps}>${t.steps.map((c,l)=>i`<li><button class="dot" aria-current=${l===s?"step":p} aria-label=${o.learn.step(l+1,t.steps.length)} title=${ye(c.title)} @click=${()=>L(e,`${t.id}.${l}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>we(e,1,!0)}>${a?o.learn.finish:o.learn.next} ${C("right")}</button>
      </div>
    </article>
    <div class="work">${He(e,r)}</div>
  </div>`}function Ve(e,t){e.dispatch({type:"set",change:{teach:t}}),t?document.documentElement.requestFullscreen?.().then(()=>Be(e),()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function Be(e){document.addEventListener("fullscreenchange",function t(){document.fullscreenElement||(document.removeEventListener("fullscreenchange",t),e.dispatch({type:"set",change:{teach:!1}}))})}function Le(e){e.state.teach&&requestAnimationFrame(()=>{e.root.querySelector(".ask")?.scrollIntoView({block:"nearest"})})}function He(e,t){let{program:s,frame:n,state:r,dispatch:a}=e,c=t.walk?.view??"graph",l=ae(e,{switches:c==="unfold"?["unfold"]:[],compare:c==="bugs"}),d=()=>b(o.equation.title,oe(e),"rule");switch(c){case"order":return le(e);case"descend":return ue(e);case"sliders":return[ie(e),l];case"numbers":return[l,b(o.numbers.title,$e(s,n,r.node,!1,u=>a({type:"pick",node:u})),"table")];case"chain":return[l,d()];case"code":return[l,b(o.code.title,se(s,n),"engine")];case"trace":{let u=b(o.trace.sort,fe(s,n,e.seek),"table"),h=b(o.trace.backward,ge(s,n,e.seek),"table"),m=r.teach?n.phase==="backward"?h:u:i`<div class="pair">${u}${h}</div>`;return[l,m]}case"rules":return[Ie(),l,d()];case"bugs":return[l,i`<div class="pair">
          ${b(o.bugs.names[r.bug]??"",de(r.bug||"overwrite"),"rule")}
          ${b(o.bugs.table,r.hold===null?ce(s):p,"table")}
        </div>`];case"source":return[l,t.source?b(o.learn.source(t.source.name),he(t.source.rows,s,n),"engine source"):p];default:return l}}function Ie(){return i`<div class="pair rules">
    ${["+","*"].map(e=>i`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${o.learn.rules[e][0]}</strong><br />${o.learn.rules[e][1]}</p></section>`)}
  </div>`}function Ue(e,t,s){let n=t.steps[s].walk;return n?.view!=="sliders"?!1:e.good!==n.text?!0:Object.entries(n.values).some(([r,a])=>e.values.get(r)!==a)}function ze(e,t,s,n){let r=`${t.id}.${s}`;if(n.kind==="choice")return Ge(e,t,s,n);let a=n.kind==="grad"&&Ue(e.state,t,s),{program:c,state:l}=e,{graph:d,walk:u}=c,m=d.nodes.find(w=>w.label===n.node)??d.leaves[0];if(a&&!m)return i``;let g=a?`${r} ${l.good} ${d.leaves.map(w=>w.data)}`:r,f=a?u.expected[m.id]:n.answer,y=l.told.get(g),x=a?[o.checks.question(c.output,m.label)]:n.ask,k=a?[o.checks.manyPaths(I(d,m.label).count,m.label)]:n.why,T=y?.typed??"",R=(w,v=!1,V=!0)=>{e.dispatch({type:"tell",key:g,typed:w,right:v,misses:V,shown:l.teach}),Le(e),v&&N(`lesson:${r}`);let P=e.current().state;S(P.told.get(g))&&(K(P,t),De(e,n.kind,m.id))};return i`<section class="ask" aria-label=${o.learn.question}>
    ${a?i`<p class="why">${o.learn.own}</p>`:p}
    <p class="asked">${$(x)}</p>
    ${l.teach?p:i`<form novalidate @submit=${w=>{w.preventDefault();let v=w.target.querySelector("input"),V=ne(f,v.value),P=H(v.value)!==null;R(v.value,V,P)}}>
            ${pe(g,i`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${o.checks.answer} .value=${T} />`)}
            <button class="primary">${o.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?Ye(e,n,m.label,y,f,k,a):p}</div>
    ${l.hold!==null&&!l.teach?i`<p class="why">${o.learn.held}</p>`:p}
    ${S(y)?p:i`<button class="toggle" @click=${()=>R(T)}>${l.teach||y?.missed?o.learn.show:o.checks.hint}</button>`}
  </section>`}function De(e,t,s){let{events:n,total:r}=e.program.line,a=l=>t==="data"?l.kind==="compute"&&l.node===s:l.push?.to===s,c=n.findLast(a)?.end??r;e.dispatch({type:"set",change:{hold:null}}),!(e.frame.time>=c)&&(W()?e.dispatch({type:"seek",time:c}):e.dispatch({type:"play",on:!0,until:c}))}var Ke=/^(start|value)\b/;function Ye(e,t,s,n,r,a,c){let l=H(n.typed);if(n.right)return i`<p class="good"><strong>✓ ${o.checks.right}</strong></p><p>${$(a)}</p>`;let{graph:d}=e.program,u=t.kind==="grad"&&d.leaves.some(f=>f.label===s),h=l!==null&&u?me(d,s,l):"",m=l===null?n.typed?i`<p class="bad">${o.notNumber}</p>`:p:i`<p><strong class="bad">✗ ${o.checks.wrong(E(l,10))}</strong> ${h}</p>`;if(n.missed>1)return i`${m}<p>${o.learn.answer} <code>${E(r)}</code></p><p>${$(a)}</p>`;if(!n.missed)return i`${m}`;let g=t.kind==="grad"&&(c||u)?Ke.test(e.state.lesson)?o.learn.nudge(s,e.program.output):o.checks.hintText(I(d,s).count,s,e.program.output):t.kind==="data"?o.learn.compute:o.learn.look;return i`${m}<p>${g}</p>`}function Ge(e,t,s,n){let r=`${t.id}.${s}`,a=e.state.told.get(r),c=d=>{let{right:u}=n.options[d];e.dispatch({type:"tell",key:r,typed:String(d),right:u}),Le(e),u&&N(`lesson:${r}`),K(e.current().state,t)},l=a?n.options[Number(a.typed)]:void 0;return i`<section class="ask" aria-label=${o.learn.question}>
    <p class="asked">${$(n.ask)}</p>
    <div class="options" role="group" aria-label=${o.learn.choices}>
      ${n.options.map((d,u)=>{let h=a?.typed===String(u)?d.right?"right":"wrong":"";return i`<button class="option ${h}" aria-pressed=${h!==""} @click=${()=>c(u)}><span aria-hidden="true">${h==="right"?"✓":h==="wrong"?"✗":"○"}</span> <span>${$(d.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${l?i`<p class=${l.right?"good":"bad"}>${$(l.why)}</p>`:p}</div>
  </section>`}function xe(e){return e.steps.flatMap((t,s)=>t.check?[s]:[])}function Te(e,t){return q().done.has(`lesson:${e.id}.${t}`)}function M(e){return q().done.has(`lesson:${e.id}`)}function K(e,t){xe(t).some(n=>!Te(t,n)&&!S(e.told.get(`${t.id}.${n}`)))||N(`lesson:${t.id}`)}function _e(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([X(q())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var We=1e5;async function Je(e,t){let s=t.target,n=s.files?.[0];if(!n)return;let r=n.size<=We&&Q(await n.text());s.value="",s.setCustomValidity(r?"":o.learn.unreadable),r||s.reportValidity(),e.refresh()}function $(e){return e.map(t=>{if(typeof t=="string")return t;let[s,n]=t;return s==="c"?i`<code class=${n.length<20?"short":""}>${n}</code>`:s==="b"?i`<strong>${n}</strong>`:i`<em>${n}</em>`})}function ke(e){return"code"in e?i`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?i`<ul>${e.ul.map(t=>i`<li>${$(t)}</li>`)}</ul>`:i`<p>${$(e.p)}</p>`}export{Ee as begin,jt as learnPage,we as turn};

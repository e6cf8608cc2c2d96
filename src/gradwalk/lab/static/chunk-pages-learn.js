import{B as k,D as ke,I,J as ve,L as we,M as xe,N as Le,b as oe,g as x,i as L,j as ie,l as le,m as H,n as me,p as he,q as b,s as fe,t as ge,u as $e,v as ye,y as be}from"./chunk-shared-app-store.js";import"./chunk-shared-parts-charts.js";import"./chunk-shared-app-settings.js";import{g as ue}from"./chunk-shared-teach-narration.js";import{H as S,L as z,N as M,b as ee,c as te,ca as pe,f as ne,l as se,m as re,y as ae}from"./chunk-shared-app-timeline.js";import"./chunk-shared-app-server.js";import{c as a,g as m,i as Z,k as o,o as ce,p as de,q as E}from"./chunk-shared-parts-styles-learn.js";import"./chunk-shared-app-python.js";import{l as A,m as B,o as D}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";var Ce=ee(class extends te{constructor(){super(...arguments),this.key=m}render(e,t){return this.key=e,t}update(e,[t,n]){return t!==this.key&&(pe(e),this.key=t),n}});function Re(e,t,n){let s=n.event?He(t,n.event):"";return a`<ol class="code annotated ${n.phase}" aria-label=${o.code.title}>
    ${e.map(({text:r,note:i,event:l})=>a`<li class=${l!==void 0&&l===s?"now":""}><code>${r}</code>${i?a`<span class="remark">${i}</span>`:m}</li>`)}
  </ol>`}function He(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}function Te(e,t){let n=([s,r])=>`(${t[s]},${r})`;return e.sort.map((s,r)=>({pop:{key:`pop ${r}`,right:n(s.pop)},stack:{key:`stack ${r}`,right:s.stack.map(n).join(" ")},sorted:{key:`sorted ${r}`,right:s.sorted.map(i=>t[i]).join(" ")}}))}function Se(e,t){return e.backward.filter(n=>!B(e.graph.nodes[n.node])).flatMap(n=>n.pushes.filter(s=>!B(e.graph.nodes[s.to])).map((s,r)=>({from:t[n.node],to:t[s.to],local:{key:`local ${n.node} ${r}`,right:s.local},contribution:{key:`contribution ${n.node} ${r}`,right:s.contribution},after:{key:`after ${n.node} ${r}`,right:s.after}})))}function P({right:e},t){if(typeof e=="number")return M(e,t);let n=s=>s.normalize("NFKC").replaceAll("−","-").replace(/[(),;\s]+/g," ").replace(/^(empty|-|–|—)$/i,"").trim();return n(t)===n(e)}var Ee=["x7","x1","x6","x5"],U="own",ze=12,K=class extends Z{static{this.styles=de}static{this.properties={text:{},values:{attribute:!1},chosen:{state:!0},typed:{state:!0},graded:{state:!0},shown:{state:!0}}}constructor(){super(),new ce(this),this.text="",this.values=new Map,this.chosen=Ee[0],this.typed=new Map,this.graded=null,this.shown=!1}willUpdate(t){t.has("chosen")&&(this.typed=new Map,this.graded=null,this.shown=!1)}get#t(){let t=oe.find(({id:l})=>l===this.chosen),n=t?.text??this.text,s=t?.values??Object.fromEntries(this.values),r=A(n),i=Object.fromEntries(r.names.map(l=>[l,s[l]??1]));return se(D(r.evaluate(i)),{sort:!0,leaves:!0})}get#n(){try{return this.text!==""&&D(A(this.text).evaluate(this.values)).nodes.length<=ze}catch{return!1}}#s(t,n){this.typed=new Map(this.typed).set(t,n)}#r(t){this.graded=this.typed,t.every(s=>P(s,this.typed.get(s.key)??""))&&!this.shown&&this.chosen!==U&&L(`trace:${this.chosen}`)}render(){let t=this.#t,{walk:n,names:s}=t,r=Te(n,s),i=Se(n,s),l=[["pop","stack","sorted"].map(d=>Me(r.map(f=>f[d]))),["local","contribution","after"].map(d=>Me(i.map(f=>f[d])))],c=[...r.slice(1).flatMap(({pop:d,stack:f,sorted:g})=>[d,f,g]),...i.flatMap(({local:d,contribution:f,after:g})=>[d,f,g])],u=this.graded?c.filter(d=>P(d,this.graded.get(d.key)??"")).length:0,p=o.traces,h=t.line.phases[0]?.end??0;return a`<div class="traces">
      <section class="panel"><div class="body">
        <h2 tabindex="-1">${p.title}</h2>
        <p>${p.intro}</p>
        <div class="choices" role="group" aria-label=${p.choose}>
          ${Ee.map(d=>a`<button class="toggle" aria-pressed=${this.chosen===d} @click=${()=>{this.chosen=d}}>${o.presetNames[d]}${x().done.has(`trace:${d}`)?a` ✓<span class="hidden"> ${o.checks.done}</span>`:m}</button>`)}
          ${this.#n?a`<button class="toggle" aria-pressed=${this.chosen===U} @click=${()=>{this.chosen=U}}>${o.checks.own}</button>`:m}
        </div>
      </div></section>
      <section class="stage"><gradwalk-scene class="picture" .program=${t} .frame=${ne(t.line,h)} .asked=${this.shown?null:-1}></gradwalk-scene></section>
      <form class="panel" novalidate @submit=${d=>{d.preventDefault(),this.#r(c)}}>
        <div class="body tables">
          <table class="fill">
            <caption>${o.trace.sort}</caption>
            <thead><tr><th scope="col">#</th><th scope="col">${o.trace.pop}</th><th scope="col">${o.trace.stack}</th><th scope="col">${o.trace.sorted}</th></tr></thead>
            <tbody>${r.map(({pop:d,stack:f,sorted:g},y)=>a`<tr><th scope="row">${y+1}</th>${y?this.#e([d,f,g],[o.trace.pop,o.trace.stack,o.trace.sorted],l[0],y):[d,f,g].map(R=>a`<td><code>${W(R)}</code></td>`)}</tr>`)}</tbody>
          </table>
          <table class="fill">
            <caption>${o.trace.backward}</caption>
            <thead><tr><th scope="col">${p.arrow}</th><th scope="col">${o.equation.local(0)}</th><th scope="col">${p.contribution}</th><th scope="col">${p.after}</th></tr></thead>
            <tbody>${i.map(({from:d,to:f,local:g,contribution:y,after:R},j)=>a`<tr><th scope="row"><code>${d} → ${f}</code></th>${this.#e([g,y,R],[o.equation.local(0),p.contribution,p.after],l[1],j)}</tr>`)}</tbody>
          </table>
        </div>
        <div class="actions pad">
          <button class="primary">${p.grade}</button>
          <button type="button" class="toggle" @click=${()=>this.#o(c)}>${p.show}</button>
          <span role="status">${this.graded?p.score(u,c.length):m}</span>
        </div>
      </form>
    </div>`}#o(t){this.shown=!0,this.typed=new Map(t.map(n=>[n.key,W(n)])),this.graded=this.typed}#e(t,n,s,r){let{graded:i}=this,l=i!==null&&t.some(({key:c})=>i.get(c));return t.map((c,u)=>{let p=l&&P(c,i.get(c.key)??""),h=l?p?"right":"wrong":"",d=h?`: ${o.traces[h]}`:"";return a`<td class=${h}><input autocomplete="off" spellcheck="false" size=${s[u]}
        aria-label=${`${n[u]}, ${r+1}${d}`} .value=${ue(this.typed.get(c.key)??"")}
        @input=${f=>this.#s(c.key,f.target.value)} /><span aria-hidden="true">${h?p?"✓":"✗":""}</span></td>`})}},Me=e=>Math.max(6,...e.map(t=>W(t).length));function W({right:e}){return typeof e=="number"?S(e):e}customElements.define("gradwalk-traces",K);var Pe={en:()=>import("./chunk-teach-lessons-en.js"),ru:()=>import("./chunk-teach-lessons-ru.js"),et:()=>import("./chunk-teach-lessons-et.js")},O=new Map,_=null;function q(){return _=O.get(o.lang)??_,_}function Y(){return O.has(o.lang)}async function G(){let{lang:e}=o,t=Pe[e]??Pe.en,n=O.get(e)??(await t()).default;return O.set(e,n),n}function N(e,t){let[n,s]=t.split("."),r=e.lessons.find(i=>i.id===n);return r?{lesson:r,index:Math.min(r.steps.length-1,Number(s??0))}:null}function Oe(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function qe(e,t){let[n,s]=t.split(" "),r=l=>e.phases.find(c=>c.phase===l)?.end??0;if(n==="end")return e.total;if(n==="forward")return r("forward");if(n==="seed")return e.events.find(({kind:l})=>l==="seed")?.end??0;if(n!=="sort"&&n!=="backward")return 0;let i=e.events.filter(l=>l.phase===n&&l.kind!=="seed"&&l.kind!=="leaf");return i[Math.min(i.length,Number(s))-1]?.end??r("forward")}var Ue={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function Ke(e){if(!await G().catch(()=>null))return;let t=e.current();t.state.page==="learn"&&(t.state.staged!==t.state.lesson&&je(t),e.refresh())}function Ne(e,t,n=!1){let s=q(),r=s&&N(s,e.state.lesson);if(!r)return;let{lesson:i,index:l}=r,c=l+t;e.state.teach&&c===i.steps.length&&!n||(c>=0&&c<i.steps.length?C(e,`${i.id}.${c}`):c>=i.steps.length&&We(e,s,i))}function C(e,t){e.dispatch({type:"lesson",lesson:t}),je(e.current()),_e(e)}function We(e,t,n){Q(e.state,n);let s=t.lessons[t.lessons.indexOf(n)+1];C(e,s?s.id:"")}function _e({root:e}){requestAnimationFrame(()=>{e.querySelector(".lesson h2, .course h2")?.focus(),e.querySelector(".lesson .text")?.scrollTo({top:0})})}function je(e){let{state:t,dispatch:n}=e,s=q(),r=s&&N(s,t.lesson);if(!r)return;let i=r.lesson.steps[r.index],l=i.walk;if(!l)return;n({type:"scene",staged:t.lesson,scene:Ue[l.view]??"sandbox",text:l.text,values:{...l.values},bug:l.bug??"",unfold:l.view==="unfold",rate:l.rate??.1});let c=e.current().state,u=qe(re(c).line,l.at),{check:p}=i,d=p!==void 0&&p.kind!=="choice"&&!J(c.told.get(`${r.lesson.id}.${r.index}`));n({type:"seek",time:u}),d&&l.at!=="end"&&n({type:"hold",hold:u})}function gn(e){let t=()=>Y()?void Ke(e.current()):e.refresh(),n=Y()?null:H(`lessons ${o.lang}`,G,t),s=q();if(!s)return n??a`<p class="pad">${o.learn.loading}</p>`;let r=N(s,e.state.lesson);return r?et(e,r.lesson,r.index):a`<div class="course">
    ${Je(e)}
    ${Ye(e,s)}
  </div>`}function Ye(e,t){switch(e.state.lesson){case"glossary":return Ze(t);case"traces":return a`<gradwalk-traces .text=${e.fixed?"":e.state.good} .values=${e.state.values}></gradwalk-traces>`;case"write":return H("write",()=>import("./chunk-parts-write.js"),e.refresh)??a`<gradwalk-write .theme=${e.state.theme}><p class="pad">${o.learn.loading}</p></gradwalk-write>`;default:return Qe(e,t)}}var Ge=["","traces","write","glossary"];function Je(e){let{lesson:t}=e.state;return a`<div class="bar">
    <span class="segments" role="group" aria-label=${o.learn.title}>
      ${Ge.map(n=>a`<button class="segment" aria-pressed=${t===n} @click=${()=>e.dispatch({type:"lesson",lesson:n})}>${o.learn.tabs[n||"lessons"]}</button>`)}
    </span>
  </div>`}function Qe(e,t){let n=t.lessons.filter(r=>F(r)).length,s=t.lessons.find(r=>!F(r));return a`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${o.learn.head}</h2>
      <p>${o.learn.intro}</p>
      <progress max=${t.lessons.length} value=${n} aria-label=${o.learn.progress(n,t.lessons.length)}></progress>
      <div class="actions">
        <span>${o.learn.progress(n,t.lessons.length)}</span>
        ${s?a`<button class="primary" @click=${()=>C(e,s.id)}>${E("play")} ${n?o.learn.resume:o.learn.start}</button>`:a`<strong class="good">✓ ${o.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${pt}>${o.learn.save}</button>
        <label class="toggle file">${o.learn.load}<input type="file" accept="application/json,.json" @change=${r=>{mt(e,r)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((r,i)=>Xe(e,r,i))}
    </ol>`}function Xe(e,t,n){let s=F(t),r=Ae(t),i=r.filter(l=>Be(t,l)).length;return a`<li><a class="entry ${s?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${l=>{l.ctrlKey||l.metaKey||l.shiftKey||(l.preventDefault(),C(e,t.id))}}>
    <span class="number" aria-hidden="true">${s?"✓":n+1}</span>
    <span class="name">${$(t.title)}${s?a`<span class="hidden">, ${o.learn.complete}</span>`:m}</span>
    <span class="facts">${o.learn.minutes(t.minutes)}, ${o.learn.solved(i,r.length)}</span>
  </a></li>`}function Ze(e){return a`<section class="panel"><div class="body"><h2 tabindex="-1">${o.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,n])=>a`<div><dt>${$(t)}</dt><dd>${$(n)}</dd></div>`)}</dl>
  </div></section>`}function et(e,t,n){let{state:s}=e,r=t.steps[n],i=n===t.steps.length-1;return a`<div class="lesson ${r.walk?.view??"graph"}">
    <article class="panel text" aria-label=${o.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${o.learn.back} title=${o.learn.back} @click=${()=>C(e,"")}>${E("left")}</button>
        <span class="where">${$(t.title)}</span>
        <button class="toggle" @click=${()=>tt(e,!s.teach)}>${s.teach?o.learn.unteach:o.learn.teach}</button>
      </div>
      <div class="body" tabindex=${s.teach?0:m}>
        <h2 tabindex="-1">${$(r.title)}</h2>
        ${r.blocks.map(Fe)}
        ${r.check?at(e,t,n,r.check):m}
        ${s.teach&&r.notes?a`<details class="notes"><summary>${o.learn.notes}</summary>${r.notes.map(Fe)}</details>`:m}
        ${i&&F(t)?a`<p class="complete" role="status">✓ ${o.learn.completed}</p>`:m}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${n===0} @click=${()=>Ne(e,-1)}>${E("left")} ${o.learn.before}</button>
        <ol class="dots" aria-label=${o.learn.steps}>${t.steps.map((l,c)=>a`<li><button class="dot" aria-current=${c===n?"step":m} aria-label=${o.learn.step(c+1,t.steps.length)} title=${Oe(l.title)} @click=${()=>C(e,`${t.id}.${c}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>Ne(e,1,!0)}>${i?o.learn.finish:o.learn.next} ${E("right")}</button>
      </div>
    </article>
    <div class="work">${st(e,r)}</div>
  </div>`}function tt(e,t){e.dispatch({type:"teach",on:t}),t?document.documentElement.requestFullscreen?.().then(()=>nt(e),()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function nt(e){document.addEventListener("fullscreenchange",function t(){document.fullscreenElement||(document.removeEventListener("fullscreenchange",t),e.dispatch({type:"teach",on:!1}))})}function Ve(e){e.state.teach&&requestAnimationFrame(()=>{e.root.querySelector(".ask")?.scrollIntoView({block:"nearest"})})}function st(e,t){let{program:n,frame:s,state:r,dispatch:i}=e,l=t.walk?.view??"graph",c=he(e,{switches:l==="unfold"?["unfold"]:[],compare:l==="bugs"}),u=()=>k(o.equation.title,ye(e),"rule");switch(l){case"order":return fe(e);case"descend":return we(e);case"sliders":return[me(e),c,b(e)];case"numbers":return[c,b(e),k(o.numbers.title,be(n,s,r.node,!1,p=>i({type:"pick",node:p})),"table")];case"chain":return[c,b(e),u()];case"code":return[c,b(e),k(o.code.title,$e(n,s),"engine")];case"trace":{let p=k(o.trace.sort,xe(n,s,e.seek),"table"),h=k(o.trace.backward,Le(n,s,e.seek),"table"),d=r.teach?s.phase==="backward"?h:p:a`<div class="pair">${p}${h}</div>`;return[c,b(e),d]}case"rules":return[rt(),c,b(e),u()];case"bugs":return[c,b(e),a`<div class="pair">
          ${k(o.bugs.names[r.bug]??"",ke(r.bug||"overwrite"),"rule")}
          ${k(o.bugs.table,r.hold===null?ge(n):m,"table")}
        </div>`];case"source":return[c,b(e),t.source?k(o.learn.source(t.source.name),Re(t.source.rows,n,s),"engine source"):m];default:return[c,b(e)]}}function rt(){return a`<div class="pair rules">
    ${["+","*"].map(e=>a`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${o.learn.rules[e][0]}</strong><br />${o.learn.rules[e][1]}</p></section>`)}
  </div>`}function ot(e,t,n){let s=t.steps[n].walk;return s?.view!=="sliders"?!1:e.good!==s.text?!0:Object.entries(s.values).some(([r,i])=>e.values.get(r)!==i)}var J=e=>e!==void 0&&(e.right||e.missed>1);function at(e,t,n,s){let r=`${t.id}.${n}`;if(s.kind==="choice")return dt(e,t,n,s);let i=s.kind==="grad"&&ot(e.state,t,n),{program:l,state:c}=e,{graph:u,walk:p}=l,d=u.nodes.find(v=>v.label===s.node)??u.leaves[0];if(i&&!d)return a``;let f=i?`${r} ${c.good} ${u.leaves.map(v=>v.data)}`:r,g=i?p.expected[d.id]:s.answer,y=c.told.get(f),R=i?[o.checks.question(l.output,d.label)]:s.ask,j=i?[o.learn.paths(I(u,d.label).count,d.label)]:s.why,X=(v,w,T)=>{e.dispatch({type:"tell",key:f,told:{typed:v,right:w,missed:T}}),Ve(e),w&&L(`lesson:${r}`),(w||T>1)&&(Q(e.current().state,t),it(e,s.kind,d.id))},V=y?.missed??0;return a`<section class="ask" aria-label=${o.learn.question}>
    ${i?a`<p class="why">${o.learn.own}</p>`:m}
    <p class="asked">${$(R)}</p>
    ${c.teach?m:a`<form novalidate @submit=${v=>{v.preventDefault();let w=v.target.querySelector("input"),T=M(g,w.value),De=z(w.value)!==null;X(w.value,T,V+Number(De&&!T))}}>
            ${Ce(f,a`<input inputmode="decimal" autocomplete="off" size="8" aria-label=${o.checks.answer} .value=${y?.typed??""} />`)}
            <button class="primary">${o.checks.check}</button>
          </form>`}
    <div aria-live="polite">${y?ct(e,s,d.label,y,g,j,i):m}</div>
    ${c.hold!==null&&!c.teach?a`<p class="why">${o.learn.held}</p>`:m}
    ${J(y)?m:a`<button class="toggle" @click=${()=>X(y?.typed??"",!1,c.teach?2:V+1)}>${c.teach||V?o.learn.show:o.checks.hint}</button>`}
  </section>`}function it(e,t,n){let{events:s,total:r}=e.program.line,i=c=>t==="data"?c.kind==="compute"&&c.node===n:c.push?.to===n,l=s.findLast(i)?.end??r;e.dispatch({type:"hold",hold:null}),!(e.frame.time>=l)&&(ae()?e.dispatch({type:"seek",time:l}):e.dispatch({type:"play",on:!0,until:l}))}var lt=/^(start|value)\b/;function ct(e,t,n,s,r,i,l){let c=z(s.typed);if(s.right)return a`<p class="good"><strong>✓ ${o.checks.right}</strong></p><p>${$(i)}</p>`;let{graph:u}=e.program,p=t.kind==="grad"&&u.leaves.some(g=>g.label===n),h=c!==null&&p?ve(u,n,c):"",d=c===null?s.typed?a`<p class="bad">${o.notNumber}</p>`:m:a`<p><strong class="bad">✗ ${o.checks.wrong(S(c,10))}</strong> ${h}</p>`;if(s.missed>1)return a`${d}<p>${o.learn.answer} <code>${S(r)}</code></p><p>${$(i)}</p>`;if(!s.missed)return a`${d}`;let f=t.kind==="grad"&&(l||p)?lt.test(e.state.lesson)?o.learn.nudge(n,e.program.output):o.checks.hintText(I(u,n).count,n,e.program.output):t.kind==="data"?o.learn.compute:o.learn.look;return a`${d}<p>${f}</p>`}function dt(e,t,n,s){let r=`${t.id}.${n}`,i=e.state.told.get(r),l=u=>{let{right:p}=s.options[u],h=(i?.missed??0)+ +!p;e.dispatch({type:"tell",key:r,told:{typed:String(u),right:p,missed:h}}),Ve(e),p&&L(`lesson:${r}`),Q(e.current().state,t)},c=i?s.options[Number(i.typed)]:void 0;return a`<section class="ask" aria-label=${o.learn.question}>
    <p class="asked">${$(s.ask)}</p>
    <div class="options" role="group" aria-label=${o.learn.choices}>
      ${s.options.map((u,p)=>{let h=i?.typed===String(p)?u.right?"right":"wrong":"";return a`<button class="option ${h}" aria-pressed=${h!==""} @click=${()=>l(p)}><span aria-hidden="true">${h==="right"?"✓":h==="wrong"?"✗":"○"}</span> <span>${$(u.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${c?a`<p class=${c.right?"good":"bad"}>${$(c.why)}</p>`:m}</div>
  </section>`}function Ae(e){return e.steps.flatMap((t,n)=>t.check?[n]:[])}function Be(e,t){return x().done.has(`lesson:${e.id}.${t}`)}function F(e){return x().done.has(`lesson:${e.id}`)}function Q(e,t){Ae(t).some(s=>!Be(t,s)&&!J(e.told.get(`${t.id}.${s}`)))||L(`lesson:${t.id}`)}function pt(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([le(x())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var ut=1e5;async function mt(e,t){let n=t.target,s=n.files?.[0];if(!s)return;let r=s.size<=ut&&ie(await s.text());n.value="",n.setCustomValidity(r?"":o.learn.unreadable),r||n.reportValidity(),e.refresh()}function $(e){return e.map(t=>{if(typeof t=="string")return t;let[n,s]=t;return n==="c"?a`<code class=${s.length<20?"short":""}>${s}</code>`:n==="b"?a`<strong>${s}</strong>`:a`<em>${s}</em>`})}function Fe(e){return"code"in e?a`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?a`<ul>${e.ul.map(t=>a`<li>${$(t)}</li>`)}</ul>`:a`<p>${$(e.p)}</p>`}export{Ke as begin,gn as learnPage,Ne as turn};
/*! Bundled license information:

lit-html/directives/keyed.js:
  (**
   * @license
   * Copyright 2021 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

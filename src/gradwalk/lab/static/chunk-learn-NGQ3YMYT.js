import{E as Y,F as J,G as Q,H as W,J as X,M as y,O as Z,T as M,U as ee,W as te,X as ne,Y as se,c as H,m as R,n as S,o as I,q as U,t as A,u as _,w as G,x as $}from"./chunk-chunk-BPXSPLGE.js";import"./chunk-chunk-AVGTPS2Y.js";import{I as z,P as r,X as N,aa as O,c as a,ca as K,g as p,na as L,w as D}from"./chunk-chunk-2VRGJFIA.js";import"./chunk-chunk-Z5M32ELP.js";import"./chunk-chunk-U3NYPECX.js";function oe(e,t,n){let s=n.event?ye(t,n.event):"";return a`<ol class="code annotated ${n.phase}" aria-label=${r.code.title}>
    ${e.map(({text:o,note:l,event:i})=>a`<li class=${i!==void 0&&i===s?"now":""}><code>${o}</code>${l?a`<span class="remark">${l}</span>`:p}</li>`)}
  </ol>`}function ye(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":return e.walk.sort[t.row].note==="leaf"?"leaf":e.walk.sort[t.row].note==="done"?"done":e.walk.sort[t.row].note?"visited":"push";case"leaf":return"skip";default:return t.kind}}var re={en:()=>import("./chunk-en-7MIOL2AP.js"),ru:()=>import("./chunk-ru-356Z6F62.js"),et:()=>import("./chunk-et-JSROKHJ3.js")},j=new Map;function C(){return j.get(r.lang)??null}async function ae(){let{lang:e}=r,t=re[e]??re.en,n=j.get(e)??(await t()).default;return j.set(e,n),n}function E(e,t){let[n,s]=t.split("."),o=e.lessons.find(l=>l.id===n);return o?{lesson:o,index:Math.min(o.steps.length-1,Number(s??0))}:null}function ie(e){return e.map(t=>typeof t=="string"?t:t[1]).join("")}function le(e,t){let[n,s]=t.split(" "),o=i=>e.phases.find(c=>c.phase===i)?.end??0;if(n==="end")return e.total;if(n==="forward")return o("forward");if(n==="seed")return e.events.find(({kind:i})=>i==="seed")?.end??0;if(n!=="sort"&&n!=="backward")return 0;let l=e.events.filter(i=>i.phase===n&&i.kind!=="seed"&&i.kind!=="leaf");return l[Math.min(l.length,Number(s))-1]?.end??o("forward")}var he={trace:"walk",source:"walk",bugs:"bugs",order:"order",descend:"descend"};async function be(e){await ae();let t=e.current();t.state.page==="learn"&&(t.state.staged!==t.state.lesson&&ue(t),e.refresh())}function ce(e,t){let n=C(),s=n&&E(n,e.state.lesson);if(!s)return;let{lesson:o,index:l}=s,i=l+t;i>=0&&i<o.steps.length?v(e,`${o.id}.${i}`):i>=o.steps.length&&ke(e,n,o)}function v(e,t){e.dispatch({type:"lesson",lesson:t}),ue(e.current()),ve()}function ke(e,t,n){F(e.state,n);let s=t.lessons[t.lessons.indexOf(n)+1];v(e,s?s.id:"")}function ve(){requestAnimationFrame(()=>{let e=document.querySelector("gradwalk-lab")?.shadowRoot;e?.querySelector(".lesson h2, .course h2")?.focus(),e?.querySelector(".lesson .text")?.scrollTo({top:0})})}function ue(e){let{state:t,dispatch:n}=e,s=C(),o=s&&E(s,t.lesson);if(!o)return;let l=o.lesson.steps[o.index],i=l.walk;if(!i)return;n({type:"scene",staged:t.lesson,scene:he[i.view]??"sandbox",text:i.text,values:{...i.values},bug:i.bug??"",unfold:i.view==="unfold"});let c=e.current().state,d=le(D(c).line,i.at),{check:u}=l,f=u!==void 0&&u.kind!=="choice"&&!B(c.told.get(`${o.lesson.id}.${o.index}`));n({type:"seek",time:d}),f&&i.at!=="end"&&n({type:"hold",hold:d})}function gt(e){let t=C();if(!t)return be(e),a`<p class="pad">${r.learn.loading}</p>`;let n=E(t,e.state.lesson);return n?Se(e,n.lesson,n.index):a`<div class="course">
    ${Le(e)}
    ${e.state.lesson==="glossary"?Re(t):xe(e,t)}
  </div>`}var we=["","glossary"];function Le(e){let{lesson:t}=e.state;return a`<div class="bar">
    <span class="segments" role="group" aria-label=${r.learn.title}>
      ${we.map(n=>a`<button class="segment" aria-pressed=${t===n} @click=${()=>e.dispatch({type:"lesson",lesson:n})}>${r.learn.tabs[n||"lessons"]}</button>`)}
    </span>
  </div>`}function xe(e,t){let n=t.lessons.filter(o=>P(o)).length,s=t.lessons.find(o=>!P(o));return a`
    <section class="panel intro"><div class="body">
      <h2 tabindex="-1">${r.learn.head}</h2>
      <p>${r.learn.intro}</p>
      <progress max=${t.lessons.length} value=${n} aria-label=${r.learn.progress(n,t.lessons.length)}></progress>
      <div class="actions">
        <span>${r.learn.progress(n,t.lessons.length)}</span>
        ${s?a`<button class="primary" @click=${()=>v(e,s.id)}>${L("play")} ${n?r.learn.resume:r.learn.start}</button>`:a`<strong class="good">✓ ${r.learn.all}</strong>`}
        <span class="gap"></span>
        <button class="toggle" @click=${Be}>${r.learn.save}</button>
        <label class="toggle file">${r.learn.load}<input type="file" accept="application/json,.json" @change=${o=>{Ve(e,o)}} /></label>
      </div>
    </div></section>
    <ol class="lessons">
      ${t.lessons.map((o,l)=>Te(e,o,l))}
    </ol>`}function Te(e,t,n){let s=P(t),o=pe(t),l=o.filter(i=>me(t,i)).length;return a`<li><a class="entry ${s?"done":""}" href=${`#1/learn?l=${t.id}`} @click=${i=>{i.ctrlKey||i.metaKey||i.shiftKey||(i.preventDefault(),v(e,t.id))}}>
    <span class="number" aria-hidden="true">${s?"✓":n+1}</span>
    <span class="name">${m(t.title)}${s?a`<span class="hidden">, ${r.learn.complete}</span>`:p}</span>
    <span class="facts">${r.learn.minutes(t.minutes)} · ${r.learn.solved(l,o.length)}</span>
  </a></li>`}function Re(e){return a`<section class="panel"><div class="body"><h2 tabindex="-1">${r.learn.tabs.glossary}</h2>
    <dl class="glossary">${e.glossary.map(([t,n])=>a`<div><dt>${m(t)}</dt><dd>${m(n)}</dd></div>`)}</dl>
  </div></section>`}function Se(e,t,n){let{state:s}=e,o=t.steps[n],l=n===t.steps.length-1;return a`<div class="lesson ${o.walk?.view??"graph"}">
    <article class="panel text" aria-label=${r.learn.text}>
      <div class="head">
        <button class="quiet" aria-label=${r.learn.back} title=${r.learn.back} @click=${()=>v(e,"")}>${L("left")}</button>
        <span class="where">${m(t.title)}</span>
        <button class="toggle" aria-pressed=${s.teach} @click=${()=>Ce(e,!s.teach)}>${s.teach?r.learn.unteach:r.learn.teach}</button>
      </div>
      <div class="body">
        <h2 tabindex="-1">${m(o.title)}</h2>
        ${o.blocks.map(de)}
        ${o.check?Ne(e,t,n,o.check):p}
        ${s.teach&&o.notes?a`<aside class="notes"><h3>${r.learn.notes}</h3>${o.notes.map(de)}</aside>`:p}
        ${l&&P(t)?a`<p class="complete" role="status">✓ ${r.learn.completed}</p>`:p}
      </div>
      <div class="turn">
        <button class="toggle" ?disabled=${n===0} @click=${()=>ce(e,-1)}>${L("left")} ${r.learn.before}</button>
        <ol class="dots" aria-label=${r.learn.steps}>${t.steps.map((i,c)=>a`<li><button class="dot" aria-current=${c===n?"step":p} aria-label=${r.learn.step(c+1,t.steps.length)} title=${ie(i.title)} @click=${()=>v(e,`${t.id}.${c}`)}></button></li>`)}</ol>
        <button class="primary" @click=${()=>ce(e,1)}>${l?r.learn.finish:r.learn.next} ${L("right")}</button>
      </div>
    </article>
    <div class="work">${Ee(e,o)}</div>
  </div>`}function Ce(e,t){e.dispatch({type:"teach",on:t}),t?document.documentElement.requestFullscreen?.().catch(()=>{}):document.fullscreenElement&&document.exitFullscreen().catch(()=>{})}function Ee(e,t){let{program:n,frame:s,state:o,dispatch:l}=e,i=t.walk?.view??"graph",c=G(e,{switches:i==="unfold"?["unfold"]:[],compare:i==="bugs",unfilled:"·"}),d=()=>y(r.equation.title,W(n,s,o.node,o.edge),"rule");switch(i){case"order":return Y(e);case"descend":return te(e);case"sliders":return[_(e),c,$(e)];case"numbers":return[c,$(e),y(r.numbers.title,X(n,s,o.node,!1,u=>l({type:"pick",node:u})),"table")];case"chain":return[c,$(e),d()];case"code":return[c,$(e),y(r.code.title,Q(n,s),"engine")];case"trace":return[c,$(e),a`<div class="pair">
          ${y(r.trace.sort,ne(n,s,e.seek),"table")}
          ${y(r.trace.backward,se(n,s,e.seek),"table")}
        </div>`];case"rules":return[Pe(),c,$(e),d()];case"bugs":return[c,$(e),a`<div class="pair">
          ${y(r.bugs.names[o.bug]??"",Z(o.bug||"overwrite"),"rule")}
          ${y(r.bugs.table,o.hold===null?J(n):p,"table")}
        </div>`];case"source":return[c,$(e),t.source?y(r.learn.source(t.source.name),oe(t.source.rows,n,s),"engine source"):p];default:return[c,$(e)]}}function Pe(){return a`<div class="pair rules">
    ${["+","*"].map(e=>a`<section class="panel rule-card"><span class="sign" aria-hidden="true">${e==="*"?"×":e}</span><p><strong>${r.learn.rules[e][0]}</strong><br />${r.learn.rules[e][1]}</p></section>`)}
  </div>`}function qe(e,t,n){let s=t.steps[n].walk;return s?.view!=="sliders"?!1:e.good!==s.text?!0:Object.entries(s.values).some(([o,l])=>e.values.get(o)!==l)}var B=e=>e!==void 0&&(e.right||e.missed>1);function Ne(e,t,n,s){let o=`${t.id}.${n}`;if(s.kind==="choice")return je(e,t,n,s);let l=s.kind==="grad"&&qe(e.state,t,n),{program:i,state:c}=e,{graph:d,walk:u}=i,f=d.nodes.find(h=>h.label===s.node)??d.leaves[0];if(l&&!f)return a``;let x=l?`${o} ${c.good} ${d.leaves.map(h=>h.data)}`:o,T=l?u.expected[f.id]:s.answer,k=c.told.get(x),fe=l?[r.checks.question(i.output,f.label)]:s.ask,ge=l?[r.learn.paths(M(d,f.label).count,f.label)]:s.why,V=(h,b,w)=>{e.dispatch({type:"tell",key:x,told:{typed:h,right:b,missed:w}}),b&&S(`lesson:${o}`),(b||w>1)&&(F(e.current().state,t),Oe(e))},q=k?.missed??0;return a`<section class="ask" aria-label=${r.learn.question}>
    ${l?a`<p class="why">${r.learn.own}</p>`:p}
    <p class="asked">${m(fe)}</p>
    ${c.teach?p:a`<form novalidate @submit=${h=>{h.preventDefault();let b=h.target.querySelector("input"),w=K(T,b.value),$e=O(b.value)!==null;V(b.value,w,q+Number($e&&!w))}}>
            <input inputmode="decimal" autocomplete="off" size="8" aria-label=${r.checks.answer} .value=${A(k?.typed??"")} />
            <button class="primary">${r.checks.check}</button>
          </form>`}
    <div aria-live="polite">${k?Me(e,s,f.label,k,T,ge,l):p}</div>
    ${B(k)?p:a`<button class="toggle" @click=${()=>V(k?.typed??"",!1,c.teach?2:q+1)}>${c.teach||q?r.learn.show:r.checks.hint}</button>`}
  </section>`}function Oe(e){e.dispatch({type:"hold",hold:null}),z()?e.dispatch({type:"seek",time:H}):e.dispatch({type:"play",on:!0})}function Me(e,t,n,s,o,l,i){let c=O(s.typed);if(s.right)return a`<p class="good"><strong>✓ ${r.checks.right}</strong></p><p>${m(l)}</p>`;let{graph:d}=e.program,u=t.kind==="grad"&&d.leaves.some(T=>T.label===n),g=c!==null&&u?ee(d,n,c):"",f=c===null?s.typed?a`<p class="bad">${r.notNumber}</p>`:p:a`<p><strong class="bad">✗ ${r.checks.wrong(N(c,10))}</strong> ${g}</p>`;if(s.missed>1)return a`${f}<p>${r.learn.answer} <code>${N(o)}</code></p><p>${m(l)}</p>`;if(!s.missed)return a`${f}`;let x=t.kind==="grad"&&(i||u)?r.checks.hintText(M(d,n).count,n,e.program.output):r.learn.look;return a`${f}<p>${x}</p>`}function je(e,t,n,s){let o=`${t.id}.${n}`,l=e.state.told.get(o),i=d=>{let{right:u}=s.options[d],g=(l?.missed??0)+ +!u;e.dispatch({type:"tell",key:o,told:{typed:String(d),right:u,missed:g}}),u&&S(`lesson:${o}`),F(e.current().state,t)},c=l?s.options[Number(l.typed)]:void 0;return a`<section class="ask" aria-label=${r.learn.question}>
    <p class="asked">${m(s.ask)}</p>
    <div class="options" role="group" aria-label=${r.learn.choices}>
      ${s.options.map((d,u)=>{let g=l?.typed===String(u)?d.right?"right":"wrong":"";return a`<button class="option ${g}" aria-pressed=${g!==""} @click=${()=>i(u)}><span aria-hidden="true">${g==="right"?"✓":g==="wrong"?"✗":"○"}</span> <span>${m(d.text)}</span></button>`})}
    </div>
    <div aria-live="polite">${c?a`<p class=${c.right?"good":"bad"}>${m(c.why)}</p>`:p}</div>
  </section>`}function pe(e){return e.steps.flatMap((t,n)=>t.check?[n]:[])}function me(e,t){return R().done.has(`lesson:${e.id}.${t}`)}function P(e){return R().done.has(`lesson:${e.id}`)}function F(e,t){pe(t).some(s=>!me(t,s)&&!B(e.told.get(`${t.id}.${s}`)))||S(`lesson:${t.id}`)}function Be(){let e=document.createElement("a");e.href=URL.createObjectURL(new Blob([U(R())],{type:"application/json"})),e.download="gradwalk-progress.json",e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e3)}var Fe=1e5;async function Ve(e,t){let n=t.target,s=n.files?.[0];if(!s)return;let o=s.size<=Fe&&I(await s.text());n.value="",n.setCustomValidity(o?"":r.learn.unreadable),o||n.reportValidity(),e.refresh()}function m(e){return e.map(t=>{if(typeof t=="string")return t;let[n,s]=t;return n==="c"?a`<code class=${s.length<20?"short":""}>${s}</code>`:n==="b"?a`<strong>${s}</strong>`:a`<em>${s}</em>`})}function de(e){return"code"in e?a`<pre class="code"><code>${e.code}</code></pre>`:"ul"in e?a`<ul>${e.ul.map(t=>a`<li>${m(t)}</li>`)}</ul>`:a`<p>${m(e.p)}</p>`}export{be as begin,gt as learnPage,ce as turn};

import{a as q}from"./chunk-shared-parts-styles-hand.js";import{a as P,c as T}from"./chunk-shared-app-progress.js";import{a as D}from"./chunk-shared-lit-html-directives-live.js";import{D as S,J as O,R as j,X as F,d as R}from"./chunk-shared-app-timeline.js";import{c as h,g as f,i as E,k as n,o as N,q as W}from"./chunk-shared-lit-html-lit-html.js";import{l as v,m as w,o as k}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";function z(a,t){let e=([r,s])=>`(${t[r]},${s})`;return a.sort.map((r,s)=>({pop:{key:`pop ${s}`,right:e(r.pop)},stack:{key:`stack ${s}`,right:r.stack.map(e).join(" ")},sorted:{key:`sorted ${s}`,right:r.sorted.map(c=>t[c]).join(" ")}}))}function A(a,t){return a.backward.filter(e=>!w(a.graph.nodes[e.node])).flatMap(e=>e.pushes.filter(r=>!w(a.graph.nodes[r.to])).map((r,s)=>({from:t[e.node],to:t[r.to],local:{key:`local ${e.node} ${s}`,right:r.local},contribution:{key:`contribution ${e.node} ${s}`,right:r.contribution},after:{key:`after ${e.node} ${s}`,right:r.after}})))}function $({right:a},t){if(typeof a=="number")return F(a,t);let e=r=>r.normalize("NFKC").replaceAll("−","-").replace(/[(),;\s]+/g," ").replace(/^(empty|-|–|—)$/i,"").trim();return e(t)===e(a)}var L=["x7","x1","x6","x5"],x="own",I=12,C=class extends E{static{this.styles=W(q)}static{this.properties={text:{},values:{attribute:!1},chosen:{state:!0},typed:{state:!0},graded:{state:!0},shown:{state:!0}}}constructor(){super(),new N(this),this.text="",this.values=new Map,this.chosen=L[0],this.typed=new Map,this.graded=null,this.shown=!1}willUpdate(t){t.has("chosen")&&(this.typed=new Map,this.graded=null,this.shown=!1)}get#e(){let t=R.find(({id:d})=>d===this.chosen),e=t?.text??this.text,r=t?.values??Object.fromEntries(this.values),s=v(e),c=Object.fromEntries(s.names.map(d=>[d,r[d]??1]));return O(k(s.evaluate(c)),{sort:!0,leaves:!0})}get#r(){try{return this.text!==""&&k(v(this.text).evaluate(this.values)).nodes.length<=I}catch{return!1}}#o(t,e){this.typed=new Map(this.typed).set(t,e)}#s(t){this.graded=this.typed,t.every(r=>$(r,this.typed.get(r.key)??""))&&!this.shown&&this.chosen!==x&&T(`trace:${this.chosen}`)}render(){let t=this.#e,{walk:e,names:r}=t,s=z(e,r),c=A(e,r),d=[["pop","stack","sorted"].map(o=>V(s.map(i=>i[o]))),["local","contribution","after"].map(o=>V(c.map(i=>i[o])))],p=[...s.slice(1).flatMap(({pop:o,stack:i,sorted:u})=>[o,i,u]),...c.flatMap(({local:o,contribution:i,after:u})=>[o,i,u])],y=this.graded?p.filter(o=>$(o,this.graded.get(o.key)??"")).length:0,l=n.traces,m=t.line.phases[0]?.end??0;return h`<div class="traces">
      <section class="panel"><div class="body">
        <h2 tabindex="-1">${l.title}</h2>
        <p>${l.intro}</p>
        <div class="choices" role="group" aria-label=${l.choose}>
          ${L.map(o=>h`<button class="toggle" aria-pressed=${this.chosen===o} @click=${()=>{this.chosen=o}}>${n.presetNames[o]}${P().done.has(`trace:${o}`)?h` ✓<span class="hidden"> ${n.checks.done}</span>`:f}</button>`)}
          ${this.#r?h`<button class="toggle" aria-pressed=${this.chosen===x} @click=${()=>{this.chosen=x}}>${n.checks.own}</button>`:f}
        </div>
      </div></section>
      <section class="stage"><gradwalk-scene class="picture" .program=${t} .frame=${S(t.line,m)} .asked=${this.shown?null:-1}></gradwalk-scene></section>
      <form class="panel" novalidate @submit=${o=>{o.preventDefault(),this.#s(p)}}>
        <div class="body tables">
          <table class="fill">
            <caption>${n.trace.sort}</caption>
            <thead><tr><th scope="col">#</th><th scope="col">${n.trace.pop}</th><th scope="col">${n.trace.stack}</th><th scope="col">${n.trace.sorted}</th></tr></thead>
            <tbody>${s.map(({pop:o,stack:i,sorted:u},g)=>h`<tr><th scope="row">${g+1}</th>${g?this.#t([o,i,u],[n.trace.pop,n.trace.stack,n.trace.sorted],d[0],g):[o,i,u].map(b=>h`<td><code>${M(b)}</code></td>`)}</tr>`)}</tbody>
          </table>
          <table class="fill">
            <caption>${n.trace.backward}</caption>
            <thead><tr><th scope="col">${l.arrow}</th><th scope="col">${n.equation.local(0)}</th><th scope="col">${l.contribution}</th><th scope="col">${l.after}</th></tr></thead>
            <tbody>${c.map(({from:o,to:i,local:u,contribution:g,after:b},H)=>h`<tr><th scope="row"><code>${o} → ${i}</code></th>${this.#t([u,g,b],[n.equation.local(0),l.contribution,l.after],d[1],H)}</tr>`)}</tbody>
          </table>
        </div>
        <div class="actions pad">
          <button class="primary">${l.grade}</button>
          <button type="button" class="toggle" @click=${()=>this.#a(p)}>${l.show}</button>
          <span role="status">${this.graded?l.score(y,p.length):f}</span>
        </div>
      </form>
    </div>`}#a(t){this.shown=!0,this.typed=new Map(t.map(e=>[e.key,M(e)])),this.graded=this.typed}#t(t,e,r,s){let{graded:c}=this,d=c!==null&&t.some(({key:p})=>c.get(p));return t.map((p,y)=>{let l=d&&$(p,c.get(p.key)??""),m=d?l?"right":"wrong":"",o=m?`: ${n.traces[m]}`:"";return h`<td class=${m}><input autocomplete="off" spellcheck="false" size=${r[y]}
        aria-label=${`${e[y]}, ${s+1}${o}`} .value=${D(this.typed.get(p.key)??"")}
        @input=${i=>this.#o(p.key,i.target.value)} /><span aria-hidden="true">${m?l?"✓":"✗":""}</span></td>`})}},V=a=>Math.max(6,...a.map(t=>M(t).length));function M({right:a}){return typeof a=="number"?j(a):a}customElements.define("gradwalk-traces",C);export{C as GradwalkTraces};

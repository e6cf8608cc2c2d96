import{a as W}from"./chunk-shared-parts-styles-hand.js";import{a as j,b as D}from"./chunk-shared-parts-styles-learn.js";import{a as O,c as P}from"./chunk-shared-app-progress.js";import{a as T}from"./chunk-shared-lit-html-directives-live.js";import"./chunk-shared-lit-html-directive-helpers.js";import{$ as N,F as E,L as S,T as F,a as R}from"./chunk-shared-app-timeline.js";import"./chunk-shared-lit-html-directive.js";import{c as h,g as f,k as n}from"./chunk-shared-lit-html-lit-html.js";import"./chunk-shared-app-names.js";import{l as v,m as k,o as w}from"./chunk-shared-core-rows.js";import"./chunk-shared-strings-en.js";function q(a,t){let e=([o,s])=>`(${t[o]},${s})`;return a.sort.map((o,s)=>({pop:{key:`pop ${s}`,right:e(o.pop)},stack:{key:`stack ${s}`,right:o.stack.map(e).join(" ")},sorted:{key:`sorted ${s}`,right:o.sorted.map(c=>t[c]).join(" ")}}))}function z(a,t){return a.backward.filter(e=>!k(a.graph.nodes[e.node])).flatMap(e=>e.pushes.filter(o=>!k(a.graph.nodes[o.to])).map((o,s)=>({from:t[e.node],to:t[o.to],local:{key:`local ${e.node} ${s}`,right:o.local},contribution:{key:`contribution ${e.node} ${s}`,right:o.contribution},after:{key:`after ${e.node} ${s}`,right:o.after}})))}function $({right:a},t){if(typeof a=="number")return N(a,t);let e=o=>o.normalize("NFKC").replaceAll("−","-").replace(/[(),;\s]+/g," ").replace(/^(empty|-|–|—)$/i,"").trim();return e(t)===e(a)}var A=["x7","x1","x6","x5"],x="own",I=12,C=class extends j(()=>({text:"",values:new Map,chosen:A[0],typed:new Map,graded:null,shown:!1})){static{this.styles=D(W)}willUpdate(t){t.has("chosen")&&(this.typed=new Map,this.graded=null,this.shown=!1)}get#e(){let t=R.find(({id:d})=>d===this.chosen),e=t?.text??this.text,o=t?.values??Object.fromEntries(this.values),s=v(e),c=Object.fromEntries(s.names.map(d=>[d,o[d]??1]));return S(w(s.evaluate(c)),{sort:!0,leaves:!0})}get#o(){try{return this.text!==""&&w(v(this.text).evaluate(this.values)).nodes.length<=I}catch{return!1}}#r(t,e){this.typed=new Map(this.typed).set(t,e)}#s(t){this.graded=this.typed,t.every(o=>$(o,this.typed.get(o.key)??""))&&!this.shown&&this.chosen!==x&&P(`trace:${this.chosen}`)}render(){let t=this.#e,{walk:e,names:o}=t,s=q(e,o),c=z(e,o),d=[["pop","stack","sorted"].map(r=>V(s.map(i=>i[r]))),["local","contribution","after"].map(r=>V(c.map(i=>i[r])))],p=[...s.slice(1).flatMap(({pop:r,stack:i,sorted:m})=>[r,i,m]),...c.flatMap(({local:r,contribution:i,after:m})=>[r,i,m])],y=this.graded?p.filter(r=>$(r,this.graded.get(r.key)??"")).length:0,l=n.traces,u=t.line.phases[0]?.end??0;return h`<div class="traces">
      <section class="panel"><div class="body">
        <h2 tabindex="-1">${l.title}</h2>
        <p>${l.intro}</p>
        <div class="actions choices" role="group" aria-label=${l.choose}>
          ${A.map(r=>h`<button class="toggle" aria-pressed=${this.chosen===r} @click=${()=>{this.chosen=r}}>${n.presetNames[r]}${O().done.has(`trace:${r}`)?h` ✓<span class="hidden"> ${n.checks.done}</span>`:f}</button>`)}
          ${this.#o?h`<button class="toggle" aria-pressed=${this.chosen===x} @click=${()=>{this.chosen=x}}>${n.checks.own}</button>`:f}
        </div>
      </div></section>
      <section class="stage"><gradwalk-scene class="picture" .program=${t} .frame=${E(t.line,u)} .asked=${this.shown?null:-1}></gradwalk-scene></section>
      <form class="panel" novalidate @submit=${r=>{r.preventDefault(),this.#s(p)}}>
        <div class="body tables">
          <table class="fill">
            <caption>${n.trace.sort}</caption>
            <thead><tr><th scope="col">#</th><th scope="col">${n.trace.pop}</th><th scope="col">${n.trace.stack}</th><th scope="col">${n.trace.sorted}</th></tr></thead>
            <tbody>${s.map(({pop:r,stack:i,sorted:m},g)=>h`<tr><th scope="row">${g+1}</th>${g?this.#t([r,i,m],[n.trace.pop,n.trace.stack,n.trace.sorted],d[0],g):[r,i,m].map(b=>h`<td><code>${M(b)}</code></td>`)}</tr>`)}</tbody>
          </table>
          <table class="fill">
            <caption>${n.trace.backward}</caption>
            <thead><tr><th scope="col">${l.arrow}</th><th scope="col">${n.equation.local}</th><th scope="col">${l.contribution}</th><th scope="col">${l.after}</th></tr></thead>
            <tbody>${c.map(({from:r,to:i,local:m,contribution:g,after:b},H)=>h`<tr><th scope="row"><code>${r} → ${i}</code></th>${this.#t([m,g,b],[n.equation.local,l.contribution,l.after],d[1],H)}</tr>`)}</tbody>
          </table>
        </div>
        <div class="actions pad">
          <button class="primary">${l.grade}</button>
          <button type="button" class="toggle" @click=${()=>this.#a(p)}>${l.show}</button>
          <span role="status">${this.graded?l.score(y,p.length):f}</span>
        </div>
      </form>
    </div>`}#a(t){this.shown=!0,this.typed=new Map(t.map(e=>[e.key,M(e)])),this.graded=this.typed}#t(t,e,o,s){let{graded:c}=this,d=c!==null&&t.some(({key:p})=>c.get(p));return t.map((p,y)=>{let l=d&&$(p,c.get(p.key)??""),u=d?l?"right":"wrong":"",r=u?`: ${n.traces[u]}`:"";return h`<td class=${u}><input autocomplete="off" spellcheck="false" size=${o[y]}
        aria-label=${`${e[y]}, ${s+1}${r}`} .value=${T(this.typed.get(p.key)??"")}
        @input=${i=>this.#r(p.key,i.target.value)} /><span aria-hidden="true">${u?l?"✓":"✗":""}</span></td>`})}},V=a=>Math.max(6,...a.map(t=>M(t).length));function M({right:a}){return typeof a=="number"?F(a):a}customElements.define("gradwalk-traces",C);export{C as GradwalkTraces};

import{a as I}from"./chunk-shared-parts-rows.js";import{a as y}from"./chunk-shared-parts-panel.js";import{b as P}from"./chunk-shared-lit-html-directives-repeat.js";import{d as x}from"./chunk-shared-teach-narration.js";import{a as N}from"./chunk-shared-teach-arithmetic.js";import{Q as T,S as k,U as u}from"./chunk-shared-app-timeline.js";import{c as h,g as v,k as w}from"./chunk-shared-lit-html-lit-html.js";function z(...s){let{events:a,phases:i}=s[0].line,p=i.map(({phase:t})=>{let l=a.filter(e=>e.phase===t).length;return`${w.phases[t]} ${l}`}),r=h`<span class="score">${p.join(", ")}</span>`;return y(w.events.title,E(...s),"table",r)}function E(s,a,i,p=Number.POSITIVE_INFINITY){let{events:r}=s.line,t=w.events,l=a.phase==="backward"?r.findIndex(c=>c.phase!=="forward"):0,e=l>2?l:0,d=Math.max(0,e-1),b=c=>{let n=c+d;if(e&&!c)return f();let o=r[n],{what:m,how:g,result:R}=x(s,o),$=n>=p&&o.phase==="backward"?"?":n>a.index?k:null,S=n===a.index?"now":n<a.index?"past":"ahead";return h`<tr class="${o.phase} ${S}" aria-rowindex=${c+2} aria-current=${n===a.index?"step":v} @click=${()=>i(o.end)}>
      <td class="index"><button class="bare" aria-label=${t.goto(n+1,m)} @click=${M=>{M.stopPropagation(),i(o.end)}}>${n+1}</button></td>
      <td class="who" title=${m}>${m}</td>
      ${o.phase==="sort"?h`<td class="how" colspan="2" title=${$??g}>${$??g}</td>`:h`<td class="how">${$??g}</td><td class="end">${$??R}</td>`}
    </tr>`},f=()=>{let{graph:c,output:n}=s,o=t.folded(e,`${n} ${N(c.nodes[c.root].data)}`),{end:m}=r[d];return h`<tr class="forward past fold" aria-rowindex="2" @click=${()=>i(m)}>
      <td class="index"><button class="bare" aria-label=${t.goto(e,o)}>▸</button></td>
      <td class="who" colspan="3" title=${o}>${o}</td>
    </tr>`};return h`<table class="events" aria-rowcount=${r.length-d+1} ${P(O(s))}>
    <caption class="hidden">${t.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${t.number}</th><th scope="col">${t.what}</th><th scope="col">${t.how}</th><th scope="col" class="end">${t.result}</th></tr>
    </thead>
    <tbody>${I({count:r.length-d,now:a.index-d,columns:4,row:b})}</tbody>
  </table>`}var F=25,O=T(s=>{let{graph:a,line:i}=s,[p,r]=[0,0],t=(l,e)=>{p=Math.max(p,Math.min(l,F)),r=Math.max(r,2+u(e))};for(let l of i.events){let{push:e,kind:d}=l,{op:b,operands:f,data:c}=a.nodes[l.node];e?t(u(e.incoming)+3+u(e.local),e.contribution):d==="compute"?t(f.reduce((n,o)=>n+2+u(a.nodes[o].data),b.length),c):d==="leaf"&&t(x(s,l).how.length,s.walk.grads[l.node])}return{"--digits":String(String(i.events.length).length),"--how":String(p),"--result":String(r)}});export{z as a};

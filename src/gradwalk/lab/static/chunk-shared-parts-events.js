import{a as y}from"./chunk-shared-parts-panel.js";import{e as x}from"./chunk-shared-teach-narration.js";import{a as I}from"./chunk-shared-parts-rows.js";import{a as N}from"./chunk-shared-teach-arithmetic.js";import{a as P}from"./chunk-shared-scene-css.js";import{Q as T,S as k,V as $}from"./chunk-shared-app-timeline.js";import{c as u,g as v,k as b}from"./chunk-shared-lit-html-lit-html.js";function z(...s){let{events:a,phases:i}=s[0].line,h=i.map(({phase:t})=>{let l=a.filter(e=>e.phase===t).length;return`${b.phases[t]} ${l}`}),r=u`<span class="score">${h.join(", ")}</span>`;return y(b.events.title,E(...s),"table",r)}function E(s,a,i,h=Number.POSITIVE_INFINITY){let{events:r}=s.line,t=b.events,l=a.phase==="backward"?r.findIndex(c=>c.phase!=="forward"):0,e=l>2?l:0,d=Math.max(0,e-1),m=c=>{let n=c+d;if(e&&!c)return f();let o=r[n],{what:p,how:g,result:R}=x(s,o),w=n>=h&&o.phase==="backward"?"?":n>a.index?k:null,S=n===a.index?"now":n<a.index?"past":"ahead";return u`<tr class="${o.phase} ${S}" aria-rowindex=${c+2} aria-current=${n===a.index?"step":v} @click=${()=>i(o.end)}>
      <td class="index"><button class="bare" aria-label=${t.goto(n+1,p)} @click=${M=>{M.stopPropagation(),i(o.end)}}>${n+1}</button></td>
      <td class="who" title=${p}>${p}</td>
      ${o.phase==="sort"?u`<td class="how" colspan="2" title=${w??g}>${w??g}</td>`:u`<td class="how">${w??g}</td><td class="end">${w??R}</td>`}
    </tr>`},f=()=>{let{graph:c,output:n}=s,o=t.folded(e,`${n} ${N(c.nodes[c.root].data)}`),{end:p}=r[d];return u`<tr class="forward past fold" aria-rowindex="2" @click=${()=>i(p)}>
      <td class="index"><button class="bare" aria-label=${t.goto(e,o)}>▸</button></td>
      <td class="who" colspan="3" title=${o}>${o}</td>
    </tr>`};return u`<table class="events" aria-rowcount=${r.length-d+1} ${P(O(s))}>
    <caption class="hidden">${t.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${t.number}</th><th scope="col">${t.what}</th><th scope="col">${t.how}</th><th scope="col" class="end">${t.result}</th></tr>
    </thead>
    <tbody>${I({count:r.length-d,now:a.index-d,columns:4,row:m})}</tbody>
  </table>`}var F=25,O=T(s=>{let{graph:a,line:i}=s,[h,r]=[0,0],t=(l,e)=>{h=Math.max(h,Math.min(l,F)),r=Math.max(r,2+$(e))};for(let l of i.events){let{push:e,kind:d}=l,{op:m,operands:f,data:c}=a.nodes[l.node];if(e)t($(e.incoming)+3+$(e.local),e.contribution);else if(d==="compute"){let n=/^\w/.test(m)?m.length:m.length-2;t(f.reduce((o,p)=>o+2+$(a.nodes[p].data),n),c)}else d==="leaf"&&t(x(s,l).how.length,s.walk.grads[l.node])}return{"--digits":String(String(i.events.length).length),"--how":String(h),"--result":String(r)}});export{z as a};

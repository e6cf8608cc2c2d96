import{a as M}from"./chunk-shared-parts-rows.js";import{d as E}from"./chunk-shared-teach-arithmetic.js";import{Q as N,S as $,T as P,X as O}from"./chunk-shared-app-timeline.js";import{c as h,g as T,k as w}from"./chunk-shared-lit-html-lit-html.js";import{m as F}from"./chunk-shared-core-rows.js";var g=new Map,R=new Map;function z(t,e,l){let i=()=>{g.set(t,"asked"),e().then(()=>g.set(t,"here"),()=>g.set(t,"missing")).then(()=>{for(let r of R.get(t)??[])r();R.delete(t)})};if(g.has(t)||i(),g.get(t)==="asked"&&R.set(t,[...R.get(t)??[],l]),g.get(t)!=="missing")return null;let o=()=>{i(),l()};return h`<p class="pad missing" role="alert"><span class="bad">${w.missing}</span> <button class="toggle" @click=${o}>${w.again}</button></p>`}function X(t,e,l){let{walk:i,names:o,line:r}=t,n=w.trace,u=r.events.findIndex(a=>a.phase==="sort"),m=Math.min(e.index-u,i.sort.length),j=a=>a.map(([s,f])=>`(${o[s]},${f})`).join(" ")||n.empty,b=a=>{let s=i.sort[a],[f,k]=s.pop,d=r.events[u+a],c=a<=m,p=s.note==="leaf"||s.note==="done"?n[s.note]:s.note?n.already(o[t.graph.nodes[f].operands[k]]):"";return h`<tr class=${`sort ${a===m?"now":c?"past":"ahead"}`} aria-rowindex=${a+2} aria-current=${a===m?"step":T} @click=${()=>l(d.end)}>
      <td class="index"><button class="bare" aria-label=${w.events.goto(a+1,n.sort)}>${a+1}</button></td>
      <td class="who">${c?h`(${o[f]},${k}) <span class="note">${p}</span>`:$}</td>
      <td class="how">${c?j(s.stack):$}</td>
      <td class="how">${c?S(t,s.stack,s.sorted):$}</td>
      <td class="how">${c?s.sorted.map(v=>o[v]).join(" "):$}</td>
    </tr>`};return h`<table class="trace sort" aria-rowcount=${i.sort.length+1}>
    <caption>${n.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${n.pop}</th><th scope="col">${n.stack}</th><th scope="col">${n.visited}</th><th scope="col">${n.sorted}</th></tr></thead>
    <tbody>${M({count:i.sort.length,now:m,columns:5,row:b})}</tbody>
  </table>`}function S(t,e,l){return[...new Set([...l,...e.map(([o])=>o)])].sort((o,r)=>o-r).map(o=>t.names[o]).join(" ")}var U=N(t=>{let e=new Map;return t.events.forEach(({phase:l,kind:i,row:o},r)=>{if(l!=="backward"||i==="seed")return;let n=e.get(o);n?n.push(r):e.set(o,[r])}),e});function Y(t,e,l){let{walk:i,names:o,line:r,graph:n}=t,u=w.trace,{event:m}=e,b=m?.phase==="backward"?m.kind==="seed"?0:m.row:-1,a=U(r),s=i.backward.map((d,c)=>({step:d,row:c})).filter(({step:d})=>!F(n.nodes[d.node])),f=d=>{let{step:c,row:p}=s[d],v=a.get(p)??[],x=p<b||p===b&&m?.kind!=="seed",I=x||p===b&&c.node===n.root,B=r.events[v.at(-1)??-1]?.end??0,C=()=>v.filter(y=>y<=e.index).map(y=>r.events[y].push?W(t,r.events[y].push):T),K=c.note==="leaf"?u.skipped:u.skippedZero;return h`<tr class=${`backward ${p===b?"now":x?"past":"ahead"}`} aria-rowindex=${d+2} aria-current=${p===b?"step":T} @click=${()=>l(B)}>
      <td class="index"><button class="bare" aria-label=${w.events.goto(p+1,u.backward)}>${p+1}</button></td>
      <td class="who">${e.phase==="backward"?o[c.node]:$} (${I?P(c.grad):$})</td>
      <td class="how">${x?c.note?K:C():$}</td>
    </tr>`},k=s.findIndex(({row:d})=>d===b);return h`<table class="trace backward" aria-rowcount=${s.length+1}>
    <caption>${u.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${u.node}</th><th scope="col">${u.pushes}</th></tr></thead>
    <tbody>${M({count:s.length,now:k,columns:3,row:f})}</tbody>
  </table>`}function W(t,e){let l=e.before===0?"":` → ${P(e.after)}`;return h`<span class="push ${O(e.contribution)}">${t.names[e.to]} += ${E(e)}${l}</span>`}export{z as a,X as b,Y as c};

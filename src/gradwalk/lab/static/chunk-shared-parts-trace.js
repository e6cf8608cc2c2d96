import{a as x}from"./chunk-shared-parts-rows.js";import{d as N}from"./chunk-shared-teach-arithmetic.js";import{Q as F,S as b,T as R,Y as M}from"./chunk-shared-app-timeline.js";import{c as w,g as v,k}from"./chunk-shared-lit-html-lit-html.js";import{m as j}from"./chunk-shared-core-rows.js";function G(a,t,p){let{walk:i,names:o,line:c}=a,n=k.trace,m=c.events.findIndex(s=>s.phase==="sort"),u=Math.min(t.index-m,i.sort.length),P=s=>s.map(([e,$])=>`(${o[e]},${$})`).join(" ")||n.empty,h=s=>{let e=i.sort[s],[$,f]=e.pop,d=c.events[m+s],r=s<=u,l=e.note==="leaf"||e.note==="done"?n[e.note]:e.note?n.already(o[a.graph.nodes[$].operands[f]]):"";return w`<tr class=${`sort ${s===u?"now":r?"past":"ahead"}`} aria-rowindex=${s+2} aria-current=${s===u?"step":v} @click=${()=>p(d.end)}>
      <td class="index"><button class="bare" aria-label=${k.events.goto(s+1,n.sort)}>${s+1}</button></td>
      <td class="who">${r?w`(${o[$]},${f}) <span class="note">${l}</span>`:b}</td>
      <td class="how">${r?P(e.stack):b}</td>
      <td class="how">${r?C(a,e.stack,e.sorted):b}</td>
      <td class="how">${r?e.sorted.map(g=>o[g]).join(" "):b}</td>
    </tr>`};return w`<table class="trace sort" aria-rowcount=${i.sort.length+1}>
    <caption>${n.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${n.pop}</th><th scope="col">${n.stack}</th><th scope="col">${n.visited}</th><th scope="col">${n.sorted}</th></tr></thead>
    <tbody>${x({count:i.sort.length,now:u,columns:5,row:h})}</tbody>
  </table>`}function C(a,t,p){return[...new Set([...p,...t.map(([o])=>o)])].sort((o,c)=>o-c).map(o=>a.names[o]).join(" ")}var K=F(a=>{let t=new Map;return a.events.forEach(({phase:p,kind:i,row:o},c)=>{if(p!=="backward"||i==="seed")return;let n=t.get(o);n?n.push(c):t.set(o,[c])}),t});function H(a,t,p){let{walk:i,names:o,line:c,graph:n}=a,m=k.trace,{event:u}=t,h=u?.phase==="backward"?u.kind==="seed"?0:u.row:-1,s=K(c),e=i.backward.map((d,r)=>({step:d,row:r})).filter(({step:d})=>!j(n.nodes[d.node])),$=d=>{let{step:r,row:l}=e[d],g=s.get(l)??[],T=l<h||l===h&&u?.kind!=="seed",O=T||l===h&&r.node===n.root,E=c.events[g.at(-1)??-1]?.end??0,I=()=>g.filter(y=>y<=t.index).map(y=>c.events[y].push?S(a,c.events[y].push):v),B=r.note==="leaf"?m.skipped:m.skippedZero;return w`<tr class=${`backward ${l===h?"now":T?"past":"ahead"}`} aria-rowindex=${d+2} aria-current=${l===h?"step":v} @click=${()=>p(E)}>
      <td class="index"><button class="bare" aria-label=${k.events.goto(l+1,m.backward)}>${l+1}</button></td>
      <td class="who">${t.phase==="backward"?o[r.node]:b} (${O?R(r.grad):b})</td>
      <td class="how">${T?r.note?B:I():b}</td>
    </tr>`},f=e.findIndex(({row:d})=>d===h);return w`<table class="trace backward" aria-rowcount=${e.length+1}>
    <caption>${m.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${m.node}</th><th scope="col">${m.pushes}</th></tr></thead>
    <tbody>${x({count:e.length,now:f,columns:3,row:$})}</tbody>
  </table>`}function S(a,t){let p=t.before===0?"":` → ${R(t.after)}`;return w`<span class="push ${M(t.contribution)}">${a.names[t.to]} += ${N(t)}${p}</span>`}export{G as a,H as b};

import{a as P}from"./chunk-shared-parts-rows.js";import{a as y}from"./chunk-shared-parts-panel.js";import{b as T}from"./chunk-shared-lit-html-directives-repeat.js";import{d as b}from"./chunk-shared-teach-narration.js";import{a as v}from"./chunk-shared-teach-arithmetic.js";import{Q as g,S as x}from"./chunk-shared-app-timeline.js";import{c as d,g as f,k as $}from"./chunk-shared-lit-html-lit-html.js";function q(...n){let{events:o,phases:l}=n[0].line,m=l.map(({phase:t})=>{let e=o.filter(c=>c.phase===t).length;return`${$.phases[t]} ${e}`}),s=d`<span class="score">${m.join(", ")}</span>`;return y($.events.title,E(...n),"table",s)}function E(n,o,l,m=Number.POSITIVE_INFINITY){let{events:s}=n.line,t=$.events,e=o.phase==="backward"?s.findIndex(i=>i.phase!=="forward"):0,c=e>2?e:0,p=Math.max(0,c-1),R=i=>{let r=i+p;if(c&&!i)return S();let a=s[r],{what:h,how:w,result:I}=b(n,a),u=r>=m&&a.phase==="backward"?"?":r>o.index?x:null,N=r===o.index?"now":r<o.index?"past":"ahead";return d`<tr class="${a.phase} ${N}" aria-rowindex=${i+2} aria-current=${r===o.index?"step":f} @click=${()=>l(a.end)}>
      <td class="index"><button class="bare" aria-label=${t.goto(r+1,h)} @click=${k=>{k.stopPropagation(),l(a.end)}}>${r+1}</button></td>
      <td class="who" title=${h}>${h}</td>
      ${a.phase==="sort"?d`<td class="how" colspan="2" title=${u??w}>${u??w}</td>`:d`<td class="how">${u??w}</td><td class="end">${u??I}</td>`}
    </tr>`},S=()=>{let{graph:i,output:r}=n,a=t.folded(c,`${r} ${v(i.nodes[i.root].data)}`),{end:h}=s[p];return d`<tr class="forward past fold" aria-rowindex="2" @click=${()=>l(h)}>
      <td class="index"><button class="bare" aria-label=${t.goto(c,a)}>▸</button></td>
      <td class="who" colspan="3" title=${a}>${a}</td>
    </tr>`};return d`<table class="events" aria-rowcount=${s.length-p+1} ${T(F(n))}>
    <caption class="hidden">${t.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${t.number}</th><th scope="col">${t.what}</th><th scope="col">${t.how}</th><th scope="col" class="end">${t.result}</th></tr>
    </thead>
    <tbody>${P({count:s.length-p,now:o.index-p,columns:4,row:R})}</tbody>
  </table>`}var M=400,F=g(n=>{let{events:o}=n.line,l=o.length<=M,s=(l?o.filter(({kind:e})=>e!=="sort"):[]).map(e=>b(n,e)),t=e=>String(Math.max(0,...e.map(({length:c})=>c)));return{"--digits":String(String(o.length).length),"--how":l?t(s.map(({how:e})=>e)):"25","--result":l?t(s.map(({result:e})=>e)):"13"}});export{q as a};

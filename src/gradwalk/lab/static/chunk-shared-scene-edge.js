import{i as L}from"./chunk-shared-scene-groups.js";import{b as M}from"./chunk-shared-scene-find.js";import{a as y,e as x}from"./chunk-shared-teach-arithmetic.js";import{a as E}from"./chunk-shared-scene-css.js";import{T as w,Y as k}from"./chunk-shared-app-timeline.js";import{d as l,g as d,k as g}from"./chunk-shared-lit-html-lit-html.js";var S=4e3;function B(e,s,t){let r=["edge"],[n,i]=[e.points[0],e.points.at(-1)];return i.x-n.x+i.y-n.y>S&&r.push("long"),s.count>1&&r.push("many"),s.carried&&r.push("carried"),s.push&&r.push("pushed"),s.lost&&r.push("lost"),s.active&&r.push("active"),t.selected&&r.push("selected"),t.lit&&r.push("lit"),t.asked&&r.push("asked"),r.join(" ")}function J(e,s,t,r){let n=e.pill!==null,i=t.push?Math.abs(t.push.contribution)/r.largest:0,o=Number.isFinite(i)?Math.min(1,i):1,p=t.push?Math.round((1.5+2.5*Math.sqrt(o))*2)/2:1.25;return l`
    <path class="hit" d=${s.middle} />
    <path class="forward" d=${s.forward} />
    <path class="forward head" d=${s.forwardHead} />
    ${n&&(r.phase==="backward"||t.push||t.lost)?l`<path class="backward" d=${s.backward} stroke-width=${p} />
          <path class="backward head" d=${s.backwardHead} />`:d}
    ${O(s.forward,t.forward,"forward")}
    ${O(s.backward,t.backward,"backward")}`}function O(e,s,t){if(s===null)return d;let r=Math.min(s,.22);return l`<g class="pulse ${t}">
    <path class="tail" d=${e} pathLength="1" stroke-dasharray="${r} 2" stroke-dashoffset=${r-s} />
    <path class="halo" d=${e} pathLength="1" stroke-dasharray="0 2" stroke-dashoffset=${-s} />
    <path class="dot" d=${e} pathLength="1" stroke-dasharray="0 2" stroke-dashoffset=${-s} />
  </g>`}function K(e,s,t,r,n){if(!t.pill||!n.details)return d;let i=n.type,o=z*Math.min(1.2,i),p=(t.pill.height+n.spare)*Math.min(1.2,i),m=({length:a})=>Math.max(20,Math.round(o*a+5)),f=L(t.pill.width-v,i),h=(r.active||n.selected||n.asked?[f,W,2*W]:[f]).map(a=>D(e,s,r,n,a)).find(a=>a.length&&m(a)<=p);if(!h)return d;let c=m(h),$=t.pill.y+(t.pill.height-c)/2,F=Math.max(...h.map(a=>a.length)),u=v+F*7.3*i,N=t.pill.x+(t.pill.width-u)/2,b=Math.max(2,Math.min(N,n.width-u-2)),P=$+(c-o*(h.length-1))/2+4.4*i;return l`<g class="pill ${T(r,n)}" ${E({"--type":String(i)})}>
    <rect x=${b} y=${$} width=${u} height=${c} rx=${Math.min(10,c/2)} />
    <text>${h.map((a,G)=>l`<tspan x=${b+u/2} y=${P+G*o}>${a}</tspan>`)}</text>
  </g>`}function T(e,{asked:s,selected:t}){return`${e.push?k(e.push.contribution):"none"} ${e.active?"active":""} ${e.lost?"lost":""} ${s?"asked":""} ${t?"selected":""}`}var z=12,v=10,W=12;function D(e,s,t,{asked:r,selected:n},i){if(r)return["?"];if(t.count>1&&!t.active)return t.arrived||n?[H(t,i)]:[];if(t.lost)return[g.pillLost(w(t.lost.contribution))];if(t.push)return x(t.push,i);if(!n)return[];let{target:o,operand:p}=M(e,s);return[g.pillLocal(y(e.graph.nodes[o].local_grads[p]))]}function H({arrived:e,count:s},t){let r=g.pillMany(e,s);return r.length<=t?r:`${e}/${s}`}export{B as a,J as b,K as c,T as d,D as e};

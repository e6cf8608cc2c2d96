import{h as $t}from"./chunk-chunk-2NSRNHVO.js";import{a as kt}from"./chunk-chunk-OZT3CAUO.js";import{A as ae,G as N,H as wt,I as M,J as g,K as Q,L as ie,M as J,O as yt,P as K,Q as He,R as G,S as le,T as Fe,U as W,V as vt,W as xt,X as xe,_ as Z,a as I,b as C,c as X,d as he,e as rt,f as ct,h as be,i as ut,j as $e,n as dt,o as pt,q as Ce,r as we,s as ye,u as mt,v as gt,w as ft,y as qe,z as ht}from"./chunk-chunk-HSA5FAAL.js";import{d as bt}from"./chunk-chunk-5WVA7MC7.js";import{c as d,d as F,e as _,f as D,g as h,i as fe,l,p as ve,q as T}from"./chunk-chunk-JIY6R53Z.js";import{A,B as lt,f as st,g as ot,j as at,l as E,m as R,o as O,t as B,z as it}from"./chunk-chunk-4RWLPPAY.js";var Ln=/^(x|y|t|target|input|label|data)\d*$/i;function Tt(t){let e=t.filter(n=>!Ln.test(n));return e.length?e:[...t]}function De(t,e){return Object.fromEntries(t.names.map(n=>[n,e.get(n)??1]))}function Be(t,e){let n=E(t);return n.evaluate(De(n,e)).data}function Et(t,e,n,r){let s=E(t),o=O(s.evaluate(De(s,e))),{expected:a}=A(o),i=new Map(e);for(let c of o.leaves){if(!n.includes(c.label))continue;let u=c.data-r*a[c.id];if(!Number.isFinite(u))return null;i.set(c.label,u)}return i}function Rt(t,e,[n,r],s,o=24){let a=E(t),i=$=>{let y=s.map(x=>x.values.get($)??0),[w,b]=[Math.min(...y),Math.max(...y)],v=Math.max(.35*(b-w),.3*Math.max(1,Math.abs(b),Math.abs(w)));return[w-v,b+v]},[c,u]=[i(n),i(r)],p=De(a,e),m=([$,y],w)=>$+(y-$)*(w+.5)/o,f=Array.from({length:o},($,y)=>Array.from({length:o},(w,b)=>{let v={...p};return v[n]=m(c,b),v[r]=m(u,o-1-y),a.evaluate(v).data}));return{x:c,y:u,rows:f}}var ce=[{id:"x1",text:"(a + b) * c",values:{a:2,b:-3,c:10}},{id:"x2",text:"n = x1*w1 + x2*w2 + b; o = tanh(n)",values:{x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543}},{id:"x3",text:"a * a",values:{a:3}},{id:"x4",text:"a + a",values:{a:3}},{id:"x5",text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},{id:"x6",text:"b = a + 1; c = a * 3; d = b * c",values:{a:2}},{id:"x7",text:"c = a * b; L = c + a",values:{a:2,b:3}},{id:"x8",text:"relu(a * b)",values:{a:2,b:-3}},{id:"x9",text:"relu(x*w + b)",values:{x:2,w:3,b:-10}},{id:"learn",text:"o = tanh(w*x + b); loss = (o - y)**2",values:{w:-.8,x:1.5,b:.4,y:.6}},{id:"bowl",text:"(a - 3)**2 + 2*(b + 1)**2",values:{a:-2,b:2}},{id:"x9s",text:"1 / (1 + exp(0 - x))",values:{x:.5}}];function Y(t){return ce.find(e=>e.id===t)??ce[0]}var Mn=200,z=1e9;function Es(t={},e=null){let n=Y("x1"),r={page:"sandbox",text:n.text,good:n.text,values:new Map(Object.entries(n.values)),time:0,unfold:!1,final:!1,predict:!1,strict:!1,view:"2d",look:qe,speed:1,bug:"overwrite",order:[],ran:!1,game:!1,seed:0,question:"",lesson:"",teach:!1,scene:"sandbox",staged:"",hold:null,told:new Map,node:null,edge:null,place:"",given:e,playing:!1,answers:new Map,task:"",help:!1,proof:!1,check:null,compiled:null,theme:"auto",letters:!0,greeted:!1,nudge:null,rate:.1,learning:[],way:[],descending:!1,stuck:"",sent:null,sharing:!1,past:[],future:[],edit:{kind:"",at:0}},s=t.final===!0&&!t.predict;return U({...r,...t,final:s},t.text??r.text)}function Pn(t,e,n=0){let r=An(t,e,n);return r.good===t.good&&r.unfold===t.unfold&&r.page===t.page||e.type==="restore"?r:{...r,look:{...qe,orbit:r.look.orbit}}}function An(t,e,n){switch(e.type){case"type":return ee(t,"type",U({...t,playing:!1,time:t.page==="walk"?0:z},e.text),n);case"load":{let r=new Map([...t.values,...Object.entries(e.values)]),s={...t,values:r,time:0,playing:e.play??!1,order:[],ran:!1};return ee(t,"load",U(s,e.text),n)}case"value":{let r=new Map(t.values).set(e.name,e.value),o=t.page==="sandbox"&&!t.playing&&!t.predict&&t.time===0?z:t.time;return ee(t,`value ${e.name}`,{...t,values:r,time:o,answers:new Map,way:[],descending:!1,stuck:""},n)}case"page":{if(e.page===t.page)return t;let r=e.time??0;return{...t,page:e.page,time:r,playing:!1,descending:!1,ran:!1,staged:"",hold:null,teach:!1,node:null,edge:null}}case"seek":return e.keepPlaying?{...t,time:e.time}:{...t,time:e.time,playing:!1,node:null,edge:null};case"play":{let r=e.on?{node:null,edge:null}:{};return{...t,...r,playing:e.on,time:e.time??t.time}}case"toggle":{let r=e.on??!t[e.flag];if(e.flag==="final"&&r&&t.predict)return t;let s={...t,[e.flag]:r,answers:new Map};return e.flag==="unfold"&&Object.assign(s,{node:null,edge:null,order:[]}),e.flag==="predict"&&r&&Object.assign(s,{final:!1,playing:!1}),ee(t,e.flag,e.flag==="strict"?U(s,t.text):s,n)}case"view":return{...t,view:e.view};case"speed":return{...t,speed:e.speed};case"bug":return ee(t,"bug",{...t,bug:e.bug,time:z,playing:!1},n);case"order":return ee(t,"order",{...t,order:e.order,ran:!1,time:0,playing:!1},n);case"run":return{...t,ran:e.on,time:e.time,playing:e.on,node:null,edge:null};case"answer":{let{typed:r,right:s}=e,o=(t.answers.get(e.event)?.missed??0)+ +!s,a=new Map(t.answers).set(e.event,{typed:r,right:s,missed:o});return{...t,answers:a}}case"again":return{...t,answers:new Map,time:e.time,playing:!1};case"pick":return{...t,node:e.node,edge:e.edge??null};case"game":return{...t,game:e.on};case"case":return{...t,seed:e.seed};case"question":return{...t,question:e.question};case"task":return{...t,task:e.task};case"lesson":return{...t,lesson:e.lesson,hold:null,playing:!1,descending:!1};case"scene":{let{staged:r,scene:s,text:o,bug:a,unfold:i}=e,c=new Map([...t.values,...Object.entries(e.values)]),p={...t,...{predict:!1,final:!1,strict:!1,ran:!1,playing:!1},staged:r,scene:s,bug:a,unfold:i,values:c,time:0,hold:null};return U({...p,...{node:null,edge:null,order:[],way:[],stuck:""},descending:!1,view:"2d"},o)}case"shown":{let{given:r,text:s=t.text}=e,o=new Map([...t.values,...e.values??[]]),a={...t,given:r,values:o,edge:null};return r?{...a,node:(t.node??0)<r.nodes.length?t.node:null}:s===t.text?a:U(a,s)}case"hold":return{...t,hold:e.hold};case"tell":return{...t,told:new Map(t.told).set(e.key,e.told)};case"teach":return{...t,teach:e.on};case"help":return{...t,help:e.on};case"proof":return{...t,proof:e.on,check:e.on?null:t.check};case"look":return{...t,look:e.look};case"checking":return{...t,check:e.check};case"compiled":return{...t,compiled:e.compiled};case"place":return{...t,place:e.place};case"theme":return{...t,theme:e.theme};case"letters":return{...t,letters:e.on};case"greeted":return{...t,greeted:!0};case"descend":return Nn(t,e.steps);case"descending":return{...t,descending:e.on,stuck:e.on?"":t.stuck};case"climb":{let r=t.way[0]?.values??t.values;return{...t,values:r,way:[],descending:!1,stuck:""}}case"rate":return{...t,rate:e.rate,stuck:""};case"learning":return{...t,learning:e.learning,stuck:""};case"sent":return{...t,sent:e.sent};case"share":return{...t,sharing:e.on};case"nudge":return{...t,nudge:e.nudge};case"restore":{let{given:r,theme:s,letters:o,greeted:a,past:i,future:c}=t;return{...e.state,given:r,theme:s,letters:o,greeted:a,past:i,future:c}}case"undo":return Pt(t,"past","future");case"redo":return Pt(t,"future","past")}}function U(t,e){try{let n=E(e,{strict:t.strict}).names,r=Mt(t.values,n),s=e===t.good&&e===t.text,o=t.text===e?{}:{node:null,edge:null,order:[],ran:!1},a={answers:new Map,nudge:null,way:[],descending:!1,stuck:""},i=n.filter(p=>t.learning.includes(p)),c=i.length&&s?i:Tt(n),u=s?{learning:c}:{...o,...a,learning:c};return{...t,...u,text:e,good:e,values:r}}catch{let n=_n(t.good)?t.good:Y("x1").text;return{...t,text:e,good:n,values:Mt(t.values,E(n).names)}}}var On=2e3,St=20;function Nn(t,e){let{values:n}=t,r=t.way.length?[...t.way]:[{values:n,output:Be(t.good,n)}],s="";for(let a=0;a<e&&!s;a++){let i=Et(t.good,n,t.learning,t.rate),c=i?Be(t.good,i):Number.NaN;if(!i||!Number.isFinite(c)){s="numbers";break}let u=t.learning.some(m=>Math.abs((i.get(m)??0)-(n.get(m)??0))>1e-9);n=i,r.push({values:n,output:c}),u||(s="still");let p=r.slice(-St-1);p.length>St&&p.every((m,f)=>!f||m.output>p[f-1].output)&&(s="up")}let o=t.descending&&!s;return{...t,values:n,way:r.slice(-On),stuck:s,descending:o,time:z}}function _n(t){try{return E(t),!0}catch{return!1}}var Lt=[2,-3,10,.5,1.5,-1];function Mt(t,e){if(e.every(r=>t.has(r)))return t;let n=new Map(t);return e.forEach((r,s)=>{n.has(r)||n.set(r,Lt[s%Lt.length])}),n}var Ot=["page","text","values","unfold","final","predict","strict","bug","order"],In=[...Ot,"time","view","speed","ran","game","seed","question","place"];function Nt(t){return{...Object.fromEntries(In.map(n=>[n,t[n]])),node:null,edge:null}}function ee(t,e,n,r){if(Ot.every(a=>t[a]===n[a]))return n;let o=e===t.edit.kind&&r-t.edit.at<900&&t.past.length>0?t.past:[...t.past,Nt(t)].slice(-Mn);return{...n,past:o,future:[],edit:{kind:e,at:r}}}function Pt(t,e,n){let r=t[e].at(-1);return r?{...U({...t,...r,playing:!1},r.text),edit:{kind:"",at:0},[e]:t[e].slice(0,-1),[n]:[...t[n],Nt(t)]}:t}var At=class{constructor(e){this.state=e;this.#e=new Set;this.dispatch=e=>{let n=Pn(this.state,e,Date.now());if(n!==this.state){this.state=n;for(let r of this.#e)r(n)}}}#e;subscribe(e){return this.#e.add(e),()=>this.#e.delete(e)}};var _t="gradwalk-progress";var Cn=/^[a-z]+:[a-z0-9.-]{1,40}$/,ke={done:new Set,right:0,all:0},Ge=null;function q(){return Ge??=qt(Hn()),Ge}function It(t){let{done:e}=q();e.has(t)||Te({...q(),done:new Set([...e,t].slice(-500))})}function Ct(t){let{right:e,all:n}=q();Te({...q(),right:e+Number(t),all:n+1})}function Ss(t){let e=qt(t);if(e===ke)return!1;let{done:n,right:r,all:s}=q(),o=new Set([...n,...e.done].slice(-500)),a=e.all>s?e:{right:r,all:s};return Te({done:o,right:a.right,all:a.all}),!0}function Ls(){Te(ke)}function qt(t){try{let{version:e,done:n,right:r,all:s}=JSON.parse(t);if(e!==1||!Array.isArray(n))return ke;let o=n.filter(i=>typeof i=="string"&&Cn.test(i)).slice(0,500),a=Number.isSafeInteger(r)&&Number.isSafeInteger(s)&&r>=0&&r<=s;return{done:new Set(o),right:a?r:0,all:a?s:0}}catch{return ke}}function qn({done:t,right:e,all:n}){return JSON.stringify({version:1,done:[...t],right:e,all:n})}function Hn(){try{return localStorage.getItem(_t)??""}catch{return""}}function Te(t){Ge=t;try{localStorage.setItem(_t,qn(t))}catch{}}var ue=C(class extends X{constructor(t){if(super(t),t.type!==I.PROPERTY&&t.type!==I.ATTRIBUTE&&t.type!==I.BOOLEAN_ATTRIBUTE)throw Error("The `live` directive is not allowed on child or event bindings");if(!he(t))throw Error("`live` bindings can only contain a single expression")}render(t){return t}update(t,[e]){if(e===D||e===h)return e;let n=t.element,r=t.name;if(t.type===I.PROPERTY){if(e===n[r])return D}else if(t.type===I.BOOLEAN_ATTRIBUTE){if(!!e===n.hasAttribute(r))return D}else if(t.type===I.ATTRIBUTE&&n.getAttribute(r)===e+"")return D;return rt(t),e}});function j(t,e=h){return t.fixed?d``:d`<div class="controls">${Fn(t)}${zn(t)}${e}</div>`}function Fn(t,e){let{state:n}=t,r=ut(n.text,n.strict),s=r?kt(r.said):"",o=r?Math.min(r.column,400):0;return d`<div class="expression ${r?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${l.expression}</label>
      <input
        id="expression"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${at}
        placeholder="(a + b) * c"
        aria-invalid=${r!==null}
        aria-describedby="expression-note"
        .value=${ue(n.text)}
        @input=${a=>t.dispatch({type:"type",text:a.target.value})}
        @scroll=${a=>Bn(a.target)}
        @keydown=${a=>{a.key==="Enter"&&t.dispatch({type:"play",on:!0,time:0}),a.key==="Escape"&&Dn(a.target)}}
      />
      ${Gn(t,e)}
    </div>
    ${r?d`<span class="caret" aria-hidden="true" ${N({"--column":String(o)})}></span>`:h}
    <p id="expression-note" class="note" role=${r?"alert":h}>
      ${r?d`<span class="message" title=${s}>${s}</span>`:d`<span class="hint">${l.expressionHint}</span>`}
    </p>
  </div>`}function Dn(t){t.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function Bn(t){t.closest(".expression")?.style.setProperty("--scroll",`${t.scrollLeft}px`)}function Gn(t,e){let n=e?ce.filter(s=>e.includes(s.id)):ce,r=n.find(s=>s.text===t.state.good)?.id??"";return d`<label class="presets"><span class="hidden">${l.presets}</span>
    <select
      aria-label=${l.presets}
      @change=${s=>{let o=n.find(a=>a.id===s.target.value);o&&t.load(o.text,o.values)}}
    >
      ${r?h:d`<option value="" .selected=${!0}>${l.presetOwn}</option>`}
      ${n.map(s=>d`<option value=${s.id} .selected=${s.id===r}>${l.presetNames[s.id]}</option>`)}
    </select>
  </label>`}function zn(t){let e=$e(t.state);return d`<div class="variables" role="group" aria-label=${l.variables}>
    ${Z(e,n=>n,n=>jn(t,n,t.state.values.get(n)??0))}
  </div>`}function jn(t,e,n){let r=Vn(n),s=o=>t.dispatch({type:"value",name:e,value:o});return d`<div class="variable">
    <span class="name" aria-hidden="true" title=${e}>${e}</span>
    <input
      type="range"
      min=${-r}
      max=${r}
      step="any"
      aria-label=${l.slider(e)}
      .value=${ue(String(n))}
      @input=${o=>s(Ht(Number(o.target.value),r))}
      @keydown=${o=>Kn(o,n,r,s)}
    />
    <gradwalk-number id=${`box-${e}`} .value=${n} label=${l.box(e)} @number=${o=>s(o.detail)}></gradwalk-number>
  </div>`}function Vn(t){let e=10;for(;e<Math.abs(t)&&e<1e300;)e*=10;return e}function Ht(t,e){let n=e/100;return Number((Math.round(t/n)*n).toPrecision(10))}function Kn(t,e,n,r){let s={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[t.key];if(!s)return;t.preventDefault();let o=n/100*(t.shiftKey?10:1);r(Math.max(-n,Math.min(n,Ht(e+s*o,n))))}function Ee(t,e){let n=l.narration;if(!e)return{what:n.idle,why:n.idleWhy};let{graph:r,names:s,walk:o}=t,a=r.nodes[e.node],i=s[e.node];switch(e.kind){case"compute":return{what:n.compute(i,xe(r,a)),why:te(a.data)||n.computeWhy(a.operands.length)};case"seed":return{what:n.seed(t.output),why:n.seedWhy(t.output)};case"push":{let c=e.push,u=s[c.to],p=n.push(i,u,le(c));return Number.isFinite(c.after)?c.before===0?{what:p,why:n.rule(Ft(a.op))}:{what:p,why:W(c)?n.sum(u,Fe(c)):n.set(u,g(c.before),g(c.after))}:{what:p,why:te(c.after)}}case"skip":return{what:n.skip(i),why:n.skipWhy};case"leaf":return{what:n.leaf(i,g(o.grads[e.node])),why:n.leafWhy};case"lost":{let c=e.lost;return{what:n.lost(i,s[c.to],g(c.contribution)),why:n.lostWhy(s[c.to],i)}}case"sort":return Dt(t,e)}}function Ft(t){return l.rule(t,st.get(t)?.reason??ot.get(t))}function Dt(t,e){let n=l.narration,{graph:r,names:s,walk:o}=t,a=o.sort[e.row],[i,c]=a.pop,u=n.sortPop(s[i],c),p=r.nodes[i].operands[c];return a.note==="leaf"?{what:u,why:n.sortLeaf(s[i])}:a.note==="done"?{what:u,why:n.sortDone(s[i])}:a.note?{what:u,why:n.sortVisited(s[p])}:{what:u,why:n.sortPush(s[p])}}function Qs(t,e){let n=l.said;if(!e)return n.idle;let{graph:r,names:s,walk:o}=t,a=r.nodes[e.node],i=s[e.node];switch(e.kind){case"compute":{let c=a.operands.map(p=>g(r.nodes[p].data));return`${n.compute(i,n.operation(a.op,c),g(a.data))} ${te(a.data)}`.trim()}case"seed":return n.seed(i);case"push":{let{incoming:c,local:u,contribution:p,before:m,after:f,to:$}=e.push,y=n.push(i,s[$],g(c),g(u),g(p)),w=W(e.push)?n.sum:n.set,b=m===0?n.first(s[$],g(f)):w(s[$],g(m),g(f));return`${y} ${b} ${te(f)}`.trim()}case"skip":return`${n.skip(i)} ${l.narration.skipWhy}`;case"leaf":return n.leaf(i,g(o.grads[e.node]));case"lost":{let{to:c,contribution:u}=e.lost;return n.lost(i,s[c],g(u))}case"sort":{let{note:c,pop:u}=o.sort[e.row],p=s[r.nodes[u[0]].operands[u[1]]];return c==="leaf"?n.sortLeaf(s[u[0]]):c==="done"?n.sortDone(s[u[0]]):c?n.sortVisited(s[u[0]],p):n.sortPush(s[u[0]],p)}}}function te(t){return Number.isNaN(t)?l.strange.nan:Number.isFinite(t)?"":l.strange.inf}function Bt(t,e){let{graph:n,names:r,walk:s}=t,o=r[e.node];switch(e.kind){case"compute":{let{left:a,right:i}=xt(n,n.nodes[e.node]);return{what:o,how:a,result:i}}case"seed":return{what:l.narration.gradOf(o),how:"",result:"1"};case"push":{let a=e.push;return{what:`${o} → ${r[a.to]}`,how:le(a,18),result:g(a.after),sum:a.before!==0&&W(a)?Fe(a,10,`→ ${g(a.after)}`):""}}case"lost":return{what:`${o} → ${r[e.lost.to]}`,how:l.pillLost(g(e.lost.contribution)),result:""};case"skip":return{what:o,how:l.trace.skippedZero,result:""};case"leaf":return{what:o,how:l.trace.skipped,result:g(s.grads[e.node])};case"sort":{let a=Dt(t,e);return{what:a.what,how:a.why,result:""}}}}function de(t,e){return Ft(t.graph.nodes[e].op)}var pe=(t,e)=>{let n=t._$AN;if(n===void 0)return!1;for(let r of n)r._$AO?.(e,!1),pe(r,e);return!0},Re=t=>{let e,n;do{if((e=t._$AM)===void 0)break;n=e._$AN,n.delete(t),t=e}while(n?.size===0)},Gt=t=>{for(let e;e=t._$AM;t=e){let n=e._$AN;if(n===void 0)e._$AN=n=new Set;else if(n.has(t))break;n.add(t),Un(e)}};function Wn(t){this._$AN!==void 0?(Re(this),this._$AM=t,Gt(this)):this._$AM=t}function Yn(t,e=!1,n=0){let r=this._$AH,s=this._$AN;if(s!==void 0&&s.size!==0)if(e)if(Array.isArray(r))for(let o=n;o<r.length;o++)pe(r[o],!1),Re(r[o]);else r!=null&&(pe(r,!1),Re(r));else pe(this,t)}var Un=t=>{t.type==I.CHILD&&(t._$AP??=Yn,t._$AQ??=Wn)},ne=class extends X{constructor(){super(...arguments),this._$AN=void 0}_$AT(e,n,r){super._$AT(e,n,r),Gt(this),this.isConnected=e._$AU}_$AO(e,n=!0){e!==this.isConnected&&(this.isConnected=e,e?this.reconnected?.():this.disconnected?.()),n&&(pe(this,e),Re(this))}setValue(e){if(he(this._$Ct))this._$Ct._$AI(e,this);else{let n=[...this._$Ct._$AH];n[this._$Ci]=e,this._$Ct._$AI(n,this,0)}}disconnected(){}reconnected(){}};var ze=new WeakMap,zt=C(class extends ne{render(t){return h}update(t,[e]){let n=e!==this.G;return n&&this.rt(void 0),(n||this.lt!==this.ct)&&(this.G=e,this.ht=t.options?.host,this.rt(this.ct=t.element)),h}rt(t){if(this.G!==void 0)if(this.isConnected||(t=void 0),typeof this.G=="function"){let e=this.ht??globalThis,n=ze.get(e);n===void 0&&(n=new WeakMap,ze.set(e,n)),n.get(this.G)!==void 0&&this.G.call(this.ht,void 0),n.set(this.G,t),t!==void 0&&this.G.call(this.ht,t)}else this.G.value=t}get lt(){return typeof this.G=="function"?ze.get(this.ht??globalThis)?.get(this.G):this.G?.value}disconnected(){this.lt===this.ct&&this.rt(void 0)}reconnected(){this.rt(this.ct)}});function je({program:t,veil:e,frame:n}){let r=t.line.events[e];return r!==void 0&&n.time>=r.start-1e-6}function jt(t){let{program:e,veil:n}=t,r=e.line.events[n],s=r.push,o=l.predictBox,a=t.state.answers.get(n),i=u=>{let p=He(s.contribution,u);t.dispatch({type:"answer",event:n,typed:u,right:p}),!(!p&&!a)&&(t.dispatch({type:"play",on:!1,time:r.start+1}),t.step(1))};return d`<form class="words predict" @submit=${u=>{u.preventDefault();let p=u.target,m=p.elements.namedItem("prediction"),f=yt(m.value)===null;if(m.setAttribute("aria-invalid",String(f)),p.querySelector(".invalid").textContent=f?l.notNumber:"",f){m.focus();return}let $=m.value;a||He(s.contribution,$)?m.value="":m.select(),i($)}} novalidate>
    <p class="what"><label for="prediction">${o.ask(e.names[r.node],e.names[s.to],g(s.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${o.input} aria-describedby="prediction-note" ${zt(u=>Xn(u,n))} />
      <button class="primary">${o.check}</button>
      <button type="button" class="toggle" @click=${()=>i("")}>${a?o.show:o.hint}</button>
      <span class="score">${Kt(t)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${a?Qn(t,a):Vt(t)??o.rule(g(s.incoming))}</p>
  </form>`}function Xn(t,e){!t||t.dataset.veil===String(e)||(t.dataset.veil=String(e),queueMicrotask(()=>{let{activeElement:n}=t.getRootNode();n?.matches("input, gradwalk-number, select")||t.focus({preventScroll:!0})}))}function Qn(t,e){let{program:n,veil:r}=t,{node:s}=n.line.events[r],o=l.predictBox;return d`${e.typed?d`<strong class="bad">✗ ${o.notIt(e.typed)}</strong> `:h}${o.hintText(de(n,s))}`}function Vt(t){let e=Math.max(-1,...[...t.state.answers.keys()].filter(i=>i<t.veil)),n=t.state.answers.get(e),r=t.program.line.events[e];if(!n||!r?.push)return null;if(n.right)return d`<strong class="good">✓ ${l.predictBox.right}</strong>`;let s=le(r.push),{wrong:o,was:a}=l.predictBox;return d`<strong class="bad">${n.typed?o(n.typed,s):a(s)}</strong> ${l.narration.rule(de(t.program,r.node))}`}function Kt(t){let e=[...t.state.answers.values()].filter(ht),n=e.filter(s=>s.right),r=n.filter(s=>s.missed>0).length;return e.length?l.predictBox.score(n.length,e.length,r):""}function Wt(t){let{state:e,program:n,veil:r}=t;if(!e.predict||e.page!=="sandbox"||n.line.events[r]||!e.answers.size||t.frame.time<n.line.total-1)return null;let s=[...e.answers.values()].every(o=>o.right);return d`<div class="words predict">
    <p class="what"><span class=${s?"good":""}>${s?"✓ ":""}${Kt(t)}</span>
      <button class="primary" @click=${()=>t.dispatch({type:"again",time:0})}>${l.predictBox.again}</button></p>
    <p class="why">${Vt(t)??""} ${s?l.predictBox.all:l.predictBox.some}</p>
  </div>`}function Yt({state:t,dispatch:e}){if(t.greeted)return h;let n=()=>{$t(),e({type:"greeted"})};return d`<aside class="greeting" aria-label=${l.welcome.label}><p>${l.welcome.text}</p>
    <button class="quiet" aria-label=${l.welcome.close} title=${l.welcome.close} @click=${n}>${T("close")}</button></aside>`}function Ut(t){let e=l.legend,n=r=>d`<svg class="wire ${r}" width="32" height="10" aria-hidden="true">${F`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return d`<ul class="reading" aria-label=${l.helpRead}>
    <li>${n("forward")} ${e.forward}</li>
    <li>${n("backward")} ${e.backward}</li>
    <li class="pos">${e.pos}</li>
    <li class="neg">${e.neg}</li>
    <li class="zero">${e.zero}</li>
    <li><code>${t}</code> ${e.unfilled}</li>
    <li><code>t1</code> ${e.unnamed}</li>
  </ul>`}function Jn(t){let e=Math.max(1,Math.abs(t));return 10**(Math.floor(Math.log10(e))-1)}function Xt(t){let{state:e,program:n,frame:r}=t;if(e.page!=="sandbox"||e.predict||t.fixed||e.playing||r.time<n.line.total-1||e.text!==e.good)return null;let{nudge:s}=e;if(s&&e.values.has(s.name))return Zn(t);let{graph:o,walk:a,names:i,output:c}=n;if(!Number.isFinite(o.nodes[o.root].data))return null;let u=o.leaves.filter(({id:y,data:w,label:b})=>Number.isFinite(a.grads[y])&&a.grads[y]!==0&&Number.isFinite(w)&&e.values.has(b)).sort((y,w)=>Math.abs(a.grads[w.id])-Math.abs(a.grads[y.id]))[0];if(!u)return null;let p=Jn(u.data),m=a.grads[u.id],f=i[u.id],$=l.welcome;return d`<p class="why">${$.nudge(f,g(p),c,g(p*m))}
    <button class="primary" @click=${()=>tr(t,u.label,u.data,p,m)}>${$.tryIt}</button></p>`}function Zn(t){let{state:e,program:n,dispatch:r}=t,{name:s,from:o,by:a,grad:i,output:c}=e.nudge,u=n.graph.nodes[n.graph.root].data,p=G(M(i)*M(a),i*a),m=`${g(i)} × ${g(a)} ${p} ${g(i*a)}`,f=l.welcome,$=()=>{r({type:"nudge",nudge:null}),r({type:"value",name:s,value:o})};return d`<p class="why" role="status">${f.moved(n.output,g(c),g(u),g(u-c))} ${f.said(m)} ${Math.abs(u-c-i*a)>.001*Math.abs(i*a)?f.bend:""}
    <button class="toggle" @click=${$}>${f.back}</button></p>`}var er=700;function tr(t,e,n,r,s){let{dispatch:o}=t,{graph:a}=pt(t.state),i=a.nodes[a.root].data,c=Number((n+r).toPrecision(12)),u=()=>{o({type:"value",name:e,value:c}),o({type:"nudge",nudge:{name:e,from:n,by:r,grad:s,output:i}})};if(ae()){u();return}let p=0,m=f=>{p||=f;let $=Math.min(1,(f-p)/er);$>=1?u():(o({type:"value",name:e,value:Number((n+r*$).toPrecision(6))}),requestAnimationFrame(m))};requestAnimationFrame(m)}function V(t,e={}){let{state:n,program:r,frame:s}=t,o=e.switches??["final","unfold","predict","3d"],a=n.predict&&o.includes("predict"),i=o.filter(m=>m!=="final"||!a),c=a?r.line.events[t.veil]:void 0,u=c?je(t)?c.edges[0]:-1:null,p=n.view==="3d"&&i.includes("3d");return d`<section class="stage" aria-label=${l.graphLabel(r.graph.nodes.length)}>
    <div class="banner ${s.event?s.phase:"idle"}">
      ${e.headline??(je(t)?jt(t):Wt(t)??nr(t))}
      <div class="switches">
        ${i.includes("final")?Se(t,"final",l.final):h}
        ${i.includes("unfold")&&(n.unfold||t.program.graph.nodes.some(m=>m.tags.includes("derived")))?Se(t,"unfold",l.unfold):h}
        ${i.includes("predict")&&(n.strict||n.text.includes("**"))?Se(t,"strict",l.strict):h}
        ${i.includes("predict")?Se(t,"predict",l.predict):h}
        ${i.includes("3d")?d`<span class="segments" role="group" aria-label=${l.viewSwitch}>
                ${["2d","3d"].map(m=>d`<button class="segment" aria-pressed=${n.view===m} @click=${()=>t.dispatch({type:"view",view:m})}>${m==="2d"?l.view2d:l.view3d}</button>`)}
              </span>`:h}
        <span class="zoom">
          <button class="quiet" aria-label=${l.zoomOut} title=${l.zoomOut} data-zoom="out">${T("minus")}</button>
          <button class="quiet" aria-label=${l.fit} title=${`${l.fit} (f)`} data-zoom="fit">${T("fit")}</button>
          <button class="quiet" aria-label=${l.zoomIn} title=${l.zoomIn} data-zoom="in">${T("plus")}</button>
        </span>
      </div>
    </div>
    <gradwalk-scene
      id="scene"
      class="picture"
      .program=${r}
      .frame=${s}
      .node=${n.node}
      .edge=${c?null:n.edge}
      .look=${n.look}
      .lit=${e.lit??null}
      .asked=${u}
      unfilled=${e.unfilled??"--"}
      ?final=${n.final&&i.includes("final")}
      ?compare=${e.compare??!1}
      ?deep=${p}
      @look=${m=>t.dispatch({type:"look",look:m.detail})}
      @pick=${m=>t.dispatch({type:"pick",...m.detail})}
    ></gradwalk-scene>
    ${Ut(e.unfilled??"--")}
  </section>`}function nr(t){let e=Ee(t.program,t.frame.event),n=t.state.text!==t.state.good&&!t.fixed,{graph:r,line:s,output:o}=t.program,a=r.nodes[r.root].data,i=t.frame.time>=s.total,c=n?l.lastGood:i&&!Number.isFinite(a)?l.strangeOutput(o,g(a)):t.state.predict&&t.frame.index<0?l.predictBox.start:e.why,u=Xt(t);return u?d`<div class="words end-card"><p class="what">${e.what}</p>${u}</div>`:d`<div class="words"><p class="what">${e.what}</p><p class="why ${n?"bad":""}" title=${c}>${c}</p></div>`}function Se(t,e,n){return d`<button class="toggle" aria-pressed=${t.state[e]} @click=${()=>t.dispatch({type:"toggle",flag:e})}>${n}</button>`}var rr=160;function re(t){let{state:e,program:n,frame:r}=t,{line:s}=n,o=e.playing,a=d`<button class="play" aria-label=${o?l.pause:l.play} title=${o?l.pause:l.play} @click=${t.playPause}>${T(o?"pause":"play")}</button>`;return d`<div class="transport" role="group" aria-label=${l.time}>
    <div class="buttons">
      ${a}
      ${Le("start",l.toStart,()=>t.seek(0))}
      ${Le("back",l.stepBack,()=>t.step(-1))}
      ${Le("step",l.step,()=>t.step(1))}
      ${Le("end",l.toEnd,()=>t.seek(s.total))}
    </div>
    <div class="segments" role="group" aria-label=${l.phaseSwitch}>
      ${s.phases.map(i=>d`<button
          class="segment ${i.phase}"
          aria-pressed=${r.phase===i.phase&&r.index>=0}
          @click=${()=>t.dispatch({type:"play",on:!0,time:i.start})}
        >${l.phases[i.phase]}</button>`)}
    </div>
    <div class="scrub" ${N(or(s))}>
      ${ar(s)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(s.total)}
        step="1"
        aria-label=${l.time}
        aria-valuetext=${Ee(n,r.event).what}
        .value=${ue(String(Math.round(r.time)))}
        @input=${i=>t.seek(Math.min(s.total,Number(i.target.value)))}
        @keydown=${i=>sr(t,i)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${l.speed}</span>
      <select aria-label=${l.speed} @change=${i=>t.dispatch({type:"speed",speed:Number(i.target.value)})}>
        ${gt.map(i=>d`<option value=${i} .selected=${i===e.speed}>${l.speeds(i)}</option>`)}
      </select>
    </label>
  </div>`}function Le(t,e,n){return d`<button class="quiet ${t}" aria-label=${e} title=${e} @click=${n}>${T(t)}</button>`}function sr(t,e){if(e.shiftKey||e.ctrlKey||e.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];n&&(e.preventDefault(),e.stopPropagation(),t.step(n))}function or(t){let e=r=>{let s=t.phases.find(o=>o.phase===r);return s?`${(100*s.end/t.total).toFixed(2)}%`:""},n=e("forward")||"0%";return{"--forward-end":n,"--sort-end":e("sort")||n}}function ar(t){return t.events.length>rr?"":d`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${t.events.map(e=>{let n=`${100*e.end/t.total}%`;return F`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}var ir=60,Qt=6,lr=24,cr=24,Ve=class extends ne{#e;#n=null;#t=null;#r=lr;#a=cr;#i=0;#u=new ResizeObserver(()=>this.#l());#d=-2;#s=0;#o=0;constructor(e){super(e)}render(e){return h}update(e,[n]){return this.#e=n,this.#n=e,n.count<=ir?(this.disconnected(),this.#c(0,n.count)):(this.#t||queueMicrotask(()=>this.#p()),this.#m(n.now!==this.#d),this.#d=n.now,this.#c(this.#s,this.#o))}#p(){if(!this.isConnected||this.#t)return;let e=this.#n?.parentNode;this.#t=e?.closest(".body")??null,this.#t&&(this.#t.addEventListener("scroll",this.#l,{passive:!0}),this.#u.observe(this.#t))}disconnected(){this.#t?.removeEventListener("scroll",this.#l),this.#u.disconnect(),this.#t=null}reconnected(){queueMicrotask(()=>this.#p())}#l=()=>{let[e,n]=[this.#s,this.#o];this.#f(),this.#m(!1),!(e===this.#s&&n===this.#o)&&this.setValue(this.#c(this.#s,this.#o))};#f(){let e=this.#t;if(!e)return;let n=e.querySelector("tbody tr[aria-rowindex]")?.offsetHeight;n&&(this.#r=n),this.#a=Math.ceil(e.clientHeight/this.#r),this.#i=Math.floor(e.scrollTop/this.#r)}#m(e){let{count:n,now:r}=this.#e,s=this.#a,o=this.#i;e&&r>=0&&r<n&&(r<o||r>=o+s)&&(o=r-Math.floor(s/2)),o=Math.max(0,Math.min(o,n-s)),this.#s=Math.max(0,o-Qt),this.#o=Math.min(n,o+s+Qt)}#c(e,n){let{count:r,columns:s,row:o}=this.#e,a=Array.from({length:Math.max(0,n-e)},(i,c)=>e+c);return[this.#g(e,s),Z(a,i=>i,o),this.#g(r-n,s)]}#g(e,n){if(e<=0)return h;let r=`${e*this.#r}px`;return d`<tr class="gap" aria-hidden="true"><td colspan=${n} ${N({"block-size":r})}></td></tr>`}},H=C(Ve);function ea({graph:t,names:e},n){let r=n.trim().toLowerCase();if(!r)return[];let s=[],o=[];for(let a of t.nodes){if(R(a))continue;let i=[e[a.id],a.op,vt(a.op)].map(c=>c.toLowerCase());i.includes(r)?s.push(a.id):[i[0],a.scope.toLowerCase()].some(c=>c.includes(r))&&o.push(a.id)}return[...s,...o]}function Ke({line:t,graph:e},n){let{firstEdge:r}=t,s=0,o=e.nodes.length-1;for(;s<o;){let a=s+o+1>>1;r[a]<=n?s=a:o=a-1}return{target:s,operand:n-r[s]}}function Jt(t,e,{target:n,operand:r}){return t.line.firstEdge[n]+r===e}function Zt(t,e){let n=new Set;return e.slice(1).forEach((r,s)=>{let o=t.graph.nodes[e[s]].operands.indexOf(r);o>=0&&n.add(t.line.firstEdge[e[s]]+o)}),{nodes:new Set(e),edges:n}}function sa(t){return{key:e=>ur(t,e),wheel:e=>mr(t,e),down:e=>fr(t,e)}}function ur(t,e){let n=e.target.closest("[data-node]");if(!n||e.ctrlKey||e.metaKey||e.altKey||e.shiftKey)return;let r=Number(n.dataset.node);if(e.key==="Enter")t.open(r);else if(e.key.startsWith("Arrow")){let[s,o]=pr(t.program,t.picture,r,e.key);s!==null&&t.focusNode(s,o)}else if(e.key==="PageDown"||e.key==="PageUp"){let s=dr(t,r,e.key==="PageDown"?1:-1);s&&t.pick(null,s)}else return;e.preventDefault(),e.stopPropagation()}function dr({program:t,picture:e,edge:n},r,s){let o=e.itemOf[r],a=e.layout.edges.flatMap(({source:u,target:p},m)=>u===o||p===o?e.edges[m]:[]);if(!a.length)return null;let i=n?a.findIndex(u=>Jt(t,u,n)):-1,c=i<0?s>0?0:a.length-1:(i+s+a.length)%a.length;return Ke(t,a[c])}function pr(t,{layout:e,items:n,itemOf:r,edges:s,down:o},a,i){let c=r[a],[u,p,m]=o?["ArrowUp","ArrowDown","ArrowRight"]:["ArrowLeft","ArrowRight","ArrowDown"];if(i===u||i===p){let b=e.edges.map((x,L)=>({to:i===u?x.source:x.target,edge:x,wire:L})).filter(({edge:x})=>(i===u?x.target:x.source)===c),v=b.find(({to:x})=>!R(t.graph.nodes[n[x].node]))??b[0];return v?[n[v.to].node,Ke(t,s[v.wire][0])]:[null,null]}let f=b=>{let{x:v,y:x,width:L,height:Ie}=e.cards[b];return o?x+Ie:v+L},$=b=>o?e.cards[b].x:e.cards[b].y,y=i===m?1:-1,w=null;return e.cards.forEach((b,v)=>{let x=($(v)-$(c))*y;f(v)!==f(c)||x<=0||(w===null||x<($(w)-$(c))*y)&&(w=v)}),[w===null?null:n[w].node,null]}function mr(t,e){if(!e.ctrlKey&&!e.metaKey)return;e.preventDefault();let n=t.view.getBoundingClientRect();t.zoom(Math.exp(-e.deltaY*.004),e.clientX-n.left,e.clientY-n.top)}function We(){let t=e=>e.stopPropagation();addEventListener("click",t,{capture:!0,once:!0}),setTimeout(()=>removeEventListener("click",t,{capture:!0}))}var gr=5;function fr(t,e){if(e.button!==0||t.dataset.dragging)return;let n=new Map([[e.pointerId,{x:e.clientX,y:e.clientY}]]),r=!1,s=()=>{let[u,p]=[...n.values()];return p?Math.hypot(u.x-p.x,u.y-p.y):0},o={x:e.clientX,y:e.clientY};t.dataset.dragging="maybe";let a=u=>{n.size<2&&n.set(u.pointerId,{x:u.clientX,y:u.clientY})},i=u=>{let p=n.get(u.pointerId);if(!p||!r&&Math.hypot(u.clientX-o.x,u.clientY-o.y)<gr)return;r=!0,t.dataset.dragging="yes";let m=s();if(n.set(u.pointerId,{x:u.clientX,y:u.clientY}),n.size===2&&m>0){let y=t.view.getBoundingClientRect(),[w,b]=[...n.values()];t.zoom(s()/m,(w.x+b.x)/2-y.left,(w.y+b.y)/2-y.top)}let[f,$]=[(u.clientX-p.x)/n.size,(u.clientY-p.y)/n.size];n.size===2||u.shiftKey?t.pan(f,$):t.drag(f,$)},c=u=>{n.delete(u.pointerId),!n.size&&(removeEventListener("pointermove",i),removeEventListener("pointerup",c),removeEventListener("pointercancel",c),t.removeEventListener("pointerdown",a),r&&We(),setTimeout(()=>delete t.dataset.dragging))};addEventListener("pointermove",i),addEventListener("pointerup",c),addEventListener("pointercancel",c),t.addEventListener("pointerdown",a)}var hr=4;function en(t,e,n){let r=t.target.closest("[data-place]"),s=t.currentTarget;if(!r||t.button!==0)return;let o=Number(r.dataset.place),a=[...e()],i=!1,c=p=>{if(!i&&Math.hypot(p.clientX-t.clientX,p.clientY-t.clientY)<hr)return;i=!0,r.classList.add("dragged"),p.preventDefault();let m=[...s.querySelectorAll("[data-place]")].find(y=>{let w=y.getBoundingClientRect();return p.clientX>=w.left&&p.clientX<=w.right&&p.clientY>=w.top-12&&p.clientY<=w.bottom+12}),f=m?a.indexOf(Number(m.dataset.place)):-1,$=a.indexOf(o);f<0||f===$||(a=a.filter(y=>y!==o),a.splice(f,0,o),n(a))},u=()=>{r.classList.remove("dragged"),i&&We(),removeEventListener("pointermove",c),removeEventListener("pointerup",u),removeEventListener("pointercancel",u)};addEventListener("pointermove",c),addEventListener("pointerup",u),addEventListener("pointercancel",u)}var br=24;function xa(t){return d`${j(t)}${$r(t)}`}function $r(t){let{state:e,program:n}=t,r=Ce(n.graph),s=we(n.graph,e.order)?e.order:r,o=wr(n),a=e.ran?t:{...t,frame:be(n.line,o)},i=e.ran?void 0:d`<div class="words"><p class="what task">${l.order.task}</p><p class="why">${l.order.rule}</p></div>`;return d`
    ${V(a,{compare:e.ran,switches:[],headline:i,lit:e.ran?Rr(n,t.state.edge,t.state.node):null})}
    ${r.length>br?d`<p class="panel pad">${l.order.count(r.length)}</p>`:yr(t,s,o)}
    ${e.ran?d`${re(t)}${Tr(t)}`:h}`}function wr(t){let[e]=t.line.phases;return e?.phase==="forward"?e.end:0}function yr(t,e,n){let{program:r,dispatch:s,state:o}=t,{names:a}=r,i=u=>s({type:"order",order:u}),c=(u,p)=>{if(p<0||p>=e.length||u===p)return;let m=[...e];m.splice(p,0,...m.splice(u,1)),i(m)};return d`<section class="tray panel" aria-label=${l.order.tray}>
    <ol class="places" @pointerdown=${u=>en(u,()=>vr(t,e),i)}>
      ${Z(e,u=>u,(u,p)=>d`<li class="place" data-place=${u}>
          <span class="number" aria-hidden="true">${p+1}</span>
          <button class="bare nudge" aria-label=${l.order.earlier(a[u])} ?disabled=${p===0} @click=${()=>c(p,p-1)}>${T("left")}</button>
          <button class="grip" aria-label=${l.order.place(a[u],p+1,e.length)} @keydown=${m=>xr(m,p,c)}>${a[u]}</button>
          <button class="bare nudge" aria-label=${l.order.later(a[u])} ?disabled=${p===e.length-1} @click=${()=>c(p,p+1)}>${T("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{we(r.graph,o.order)||i(e),s({type:"run",on:!0,time:n})}}>${T("play")} ${l.order.run}</button>
      <button class="toggle" @click=${()=>i(kr(e))}>${l.order.shuffle}</button>
      <button class="toggle" @click=${()=>i(A(r.graph).order.filter(u=>e.includes(u)))}>${l.order.right}</button>
    </div>
  </section>`}function vr(t,e){return we(t.program.graph,t.state.order)?t.state.order:e}function xr(t,e,n){let r={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[t.key];if(!r)return;t.preventDefault(),t.stopPropagation(),n(e,e+r);let s=t.currentTarget;requestAnimationFrame(()=>s.focus())}function kr(t){let e=[...t];for(let n=e.length-1;n>0;n--){let r=Math.floor(Math.random()*(n+1));[e[n],e[r]]=[e[r],e[n]]}return e}function Tr(t){let{program:e,frame:n}=t,{walk:r,names:s,graph:o}=e;if(n.time<e.line.total-1)return d``;if(!r.wrong.length)return d`<section class="panel verdict right"><h2>✓ ${l.order.won}</h2><div class="body"><p>${l.order.insight}</p>${Me(e)}</div></section>`;let a=r.backward.filter(i=>i.note==="zero"&&r.expected[i.node]!==0);return d`<section class="panel verdict wrong">
    <h2>✗ ${r.lost.length?l.order.lost(r.lost.length):l.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${r.lost.map(i=>Er(t,i))}
        ${a.map(i=>d`<li><span>${l.order.starvedRow(s[i.node])}</span></li>`)}
        <li class="insight">${l.order.insight}</li>
      </ul>
      ${Me(e)}
    </div>
    <span class="hidden">${o.nodes.length}</span>
  </section>`}function Er(t,e){let{names:n,graph:r}=t.program,s=r.nodes[e.source].operands.indexOf(e.to);return d`<li>
    <span><strong class="bad">${l.order.lostRow(g(e.contribution),e.path.map(o=>n[o]).join(" → "))}</strong>
    <br />${l.narration.lostWhy(n[e.to],n[e.source])}</span>
    <button class="toggle" @click=${()=>t.dispatch({type:"pick",node:null,edge:{target:e.source,operand:s}})}>${l.order.showPath}</button>
  </li>`}function Rr(t,e,n){if(!e||n!==null)return null;let r=t.graph.nodes[e.target].operands[e.operand],s=t.walk.lost.find(o=>o.source===e.target&&o.to===r);return s?Zt(t,s.path):null}function Me(t){let{walk:e,names:n,graph:r}=t,s=Ce(r).toReversed(),o=new Set(e.wrong);return d`<table class="comparison" aria-rowcount=${s.length+1}>
    <caption>${l.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${l.bugs.node}</th><th scope="col" class="end">${l.order.got}</th><th scope="col" class="end">${l.order.should}</th><th scope="col"><span class="hidden">${l.bugs.differs(1)}</span></th></tr></thead>
    <tbody>${H({count:s.length,now:-1,columns:4,row:a=>{let i=s[a],c=o.has(i);return d`<tr class=${c?"differs":""} aria-rowindex=${a+2}><td>${n[i]}</td><td class="end ${c?"bad":""}">${g(e.grads[i])}</td><td class="end">${g(e.expected[i])}</td><td class=${c?"bad":"good"}>${c?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var Pe=[["","def __add__(self, other):"],["+","    return Value(self.data + other.data,"],["","        (self, other), (1, 1))"],["","def __mul__(self, other):"],["*","    return Value(self.data * other.data,"],["","        (self, other),"],["","        (other.data, self.data))"],["","def tanh(self):"],["tanh","    t = math.tanh(self.data)"],["other","    return Value(t, (self,), (1 - t * t,))"]],Sr=[["","topo, visited, stack = [], {self}, [(self, 0)]"],["","while stack:"],["pop","    node, i = stack.pop()"],["","    if i == len(node._children):"],["place","        topo.append(node)"],["","        continue"],["","    stack.append((node, i + 1))"],["","    child = node._children[i]"],["visited","    if child not in visited:"],["","        visited.add(child)"],["push","        stack.append((child, 0))"]],Lr=[["seed","self.grad = 1.0"],["visit","for v in reversed(topo):"],["","    edges = zip(v._children, v._local_grads)"],["","    for child, local in edges:"],["push","        child.grad += local * v.grad"]],Mr={forward:Pe,sort:Sr,backward:Lr};function tn(t,e){let{event:n}=e,r=n?.kind==="compute"?Ar(t,n):Mr[e.phase],s=n?Or(t,n):"",o=n?d`<li class="note"><code>${Pr(r.find(([i])=>i===s)?.[1]??"")}# ${Nr(t,n)}</code></li>`:h,a=n?.kind==="compute"?r.length-1:r.findIndex(([i])=>i&&i===s);return d`<ol class="code ${e.phase}" aria-label=${l.code.title}>
    ${r.map(([i,c],u)=>d`<li class=${i!==""&&i===s?"now":""}><code>${c}</code></li>${u===a?o:h}`)}
  </ol>`}function Pr(t){return/^ */.exec(t)[0]}function Ar(t,e){let n=t.graph.nodes[e.node],{op:r}=n;if(r==="+"||r==="*"){let o=Pe.findIndex(([a])=>a===r);return Pe.slice(o-1,o+(r==="+"?2:3))}return r==="tanh"?Pe.slice(-3):{"-":[["","def __sub__(self, other):"],["-","    return self + (other * -1)"]],"/":[["","def __truediv__(self, other):"],["/","    return self * other**-1"]],neg:[["","def __neg__(self):"],["neg","    return self * -1"]],"**":[["","def __pow__(self, n):"],["**","    return Value(self.data**n,"],["","        (self,), (n * self.data**(n - 1),))"]],relu:[["","def relu(self):"],["relu","    return Value(max(0, self.data),"],["","        (self,), (float(self.data > 0),))"]],exp:[["","def exp(self):"],["exp","    e = math.exp(self.data)"],["","    return Value(e, (self,), (e,))"]],log:[["","def log(self):"],["log","    return Value(math.log(self.data),"],["","        (self,), (1 / self.data,))"]]}[r]??[["",`def ${r}(…):`],[r,"    return Value(…, inputs, local_grads)"],["",`    # the row ${r} of ops.py`]]}function Or(t,e){switch(e.kind){case"compute":return t.graph.nodes[e.node].op;case"sort":{let n=t.walk.sort[e.row].note;return n==="leaf"||n==="done"?"place":n?"visited":"push"}case"seed":return"seed";case"skip":case"leaf":return"visit";default:return"push"}}function Nr(t,e){let{names:n,graph:r,walk:s}=t;switch(e.kind){case"push":{let o=e.push,a=t.walk.bug==="overwrite"?"=":"+=";return`${n[o.to]}.grad ${a} ${g(o.local)} * ${g(o.incoming)}`}case"compute":return`${n[e.node]} = ${g(r.nodes[e.node].data)}`;case"seed":return`${t.output}.grad = 1`;case"sort":{let[o,a]=s.sort[e.row].pop;return`(${n[o]}, ${a})`}case"lost":return`${n[e.lost.to]}: ✗`;default:return`v = ${n[e.node]}`}}var S=t=>({kind:"number",x:t}),me=t=>({kind:"total",node:t}),Ue=(t,e)=>({kind:"local",node:t,operand:e}),Ye=t=>({kind:"grad",node:t}),k=t=>({kind:"sign",sign:t}),nn=new WeakMap;function _r(t){let e=nn.get(t);if(e)return e;let n=new Map,r=[];for(let{push:s}of t.events){if(!s)continue;let o=(n.get(s.to)??0)+1;n.set(s.to,o),r.push([s,o])}return e=new Map(r.map(([s,o])=>[s,[o,n.get(s.to)]])),nn.set(t,e),e}function Xe(t,e){let[n,r]=_r(t.line).get(e)??[1,1],s=B(t.graph,e.to,1).count===BigInt(r);return{place:n,count:r,arePaths:s}}function rn(t,e,n){let{walk:r}=t,s=e.push,o=e.node,{incoming:a,contribution:i,before:c,after:u,to:p}=s,m=Object.is(a,r.expected[o])||a===r.expected[o],f=M(a)*M(s.local),$=[Ye(p),k(W(s)?"+=":"="),m?me(o):Ye(o),k("·"),Ue(o,s.operand),k("="),S(a),k("×"),S(s.local),k(G(f,i)),S(i)],{place:y,count:w}=Xe(t,s);if(!n)return{step:$,holds:null,complete:null};let v=y>1&&W(s)?[S(c),k("+"),S(i),k(G(M(c)+M(i),u))]:[],x=y===w&&(Object.is(u,r.expected[p])||u===r.expected[p]);return{step:$,holds:x||y===1?null:[Ye(p),k("="),...v,S(u)],complete:x?[me(p),k("="),...v,S(u)]:null}}function sn(t,e){let{graph:n}=t,{operands:r,local_grads:s}=n.nodes[e];return r.flatMap((o,a)=>R(n.nodes[o])?[]:[[Ue(e,a),k("="),S(s[a])]])}function on({graph:t,names:e},{target:n,operand:r}){let s=t.nodes[n],o=s.local_grads[r],a=lt(t,s,r,c=>e[c]),i=a.replaceAll("-","−")!==g(o);return[Ue(n,r),k("="),...i?[{kind:"formula",text:a,node:n,operand:r},k("=")]:[],S(o)]}function an({graph:t},e){if(e===t.root)return[me(e),k("="),S(1)];let n=B(t,e,4),r=n.largest.flatMap((i,c)=>[...c?[k("+")]:[],...i.locals.flatMap((u,p)=>p?[k("×"),S(u)]:[S(u)])]);if(r.length<2)return[me(e),k("="),S(n.total)];let s=0;for(let{locals:i}of n.largest)s+=i.reduce((c,u)=>c*M(u),1);let o=n.complete?[]:[k("+"),{kind:"rest"}],a=n.complete?G(s,n.total):"=";return[me(e),k("="),...r,...o,k(a),S(n.total)]}function cn(t,e,n,r){if(r)return Cr(t,r);if(n!==null)return qr(t,n);let{event:s}=e;if(s?.kind==="push")return Ir(t,e);if(s?.kind==="compute"){let o=t.graph.nodes[s.node];return d`<p class="formula">${xe(t.graph,o)}</p>
      <p class="why">${l.equation.keeps}</p>
      <div class="locals">${sn(t,o.id).map(a=>se(t,a))}</div>`}return d`<p class="why">${s?.kind==="sort"?l.equation.sorting:l.equation.idle}</p>`}function Ir(t,e){let n=e.event,r=n.push,{step:s,holds:o,complete:a}=rn(t,n,e.landed),{place:i,count:c,arePaths:u}=Xe(t,r),p=l.equation;return d`
    ${se(t,s)}
    <p class="part">${(u?p.path:p.contribution)(i,c,a!==null)}</p>
    ${o?se(t,o):h}
    ${a?se(t,a):h}
    <p class="why">${l.narration.rule(de(t,n.node))}</p>`}function Cr(t,e){let{graph:n,names:r}=t,s=n.nodes[e.target].operands[e.operand],o=d`<p class="picked">${l.inspect.edge(r[s],r[e.target])}</p>`;if(R(n.nodes[s]))return d`${o}<p class="why">${l.inspect.noPath}</p>`;let a=n.nodes[e.target].local_grads[e.operand];return d`
    ${o}
    ${se(t,on(t,e))}
    <p class="why">${l.inspect.wiggle(r[s],r[e.target],g(a))}</p>`}function qr(t,e){let{graph:n,names:r,output:s}=t,o=n.nodes[e];return R(o)?d`<p class="picked">${l.inspect.node(r[e])}</p>${ln(o)}<p class="why">${l.inspect.noPath}</p>`:d`
    <p class="picked">${l.inspect.node(r[e])}<span class="exact">${Q(o.data)}</span></p>
    ${ln(o)}
    ${se(t,an(t,e))}
    ${Hr(o.data,t.walk.grads[e])}
    ${e===n.root?h:d`<p class="why">${l.inspect.paths(B(n,e,1).count,r[e],s)}</p>`}`}function Hr(...t){let e=[...new Set(t.map(te))].filter(Boolean);return e.length?d`<p class="why odd">${e.join(" ")}</p>`:h}function ln(t){return t.scope?d`<p class="why scope">${l.inspect.scope(t.scope)}</p>`:h}function se(t,e){let n=[[]];return e.forEach((r,s)=>{r.kind==="sign"&&r.sign!=="×"&&r.sign!=="·"&&n.at(-1).length&&n.push([]),n.at(-1).push(Fr(t,r,s>0?e[s-1]:null))}),d`<div class="equation">${n.map(r=>d`<math display="inline" displaystyle="true"><mrow>${r}</mrow></math>`)}</div>`}function Fr(t,e,n){let{names:r,output:s}=t;switch(e.kind){case"number":{let o=n?.kind==="sign"&&!["=","≈","+="].includes(n.sign);return _`<mn class=${J(e.x)}>${o?ie(e.x):g(e.x)}</mn>`}case"total":return Dr(s,r[e.node]);case"local":return Br(t,e.node,e.operand);case"grad":return _`<mi class="grad">${l.narration.gradOf(r[e.node])}</mi>`;case"formula":return _`<mtext class="code">${e.text.replaceAll("-","−").replaceAll("*","∗")}</mtext>`;case"rest":return _`<mo>…</mo>`;case"sign":return _`<mo form="infix">${e.sign}</mo>`}}function un(t,e){return _`<mfrac><mrow><mo rspace="0">∂</mo><mi>${t}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${e}</mi></mrow></mfrac>`}function Dr(t,e){return _`<mrow class="total">${un(t,e)}</mrow>`}function Br({graph:t,names:e},n,r){let{operands:s}=t.nodes[n],o=s.filter(i=>i===s[r]).length,a=s.slice(0,r+1).filter(i=>i===s[r]).length;return _`<munder class="local"><mrow>${un(e[n],e[s[r]])}</mrow><mtext>${l.equation.local(o>1?a:0)}</mtext></munder>`}function dn(t,e,n,r,s){let{graph:o,names:a,walk:i}=t,c=l.numbers,u=o.nodes.filter(f=>!R(f)).toReversed(),p=f=>{let $=u[f],y=$.id===n,w=e.node($.id),b=r?i.grads[$.id]:w.grad,v=J(b),x=y?Q:g;return d`<tr class=${`${y?"now":""} ${e.phase}`} aria-rowindex=${f+2} @click=${()=>s($.id)}>
      <td title=${a[$.id]}><button class="bare" aria-label=${c.select(a[$.id])} aria-pressed=${y}>${a[$.id]}</button></td>
      <td class="end" title=${w.filled?Q($.data):""}>${w.filled?x($.data):"·"}</td>
      <td class="end ${v}" title=${b===null?"":Q(b)}>${b===null?"·":x(b)} ${wt[v]}</td>
    </tr>`},m=n===null?-1:u.findIndex(({id:f})=>f===n);return d`<table class="numbers" aria-rowcount=${u.length+1}>
    <caption class="hidden">${c.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${c.node}</th><th scope="col" class="end">${c.value}</th><th scope="col" class="end">${c.grad}</th></tr></thead>
    <tbody>${H({count:u.length,now:m,columns:3,row:p})}</tbody>
  </table>`}var Gr={},pn=C(class extends X{constructor(){super(...arguments),this.ot=Gr}render(t,e){return e()}update(t,[e,n]){if(Array.isArray(e)){if(Array.isArray(this.ot)&&this.ot.length===e.length&&e.every((r,s)=>r===this.ot[s]))return D}else if(this.ot===e)return D;return this.ot=Array.isArray(e)?Array.from(e):e,this.render(e,n)}});function Ae(t,e,n,r=Number.POSITIVE_INFINITY){let{events:s}=t.line,o=l.events,a=i=>{let c=s[i],{what:u,how:p,result:m,sum:f}=Bt(t,c),$=i>=r&&c.phase==="backward",y=i===e.index?"now":i<e.index?"past":"ahead";return d`<tr class="${c.phase} ${y}" aria-rowindex=${i+2} aria-current=${i===e.index?"step":h} @click=${()=>n(c.end)}>
      <td class="index"><button class="bare" aria-label=${o.goto(i+1,u)} @click=${w=>{w.stopPropagation(),n(c.end)}}>${i+1}</button></td>
      <td class="who" title=${u}>${u}</td>
      <td class="how">${$?"?":p}</td>
      <td class="end">${$?"?":f?d`<span class="adding">${f}</span><span class="brief" aria-hidden="true">→ ${m}</span>`:m}</td>
    </tr>`};return d`<table class="events" aria-rowcount=${s.length+1} ${N({"--digits":String(String(s.length).length)})}>
    <caption class="hidden">${o.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${o.number}</th><th scope="col">${o.what}</th><th scope="col">${o.how}</th><th scope="col" class="end">${o.result}</th></tr>
    </thead>
    <tbody>${H({count:s.length,now:e.index,columns:4,row:a})}</tbody>
  </table>`}var mn=t=>t.program.graph.leaves.map(e=>t.program.walk.grads[e.id]),Qe=[{id:"predict",preset:"x1",predict:!0,done:({state:t,program:e})=>{let n=e.line.events.flatMap((r,s)=>r.kind==="push"?[s]:[]);return t.predict&&n.length>3&&n.every(r=>t.answers.get(r)?.right)}},{id:"dead",preset:"x9",values:{x:2,w:3,b:1},done:t=>t.state.good.includes("relu")&&mn(t).every(e=>e===0)},{id:"square",preset:"x3",done:({state:t,program:e,frame:n})=>/^\s*(\w+)\s*\*\s*\1\s*$/.test(t.good)&&n.time>=e.line.total},{id:"negative",preset:"x6",done:t=>mn(t).some(e=>e<0)}];function ui(t){let e=Qe.find(({id:n})=>n===t.state.task);e?.done(t)&&It(`try:${e.id}`)}function gn(t){let e=new Set(Qe.map(s=>s.id).filter(s=>q().done.has(`try:${s}`))),n=l.tries.rows[t.state.task],r=e.has(t.state.task);return d`<div class="tries" role="group" aria-label=${l.tries.title}>
    <span class="lead">${l.tries.title}</span>
    ${Qe.map(s=>{let[o,a]=l.tries.rows[s.id];return d`<button
        class="try ${e.has(s.id)?"done":""}"
        data-try=${s.id}
        title=${a}
        aria-pressed=${s.id===t.state.task}
        @click=${i=>{jr(t,s),zr(i.currentTarget)}}
      ><span aria-hidden="true">${e.has(s.id)?"✓":"○"}</span> ${o}${e.has(s.id)?d`<span class="hidden">, ${l.tries.done}</span>`:h}</button>`})}
    ${n?d`<p class="task ${r?"good":""}" role="status">${r?`✓ ${l.tries.well}`:""} ${n[1]}</p>`:h}
  </div>`}function zr(t){let e=t.getRootNode();requestAnimationFrame(()=>{let n=e.querySelector(".stage");n&&n.getBoundingClientRect().top<0&&n.scrollIntoView({block:"start",behavior:ae()?"instant":"smooth"})})}function jr(t,e){let n=Y(e.preset),r=e.values??n.values;t.dispatch({type:"task",task:""}),t.dispatch({type:"load",text:n.text,values:r}),t.dispatch({type:"toggle",flag:"predict",on:e.predict??!1}),t.dispatch({type:"play",on:!0,time:0}),ae()&&!e.predict&&t.dispatch({type:"seek",time:z}),t.dispatch({type:"task",task:e.id})}function Ei(t){return d`
    ${re(t)}
    ${t.embedded?h:Yt(t)}
    ${j(t,t.fixed?h:gn(t))}
    ${V(t)}
    <div class="dock four">${Vr(t)}</div>`}function Vr(t){let{program:e,frame:n,state:r,dispatch:s}=t,o=e.line.events[t.veil]!==void 0,a=bt()&&!t.fixed&&!o,i=o&&(r.node!==null||r.edge!==null)?d`<p class="why">${l.predictBox.hidden}</p>`:cn(e,n,r.node,r.edge);return pn([e,n.index,n.landed,r.node,r.edge,r.final,t.veil,a],()=>[P(l.events.title,Ae(e,n,t.seek,t.veil),"table"),P(l.equation.title,i,"rule"),P(l.code.title,tn(e,n),"engine"),P(l.numbers.title,dn(e,n,r.node,r.final,c=>s({type:"pick",node:c})),"table",a?d`<button class="toggle" @click=${()=>s({type:"proof",on:!0})}>${l.proof.button}</button>`:h)])}function P(t,e,n="",r=h){return d`<section class="panel ${n}"><div class="title"><h2>${t}</h2>${r}</div><div class="body" tabindex="0" role="region" aria-label=${t}>${e}</div></section>`}var oe=1e3,fn=5,Je=class extends fe{static{this.styles=ve}static{this.properties={power:{state:!0}}}constructor(){super(),this.power=2}get length(){let e=10**this.power,n=10**Math.max(0,Math.floor(this.power)-1);return Math.round(e/n)*n}render(){let{length:e}=this,n=e>=oe,r=l.bugs.count(e);return d`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${l.bugs.depth}</span>
          <input type="range" min="0.5" max=${fn} step="0.01" .value=${String(this.power)} aria-valuetext=${r}
            @input=${s=>{this.power=Number(s.target.value)}} />
          <output>${r}</output>
        </label>
        <p class="why">${l.bugs.depthText(e)}</p>
        <div class="columns">
          ${this.#e(l.bugs.recursive,l.bugs.frames(Math.min(e+1,oe)),n?l.bugs.overflow:l.bugs.fine,n,!0)}
          ${this.#e(l.bugs.iterative,l.bugs.entries(e+1),l.bugs.fine,!1,!1)}
        </div>
      </div>
    </section>`}#e(e,n,r,s,o){let a=c=>`${(100*Math.min(1,Math.log10(c)/fn)).toFixed(2)}%`,{length:i}=this;return d`<div class="pile ${s?"dies":""}">
      <h2>${e}</h2>
      <div class="room" role="img" aria-label=${n} ${N({"--used":a(s?oe:i),"--limit":a(oe)})}>
        <div class="used"></div>${o?d`<div class="limit"></div>`:h}
      </div>
      <p>${n}${o?d` <span class="why">· ${l.bugs.limit}</span>`:h}</p>
      <p class=${s?"bad":"good"}><strong>${s?"✗":"✓"} ${r}</strong></p>
      <pre>${o?Kr(i):Wr(i)}</pre>
    </div>`}},hn=t=>t?`+${[...String(t)].map(e=>"₀₁₂₃₄₅₆₇₈₉"[Number(e)]).join("")}`:"x";function bn(t,e){if(e<=8)return Array.from({length:e},(r,s)=>t(s));let n=l.bugs.between(e-6);return[0,1,2,3].map(t).concat(n,t(e-2),t(e-1))}function Kr(t){let e=Math.min(t+1,oe);return[...bn(r=>`${"  ".repeat(Math.min(r,5))}build(${hn(t-r)})`,e),t>=oe?l.bugs.overflow:""].join(`
`)}function Wr(t){return bn(e=>e===t?"(x, 0)":`(${hn(t-e)}, 1)`,t+1).join(`
`)}customElements.define("gradwalk-depth",Je);function Oe(t){let e=t>>>0;return()=>{e=e+1831565813>>>0;let n=Math.imul(e^e>>>15,e|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var Yr={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},Ur=["a","b","c"],Xr=["d","e","g","h","k","m"],Qr=[-4,-3,-2,-1,1,2,2,3,4,5],$n=60;function Ne(t,e){for(;;){let n=Jr(t,e);if(Zr(n))return n}}function Jr(t,e){let{operations:n,leaves:r,vocabulary:s}=Yr[e],o=m=>m[Math.floor(t()*m.length)],a={},i=Ur.slice(0,1+Math.floor(t()*r));for(let m of i)a[m]=o(Qr);let c=[...i],u=[...i],p=[];for(let m=0;m<n;m++){let f=Xr[m],$=u.length>n-m,y=o($?["+","*"]:s),w=o(u),b=$?u.filter(L=>L!==w):c,v=o(b.length?b:c);y==="relu"?p.push(`${f} = relu(${w})`):y==="**2"?p.push(`${f} = ${w}**2`):p.push(`${f} = ${w} ${y} ${v}`);let x=y==="relu"||y==="**2"?[w]:[w,v];u=[...u.filter(L=>!x.includes(L)),f],c.push(f)}return{text:p.join("; "),values:a}}function Zr({text:t,values:e}){let n=O(E(t).evaluate(e));if(n.leaves.length!==Object.keys(e).length)return!1;let{expected:r}=A(n);return n.nodes.every(s=>Math.abs(s.data)<=$n&&Math.abs(r[s.id])<=$n&&(s.tags.includes("const")||r[s.id]!==0)&&(s.data!==0||s.op==="relu"))}function Ze(t){return new Map(it.map(e=>[e,A(t,{bug:e}).grads]))}function et({text:t,values:e}){return O(E(t).evaluate(e))}function wn(t){for(;;){let e=Ne(t,"medium"),n=et(e),r=A(n).grads.join(),s=[...Ze(n)],[o,a]=s[Math.floor(t()*s.length)];if(s.filter(([,c])=>c.join()===a.join()).length===1&&a.join()!==r)return{...e,bug:o}}}var es=["overwrite","wrong-order","no-reset","no-visited"],tt=class extends fe{static{this.styles=ve}static{this.properties={seed:{type:Number},fixed:{type:Boolean},answer:{state:!0}}}#e;#n;constructor(){super(),this.seed=0,this.fixed=!1,this.answer=""}connectedCallback(){super.connectedCallback(),this.seed||this.#t()}willUpdate(e){e.has("seed")&&(this.#e=wn(Oe(this.seed)),this.#n=dt(et(this.#e),{bug:this.#e.bug,compare:!0}),this.answer="")}#t(){this.seed=1+Math.floor(Math.random()*1e9),this.dispatchEvent(new CustomEvent("case",{detail:this.seed,bubbles:!0,composed:!0}))}#r(e){this.answer||(this.answer=e,Ct(e===this.#e.bug))}render(){let{text:e,values:n,bug:r}=this.#e,{right:s,all:o}=q(),a=this.#n,i=Object.entries(n).map(([c,u])=>`${c} = ${g(u)}`).join(", ");return d`<section class="stage game">
        <div class="banner">
          <div class="words"><p class="what">${e}</p><p class="why">${l.checks.where(i)}</p></div>
          <span class="score">${o?l.bugs.score(s,o):h}</span>
        </div>
        <gradwalk-scene class="picture" .program=${a} .frame=${be(a.line,a.line.total)} compare></gradwalk-scene>
      </section>
      <section class="panel quiz" aria-live="polite">
        <div class="body">
          <p class="ask">${l.bugs.game}</p>
          <div class="choices">
            ${es.map(c=>d`<button
                class="toggle ${this.answer&&c===r?"is-right":""} ${c===this.answer&&c!==r?"is-wrong":""}"
                data-choice=${c}
                aria-pressed=${c===this.answer}
                ?disabled=${this.answer!==""&&c!==this.answer&&c!==r}
                @click=${()=>this.#r(c)}
              >${l.bugs.names[c]}</button>`)}
          </div>
          ${this.answer?this.#a():h}
        </div>
      </section>`}#a(){let{bug:e}=this.#e,n=this.answer===e;return d`<div class="verdict">
      ${n?d`<p><strong class="good">✓ ${l.bugs.correct(l.bugs.names[e])}</strong></p>`:d`<p><strong class="bad">✗ ${l.bugs.incorrect(l.bugs.names[this.answer])}</strong> <code>${this.#i(this.answer)}</code></p>
              <p>${l.bugs.was(l.bugs.names[e])}</p>`}
      <p><strong>${l.bugs.evidence}</strong> ${l.bugs.clues[e]}</p>
      <p class="actions">
        <button class="primary" @click=${()=>this.#t()}>${l.bugs.next}</button>
        ${this.fixed?h:d`<button class="toggle" @click=${()=>this.dispatchEvent(new CustomEvent("show",{detail:this.#e,bubbles:!0,composed:!0}))}>${l.bugs.explore}</button>`}
      </p>
    </div>`}#i(e){let{graph:n,names:r}=this.#n,s=Ze(n).get(e);return n.nodes.filter(o=>!R(o)).map(o=>`${r[o.id]} ${g(s[o.id])}`).join("   ")}};customElements.define("gradwalk-diagnose",tt);function al(t){let{state:e,dispatch:n}=t;return d`
    <div class="bar">
      <span class="segments" role="group" aria-label=${l.bugs.mode}>
        ${[!1,!0].map(r=>d`<button class="segment" aria-pressed=${e.game===r} @click=${()=>n({type:"game",on:r})}>${r?l.bugs.diagnose:l.bugs.explore}</button>`)}
      </span>
      ${e.game?h:d`<div class="choices" role="group" aria-label=${l.bugs.choose}>
              ${ft.map(r=>d`<button class="toggle" data-bug=${r} aria-pressed=${e.bug===r} @click=${()=>n({type:"bug",bug:r})}>${l.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${e.game?d`<gradwalk-diagnose .seed=${e.seed} ?fixed=${t.fixed} @case=${r=>n({type:"case",seed:r.detail})} @show=${r=>{let{text:s,values:o,bug:a}=r.detail;n({type:"load",text:s,values:o}),n({type:"bug",bug:a}),n({type:"game",on:!1})}}></gradwalk-diagnose>`:e.bug==="recursion"?d`<section class="panel explain"><div class="body">${vn("recursion")}<p>${l.bugs.what.recursion}</p></div></section><gradwalk-depth></gradwalk-depth>`:ts(t)}`}function ts(t){let{program:e,state:n,frame:r}=t,{wrong:s}=e.walk,o=e.problem?l.bugs.tooMany:s.length?l.bugs.differs(s.length):l.bugs.same,a=r.time>=e.line.total?d`<div class="words"><p class="what ${s.length?"bad":"good"}">${s.length?"✗":"✓"} ${o}</p><p class="why" title=${l.bugs.what[n.bug]}>${l.bugs.what[n.bug]}</p></div>
          ${s.length||t.fixed?h:d`<button class="toggle showcase" @click=${()=>ns(t)}>${l.bugs.showcase}</button>`}`:void 0;return d`
    ${j(t)}
    ${V(t,{compare:!0,switches:["unfold"],headline:a})}
    ${re(t)}
    <div class="dock bugs">
      ${P(l.bugs.names[n.bug],d`${vn(n.bug)}<p class="why">${l.bugs.what[n.bug]}</p>`,"rule")}
      ${P(l.bugs.table,Me(e),"table")}
      ${P(l.events.title,Ae(e,r,t.seek),"table")}
    </div>`}var yn={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function ns(t){t.load(yn[t.state.bug].text,yn[t.state.bug].values),t.seek(z)}function vn(t){let[e,n]=l.bugs.code[t];return d`<dl class="diff">
    <div class="good"><dt>✓ ${l.bugs.rightLine}</dt><dd><code>${e}</code></dd></div>
    <div class="bad"><dt>✗ ${l.bugs.wrongLine}</dt><dd><code>${n||l.bugs.missing}</code></dd></div>
  </dl>`}function _e(t,e){let{text:n,values:r}=Y(t);return{id:`${t}-${e}`,text:n,values:r,leaf:e}}var rs=[_e("x1","a"),_e("x1","b"),_e("x2","w1"),_e("x6","a")];function ss(t,e){let n=Ne(Oe(e),t),r=kn(O(E(n.text).evaluate(n.values)));return{...n,id:`${t}.${e}`,leaf:r}}var xn="own";function gl(t,e,n){let r=rs.find(a=>a.id===t);if(r)return r;if(t===xn)return e?os(e,n,xn):null;let[,s,o]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(t)??[];return s?ss(s,Number(o)):null}function os(t,e,n){let r=E(t),s=Object.fromEntries(r.names.map(a=>[a,e[a]??1])),o=O(r.evaluate(s));return o.leaves.length?{id:n,text:t,values:s,leaf:kn(o)}:null}function kn(t){let e=t.leaves[0],n=0n;for(let r of t.leaves){let{count:s}=B(t,r.id,1);s>n&&([e,n]=[r,s])}return e.label}function fl({text:t,values:e}){return O(E(t).evaluate(e))}function as(t,e){return B(t,e,6)}function hl(t,e,n){let r=l.checks.diagnosis,s=as(t,e),o=t.find(e),a=ct(t);if(s.count>1n&&s.complete){for(let i of s.largest)if(K(n,i.product))return r.onePath(i.nodes.map(c=>a[c]).join(" → "));if(K(n,s.largest.reduce((i,c)=>i*c.product,1)))return r.product}return K(n,A(t,{bug:"overwrite"}).grads[o.id])?r.overwrite:K(n,-s.total)?r.flipped:K(n,o.data)?r.value:s.largest.some(i=>i.locals.length>1&&i.locals.some(c=>K(n,c)))?r.local:""}function Ll(t){return is(t,j(t))}function is(t,e=h){return d`
    ${ls(t)}
    ${e}
    ${V(t,{switches:[],headline:cs(t)})}
    <div class="dock descent">
      ${P(l.descend.curve(t.program.output),us(t),"curve")}
      ${P(l.descend.surface,ms(t),"surface")}
      ${P(l.descend.leaves,gs(t),"leaves")}
    </div>`}function ls(t){let{state:e,dispatch:n}=t,r=l.descend;return d`<div class="bar descend-bar" role="group" aria-label=${r.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!e.descending})}>${T(e.descending?"pause":"play")} ${e.descending?l.pause:r.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${T("step")} ${r.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${e.way.length<2} @click=${()=>n({type:"climb"})}>${T("start")} ${r.reset}</button>
    <label>${r.rate} <select @change=${s=>n({type:"rate",rate:Number(s.target.value)})}>
      ${mt.map(s=>d`<option value=${s} .selected=${s===e.rate}>${g(s)}</option>`)}
    </select></label>
  </div>`}function cs(t){let{state:e,program:n}=t,r=l.descend,s=Math.max(0,e.way.length-1),o=n.graph.nodes[n.graph.root].data,a=e.way[0]?.output??o,i=e.stuck==="numbers"?r.strange:e.stuck==="still"?r.still:e.stuck==="up"?r.up:r.rule;return d`<div class="words"><p class="what">${s?r.fell(n.output,g(a),g(o),s):r.start(n.output,g(o))}</p>
    <p class="why ${e.stuck==="numbers"||e.stuck==="up"?"bad":""}" role="status">${i}</p></div>`}var Tn=320,nt=120;function us(t){let{way:e}=t.state,n=l.descend,r=e.filter(({output:p})=>Number.isFinite(p));if(r.length<2)return d`<p class="why">${n.noCurve}</p>`;let[s,o]=[Math.min,Math.max].map(p=>p(...r.map(m=>m.output))),a=p=>4+(Tn-8)*p/(r.length-1),i=p=>nt-6-(nt-12)*(p-s)/Math.max(o-s,1e-300),c=r.map(({output:p},m)=>`${m?"L":"M"}${a(m).toFixed(1)} ${i(p).toFixed(1)}`),u=r.at(-1);return d`<figure class="sparkline">
    <svg viewBox="0 0 ${Tn} ${nt}" role="img" aria-label=${n.curveSaid(t.program.output,g(r[0].output),g(u.output),r.length-1)} preserveAspectRatio="none">
      ${F`<path class="line" d=${c.join("")} vector-effect="non-scaling-stroke" />`}
    </svg>
    <figcaption><span>${g(r[0].output)}</span><span>${n.steps(r.length-1)}</span><strong>${g(u.output)}</strong></figcaption>
  </figure>`}function ds({state:t}){let e=$e(t).filter(n=>t.learning.includes(n));return e.length>=2?[e[0],e[1]]:null}var ps=ye((t,e,n,r,s)=>Rt(t,s,[e,n],r.length?r:[{values:s,output:0}]));function ms(t){let{state:e}=t,n=l.descend,r=ds(t);if(!r)return d`<p class="why">${n.noSurface}</p>`;let s=ps(e.good,r[0],r[1],e.way,e.values),o=s.rows.length,a=s.rows.flat().filter(Number.isFinite),[i,c]=[Math.min(...a),Math.max(...a)],u=b=>Number.isFinite(b)?Math.sqrt((b-i)/Math.max(c-i,1e-300)):1,p=b=>o*(b-s.x[0])/(s.x[1]-s.x[0]),m=b=>o-o*(b-s.y[0])/(s.y[1]-s.y[0]),f=(e.way.length?e.way:[{values:e.values,output:0}]).map(({values:b})=>[p(b.get(r[0])??0),m(b.get(r[1])??0)]),$=f.map(([b,v],x)=>`${x?"L":"M"}${b.toFixed(2)} ${v.toFixed(2)}`),[y,w]=f.at(-1);return d`<figure class="surface-map">
    <svg viewBox="0 0 ${o} ${o}" role="img" aria-label=${n.surfaceSaid(r[0],r[1],g(i),g(c))}>
      ${s.rows.map((b,v)=>b.map((x,L)=>F`<rect class="cell" x=${L} y=${v} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${u(x).toFixed(2)} />`))}
      ${F`<path class="way" d=${$.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${y} cy=${w} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(r[0],g(s.x[0]),g(s.x[1]),r[1],g(s.y[0]),g(s.y[1]))}</figcaption>
  </figure>`}function gs(t){let{state:e,program:n,dispatch:r}=t,{graph:s,walk:o}=n,a=l.descend;return d`<table class="numbers learns">
    <caption class="hidden">${a.leaves}</caption>
    <thead><tr><th scope="col">${a.learns}</th><th scope="col" class="end">${l.numbers.value}</th><th scope="col" class="end">${l.numbers.grad}</th></tr></thead>
    <tbody>${s.leaves.map(i=>{let c=e.learning.includes(i.label);return d`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${c} @change=${()=>{let p=c?e.learning.filter(m=>m!==i.label):[...e.learning,i.label];r({type:"learning",learning:p})}} /> ${i.label}</label></td>
        <td class="end">${g(i.data)}</td><td class="end">${c?g(o.expected[i.id]):h}</td></tr>`})}</tbody>
  </table>`}function ql(t,e,n){let{walk:r,names:s,line:o}=t,a=l.trace,i=o.events.findIndex(m=>m.phase==="sort"),c=Math.min(e.index-i,r.sort.length),u=m=>m.map(([f,$])=>`(${s[f]},${$})`).join(" ")||a.empty,p=m=>{let f=r.sort[m],[$,y]=f.pop,w=o.events[i+m],b=m<=c,v=f.note==="leaf"||f.note==="done"?a[f.note]:f.note?a.already(s[t.graph.nodes[$].operands[y]]):"";return d`<tr class=${`sort ${m===c?"now":b?"past":"ahead"}`} aria-rowindex=${m+2} aria-current=${m===c?"step":h} @click=${()=>n(w.end)}>
      <td class="index"><button class="bare" aria-label=${l.events.goto(m+1,a.sort)}>${m+1}</button></td>
      <td class="who">${b?d`(${s[$]},${y}) <span class="note">${v}</span>`:"·"}</td>
      <td class="how">${b?u(f.stack):"·"}</td>
      <td class="how">${b?fs(t,f.stack,f.sorted):"·"}</td>
      <td class="how">${b?f.sorted.map(x=>s[x]).join(" "):"·"}</td>
    </tr>`};return d`<table class="trace sort" aria-rowcount=${r.sort.length+1}>
    <caption>${a.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${a.pop}</th><th scope="col">${a.stack}</th><th scope="col">${a.visited}</th><th scope="col">${a.sorted}</th></tr></thead>
    <tbody>${H({count:r.sort.length,now:c,columns:5,row:p})}</tbody>
  </table>`}function fs(t,e,n){return[...new Set([...n,...e.map(([s])=>s)])].sort((s,o)=>s-o).map(s=>t.names[s]).join(" ")}var hs=ye(t=>{let e=new Map;return t.events.forEach(({phase:n,kind:r,row:s},o)=>{if(n!=="backward"||r==="seed")return;let a=e.get(s);a?a.push(o):e.set(s,[o])}),e});function Hl(t,e,n){let{walk:r,names:s,line:o,graph:a}=t,i=l.trace,{event:c}=e,p=c?.phase==="backward"?c.kind==="seed"?0:c.row:-1,m=hs(o),f=r.backward.map((w,b)=>({step:w,row:b})).filter(({step:w})=>!R(a.nodes[w.node])),$=w=>{let{step:b,row:v}=f[w],x=m.get(v)??[],L=v<p||v===p&&c?.kind!=="seed",Ie=L||v===p&&b.node===a.root,En=o.events[x.at(-1)??-1]?.end??0,Rn=()=>x.filter(ge=>ge<=e.index).map(ge=>o.events[ge].push?bs(t,o.events[ge].push):h),Sn=b.note==="leaf"?i.skipped:i.skippedZero;return d`<tr class=${`backward ${v===p?"now":L?"past":"ahead"}`} aria-rowindex=${w+2} aria-current=${v===p?"step":h} @click=${()=>n(En)}>
      <td class="index"><button class="bare" aria-label=${l.events.goto(v+1,i.backward)}>${v+1}</button></td>
      <td class="who">${e.phase==="backward"?s[b.node]:"·"} (${Ie?g(b.grad):"·"})</td>
      <td class="how">${L?b.note?Sn:Rn():"·"}</td>
    </tr>`},y=f.findIndex(({row:w})=>w===p);return d`<table class="trace backward" aria-rowcount=${f.length+1}>
    <caption>${i.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${i.node}</th><th scope="col">${i.pushes}</th></tr></thead>
    <tbody>${H({count:f.length,now:y,columns:3,row:$})}</tbody>
  </table>`}function bs(t,e){let{local:n,incoming:r,contribution:s,before:o,after:a,to:i}=e,c=M(n)*M(r),u=o===0?` ${G(c,s)} ${g(s)}`:` → ${g(a)}`;return d`<span class="push ${J(s)}">${t.names[i]} += ${ie(n)}·${ie(r)}${u}</span>`}export{pn as a,ce as b,Y as c,z as d,Es as e,At as f,q as g,It as h,Ss as i,Ls as j,qn as k,Qs as l,H as m,ue as n,j as o,zt as p,V as q,re as r,ea as s,Ke as t,Jt as u,Zt as v,sa as w,xa as x,$r as y,Me as z,tn as A,cn as B,Dr as C,dn as D,ui as E,Ei as F,P as G,al as H,vn as I,rs as J,xn as K,gl as L,fl as M,as as N,hl as O,Ll as P,is as Q,ql as R,Hl as S};
/*! Bundled license information:

lit-html/directives/live.js:
lit-html/directives/ref.js:
  (**
   * @license
   * Copyright 2020 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/async-directive.js:
  (**
   * @license
   * Copyright 2017 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directives/guard.js:
  (**
   * @license
   * Copyright 2018 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

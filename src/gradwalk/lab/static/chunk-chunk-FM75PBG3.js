import{h as ot}from"./chunk-chunk-2NSRNHVO.js";import{a as pe,c as dt,d as pt,e as ee,f as mt,g as I,h as te,i as gt}from"./chunk-chunk-WO7GSMEK.js";import{A as J,G as F,H as at,I as M,J as $,L as V,M as Z,N as Y,P as it,Q as B,R as Le,S as H,T as lt,V as Me,W as ct,Z as ut,aa as me,b as ae,c as Ve,f as Ue,h as ie,i as Qe,j as le,n as Je,o as Ze,q as Re,r as ce,s as ue,u as et,v as tt,w as nt,y as Se,z as rt}from"./chunk-chunk-6CB3ZYMZ.js";import{d as st}from"./chunk-chunk-56BIL47Y.js";import{c as u,d as C,e as N,f as Ee,g as h,i as oe,l as i,p as de,q as T}from"./chunk-chunk-LQU2MJEG.js";import{A as O,B as Xe,j as Ye,l as E,m as R,o as A,t as _,z as We}from"./chunk-chunk-Q7PSIRFV.js";var gn=/^(x|y|t|target|input|label|data)\d*$/i;function ft(e){let t=e.filter(n=>!gn.test(n));return t.length?t:[...e]}function Pe(e,t){return Object.fromEntries(e.names.map(n=>[n,t.get(n)??1]))}function Oe(e,t){let n=E(e);return n.evaluate(Pe(n,t)).data}function ht(e,t,n,r){let s=E(e),o=A(s.evaluate(Pe(s,t))),{expected:a}=O(o),l=new Map(t);for(let c of o.leaves){if(!n.includes(c.label))continue;let d=c.data-r*a[c.id];if(!Number.isFinite(d))return null;l.set(c.label,d)}return l}function bt(e,t,[n,r],s,o=24){let a=E(e),l=b=>{let w=s.map(x=>x.values.get(b)??0),[v,f]=[Math.min(...w),Math.max(...w)],y=Math.max(.35*(f-v),.3*Math.max(1,Math.abs(f),Math.abs(v)));return[v-y,f+y]},[c,d]=[l(n),l(r)],p=Pe(a,t),m=([b,w],v)=>b+(w-b)*(v+.5)/o,g=Array.from({length:o},(b,w)=>Array.from({length:o},(v,f)=>{let y={...p};return y[n]=m(c,f),y[r]=m(d,o-1-w),a.evaluate(y).data}));return{x:c,y:d,rows:g}}var ne=[{id:"x1",text:"(a + b) * c",values:{a:2,b:-3,c:10}},{id:"x2",text:"n = x1*w1 + x2*w2 + b; o = tanh(n)",values:{x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543}},{id:"x3",text:"a * a",values:{a:3}},{id:"x4",text:"a + a",values:{a:3}},{id:"x5",text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},{id:"x6",text:"b = a + 1; c = a * 3; d = b * c",values:{a:2}},{id:"x7",text:"c = a * b; L = c + a",values:{a:2,b:3}},{id:"x8",text:"relu(a * b)",values:{a:2,b:-3}},{id:"x9",text:"relu(x*w + b)",values:{x:2,w:3,b:-10}},{id:"learn",text:"o = tanh(w*x + b); loss = (o - y)**2",values:{w:-.8,x:1.5,b:.4,y:.6}},{id:"bowl",text:"(a - 3)**2 + 2*(b + 1)**2",values:{a:-2,b:2}},{id:"x9s",text:"1 / (1 + exp(0 - x))",values:{x:.5}}];function z(e){return ne.find(t=>t.id===e)??ne[0]}var fn=200,G=1e9;function os(e={},t=null){let n=z("x1"),r={page:"sandbox",text:n.text,good:n.text,values:new Map(Object.entries(n.values)),time:0,unfold:!1,final:!1,predict:!1,strict:!1,view:"2d",look:Se,speed:1,bug:"overwrite",order:[],ran:!1,game:!1,seed:0,question:"",lesson:"",teach:!1,scene:"sandbox",staged:"",hold:null,told:new Map,node:null,edge:null,place:"",given:t,playing:!1,answers:new Map,task:"",help:!1,proof:!1,check:null,compiled:null,theme:"auto",letters:!0,greeted:!1,nudge:null,rate:.1,learning:[],way:[],descending:!1,stuck:"",sent:null,sharing:!1,past:[],future:[],edit:{kind:"",at:0}},s=e.final===!0&&!e.predict;return K({...r,...e,final:s},e.text??r.text)}function hn(e,t,n=0){let r=bn(e,t,n);return r.good===e.good&&r.unfold===e.unfold&&r.page===e.page||t.type==="restore"?r:{...r,look:{...Se,orbit:r.look.orbit}}}function bn(e,t,n){switch(t.type){case"type":return W(e,"type",K({...e,playing:!1,time:e.page==="walk"?0:G},t.text),n);case"load":{let r=new Map([...e.values,...Object.entries(t.values)]),s={...e,values:r,time:0,playing:t.play??!1,order:[],ran:!1};return W(e,"load",K(s,t.text),n)}case"value":{let r=new Map(e.values).set(t.name,t.value),o=e.page==="sandbox"&&!e.playing&&!e.predict&&e.time===0?G:e.time;return W(e,`value ${t.name}`,{...e,values:r,time:o,answers:new Map,way:[],descending:!1,stuck:""},n)}case"page":{if(t.page===e.page)return e;let r=t.time??0;return{...e,page:t.page,time:r,playing:!1,descending:!1,ran:!1,staged:"",hold:null,teach:!1,node:null,edge:null}}case"seek":return t.keepPlaying?{...e,time:t.time}:{...e,time:t.time,playing:!1,node:null,edge:null};case"play":{let r=t.on?{node:null,edge:null}:{};return{...e,...r,playing:t.on,time:t.time??e.time}}case"toggle":{let r=t.on??!e[t.flag];if(t.flag==="final"&&r&&e.predict)return e;let s={...e,[t.flag]:r,answers:new Map};return t.flag==="unfold"&&Object.assign(s,{node:null,edge:null,order:[]}),t.flag==="predict"&&r&&Object.assign(s,{final:!1,playing:!1}),W(e,t.flag,t.flag==="strict"?K(s,e.text):s,n)}case"view":return{...e,view:t.view};case"speed":return{...e,speed:t.speed};case"bug":return W(e,"bug",{...e,bug:t.bug,time:G,playing:!1},n);case"order":return W(e,"order",{...e,order:t.order,ran:!1,time:0,playing:!1},n);case"run":return{...e,ran:t.on,time:t.time,playing:t.on,node:null,edge:null};case"answer":{let{typed:r,right:s}=t,o=(e.answers.get(t.event)?.missed??0)+ +!s,a=new Map(e.answers).set(t.event,{typed:r,right:s,missed:o});return{...e,answers:a}}case"again":return{...e,answers:new Map,time:t.time,playing:!1};case"pick":return{...e,node:t.node,edge:t.edge??null};case"game":return{...e,game:t.on};case"case":return{...e,seed:t.seed};case"question":return{...e,question:t.question};case"task":return{...e,task:t.task};case"lesson":return{...e,lesson:t.lesson,hold:null,playing:!1,descending:!1};case"scene":{let{staged:r,scene:s,text:o,bug:a,unfold:l}=t,c=new Map([...e.values,...Object.entries(t.values)]),p={...e,...{predict:!1,final:!1,strict:!1,ran:!1,playing:!1},staged:r,scene:s,bug:a,unfold:l,values:c,time:0,hold:null};return K({...p,...{node:null,edge:null,order:[],way:[],stuck:""},descending:!1,view:"2d"},o)}case"shown":{let{given:r,text:s=e.text}=t,o=new Map([...e.values,...t.values??[]]),a={...e,given:r,values:o,edge:null};return r?{...a,node:(e.node??0)<r.nodes.length?e.node:null}:s===e.text?a:K(a,s)}case"hold":return{...e,hold:t.hold};case"tell":return{...e,told:new Map(e.told).set(t.key,t.told)};case"teach":return{...e,teach:t.on};case"help":return{...e,help:t.on};case"proof":return{...e,proof:t.on,check:t.on?null:e.check};case"look":return{...e,look:t.look};case"checking":return{...e,check:t.check};case"compiled":return{...e,compiled:t.compiled};case"place":return{...e,place:t.place};case"theme":return{...e,theme:t.theme};case"letters":return{...e,letters:t.on};case"greeted":return{...e,greeted:!0};case"descend":return vn(e,t.steps);case"descending":return{...e,descending:t.on,stuck:t.on?"":e.stuck};case"climb":{let r=e.way[0]?.values??e.values;return{...e,values:r,way:[],descending:!1,stuck:""}}case"rate":return{...e,rate:t.rate,stuck:""};case"learning":return{...e,learning:t.learning,stuck:""};case"sent":return{...e,sent:t.sent};case"share":return{...e,sharing:t.on};case"nudge":return{...e,nudge:t.nudge};case"restore":{let{given:r,theme:s,letters:o,greeted:a,past:l,future:c}=e;return{...t.state,given:r,theme:s,letters:o,greeted:a,past:l,future:c}}case"undo":return yt(e,"past","future");case"redo":return yt(e,"future","past")}}function K(e,t){try{let n=E(t,{strict:e.strict}).names,r=wt(e.values,n),s=t===e.good&&t===e.text,o=e.text===t?{}:{node:null,edge:null,order:[],ran:!1},a={answers:new Map,nudge:null,way:[],descending:!1,stuck:""},l=n.filter(p=>e.learning.includes(p)),c=l.length&&s?l:ft(n),d=s?{learning:c}:{...o,...a,learning:c};return{...e,...d,text:t,good:t,values:r}}catch{let n=wn(e.good)?e.good:z("x1").text;return{...e,text:t,good:n,values:wt(e.values,E(n).names)}}}var $n=2e3,$t=20;function vn(e,t){let{values:n}=e,r=e.way.length?[...e.way]:[{values:n,output:Oe(e.good,n)}],s="";for(let a=0;a<t&&!s;a++){let l=ht(e.good,n,e.learning,e.rate),c=l?Oe(e.good,l):Number.NaN;if(!l||!Number.isFinite(c)){s="numbers";break}let d=e.learning.some(m=>Math.abs((l.get(m)??0)-(n.get(m)??0))>1e-9);n=l,r.push({values:n,output:c}),d||(s="still");let p=r.slice(-$t-1);p.length>$t&&p.every((m,g)=>!g||m.output>p[g-1].output)&&(s="up")}let o=e.descending&&!s;return{...e,values:n,way:r.slice(-$n),stuck:s,descending:o,time:G}}function wn(e){try{return E(e),!0}catch{return!1}}var vt=[2,-3,10,.5,1.5,-1];function wt(e,t){if(t.every(r=>e.has(r)))return e;let n=new Map(e);return t.forEach((r,s)=>{n.has(r)||n.set(r,vt[s%vt.length])}),n}var kt=["page","text","values","unfold","final","predict","strict","bug","order"],yn=[...kt,"time","view","speed","ran","game","seed","question","place"];function Tt(e){return{...Object.fromEntries(yn.map(n=>[n,e[n]])),node:null,edge:null}}function W(e,t,n,r){if(kt.every(a=>e[a]===n[a]))return n;let o=t===e.edit.kind&&r-e.edit.at<900&&e.past.length>0?e.past:[...e.past,Tt(e)].slice(-fn);return{...n,past:o,future:[],edit:{kind:t,at:r}}}function yt(e,t,n){let r=e[t].at(-1);return r?{...K({...e,...r,playing:!1},r.text),edit:{kind:"",at:0},[t]:e[t].slice(0,-1),[n]:[...e[n],Tt(e)]}:e}var xt=class{constructor(t){this.state=t;this.#e=new Set;this.dispatch=t=>{let n=hn(this.state,t,Date.now());if(n!==this.state){this.state=n;for(let r of this.#e)r(n)}}}#e;subscribe(t){return this.#e.add(t),()=>this.#e.delete(t)}};var Et="gradwalk-progress";var xn=/^[a-z]+:[a-z0-9.-]{1,40}$/,ge={done:new Set,right:0,all:0},Ae=null;function q(){return Ae??=Lt(Tn()),Ae}function Rt(e){let{done:t}=q();t.has(e)||fe({...q(),done:new Set([...t,e].slice(-500))})}function St(e){let{right:t,all:n}=q();fe({...q(),right:t+Number(e),all:n+1})}function is(e){let t=Lt(e);if(t===ge)return!1;let{done:n,right:r,all:s}=q(),o=new Set([...n,...t.done].slice(-500)),a=t.all>s?t:{right:r,all:s};return fe({done:o,right:a.right,all:a.all}),!0}function ls(){fe(ge)}function Lt(e){try{let{version:t,done:n,right:r,all:s}=JSON.parse(e);if(t!==1||!Array.isArray(n))return ge;let o=n.filter(l=>typeof l=="string"&&xn.test(l)).slice(0,500),a=Number.isSafeInteger(r)&&Number.isSafeInteger(s)&&r>=0&&r<=s;return{done:new Set(o),right:a?r:0,all:a?s:0}}catch{return ge}}function kn({done:e,right:t,all:n}){return JSON.stringify({version:1,done:[...e],right:t,all:n})}function Tn(){try{return localStorage.getItem(Et)??""}catch{return""}}function fe(e){Ae=e;try{localStorage.setItem(Et,kn(e))}catch{}}function j(e,t=h){return e.fixed?u``:u`<div class="controls">${En(e)}${Mn(e)}${t}</div>`}function En(e,t){let{state:n}=e,r=Qe(n.text,n.strict),s=r?gt(r.said):"",o=r?Math.min(r.column,400):0;return u`<div class="expression ${r?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${i.expression}</label>
      <input
        id="expression"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${Ye}
        placeholder="(a + b) * c"
        aria-invalid=${r!==null}
        aria-describedby="expression-note"
        .value=${te(n.text)}
        @input=${a=>e.dispatch({type:"type",text:a.target.value})}
        @scroll=${a=>Sn(a.target)}
        @keydown=${a=>{a.key==="Enter"&&e.dispatch({type:"play",on:!0,time:0}),a.key==="Escape"&&Rn(a.target)}}
      />
      ${Ln(e,t)}
    </div>
    ${r?u`<span class="caret" aria-hidden="true" ${F({"--column":String(o)})}></span>`:h}
    <p id="expression-note" class="note" role=${r?"alert":h}>
      ${r?u`<span class="message" title=${s}>${s}</span>`:u`<span class="hint">${i.expressionHint}</span>`}
    </p>
  </div>`}function Rn(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function Sn(e){e.closest(".expression")?.style.setProperty("--scroll",`${e.scrollLeft}px`)}function Ln(e,t){let n=t?ne.filter(s=>t.includes(s.id)):ne,r=n.find(s=>s.text===e.state.good)?.id??"";return u`<label class="presets"><span class="hidden">${i.presets}</span>
    <select
      aria-label=${i.presets}
      @change=${s=>{let o=n.find(a=>a.id===s.target.value);o&&e.load(o.text,o.values)}}
    >
      ${r?h:u`<option value="" .selected=${!0}>${i.presetOwn}</option>`}
      ${n.map(s=>u`<option value=${s.id} .selected=${s.id===r}>${i.presetNames[s.id]}</option>`)}
    </select>
  </label>`}function Mn(e){let t=le(e.state);return u`<div class="variables" role="group" aria-label=${i.variables}>
    ${me(t,n=>n,n=>Pn(e,n,e.state.values.get(n)??0))}
  </div>`}function Pn(e,t,n){let r=On(n),s=o=>e.dispatch({type:"value",name:t,value:o});return u`<div class="variable">
    <span class="name" aria-hidden="true" title=${t}>${t}</span>
    <input
      type="range"
      min=${-r}
      max=${r}
      step="any"
      aria-label=${i.slider(t)}
      .value=${te(String(n))}
      @input=${o=>s(Mt(Number(o.target.value),r))}
      @keydown=${o=>An(o,n,r,s)}
    />
    <gradwalk-number id=${`box-${t}`} .value=${n} label=${i.box(t)} @number=${o=>s(o.detail)}></gradwalk-number>
  </div>`}function On(e){let t=10;for(;t<Math.abs(e)&&t<1e300;)t*=10;return t}function Mt(e,t){let n=t/100;return Number((Math.round(e/n)*n).toPrecision(10))}function An(e,t,n,r){let s={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!s)return;e.preventDefault();let o=n/100*(e.shiftKey?10:1);r(Math.max(-n,Math.min(n,Mt(t+s*o,n))))}var Ne=new WeakMap,Pt=ae(class extends mt{render(e){return h}update(e,[t]){let n=t!==this.G;return n&&this.rt(void 0),(n||this.lt!==this.ct)&&(this.G=t,this.ht=e.options?.host,this.rt(this.ct=e.element)),h}rt(e){if(this.G!==void 0)if(this.isConnected||(e=void 0),typeof this.G=="function"){let t=this.ht??globalThis,n=Ne.get(t);n===void 0&&(n=new WeakMap,Ne.set(t,n)),n.get(this.G)!==void 0&&this.G.call(this.ht,void 0),n.set(this.G,e),e!==void 0&&this.G.call(this.ht,e)}else this.G.value=e}get lt(){return typeof this.G=="function"?Ne.get(this.ht??globalThis)?.get(this.G):this.G?.value}disconnected(){this.lt===this.ct&&this.rt(void 0)}reconnected(){this.rt(this.ct)}});function Ie({program:e,veil:t,frame:n}){let r=e.line.events[t];return r!==void 0&&n.time>=r.start-1e-6}function Ot(e){let{program:t,veil:n}=e,r=t.line.events[n],s=r.push,o=i.predictBox,a=e.state.answers.get(n),l=d=>{let p=Le(s.contribution,d);e.dispatch({type:"answer",event:n,typed:d,right:p}),!(!p&&!a)&&(e.dispatch({type:"play",on:!1,time:r.start+1}),e.step(1))};return u`<form class="words predict" @submit=${d=>{d.preventDefault();let p=d.target,m=p.elements.namedItem("prediction"),g=it(m.value)===null;if(m.setAttribute("aria-invalid",String(g)),p.querySelector(".invalid").textContent=g?i.notNumber:"",g){m.focus();return}let b=m.value;a||Le(s.contribution,b)?m.value="":m.select(),l(b)}} novalidate>
    <p class="what"><label for="prediction">${o.ask(t.names[r.node],t.names[s.to],$(s.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${o.input} aria-describedby="prediction-note" ${Pt(d=>Nn(d,n))} />
      <button class="primary">${o.check}</button>
      <button type="button" class="toggle" @click=${()=>l("")}>${a?o.show:o.hint}</button>
      <span class="score">${Nt(e)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${a?In(e,a):At(e)??o.rule($(s.incoming))}</p>
  </form>`}function Nn(e,t){!e||e.dataset.veil===String(t)||(e.dataset.veil=String(t),queueMicrotask(()=>{let{activeElement:n}=e.getRootNode();n?.matches("input, gradwalk-number, select")||e.focus({preventScroll:!0})}))}function In(e,t){let{program:n,veil:r}=e,{node:s}=n.line.events[r],o=i.predictBox;return u`${t.typed?u`<strong class="bad">✗ ${o.notIt(t.typed)}</strong> `:h}${o.hintText(ee(n,s))}`}function At(e){let t=Math.max(-1,...[...e.state.answers.keys()].filter(l=>l<e.veil)),n=e.state.answers.get(t),r=e.program.line.events[t];if(!n||!r?.push)return null;if(n.right)return u`<strong class="good">✓ ${i.predictBox.right}</strong>`;let s=lt(r.push),{wrong:o,was:a}=i.predictBox;return u`<strong class="bad">${n.typed?o(n.typed,s):a(s)}</strong> ${i.narration.rule(ee(e.program,r.node))}`}function Nt(e){let t=[...e.state.answers.values()].filter(rt),n=t.filter(s=>s.right),r=n.filter(s=>s.missed>0).length;return t.length?i.predictBox.score(n.length,t.length,r):""}function It(e){let{state:t,program:n,veil:r}=e;if(!t.predict||t.page!=="sandbox"||n.line.events[r]||!t.answers.size||e.frame.time<n.line.total-1)return null;let s=[...t.answers.values()].every(o=>o.right);return u`<div class="words predict">
    <p class="what"><span class=${s?"good":""}>${s?"✓ ":""}${Nt(e)}</span>
      <button class="primary" @click=${()=>e.dispatch({type:"again",time:0})}>${i.predictBox.again}</button></p>
    <p class="why">${At(e)??""} ${s?i.predictBox.all:i.predictBox.some}</p>
  </div>`}function qt({state:e,dispatch:t}){if(e.greeted)return h;let n=()=>{ot(),t({type:"greeted"})};return u`<aside class="greeting" aria-label=${i.welcome.label}><p>${i.welcome.text}</p>
    <button class="quiet" aria-label=${i.welcome.close} title=${i.welcome.close} @click=${n}>${T("close")}</button></aside>`}function Ct(e){let t=i.legend,n=r=>u`<svg class="wire ${r}" width="32" height="10" aria-hidden="true">${C`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return u`<ul class="reading" aria-label=${i.helpRead}>
    <li>${n("forward")} ${t.forward}</li>
    <li>${n("backward")} ${t.backward}</li>
    <li class="pos">${t.pos}</li>
    <li class="neg">${t.neg}</li>
    <li class="zero">${t.zero}</li>
    <li><code>${e}</code> ${t.unfilled}</li>
    <li><code>t1</code> ${t.unnamed}</li>
  </ul>`}function qn(e){let t=Math.max(1,Math.abs(e));return 10**(Math.floor(Math.log10(t))-1)}function _t(e){let{state:t,program:n,frame:r}=e;if(t.page!=="sandbox"||t.predict||e.fixed||t.playing||r.time<n.line.total-1||t.text!==t.good)return null;let{nudge:s}=t;if(s&&t.values.has(s.name))return Cn(e);let{graph:o,walk:a,names:l,output:c}=n;if(!Number.isFinite(o.nodes[o.root].data))return null;let d=o.leaves.filter(({id:w,data:v,label:f})=>Number.isFinite(a.grads[w])&&a.grads[w]!==0&&Number.isFinite(v)&&t.values.has(f)).sort((w,v)=>Math.abs(a.grads[v.id])-Math.abs(a.grads[w.id]))[0];if(!d)return null;let p=qn(d.data),m=a.grads[d.id],g=l[d.id],b=i.welcome;return u`<p class="why">${b.nudge(g,$(p),c,$(p*m))}
    <button class="primary" @click=${()=>Fn(e,d.label,d.data,p,m)}>${b.tryIt}</button></p>`}function Cn(e){let{state:t,program:n,dispatch:r}=e,{name:s,from:o,by:a,grad:l,output:c}=t.nudge,d=n.graph.nodes[n.graph.root].data,p=H(M(l)*M(a),l*a),m=`${$(l)} × ${$(a)} ${p} ${$(l*a)}`,g=i.welcome,b=()=>{r({type:"nudge",nudge:null}),r({type:"value",name:s,value:o})};return u`<p class="why" role="status">${g.moved(n.output,$(c),$(d),$(d-c))} ${g.said(m)} ${Math.abs(d-c-l*a)>.001*Math.abs(l*a)?g.bend:""}
    <button class="toggle" @click=${b}>${g.back}</button></p>`}var _n=700;function Fn(e,t,n,r,s){let{dispatch:o}=e,{graph:a}=Ze(e.state),l=a.nodes[a.root].data,c=Number((n+r).toPrecision(12)),d=()=>{o({type:"value",name:t,value:c}),o({type:"nudge",nudge:{name:t,from:n,by:r,grad:s,output:l}})};if(J()){d();return}let p=0,m=g=>{p||=g;let b=Math.min(1,(g-p)/_n);b>=1?d():(o({type:"value",name:t,value:Number((n+r*b).toPrecision(6))}),requestAnimationFrame(m))};requestAnimationFrame(m)}function D(e,t={}){let{state:n,program:r,frame:s}=e,o=t.switches??["final","unfold","predict","3d"],a=n.predict&&o.includes("predict"),l=o.filter(m=>m!=="final"||!a),c=a?r.line.events[e.veil]:void 0,d=c?Ie(e)?c.edges[0]:-1:null,p=n.view==="3d"&&l.includes("3d");return u`<section class="stage" aria-label=${i.graphLabel(r.graph.nodes.length)}>
    <div class="banner ${s.event?s.phase:"idle"}">
      ${t.headline??(Ie(e)?Ot(e):It(e)??Hn(e))}
      <div class="switches">
        ${l.includes("final")?he(e,"final",i.final):h}
        ${l.includes("unfold")&&(n.unfold||e.program.graph.nodes.some(m=>m.tags.includes("derived")))?he(e,"unfold",i.unfold):h}
        ${l.includes("predict")&&(n.strict||n.text.includes("**"))?he(e,"strict",i.strict):h}
        ${l.includes("predict")?he(e,"predict",i.predict):h}
        ${l.includes("3d")?u`<span class="segments" role="group" aria-label=${i.viewSwitch}>
                ${["2d","3d"].map(m=>u`<button class="segment" aria-pressed=${n.view===m} @click=${()=>e.dispatch({type:"view",view:m})}>${m==="2d"?i.view2d:i.view3d}</button>`)}
              </span>`:h}
        <span class="zoom">
          <button class="quiet" aria-label=${i.zoomOut} title=${i.zoomOut} data-zoom="out">${T("minus")}</button>
          <button class="quiet" aria-label=${i.fit} title=${`${i.fit} (f)`} data-zoom="fit">${T("fit")}</button>
          <button class="quiet" aria-label=${i.zoomIn} title=${i.zoomIn} data-zoom="in">${T("plus")}</button>
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
      .lit=${t.lit??null}
      .asked=${d}
      unfilled=${t.unfilled??"--"}
      ?final=${n.final&&l.includes("final")}
      ?compare=${t.compare??!1}
      ?deep=${p}
      @look=${m=>e.dispatch({type:"look",look:m.detail})}
      @pick=${m=>e.dispatch({type:"pick",...m.detail})}
    ></gradwalk-scene>
    ${Ct(t.unfilled??"--")}
  </section>`}function Hn(e){let t=pe(e.program,e.frame.event),n=e.state.text!==e.state.good&&!e.fixed,{graph:r,line:s,output:o}=e.program,a=r.nodes[r.root].data,l=e.frame.time>=s.total,c=n?i.lastGood:l&&!Number.isFinite(a)?i.strangeOutput(o,$(a)):e.state.predict&&e.frame.index<0?i.predictBox.start:t.why,d=_t(e);return d?u`<div class="words end-card"><p class="what">${t.what}</p>${d}</div>`:u`<div class="words"><p class="what">${t.what}</p><p class="why ${n?"bad":""}" title=${c}>${c}</p></div>`}function he(e,t,n){return u`<button class="toggle" aria-pressed=${e.state[t]} @click=${()=>e.dispatch({type:"toggle",flag:t})}>${n}</button>`}var Gn=160;function X(e){let{state:t,program:n,frame:r}=e,{line:s}=n,o=t.playing,a=u`<button class="play" aria-label=${o?i.pause:i.play} title=${o?i.pause:i.play} @click=${e.playPause}>${T(o?"pause":"play")}</button>`;return u`<div class="transport" role="group" aria-label=${i.time}>
    <div class="buttons">
      ${a}
      ${be("start",i.toStart,()=>e.seek(0))}
      ${be("back",i.stepBack,()=>e.step(-1))}
      ${be("step",i.step,()=>e.step(1))}
      ${be("end",i.toEnd,()=>e.seek(s.total))}
    </div>
    <div class="segments" role="group" aria-label=${i.phaseSwitch}>
      ${s.phases.map(l=>u`<button
          class="segment ${l.phase}"
          aria-pressed=${r.phase===l.phase&&r.index>=0}
          @click=${()=>e.dispatch({type:"play",on:!0,time:l.start})}
        >${i.phases[l.phase]}</button>`)}
    </div>
    <div class="scrub" ${F(Dn(s))}>
      ${Bn(s)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(s.total)}
        step="1"
        aria-label=${i.time}
        aria-valuetext=${pe(n,r.event).what}
        .value=${te(String(Math.round(r.time)))}
        @input=${l=>e.seek(Math.min(s.total,Number(l.target.value)))}
        @keydown=${l=>jn(e,l)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${i.speed}</span>
      <select aria-label=${i.speed} @change=${l=>e.dispatch({type:"speed",speed:Number(l.target.value)})}>
        ${tt.map(l=>u`<option value=${l} .selected=${l===t.speed}>${i.speeds(l)}</option>`)}
      </select>
    </label>
  </div>`}function be(e,t,n){return u`<button class="quiet ${e}" aria-label=${t} title=${t} @click=${n}>${T(e)}</button>`}function jn(e,t){if(t.shiftKey||t.ctrlKey||t.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[t.key];n&&(t.preventDefault(),t.stopPropagation(),e.step(n))}function Dn(e){let t=r=>{let s=e.phases.find(o=>o.phase===r);return s?`${(100*s.end/e.total).toFixed(2)}%`:""},n=t("forward")||"0%";return{"--forward-end":n,"--sort-end":t("sort")||n}}function Bn(e){return e.events.length>Gn?"":u`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${e.events.map(t=>{let n=`${100*t.end/e.total}%`;return C`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function lo({graph:e,names:t},n){let r=n.trim().toLowerCase();if(!r)return[];let s=[],o=[];for(let a of e.nodes){if(R(a))continue;let l=[t[a.id],a.op,ct(a.op)].map(c=>c.toLowerCase());l.includes(r)?s.push(a.id):[l[0],a.scope.toLowerCase()].some(c=>c.includes(r))&&o.push(a.id)}return[...s,...o]}function qe({line:e,graph:t},n){let{firstEdge:r}=e,s=0,o=t.nodes.length-1;for(;s<o;){let a=s+o+1>>1;r[a]<=n?s=a:o=a-1}return{target:s,operand:n-r[s]}}function Ft(e,t,{target:n,operand:r}){return e.line.firstEdge[n]+r===t}function Ht(e,t){let n=new Set;return t.slice(1).forEach((r,s)=>{let o=e.graph.nodes[t[s]].operands.indexOf(r);o>=0&&n.add(e.line.firstEdge[t[s]]+o)}),{nodes:new Set(t),edges:n}}function mo(e){return{key:t=>zn(e,t),wheel:t=>Yn(e,t),down:t=>Xn(e,t)}}function zn(e,t){let n=t.target.closest("[data-node]");if(!n||t.ctrlKey||t.metaKey||t.altKey||t.shiftKey)return;let r=Number(n.dataset.node);if(t.key==="Enter")e.open(r);else if(t.key.startsWith("Arrow")){let[s,o]=Vn(e.program,e.picture,r,t.key);s!==null&&e.focusNode(s,o)}else if(t.key==="PageDown"||t.key==="PageUp"){let s=Kn(e,r,t.key==="PageDown"?1:-1);s&&e.pick(null,s)}else return;t.preventDefault(),t.stopPropagation()}function Kn({program:e,picture:t,edge:n},r,s){let o=t.itemOf[r],a=t.layout.edges.flatMap(({source:d,target:p},m)=>d===o||p===o?t.edges[m]:[]);if(!a.length)return null;let l=n?a.findIndex(d=>Ft(e,d,n)):-1,c=l<0?s>0?0:a.length-1:(l+s+a.length)%a.length;return qe(e,a[c])}function Vn(e,{layout:t,items:n,itemOf:r,edges:s,down:o},a,l){let c=r[a],[d,p,m]=o?["ArrowUp","ArrowDown","ArrowRight"]:["ArrowLeft","ArrowRight","ArrowDown"];if(l===d||l===p){let f=t.edges.map((x,L)=>({to:l===d?x.source:x.target,edge:x,wire:L})).filter(({edge:x})=>(l===d?x.target:x.source)===c),y=f.find(({to:x})=>!R(e.graph.nodes[n[x].node]))??f[0];return y?[n[y.to].node,qe(e,s[y.wire][0])]:[null,null]}let g=f=>{let{x:y,y:x,width:L,height:Te}=t.cards[f];return o?x+Te:y+L},b=f=>o?t.cards[f].x:t.cards[f].y,w=l===m?1:-1,v=null;return t.cards.forEach((f,y)=>{let x=(b(y)-b(c))*w;g(y)!==g(c)||x<=0||(v===null||x<(b(v)-b(c))*w)&&(v=y)}),[v===null?null:n[v].node,null]}function Yn(e,t){if(!t.ctrlKey&&!t.metaKey)return;t.preventDefault();let n=e.view.getBoundingClientRect();e.zoom(Math.exp(-t.deltaY*.004),t.clientX-n.left,t.clientY-n.top)}function Ce(){let e=t=>t.stopPropagation();addEventListener("click",e,{capture:!0,once:!0}),setTimeout(()=>removeEventListener("click",e,{capture:!0}))}var Wn=5;function Xn(e,t){if(t.button!==0||e.dataset.dragging)return;let n=new Map([[t.pointerId,{x:t.clientX,y:t.clientY}]]),r=!1,s=()=>{let[d,p]=[...n.values()];return p?Math.hypot(d.x-p.x,d.y-p.y):0},o={x:t.clientX,y:t.clientY};e.dataset.dragging="maybe";let a=d=>{n.size<2&&n.set(d.pointerId,{x:d.clientX,y:d.clientY})},l=d=>{let p=n.get(d.pointerId);if(!p||!r&&Math.hypot(d.clientX-o.x,d.clientY-o.y)<Wn)return;r=!0,e.dataset.dragging="yes";let m=s();if(n.set(d.pointerId,{x:d.clientX,y:d.clientY}),n.size===2&&m>0){let w=e.view.getBoundingClientRect(),[v,f]=[...n.values()];e.zoom(s()/m,(v.x+f.x)/2-w.left,(v.y+f.y)/2-w.top)}let[g,b]=[(d.clientX-p.x)/n.size,(d.clientY-p.y)/n.size];n.size===2||d.shiftKey?e.pan(g,b):e.drag(g,b)},c=d=>{n.delete(d.pointerId),!n.size&&(removeEventListener("pointermove",l),removeEventListener("pointerup",c),removeEventListener("pointercancel",c),e.removeEventListener("pointerdown",a),r&&Ce(),setTimeout(()=>delete e.dataset.dragging))};addEventListener("pointermove",l),addEventListener("pointerup",c),addEventListener("pointercancel",c),e.addEventListener("pointerdown",a)}var Un=4;function Gt(e,t,n){let r=e.target.closest("[data-place]"),s=e.currentTarget;if(!r||e.button!==0)return;let o=Number(r.dataset.place),a=[...t()],l=!1,c=p=>{if(!l&&Math.hypot(p.clientX-e.clientX,p.clientY-e.clientY)<Un)return;l=!0,r.classList.add("dragged"),p.preventDefault();let m=[...s.querySelectorAll("[data-place]")].find(w=>{let v=w.getBoundingClientRect();return p.clientX>=v.left&&p.clientX<=v.right&&p.clientY>=v.top-12&&p.clientY<=v.bottom+12}),g=m?a.indexOf(Number(m.dataset.place)):-1,b=a.indexOf(o);g<0||g===b||(a=a.filter(w=>w!==o),a.splice(g,0,o),n(a))},d=()=>{r.classList.remove("dragged"),l&&Ce(),removeEventListener("pointermove",c),removeEventListener("pointerup",d),removeEventListener("pointercancel",d)};addEventListener("pointermove",c),addEventListener("pointerup",d),addEventListener("pointercancel",d)}var Qn=24;function Oo(e){return u`${j(e)}${Jn(e)}`}function Jn(e){let{state:t,program:n}=e,r=Re(n.graph),s=ce(n.graph,t.order)?t.order:r,o=Zn(n),a=t.ran?e:{...e,frame:ie(n.line,o)},l=t.ran?void 0:u`<div class="words"><p class="what task">${i.order.task}</p><p class="why">${i.order.rule}</p></div>`;return u`
    ${D(a,{compare:t.ran,switches:[],headline:l,lit:t.ran?ar(n,e.state.edge,e.state.node):null})}
    ${r.length>Qn?u`<p class="panel pad">${i.order.count(r.length)}</p>`:er(e,s,o)}
    ${t.ran?u`${X(e)}${sr(e)}`:h}`}function Zn(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function er(e,t,n){let{program:r,dispatch:s,state:o}=e,{names:a}=r,l=d=>s({type:"order",order:d}),c=(d,p)=>{if(p<0||p>=t.length||d===p)return;let m=[...t];m.splice(p,0,...m.splice(d,1)),l(m)};return u`<section class="tray panel" aria-label=${i.order.tray}>
    <ol class="places" @pointerdown=${d=>Gt(d,()=>tr(e,t),l)}>
      ${me(t,d=>d,(d,p)=>u`<li class="place" data-place=${d}>
          <span class="number" aria-hidden="true">${p+1}</span>
          <button class="bare nudge" aria-label=${i.order.earlier(a[d])} ?disabled=${p===0} @click=${()=>c(p,p-1)}>${T("left")}</button>
          <button class="grip" aria-label=${i.order.place(a[d],p+1,t.length)} @keydown=${m=>nr(m,p,c)}>${a[d]}</button>
          <button class="bare nudge" aria-label=${i.order.later(a[d])} ?disabled=${p===t.length-1} @click=${()=>c(p,p+1)}>${T("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{ce(r.graph,o.order)||l(t),s({type:"run",on:!0,time:n})}}>${T("play")} ${i.order.run}</button>
      <button class="toggle" @click=${()=>l(rr(t))}>${i.order.shuffle}</button>
      <button class="toggle" @click=${()=>l(O(r.graph).order.filter(d=>t.includes(d)))}>${i.order.right}</button>
    </div>
  </section>`}function tr(e,t){return ce(e.program.graph,e.state.order)?e.state.order:t}function nr(e,t,n){let r={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!r)return;e.preventDefault(),e.stopPropagation(),n(t,t+r);let s=e.currentTarget;requestAnimationFrame(()=>s.focus())}function rr(e){let t=[...e];for(let n=t.length-1;n>0;n--){let r=Math.floor(Math.random()*(n+1));[t[n],t[r]]=[t[r],t[n]]}return t}function sr(e){let{program:t,frame:n}=e,{walk:r,names:s,graph:o}=t;if(n.time<t.line.total-1)return u``;if(!r.wrong.length)return u`<section class="panel verdict right"><h2>✓ ${i.order.won}</h2><div class="body"><p>${i.order.insight}</p>${$e(t)}</div></section>`;let a=r.backward.filter(l=>l.note==="zero"&&r.expected[l.node]!==0);return u`<section class="panel verdict wrong">
    <h2>✗ ${r.lost.length?i.order.lost(r.lost.length):i.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${r.lost.map(l=>or(e,l))}
        ${a.map(l=>u`<li><span>${i.order.starvedRow(s[l.node])}</span></li>`)}
        <li class="insight">${i.order.insight}</li>
      </ul>
      ${$e(t)}
    </div>
    <span class="hidden">${o.nodes.length}</span>
  </section>`}function or(e,t){let{names:n,graph:r}=e.program,s=r.nodes[t.source].operands.indexOf(t.to);return u`<li>
    <span><strong class="bad">${i.order.lostRow($(t.contribution),t.path.map(o=>n[o]).join(" → "))}</strong>
    <br />${i.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:s}})}>${i.order.showPath}</button>
  </li>`}function ar(e,t,n){if(!t||n!==null)return null;let r=e.graph.nodes[t.target].operands[t.operand],s=e.walk.lost.find(o=>o.source===t.target&&o.to===r);return s?Ht(e,s.path):null}function $e(e){let{walk:t,names:n,graph:r}=e,s=Re(r).toReversed(),o=new Set(t.wrong);return u`<table class="comparison" aria-rowcount=${s.length+1}>
    <caption>${i.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${i.bugs.node}</th><th scope="col" class="end">${i.order.got}</th><th scope="col" class="end">${i.order.should}</th><th scope="col"><span class="hidden">${i.bugs.differs(1)}</span></th></tr></thead>
    <tbody>${I({count:s.length,now:-1,columns:4,row:a=>{let l=s[a],c=o.has(l);return u`<tr class=${c?"differs":""} aria-rowindex=${a+2}><td>${n[l]}</td><td class="end ${c?"bad":""}">${$(t.grads[l])}</td><td class="end">${$(t.expected[l])}</td><td class=${c?"bad":"good"}>${c?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var ve=[["","def __add__(self, other):"],["+","    return Value(self.data + other.data,"],["","        (self, other), (1, 1))"],["","def __mul__(self, other):"],["*","    return Value(self.data * other.data,"],["","        (self, other),"],["","        (other.data, self.data))"],["","def tanh(self):"],["tanh","    t = math.tanh(self.data)"],["other","    return Value(t, (self,), (1 - t * t,))"]],ir=[["","topo, visited, stack = [], {self}, [(self, 0)]"],["","while stack:"],["pop","    node, i = stack.pop()"],["","    if i == len(node._children):"],["place","        topo.append(node)"],["","        continue"],["","    stack.append((node, i + 1))"],["","    child = node._children[i]"],["visited","    if child not in visited:"],["","        visited.add(child)"],["push","        stack.append((child, 0))"]],lr=[["seed","self.grad = 1.0"],["visit","for v in reversed(topo):"],["","    edges = zip(v._children, v._local_grads)"],["","    for child, local in edges:"],["push","        child.grad += local * v.grad"]],cr={forward:ve,sort:ir,backward:lr};function jt(e,t){let{event:n}=t,r=n?.kind==="compute"?dr(e,n):cr[t.phase],s=n?pr(e,n):"",o=n?u`<li class="note"><code>${ur(r.find(([l])=>l===s)?.[1]??"")}# ${mr(e,n)}</code></li>`:h,a=n?.kind==="compute"?r.length-1:r.findIndex(([l])=>l&&l===s);return u`<ol class="code ${t.phase}" aria-label=${i.code.title}>
    ${r.map(([l,c],d)=>u`<li class=${l!==""&&l===s?"now":""}><code>${c}</code></li>${d===a?o:h}`)}
  </ol>`}function ur(e){return/^ */.exec(e)[0]}function dr(e,t){let n=e.graph.nodes[t.node],{op:r}=n;if(r==="+"||r==="*"){let o=ve.findIndex(([a])=>a===r);return ve.slice(o-1,o+(r==="+"?2:3))}return r==="tanh"?ve.slice(-3):{"-":[["","def __sub__(self, other):"],["-","    return self + (other * -1)"]],"/":[["","def __truediv__(self, other):"],["/","    return self * other**-1"]],neg:[["","def __neg__(self):"],["neg","    return self * -1"]],"**":[["","def __pow__(self, n):"],["**","    return Value(self.data**n,"],["","        (self,), (n * self.data**(n - 1),))"]],relu:[["","def relu(self):"],["relu","    return Value(max(0, self.data),"],["","        (self,), (float(self.data > 0),))"]],exp:[["","def exp(self):"],["exp","    e = math.exp(self.data)"],["","    return Value(e, (self,), (e,))"]],log:[["","def log(self):"],["log","    return Value(math.log(self.data),"],["","        (self,), (1 / self.data,))"]]}[r]??[["",`def ${r}(…):`],[r,"    return Value(…, inputs, local_grads)"],["",`    # the row ${r} of ops.py`]]}function pr(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":{let n=e.walk.sort[t.row].note;return n==="leaf"||n==="done"?"place":n?"visited":"push"}case"seed":return"seed";case"skip":case"leaf":return"visit";default:return"push"}}function mr(e,t){let{names:n,graph:r,walk:s}=e;switch(t.kind){case"push":{let o=t.push,a=e.walk.bug==="overwrite"?"=":"+=";return`${n[o.to]}.grad ${a} ${$(o.local)} * ${$(o.incoming)}`}case"compute":return`${n[t.node]} = ${$(r.nodes[t.node].data)}`;case"seed":return`${e.output}.grad = 1`;case"sort":{let[o,a]=s.sort[t.row].pop;return`(${n[o]}, ${a})`}case"lost":return`${n[t.lost.to]}: ✗`;default:return`v = ${n[t.node]}`}}var S=e=>({kind:"number",x:e}),re=e=>({kind:"total",node:e}),Fe=(e,t)=>({kind:"local",node:e,operand:t}),_e=e=>({kind:"grad",node:e}),k=e=>({kind:"sign",sign:e}),Dt=new WeakMap;function gr(e){let t=Dt.get(e);if(t)return t;let n=new Map,r=[];for(let{push:s}of e.events){if(!s)continue;let o=(n.get(s.to)??0)+1;n.set(s.to,o),r.push([s,o])}return t=new Map(r.map(([s,o])=>[s,[o,n.get(s.to)]])),Dt.set(e,t),t}function He(e,t){let[n,r]=gr(e.line).get(t)??[1,1],s=_(e.graph,t.to,1).count===BigInt(r);return{place:n,count:r,arePaths:s}}function Bt(e,t,n){let{walk:r}=e,s=t.push,o=t.node,{incoming:a,contribution:l,before:c,after:d,to:p}=s,m=Object.is(a,r.expected[o])||a===r.expected[o],g=M(a)*M(s.local),b=[_e(p),k(Me(s)?"+=":"="),m?re(o):_e(o),k("·"),Fe(o,s.operand),k("="),S(a),k("×"),S(s.local),k(H(g,l)),S(l)],{place:w,count:v}=He(e,s);if(!n)return{step:b,holds:null,complete:null};let y=w>1&&Me(s)?[S(c),k("+"),S(l),k(H(M(c)+M(l),d))]:[],x=w===v&&(Object.is(d,r.expected[p])||d===r.expected[p]);return{step:b,holds:x||w===1?null:[_e(p),k("="),...y,S(d)],complete:x?[re(p),k("="),...y,S(d)]:null}}function zt(e,t){let{graph:n}=e,{operands:r,local_grads:s}=n.nodes[t];return r.flatMap((o,a)=>R(n.nodes[o])?[]:[[Fe(t,a),k("="),S(s[a])]])}function Kt({graph:e,names:t},{target:n,operand:r}){let s=e.nodes[n],o=s.local_grads[r],a=Xe(e,s,r,c=>t[c]),l=a.replaceAll("-","−")!==$(o);return[Fe(n,r),k("="),...l?[{kind:"formula",text:a,node:n,operand:r},k("=")]:[],S(o)]}function Vt({graph:e},t){if(t===e.root)return[re(t),k("="),S(1)];let n=_(e,t,4),r=n.largest.flatMap((l,c)=>[...c?[k("+")]:[],...l.locals.flatMap((d,p)=>p?[k("×"),S(d)]:[S(d)])]);if(r.length<2)return[re(t),k("="),S(n.total)];let s=0;for(let{locals:l}of n.largest)s+=l.reduce((c,d)=>c*M(d),1);let o=n.complete?[]:[k("+"),{kind:"rest"}],a=n.complete?H(s,n.total):"=";return[re(t),k("="),...r,...o,k(a),S(n.total)]}function Wt(e,t,n,r){if(r)return hr(e,r);if(n!==null)return br(e,n);let{event:s}=t;if(s?.kind==="push")return fr(e,t);if(s?.kind==="compute"){let o=e.graph.nodes[s.node];return u`<p class="formula">${ut(e.graph,o)}</p>
      <p class="why">${i.equation.keeps}</p>
      <div class="locals">${zt(e,o.id).map(a=>U(e,a))}</div>`}return u`<p class="why">${s?.kind==="sort"?i.equation.sorting:i.equation.idle}</p>`}function fr(e,t){let n=t.event,r=n.push,{step:s,holds:o,complete:a}=Bt(e,n,t.landed),{place:l,count:c,arePaths:d}=He(e,r),p=i.equation;return u`
    ${U(e,s)}
    <p class="part">${(d?p.path:p.contribution)(l,c,a!==null)}</p>
    ${o?U(e,o):h}
    ${a?U(e,a):h}
    <p class="why">${i.narration.rule(ee(e,n.node))}</p>`}function hr(e,t){let{graph:n,names:r}=e,s=n.nodes[t.target].operands[t.operand],o=u`<p class="picked">${i.inspect.edge(r[s],r[t.target])}</p>`;if(R(n.nodes[s]))return u`${o}<p class="why">${i.inspect.noPath}</p>`;let a=n.nodes[t.target].local_grads[t.operand];return u`
    ${o}
    ${U(e,Kt(e,t))}
    <p class="why">${i.inspect.wiggle(r[s],r[t.target],$(a))}</p>`}function br(e,t){let{graph:n,names:r,output:s}=e,o=n.nodes[t];return R(o)?u`<p class="picked">${i.inspect.node(r[t])}</p>${Yt(o)}<p class="why">${i.inspect.noPath}</p>`:u`
    <p class="picked">${i.inspect.node(r[t])}<span class="exact">${V(o.data)}</span></p>
    ${Yt(o)}
    ${U(e,Vt(e,t))}
    ${$r(o.data,e.walk.grads[t])}
    ${t===n.root?h:u`<p class="why">${i.inspect.paths(_(n,t,1).count,r[t],s)}</p>`}`}function $r(...e){let t=[...new Set(e.map(dt))].filter(Boolean);return t.length?u`<p class="why odd">${t.join(" ")}</p>`:h}function Yt(e){return e.scope?u`<p class="why scope">${i.inspect.scope(e.scope)}</p>`:h}function U(e,t){let n=[[]];return t.forEach((r,s)=>{r.kind==="sign"&&r.sign!=="×"&&r.sign!=="·"&&n.at(-1).length&&n.push([]),n.at(-1).push(vr(e,r,s>0?t[s-1]:null))}),u`<div class="equation">${n.map(r=>u`<math display="inline" displaystyle="true"><mrow>${r}</mrow></math>`)}</div>`}function vr(e,t,n){let{names:r,output:s}=e;switch(t.kind){case"number":{let o=n?.kind==="sign"&&!["=","≈","+="].includes(n.sign);return N`<mn class=${Y(t.x)}>${o?Z(t.x):$(t.x)}</mn>`}case"total":return wr(s,r[t.node]);case"local":return yr(e,t.node,t.operand);case"grad":return N`<mi class="grad">${i.narration.gradOf(r[t.node])}</mi>`;case"formula":return N`<mtext class="code">${t.text.replaceAll("-","−").replaceAll("*","∗")}</mtext>`;case"rest":return N`<mo>…</mo>`;case"sign":return N`<mo form="infix">${t.sign}</mo>`}}function Xt(e,t){return N`<mfrac><mrow><mo rspace="0">∂</mo><mi>${e}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${t}</mi></mrow></mfrac>`}function wr(e,t){return N`<mrow class="total">${Xt(e,t)}</mrow>`}function yr({graph:e,names:t},n,r){let{operands:s}=e.nodes[n],o=s.filter(l=>l===s[r]).length,a=s.slice(0,r+1).filter(l=>l===s[r]).length;return N`<munder class="local"><mrow>${Xt(t[n],t[s[r]])}</mrow><mtext>${i.equation.local(o>1?a:0)}</mtext></munder>`}function Ut(e,t,n,r,s){let{graph:o,names:a,walk:l}=e,c=i.numbers,d=o.nodes.filter(g=>!R(g)).toReversed(),p=g=>{let b=d[g],w=b.id===n,v=t.node(b.id),f=r?l.grads[b.id]:v.grad,y=Y(f),x=w?V:$;return u`<tr class=${`${w?"now":""} ${t.phase}`} aria-rowindex=${g+2} @click=${()=>s(b.id)}>
      <td title=${a[b.id]}><button class="bare" aria-label=${c.select(a[b.id])} aria-pressed=${w}>${a[b.id]}</button></td>
      <td class="end" title=${v.filled?V(b.data):""}>${v.filled?x(b.data):"·"}</td>
      <td class="end ${y}" title=${f===null?"":V(f)}>${f===null?"·":x(f)} ${at[y]}</td>
    </tr>`},m=n===null?-1:d.findIndex(({id:g})=>g===n);return u`<table class="numbers" aria-rowcount=${d.length+1}>
    <caption class="hidden">${c.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${c.node}</th><th scope="col" class="end">${c.value}</th><th scope="col" class="end">${c.grad}</th></tr></thead>
    <tbody>${I({count:d.length,now:m,columns:3,row:p})}</tbody>
  </table>`}var xr={},Qt=ae(class extends Ve{constructor(){super(...arguments),this.ot=xr}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((r,s)=>r===this.ot[s]))return Ee}else if(this.ot===t)return Ee;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});function we(e,t,n,r=Number.POSITIVE_INFINITY){let{events:s}=e.line,o=i.events,a=l=>{let c=s[l],{what:d,how:p,result:m,sum:g}=pt(e,c),b=l>=r&&c.phase==="backward",w=l===t.index?"now":l<t.index?"past":"ahead";return u`<tr class="${c.phase} ${w}" aria-rowindex=${l+2} aria-current=${l===t.index?"step":h} @click=${()=>n(c.end)}>
      <td class="index"><button class="bare" aria-label=${o.goto(l+1,d)} @click=${v=>{v.stopPropagation(),n(c.end)}}>${l+1}</button></td>
      <td class="who" title=${d}>${d}</td>
      <td class="how">${b?"?":p}</td>
      <td class="end">${b?"?":g?u`<span class="adding">${g}</span><span class="brief" aria-hidden="true">→ ${m}</span>`:m}</td>
    </tr>`};return u`<table class="events" aria-rowcount=${s.length+1} ${F({"--digits":String(String(s.length).length)})}>
    <caption class="hidden">${o.caption}</caption>
    <thead>
      <tr aria-rowindex="1"><th scope="col" class="index">${o.number}</th><th scope="col">${o.what}</th><th scope="col">${o.how}</th><th scope="col" class="end">${o.result}</th></tr>
    </thead>
    <tbody>${I({count:s.length,now:t.index,columns:4,row:a})}</tbody>
  </table>`}var Jt=e=>e.program.graph.leaves.map(t=>e.program.walk.grads[t.id]),Ge=[{id:"predict",preset:"x1",predict:!0,done:({state:e,program:t})=>{let n=t.line.events.flatMap((r,s)=>r.kind==="push"?[s]:[]);return e.predict&&n.length>3&&n.every(r=>e.answers.get(r)?.right)}},{id:"dead",preset:"x9",values:{x:2,w:3,b:1},done:e=>e.state.good.includes("relu")&&Jt(e).every(t=>t===0)},{id:"square",preset:"x3",done:({state:e,program:t,frame:n})=>/^\s*(\w+)\s*\*\s*\1\s*$/.test(e.good)&&n.time>=t.line.total},{id:"negative",preset:"x6",done:e=>Jt(e).some(t=>t<0)}];function va(e){let t=Ge.find(({id:n})=>n===e.state.task);t?.done(e)&&Rt(`try:${t.id}`)}function Zt(e){let t=new Set(Ge.map(s=>s.id).filter(s=>q().done.has(`try:${s}`))),n=i.tries.rows[e.state.task],r=t.has(e.state.task);return u`<div class="tries" role="group" aria-label=${i.tries.title}>
    <span class="lead">${i.tries.title}</span>
    ${Ge.map(s=>{let[o,a]=i.tries.rows[s.id];return u`<button
        class="try ${t.has(s.id)?"done":""}"
        data-try=${s.id}
        title=${a}
        aria-pressed=${s.id===e.state.task}
        @click=${l=>{Tr(e,s),kr(l.currentTarget)}}
      ><span aria-hidden="true">${t.has(s.id)?"✓":"○"}</span> ${o}${t.has(s.id)?u`<span class="hidden">, ${i.tries.done}</span>`:h}</button>`})}
    ${n?u`<p class="task ${r?"good":""}" role="status">${r?`✓ ${i.tries.well}`:""} ${n[1]}</p>`:h}
  </div>`}function kr(e){let t=e.getRootNode();requestAnimationFrame(()=>{let n=t.querySelector(".stage");n&&n.getBoundingClientRect().top<0&&n.scrollIntoView({block:"start",behavior:J()?"instant":"smooth"})})}function Tr(e,t){let n=z(t.preset),r=t.values??n.values;e.dispatch({type:"task",task:""}),e.dispatch({type:"load",text:n.text,values:r}),e.dispatch({type:"toggle",flag:"predict",on:t.predict??!1}),e.dispatch({type:"play",on:!0,time:0}),J()&&!t.predict&&e.dispatch({type:"seek",time:G}),e.dispatch({type:"task",task:t.id})}function Ia(e){return u`
    ${X(e)}
    ${e.embedded?h:qt(e)}
    ${j(e,e.fixed?h:Zt(e))}
    ${D(e)}
    <div class="dock four">${Er(e)}</div>`}function Er(e){let{program:t,frame:n,state:r,dispatch:s}=e,o=t.line.events[e.veil]!==void 0,a=st()&&!e.fixed&&!o,l=o&&(r.node!==null||r.edge!==null)?u`<p class="why">${i.predictBox.hidden}</p>`:Wt(t,n,r.node,r.edge);return Qt([t,n.index,n.landed,r.node,r.edge,r.final,e.veil,a],()=>[P(i.events.title,we(t,n,e.seek,e.veil),"table"),P(i.equation.title,l,"rule"),P(i.code.title,jt(t,n),"engine"),P(i.numbers.title,Ut(t,n,r.node,r.final,c=>s({type:"pick",node:c})),"table",a?u`<button class="toggle" @click=${()=>s({type:"proof",on:!0})}>${i.proof.button}</button>`:h)])}function P(e,t,n="",r=h){return u`<section class="panel ${n}"><div class="title"><h2>${e}</h2>${r}</div><div class="body" tabindex="0" role="region" aria-label=${e}>${t}</div></section>`}var Q=1e3,en=5,je=class extends oe{static{this.styles=de}static{this.properties={power:{state:!0}}}constructor(){super(),this.power=2}get length(){let t=10**this.power,n=10**Math.max(0,Math.floor(this.power)-1);return Math.round(t/n)*n}render(){let{length:t}=this,n=t>=Q,r=i.bugs.count(t);return u`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${i.bugs.depth}</span>
          <input type="range" min="0.5" max=${en} step="0.01" .value=${String(this.power)} aria-valuetext=${r}
            @input=${s=>{this.power=Number(s.target.value)}} />
          <output>${r}</output>
        </label>
        <p class="why">${i.bugs.depthText(t)}</p>
        <div class="columns">
          ${this.#e(i.bugs.recursive,i.bugs.frames(Math.min(t+1,Q)),n?i.bugs.overflow:i.bugs.fine,n,!0)}
          ${this.#e(i.bugs.iterative,i.bugs.entries(t+1),i.bugs.fine,!1,!1)}
        </div>
      </div>
    </section>`}#e(t,n,r,s,o){let a=c=>`${(100*Math.min(1,Math.log10(c)/en)).toFixed(2)}%`,{length:l}=this;return u`<div class="pile ${s?"dies":""}">
      <h2>${t}</h2>
      <div class="room" role="img" aria-label=${n} ${F({"--used":a(s?Q:l),"--limit":a(Q)})}>
        <div class="used"></div>${o?u`<div class="limit"></div>`:h}
      </div>
      <p>${n}${o?u` <span class="why">· ${i.bugs.limit}</span>`:h}</p>
      <p class=${s?"bad":"good"}><strong>${s?"✗":"✓"} ${r}</strong></p>
      <pre>${o?Rr(l):Sr(l)}</pre>
    </div>`}},tn=e=>e?`+${[...String(e)].map(t=>"₀₁₂₃₄₅₆₇₈₉"[Number(t)]).join("")}`:"x";function nn(e,t){if(t<=8)return Array.from({length:t},(r,s)=>e(s));let n=i.bugs.between(t-6);return[0,1,2,3].map(e).concat(n,e(t-2),e(t-1))}function Rr(e){let t=Math.min(e+1,Q);return[...nn(r=>`${"  ".repeat(Math.min(r,5))}build(${tn(e-r)})`,t),e>=Q?i.bugs.overflow:""].join(`
`)}function Sr(e){return nn(t=>t===e?"(x, 0)":`(${tn(e-t)}, 1)`,e+1).join(`
`)}customElements.define("gradwalk-depth",je);function ye(e){let t=e>>>0;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var Lr={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},Mr=["a","b","c"],Pr=["d","e","g","h","k","m"],Or=[-4,-3,-2,-1,1,2,2,3,4,5],rn=60;function xe(e,t){for(;;){let n=Ar(e,t);if(Nr(n))return n}}function Ar(e,t){let{operations:n,leaves:r,vocabulary:s}=Lr[t],o=m=>m[Math.floor(e()*m.length)],a={},l=Mr.slice(0,1+Math.floor(e()*r));for(let m of l)a[m]=o(Or);let c=[...l],d=[...l],p=[];for(let m=0;m<n;m++){let g=Pr[m],b=d.length>n-m,w=o(b?["+","*"]:s),v=o(d),f=b?d.filter(L=>L!==v):c,y=o(f.length?f:c);w==="relu"?p.push(`${g} = relu(${v})`):w==="**2"?p.push(`${g} = ${v}**2`):p.push(`${g} = ${v} ${w} ${y}`);let x=w==="relu"||w==="**2"?[v]:[v,y];d=[...d.filter(L=>!x.includes(L)),g],c.push(g)}return{text:p.join("; "),values:a}}function Nr({text:e,values:t}){let n=A(E(e).evaluate(t));if(n.leaves.length!==Object.keys(t).length)return!1;let{expected:r}=O(n);return n.nodes.every(s=>Math.abs(s.data)<=rn&&Math.abs(r[s.id])<=rn&&(s.tags.includes("const")||r[s.id]!==0)&&(s.data!==0||s.op==="relu"))}function De(e){return new Map(We.map(t=>[t,O(e,{bug:t}).grads]))}function Be({text:e,values:t}){return A(E(e).evaluate(t))}function sn(e){for(;;){let t=xe(e,"medium"),n=Be(t),r=O(n).grads.join(),s=[...De(n)],[o,a]=s[Math.floor(e()*s.length)];if(s.filter(([,c])=>c.join()===a.join()).length===1&&a.join()!==r)return{...t,bug:o}}}var Ir=["overwrite","wrong-order","no-reset","no-visited"],ze=class extends oe{static{this.styles=de}static{this.properties={seed:{type:Number},fixed:{type:Boolean},answer:{state:!0}}}#e;#t;constructor(){super(),this.seed=0,this.fixed=!1,this.answer=""}connectedCallback(){super.connectedCallback(),this.seed||this.#n()}willUpdate(t){t.has("seed")&&(this.#e=sn(ye(this.seed)),this.#t=Je(Be(this.#e),{bug:this.#e.bug,compare:!0}),this.answer="")}#n(){this.seed=1+Math.floor(Math.random()*1e9),this.dispatchEvent(new CustomEvent("case",{detail:this.seed,bubbles:!0,composed:!0}))}#r(t){this.answer||(this.answer=t,St(t===this.#e.bug))}render(){let{text:t,values:n,bug:r}=this.#e,{right:s,all:o}=q(),a=this.#t,l=Object.entries(n).map(([c,d])=>`${c} = ${$(d)}`).join(", ");return u`<section class="stage game">
        <div class="banner">
          <div class="words"><p class="what">${t}</p><p class="why">${i.checks.where(l)}</p></div>
          <span class="score">${o?i.bugs.score(s,o):h}</span>
        </div>
        <gradwalk-scene class="picture" .program=${a} .frame=${ie(a.line,a.line.total)} compare></gradwalk-scene>
      </section>
      <section class="panel quiz" aria-live="polite">
        <div class="body">
          <p class="ask">${i.bugs.game}</p>
          <div class="choices">
            ${Ir.map(c=>u`<button
                class="toggle ${this.answer&&c===r?"is-right":""} ${c===this.answer&&c!==r?"is-wrong":""}"
                data-choice=${c}
                aria-pressed=${c===this.answer}
                ?disabled=${this.answer!==""&&c!==this.answer&&c!==r}
                @click=${()=>this.#r(c)}
              >${i.bugs.names[c]}</button>`)}
          </div>
          ${this.answer?this.#s():h}
        </div>
      </section>`}#s(){let{bug:t}=this.#e,n=this.answer===t;return u`<div class="verdict">
      ${n?u`<p><strong class="good">✓ ${i.bugs.correct(i.bugs.names[t])}</strong></p>`:u`<p><strong class="bad">✗ ${i.bugs.incorrect(i.bugs.names[this.answer])}</strong> <code>${this.#o(this.answer)}</code></p>
              <p>${i.bugs.was(i.bugs.names[t])}</p>`}
      <p><strong>${i.bugs.evidence}</strong> ${i.bugs.clues[t]}</p>
      <p class="actions">
        <button class="primary" @click=${()=>this.#n()}>${i.bugs.next}</button>
        ${this.fixed?h:u`<button class="toggle" @click=${()=>this.dispatchEvent(new CustomEvent("show",{detail:this.#e,bubbles:!0,composed:!0}))}>${i.bugs.explore}</button>`}
      </p>
    </div>`}#o(t){let{graph:n,names:r}=this.#t,s=De(n).get(t);return n.nodes.filter(o=>!R(o)).map(o=>`${r[o.id]} ${$(s[o.id])}`).join("   ")}};customElements.define("gradwalk-diagnose",ze);function fi(e){let{state:t,dispatch:n}=e;return u`
    <div class="bar">
      <span class="segments" role="group" aria-label=${i.bugs.mode}>
        ${[!1,!0].map(r=>u`<button class="segment" aria-pressed=${t.game===r} @click=${()=>n({type:"game",on:r})}>${r?i.bugs.diagnose:i.bugs.explore}</button>`)}
      </span>
      ${t.game?h:u`<div class="choices" role="group" aria-label=${i.bugs.choose}>
              ${nt.map(r=>u`<button class="toggle" data-bug=${r} aria-pressed=${t.bug===r} @click=${()=>n({type:"bug",bug:r})}>${i.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${t.game?u`<gradwalk-diagnose .seed=${t.seed} ?fixed=${e.fixed} @case=${r=>n({type:"case",seed:r.detail})} @show=${r=>{let{text:s,values:o,bug:a}=r.detail;n({type:"load",text:s,values:o}),n({type:"bug",bug:a}),n({type:"game",on:!1})}}></gradwalk-diagnose>`:t.bug==="recursion"?u`<section class="panel explain"><div class="body">${an("recursion")}<p>${i.bugs.what.recursion}</p></div></section><gradwalk-depth></gradwalk-depth>`:qr(e)}`}function qr(e){let{program:t,state:n,frame:r}=e,{wrong:s}=t.walk,o=t.problem?i.bugs.tooMany:s.length?i.bugs.differs(s.length):i.bugs.same,a=r.time>=t.line.total?u`<div class="words"><p class="what ${s.length?"bad":"good"}">${s.length?"✗":"✓"} ${o}</p><p class="why" title=${i.bugs.what[n.bug]}>${i.bugs.what[n.bug]}</p></div>
          ${s.length||e.fixed?h:u`<button class="toggle showcase" @click=${()=>Cr(e)}>${i.bugs.showcase}</button>`}`:void 0;return u`
    ${j(e)}
    ${D(e,{compare:!0,switches:["unfold"],headline:a})}
    ${X(e)}
    <div class="dock bugs">
      ${P(i.bugs.names[n.bug],u`${an(n.bug)}<p class="why">${i.bugs.what[n.bug]}</p>`,"rule")}
      ${P(i.bugs.table,$e(t),"table")}
      ${P(i.events.title,we(t,r,e.seek),"table")}
    </div>`}var on={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function Cr(e){e.load(on[e.state.bug].text,on[e.state.bug].values),e.seek(G)}function an(e){let[t,n]=i.bugs.code[e];return u`<dl class="diff">
    <div class="good"><dt>✓ ${i.bugs.rightLine}</dt><dd><code>${t}</code></dd></div>
    <div class="bad"><dt>✗ ${i.bugs.wrongLine}</dt><dd><code>${n||i.bugs.missing}</code></dd></div>
  </dl>`}function ke(e,t){let{text:n,values:r}=z(e);return{id:`${e}-${t}`,text:n,values:r,leaf:t}}var _r=[ke("x1","a"),ke("x1","b"),ke("x2","w1"),ke("x6","a")];function Fr(e,t){let n=xe(ye(t),e),r=cn(A(E(n.text).evaluate(n.values)));return{...n,id:`${e}.${t}`,leaf:r}}var ln="own";function ki(e,t,n){let r=_r.find(a=>a.id===e);if(r)return r;if(e===ln)return t?Hr(t,n,ln):null;let[,s,o]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return s?Fr(s,Number(o)):null}function Hr(e,t,n){let r=E(e),s=Object.fromEntries(r.names.map(a=>[a,t[a]??1])),o=A(r.evaluate(s));return o.leaves.length?{id:n,text:e,values:s,leaf:cn(o)}:null}function cn(e){let t=e.leaves[0],n=0n;for(let r of e.leaves){let{count:s}=_(e,r.id,1);s>n&&([t,n]=[r,s])}return t.label}function Ti({text:e,values:t}){return A(E(e).evaluate(t))}function Gr(e,t){return _(e,t,6)}function Ei(e,t,n){let r=i.checks.diagnosis,s=Gr(e,t),o=e.find(t),a=Ue(e);if(s.count>1n&&s.complete){for(let l of s.largest)if(B(n,l.product))return r.onePath(l.nodes.map(c=>a[c]).join(" → "));if(B(n,s.largest.reduce((l,c)=>l*c.product,1)))return r.product}return B(n,O(e,{bug:"overwrite"}).grads[o.id])?r.overwrite:B(n,-s.total)?r.flipped:B(n,o.data)?r.value(t):s.largest.some(l=>l.locals.length>1&&l.locals.some(c=>B(n,c)))?r.local:""}function _i(e){return jr(e,j(e))}function jr(e,t=h){return u`
    ${Dr(e)}
    ${t}
    ${D(e,{switches:[],headline:Br(e)})}
    <div class="dock descent">
      ${P(i.descend.curve(e.program.output),zr(e),"curve")}
      ${P(i.descend.surface,Yr(e),"surface")}
      ${P(i.descend.leaves,Wr(e),"leaves")}
    </div>`}function Dr(e){let{state:t,dispatch:n}=e,r=i.descend;return u`<div class="bar descend-bar" role="group" aria-label=${r.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!t.descending})}>${T(t.descending?"pause":"play")} ${t.descending?i.pause:r.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${T("step")} ${r.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>n({type:"climb"})}>${T("start")} ${r.reset}</button>
    <label>${r.rate} <select @change=${s=>n({type:"rate",rate:Number(s.target.value)})}>
      ${et.map(s=>u`<option value=${s} .selected=${s===t.rate}>${$(s)}</option>`)}
    </select></label>
  </div>`}function Br(e){let{state:t,program:n}=e,r=i.descend,s=Math.max(0,t.way.length-1),o=n.graph.nodes[n.graph.root].data,a=t.way[0]?.output??o,l=t.stuck==="numbers"?r.strange:t.stuck==="still"?r.still:t.stuck==="up"?r.up:r.rule;return u`<div class="words"><p class="what">${s?r.fell(n.output,$(a),$(o),s):r.start(n.output,$(o))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${l}</p></div>`}var un=320,Ke=120;function zr(e){let{way:t}=e.state,n=i.descend,r=t.filter(({output:p})=>Number.isFinite(p));if(r.length<2)return u`<p class="why">${n.noCurve}</p>`;let[s,o]=[Math.min,Math.max].map(p=>p(...r.map(m=>m.output))),a=p=>4+(un-8)*p/(r.length-1),l=p=>Ke-6-(Ke-12)*(p-s)/Math.max(o-s,1e-300),c=r.map(({output:p},m)=>`${m?"L":"M"}${a(m).toFixed(1)} ${l(p).toFixed(1)}`),d=r.at(-1);return u`<figure class="sparkline">
    <svg viewBox="0 0 ${un} ${Ke}" role="img" aria-label=${n.curveSaid(e.program.output,$(r[0].output),$(d.output),r.length-1)} preserveAspectRatio="none">
      ${C`<path class="line" d=${c.join("")} vector-effect="non-scaling-stroke" />`}
    </svg>
    <figcaption><span>${$(r[0].output)}</span><span>${n.steps(r.length-1)}</span><strong>${$(d.output)}</strong></figcaption>
  </figure>`}function Kr({state:e}){let t=le(e).filter(n=>e.learning.includes(n));return t.length>=2?[t[0],t[1]]:null}var Vr=ue((e,t,n,r,s)=>bt(e,s,[t,n],r.length?r:[{values:s,output:0}]));function Yr(e){let{state:t}=e,n=i.descend,r=Kr(e);if(!r)return u`<p class="why">${n.noSurface}</p>`;let s=Vr(t.good,r[0],r[1],t.way,t.values),o=s.rows.length,a=s.rows.flat().filter(Number.isFinite),[l,c]=[Math.min(...a),Math.max(...a)],d=f=>Number.isFinite(f)?Math.sqrt((f-l)/Math.max(c-l,1e-300)):1,p=f=>o*(f-s.x[0])/(s.x[1]-s.x[0]),m=f=>o-o*(f-s.y[0])/(s.y[1]-s.y[0]),g=(t.way.length?t.way:[{values:t.values,output:0}]).map(({values:f})=>[p(f.get(r[0])??0),m(f.get(r[1])??0)]),b=g.map(([f,y],x)=>`${x?"L":"M"}${f.toFixed(2)} ${y.toFixed(2)}`),[w,v]=g.at(-1);return u`<figure class="surface-map">
    <svg viewBox="0 0 ${o} ${o}" role="img" aria-label=${n.surfaceSaid(r[0],r[1],$(l),$(c))}>
      ${s.rows.map((f,y)=>f.map((x,L)=>C`<rect class="cell" x=${L} y=${y} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${d(x).toFixed(2)} />`))}
      ${C`<path class="way" d=${b.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${w} cy=${v} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(r[0],$(s.x[0]),$(s.x[1]),r[1],$(s.y[0]),$(s.y[1]))}</figcaption>
  </figure>`}function Wr(e){let{state:t,program:n,dispatch:r}=e,{graph:s,walk:o}=n,a=i.descend;return u`<table class="numbers learns">
    <caption class="hidden">${a.leaves}</caption>
    <thead><tr><th scope="col">${a.learns}</th><th scope="col" class="end">${i.numbers.value}</th><th scope="col" class="end">${i.numbers.grad}</th></tr></thead>
    <tbody>${s.leaves.map(l=>{let c=t.learning.includes(l.label);return u`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${c} @change=${()=>{let p=c?t.learning.filter(m=>m!==l.label):[...t.learning,l.label];r({type:"learning",learning:p})}} /> ${l.label}</label></td>
        <td class="end">${$(l.data)}</td><td class="end">${c?$(o.expected[l.id]):h}</td></tr>`})}</tbody>
  </table>`}function Vi(e,t,n){let{walk:r,names:s,line:o}=e,a=i.trace,l=o.events.findIndex(m=>m.phase==="sort"),c=Math.min(t.index-l,r.sort.length),d=m=>m.map(([g,b])=>`(${s[g]},${b})`).join(" ")||a.empty,p=m=>{let g=r.sort[m],[b,w]=g.pop,v=o.events[l+m],f=m<=c,y=g.note==="leaf"||g.note==="done"?a[g.note]:g.note?a.already(s[e.graph.nodes[b].operands[w]]):"";return u`<tr class=${`sort ${m===c?"now":f?"past":"ahead"}`} aria-rowindex=${m+2} aria-current=${m===c?"step":h} @click=${()=>n(v.end)}>
      <td class="index"><button class="bare" aria-label=${i.events.goto(m+1,a.sort)}>${m+1}</button></td>
      <td class="who">${f?u`(${s[b]},${w}) <span class="note">${y}</span>`:"·"}</td>
      <td class="how">${f?d(g.stack):"·"}</td>
      <td class="how">${f?Xr(e,g.stack,g.sorted):"·"}</td>
      <td class="how">${f?g.sorted.map(x=>s[x]).join(" "):"·"}</td>
    </tr>`};return u`<table class="trace sort" aria-rowcount=${r.sort.length+1}>
    <caption>${a.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${a.pop}</th><th scope="col">${a.stack}</th><th scope="col">${a.visited}</th><th scope="col">${a.sorted}</th></tr></thead>
    <tbody>${I({count:r.sort.length,now:c,columns:5,row:p})}</tbody>
  </table>`}function Xr(e,t,n){return[...new Set([...n,...t.map(([s])=>s)])].sort((s,o)=>s-o).map(s=>e.names[s]).join(" ")}var Ur=ue(e=>{let t=new Map;return e.events.forEach(({phase:n,kind:r,row:s},o)=>{if(n!=="backward"||r==="seed")return;let a=t.get(s);a?a.push(o):t.set(s,[o])}),t});function Yi(e,t,n){let{walk:r,names:s,line:o,graph:a}=e,l=i.trace,{event:c}=t,p=c?.phase==="backward"?c.kind==="seed"?0:c.row:-1,m=Ur(o),g=r.backward.map((v,f)=>({step:v,row:f})).filter(({step:v})=>!R(a.nodes[v.node])),b=v=>{let{step:f,row:y}=g[v],x=m.get(y)??[],L=y<p||y===p&&c?.kind!=="seed",Te=L||y===p&&f.node===a.root,dn=o.events[x.at(-1)??-1]?.end??0,pn=()=>x.filter(se=>se<=t.index).map(se=>o.events[se].push?Qr(e,o.events[se].push):h),mn=f.note==="leaf"?l.skipped:l.skippedZero;return u`<tr class=${`backward ${y===p?"now":L?"past":"ahead"}`} aria-rowindex=${v+2} aria-current=${y===p?"step":h} @click=${()=>n(dn)}>
      <td class="index"><button class="bare" aria-label=${i.events.goto(y+1,l.backward)}>${y+1}</button></td>
      <td class="who">${t.phase==="backward"?s[f.node]:"·"} (${Te?$(f.grad):"·"})</td>
      <td class="how">${L?f.note?mn:pn():"·"}</td>
    </tr>`},w=g.findIndex(({row:v})=>v===p);return u`<table class="trace backward" aria-rowcount=${g.length+1}>
    <caption>${l.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${l.node}</th><th scope="col">${l.pushes}</th></tr></thead>
    <tbody>${I({count:g.length,now:w,columns:3,row:b})}</tbody>
  </table>`}function Qr(e,t){let{local:n,incoming:r,contribution:s,before:o,after:a,to:l}=t,c=M(n)*M(r),d=o===0?` ${H(c,s)} ${$(s)}`:` → ${$(a)}`;return u`<span class="push ${Y(s)}">${e.names[l]} += ${Z(n)}·${Z(r)}${d}</span>`}export{Qt as a,ne as b,z as c,G as d,os as e,xt as f,q as g,Rt as h,is as i,ls as j,kn as k,j as l,Pt as m,D as n,X as o,lo as p,qe as q,Ft as r,Ht as s,mo as t,Oo as u,Jn as v,$e as w,jt as x,Wt as y,wr as z,Ut as A,va as B,Ia as C,P as D,fi as E,an as F,_r as G,ln as H,ki as I,Ti as J,Gr as K,Ei as L,_i as M,jr as N,Vi as O,Yi as P};
/*! Bundled license information:

lit-html/directives/ref.js:
  (**
   * @license
   * Copyright 2020 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)

lit-html/directives/guard.js:
  (**
   * @license
   * Copyright 2018 Google LLC
   * SPDX-License-Identifier: BSD-3-Clause
   *)
*/

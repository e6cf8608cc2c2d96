import{h as lt}from"./chunk-chunk-2NSRNHVO.js";import{a as fe,c as gt,d as ft,e as te,f as ht,g as I,h as ne,i as bt}from"./chunk-chunk-2G43AQBY.js";import{E as F,F as ct,G as M,H as $,J as V,K as ee,L as Y,N as ut,O as B,P as Pe,Q as H,R as dt,T as Oe,U as pt,X as mt,aa as he,b as le,c as Xe,d as Ze,f as ce,g as et,h as ue,l as tt,m as nt,o as Le,p as de,q as pe,s as rt,t as st,u as ot,w as Me,x as at,y as Z}from"./chunk-chunk-BK4SSROR.js";import{d as it}from"./chunk-chunk-A2MHMUAO.js";import{c as u,d as C,e as N,f as Se,g as h,i as ie,l as i,p as me,q as ge,r as E}from"./chunk-chunk-HDQTMHZT.js";import{A as O,B as Je,j as Ue,l as T,m as R,o as A,t as _,z as Qe}from"./chunk-chunk-Q7PSIRFV.js";var hn=/^(x|y|t|target|input|label|data)\d*$/i;function $t(e){let t=e.filter(n=>!hn.test(n));return t.length?t:[...e]}function Ae(e,t){return Object.fromEntries(e.names.map(n=>[n,t.get(n)??1]))}function Ne(e,t){let n=T(e);return n.evaluate(Ae(n,t)).data}function vt(e,t,n,r){let s=T(e),o=A(s.evaluate(Ae(s,t))),{expected:a}=O(o),l=new Map(t);for(let c of o.leaves){if(!n.includes(c.label))continue;let d=c.data-r*a[c.id];if(!Number.isFinite(d))return null;l.set(c.label,d)}return l}function wt(e,t,[n,r],s,o=24){let a=T(e),l=b=>{let w=s.map(x=>x.values.get(b)??0),[v,f]=[Math.min(...w),Math.max(...w)],y=Math.max(.35*(f-v),.3*Math.max(1,Math.abs(f),Math.abs(v)));return[v-y,f+y]},[c,d]=[l(n),l(r)],p=Ae(a,t),m=([b,w],v)=>b+(w-b)*(v+.5)/o,g=Array.from({length:o},(b,w)=>Array.from({length:o},(v,f)=>{let y={...p};return y[n]=m(c,f),y[r]=m(d,o-1-w),a.evaluate(y).data}));return{x:c,y:d,rows:g}}var re=[{id:"x1",text:"(a + b) * c",values:{a:2,b:-3,c:10}},{id:"x2",text:"n = x1*w1 + x2*w2 + b; o = tanh(n)",values:{x1:2,w1:-3,x2:0,w2:1,b:6.881373587019543}},{id:"x3",text:"a * a",values:{a:3}},{id:"x4",text:"a + a",values:{a:3}},{id:"x5",text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},{id:"x6",text:"b = a + 1; c = a * 3; d = b * c",values:{a:2}},{id:"x7",text:"c = a * b; L = c + a",values:{a:2,b:3}},{id:"x8",text:"relu(a * b)",values:{a:2,b:-3}},{id:"x9",text:"relu(x*w + b)",values:{x:2,w:3,b:-10}},{id:"learn",text:"o = tanh(w*x + b); loss = (o - y)**2",values:{w:-.8,x:1.5,b:.4,y:.6}},{id:"bowl",text:"(a - 3)**2 + 2*(b + 1)**2",values:{a:-2,b:2}},{id:"x9s",text:"1 / (1 + exp(0 - x))",values:{x:.5}}];function z(e){return re.find(t=>t.id===e)??re[0]}var bn=200,G=1e9;function is(e={},t=null){let n=z("x1"),r={page:"sandbox",text:n.text,good:n.text,values:new Map(Object.entries(n.values)),time:0,unfold:!1,final:!1,predict:!1,strict:!1,view:"2d",look:Me,speed:1,bug:"overwrite",order:[],ran:!1,game:!1,seed:0,question:"",lesson:"",teach:!1,scene:"sandbox",staged:"",hold:null,told:new Map,node:null,edge:null,place:"",given:t,playing:!1,answers:new Map,task:"",help:!1,proof:!1,check:null,compiled:null,theme:"auto",letters:!0,greeted:!1,nudge:null,rate:.1,learning:[],way:[],descending:!1,stuck:"",sent:null,sharing:!1,past:[],future:[],edit:{kind:"",at:0}},s=e.final===!0&&!e.predict;return K({...r,...e,final:s},e.text??r.text)}function $n(e,t,n=0){let r=vn(e,t,n);return r.good===e.good&&r.unfold===e.unfold&&r.page===e.page||t.type==="restore"?r:{...r,look:{...Me,orbit:r.look.orbit}}}function vn(e,t,n){switch(t.type){case"type":return W(e,"type",K({...e,playing:!1,time:e.page==="walk"?0:G},t.text),n);case"load":{let r=new Map([...e.values,...Object.entries(t.values)]),s={...e,values:r,time:0,playing:t.play??!1,order:[],ran:!1};return W(e,"load",K(s,t.text),n)}case"value":{let r=new Map(e.values).set(t.name,t.value),o=e.page==="sandbox"&&!e.playing&&!e.predict&&e.time===0?G:e.time;return W(e,`value ${t.name}`,{...e,values:r,time:o,answers:new Map,way:[],descending:!1,stuck:""},n)}case"page":{if(t.page===e.page)return e;let r=t.time??0;return{...e,page:t.page,time:r,playing:!1,descending:!1,ran:!1,staged:"",hold:null,teach:!1,node:null,edge:null}}case"seek":return t.keepPlaying?{...e,time:t.time}:{...e,time:t.time,playing:!1,node:null,edge:null};case"play":{let r=t.on?{node:null,edge:null}:{};return{...e,...r,playing:t.on,time:t.time??e.time}}case"toggle":{let r=t.on??!e[t.flag];if(t.flag==="final"&&r&&e.predict)return e;let s={...e,[t.flag]:r,answers:new Map};return t.flag==="unfold"&&Object.assign(s,{node:null,edge:null,order:[]}),t.flag==="predict"&&r&&Object.assign(s,{final:!1,playing:!1}),W(e,t.flag,t.flag==="strict"?K(s,e.text):s,n)}case"view":return{...e,view:t.view};case"speed":return{...e,speed:t.speed};case"bug":return W(e,"bug",{...e,bug:t.bug,time:G,playing:!1},n);case"order":return W(e,"order",{...e,order:t.order,ran:!1,time:0,playing:!1},n);case"run":return{...e,ran:t.on,time:t.time,playing:t.on,node:null,edge:null};case"answer":{let{typed:r,right:s}=t,o=(e.answers.get(t.event)?.missed??0)+ +!s,a=new Map(e.answers).set(t.event,{typed:r,right:s,missed:o});return{...e,answers:a}}case"again":return{...e,answers:new Map,time:t.time,playing:!1};case"pick":return{...e,node:t.node,edge:t.edge??null};case"game":return{...e,game:t.on};case"case":return{...e,seed:t.seed};case"question":return{...e,question:t.question};case"task":return{...e,task:t.task};case"lesson":return{...e,lesson:t.lesson,hold:null,playing:!1,descending:!1};case"scene":{let{staged:r,scene:s,text:o,bug:a,unfold:l}=t,c=new Map([...e.values,...Object.entries(t.values)]),p={...e,...{predict:!1,final:!1,strict:!1,ran:!1,playing:!1},staged:r,scene:s,bug:a,unfold:l,values:c,time:0,hold:null};return K({...p,...{node:null,edge:null,order:[],way:[],stuck:""},descending:!1,view:"2d"},o)}case"shown":{let{given:r,text:s=e.text}=t,o=new Map([...e.values,...t.values??[]]),a={...e,given:r,values:o,edge:null};return r?{...a,node:(e.node??0)<r.nodes.length?e.node:null}:s===e.text?a:K(a,s)}case"hold":return{...e,hold:t.hold};case"tell":return{...e,told:new Map(e.told).set(t.key,t.told)};case"teach":return{...e,teach:t.on};case"help":return{...e,help:t.on};case"proof":return{...e,proof:t.on,check:t.on?null:e.check};case"look":return{...e,look:t.look};case"checking":return{...e,check:t.check};case"compiled":return{...e,compiled:t.compiled};case"place":return{...e,place:t.place};case"theme":return{...e,theme:t.theme};case"letters":return{...e,letters:t.on};case"greeted":return{...e,greeted:!0};case"descend":return yn(e,t.steps);case"descending":return{...e,descending:t.on,stuck:t.on?"":e.stuck};case"climb":{let r=e.way[0]?.values??e.values;return{...e,values:r,way:[],descending:!1,stuck:""}}case"rate":return{...e,rate:t.rate,stuck:""};case"learning":return{...e,learning:t.learning,stuck:""};case"sent":return{...e,sent:t.sent};case"share":return{...e,sharing:t.on};case"nudge":return{...e,nudge:t.nudge};case"restore":{let{given:r,theme:s,letters:o,greeted:a,past:l,future:c}=e;return{...t.state,given:r,theme:s,letters:o,greeted:a,past:l,future:c}}case"undo":return Et(e,"past","future");case"redo":return Et(e,"future","past")}}function K(e,t){try{let n=T(t,{strict:e.strict}).names,r=kt(e.values,n),s=t===e.good&&t===e.text,o=e.text===t?{}:{node:null,edge:null,order:[],ran:!1},a={answers:new Map,nudge:null,way:[],descending:!1,stuck:""},l=n.filter(p=>e.learning.includes(p)),c=l.length&&s?l:$t(n),d=s?{learning:c}:{...o,...a,learning:c};return{...e,...d,text:t,good:t,values:r}}catch{let n=xn(e.good)?e.good:z("x1").text;return{...e,text:t,good:n,values:kt(e.values,T(n).names)}}}var wn=2e3,yt=20;function yn(e,t){let{values:n}=e,r=e.way.length?[...e.way]:[{values:n,output:Ne(e.good,n)}],s="";for(let a=0;a<t&&!s;a++){let l=vt(e.good,n,e.learning,e.rate),c=l?Ne(e.good,l):Number.NaN;if(!l||!Number.isFinite(c)){s="numbers";break}let d=e.learning.some(m=>Math.abs((l.get(m)??0)-(n.get(m)??0))>1e-9);n=l,r.push({values:n,output:c}),d||(s="still");let p=r.slice(-yt-1);p.length>yt&&p.every((m,g)=>!g||m.output>p[g-1].output)&&(s="up")}let o=e.descending&&!s;return{...e,values:n,way:r.slice(-wn),stuck:s,descending:o,time:G}}function xn(e){try{return T(e),!0}catch{return!1}}var xt=[2,-3,10,.5,1.5,-1];function kt(e,t){if(t.every(r=>e.has(r)))return e;let n=new Map(e);return t.forEach((r,s)=>{n.has(r)||n.set(r,xt[s%xt.length])}),n}var Rt=["page","text","values","unfold","final","predict","strict","bug","order"],kn=[...Rt,"time","view","speed","ran","game","seed","question","place"];function St(e){return{...Object.fromEntries(kn.map(n=>[n,e[n]])),node:null,edge:null}}function W(e,t,n,r){if(Rt.every(a=>e[a]===n[a]))return n;let o=t===e.edit.kind&&r-e.edit.at<900&&e.past.length>0?e.past:[...e.past,St(e)].slice(-bn);return{...n,past:o,future:[],edit:{kind:t,at:r}}}function Et(e,t,n){let r=e[t].at(-1);return r?{...K({...e,...r,playing:!1},r.text),edit:{kind:"",at:0},[t]:e[t].slice(0,-1),[n]:[...e[n],St(e)]}:e}var Tt=class{constructor(t){this.state=t;this.#e=new Set;this.dispatch=t=>{let n=$n(this.state,t,Date.now());if(n!==this.state){this.state=n;for(let r of this.#e)r(n)}}}#e;subscribe(t){return this.#e.add(t),()=>this.#e.delete(t)}};var qe="gradwalk-progress";var En=/^[a-z]+:[a-z0-9.-]{1,40}$/,se={done:new Set,right:0,all:0},Ie=se,X="";function q(){let e=Rn();return X!==null&&X!==e&&(X=e,Ie=Pt(e)),Ie}function cs(e){let t=({key:n})=>{(n===qe||n===null)&&e()};return addEventListener("storage",t),()=>removeEventListener("storage",t)}function Lt(e){let{done:t}=q();t.has(e)||be({...q(),done:new Set([...t,e].slice(-500))})}function Mt(e){let{right:t,all:n}=q();be({...q(),right:t+Number(e),all:n+1})}function us(e){let t=Pt(e);if(t===se)return!1;let{done:n,right:r,all:s}=q(),o=new Set([...n,...t.done].slice(-500)),a=t.all>s?t:{right:r,all:s};return be({done:o,right:a.right,all:a.all}),!0}function ds(){be(se)}function Pt(e){try{let{version:t,done:n,right:r,all:s}=JSON.parse(e);if(t!==1||!Array.isArray(n))return se;let o=n.filter(l=>typeof l=="string"&&En.test(l)).slice(0,500),a=Number.isSafeInteger(r)&&Number.isSafeInteger(s)&&r>=0&&r<=s;return{done:new Set(o),right:a?r:0,all:a?s:0}}catch{return se}}function Tn({done:e,right:t,all:n}){return JSON.stringify({version:1,done:[...e],right:t,all:n})}function Rn(){try{return localStorage.getItem(qe)??""}catch{return""}}function be(e){Ie=e,X=Tn(e);try{localStorage.setItem(qe,X)}catch{X=null}}function j(e,t=h){return e.fixed?u``:u`<div class="controls">${Sn(e)}${On(e)}${t}</div>`}function Sn(e,t){let{state:n}=e,r=et(n.text,n.strict),s=r?bt(r.said):"",o=r?Math.min(r.column,400):0;return u`<div class="expression ${r?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${i.expression}</label>
      <input
        id="expression"
        type="text"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        maxlength=${Ue}
        placeholder="(a + b) * c"
        aria-invalid=${r!==null}
        aria-describedby="expression-note"
        .value=${ne(n.text)}
        @input=${a=>e.dispatch({type:"type",text:a.target.value})}
        @scroll=${a=>Mn(a.target)}
        @keydown=${a=>{a.key==="Enter"&&e.dispatch({type:"play",on:!0,time:0}),a.key==="Escape"&&Ln(a.target)}}
      />
      ${Pn(e,t)}
    </div>
    ${r?u`<span class="caret" aria-hidden="true" ${F({"--column":String(o)})}></span>`:h}
    <p id="expression-note" class="note" role=${r?"alert":h}>
      ${r?u`<span class="message" title=${s}>${s}</span>`:u`<span class="hint">${i.expressionHint}</span>`}
    </p>
  </div>`}function Ln(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function Mn(e){e.closest(".expression")?.style.setProperty("--scroll",`${e.scrollLeft}px`)}function Pn(e,t){let n=t?re.filter(s=>t.includes(s.id)):re,r=n.find(s=>s.text===e.state.good)?.id??"";return u`<label class="presets"><span class="hidden">${i.presets}</span>
    <select
      aria-label=${i.presets}
      @change=${s=>{let o=n.find(a=>a.id===s.target.value);o&&e.load(o.text,o.values)}}
    >
      ${r?h:u`<option value="" .selected=${!0}>${i.presetOwn}</option>`}
      ${n.map(s=>u`<option value=${s.id} .selected=${s.id===r}>${i.presetNames[s.id]}</option>`)}
    </select>
  </label>`}function On(e){let t=ue(e.state);return u`<div class="variables" role="group" aria-label=${i.variables}>
    ${he(t,n=>n,n=>An(e,n,e.state.values.get(n)??0))}
  </div>`}function An(e,t,n){let r=Nn(n),s=o=>e.dispatch({type:"value",name:t,value:o});return u`<div class="variable">
    <span class="name" aria-hidden="true" title=${t}>${t}</span>
    <input
      type="range"
      min=${-r}
      max=${r}
      step="any"
      aria-label=${i.slider(t)}
      .value=${ne(String(n))}
      @input=${o=>s(Ot(Number(o.target.value),r))}
      @keydown=${o=>In(o,n,r,s)}
    />
    <gradwalk-number id=${`box-${t}`} .value=${n} label=${i.box(t)} @number=${o=>s(o.detail)}></gradwalk-number>
  </div>`}function Nn(e){let t=10;for(;t<Math.abs(e)&&t<1e300;)t*=10;return t}function Ot(e,t){let n=t/100;return Number((Math.round(e/n)*n).toPrecision(10))}function In(e,t,n,r){let s={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!s)return;e.preventDefault();let o=n/100*(e.shiftKey?10:1);r(Math.max(-n,Math.min(n,Ot(t+s*o,n))))}var Ce=new WeakMap,At=le(class extends ht{render(e){return h}update(e,[t]){let n=t!==this.G;return n&&this.rt(void 0),(n||this.lt!==this.ct)&&(this.G=t,this.ht=e.options?.host,this.rt(this.ct=e.element)),h}rt(e){if(this.G!==void 0)if(this.isConnected||(e=void 0),typeof this.G=="function"){let t=this.ht??globalThis,n=Ce.get(t);n===void 0&&(n=new WeakMap,Ce.set(t,n)),n.get(this.G)!==void 0&&this.G.call(this.ht,void 0),n.set(this.G,e),e!==void 0&&this.G.call(this.ht,e)}else this.G.value=e}get lt(){return typeof this.G=="function"?Ce.get(this.ht??globalThis)?.get(this.G):this.G?.value}disconnected(){this.lt===this.ct&&this.rt(void 0)}reconnected(){this.rt(this.ct)}});function _e({program:e,veil:t,frame:n}){let r=e.line.events[t];return r!==void 0&&n.time>=r.start-1e-6}function Nt(e){let{program:t,veil:n}=e,r=t.line.events[n],s=r.push,o=i.predictBox,a=e.state.answers.get(n),l=d=>{let p=Pe(s.contribution,d);e.dispatch({type:"answer",event:n,typed:d,right:p}),!(!p&&!a)&&(e.dispatch({type:"play",on:!1,time:r.start+1}),e.step(1))};return u`<form class="words predict" @submit=${d=>{d.preventDefault();let p=d.target,m=p.elements.namedItem("prediction"),g=ut(m.value)===null;if(m.setAttribute("aria-invalid",String(g)),p.querySelector(".invalid").textContent=g?i.notNumber:"",g){m.focus();return}let b=m.value;a||Pe(s.contribution,b)?m.value="":m.select(),l(b)}} novalidate>
    <p class="what"><label for="prediction">${o.ask(t.names[r.node],t.names[s.to],$(s.incoming))}</label>
      <input id="prediction" name="prediction" inputmode="decimal" autocomplete="off" size="7" aria-label=${o.input} aria-describedby="prediction-note" ${At(d=>qn(d,n))} />
      <button class="primary">${o.check}</button>
      <button type="button" class="toggle" @click=${()=>l("")}>${a?o.show:o.hint}</button>
      <span class="score">${qt(e)}</span>
    </p>
    <p class="why" id="prediction-note" role="status"><strong class="bad invalid"></strong> ${a?Cn(e,a):It(e)??o.rule($(s.incoming))}</p>
  </form>`}function qn(e,t){!e||e.dataset.veil===String(t)||(e.dataset.veil=String(t),queueMicrotask(()=>{let{activeElement:n}=e.getRootNode();n?.matches("input, gradwalk-number, select")||e.focus({preventScroll:!0})}))}function Cn(e,t){let{program:n,veil:r}=e,{node:s}=n.line.events[r],o=i.predictBox;return u`${t.typed?u`<strong class="bad">✗ ${o.notIt(t.typed)}</strong> `:h}${o.hintText(te(n,s))}`}function It(e){let t=Math.max(-1,...[...e.state.answers.keys()].filter(l=>l<e.veil)),n=e.state.answers.get(t),r=e.program.line.events[t];if(!n||!r?.push)return null;if(n.right)return u`<strong class="good">✓ ${i.predictBox.right}</strong>`;let s=dt(r.push),{wrong:o,was:a}=i.predictBox;return u`<strong class="bad">${n.typed?o(n.typed,s):a(s)}</strong> ${i.narration.rule(te(e.program,r.node))}`}function qt(e){let t=[...e.state.answers.values()].filter(at),n=t.filter(s=>s.right),r=n.filter(s=>s.missed>0).length;return t.length?i.predictBox.score(n.length,t.length,r):""}function Ct(e){let{state:t,program:n,veil:r}=e;if(!t.predict||t.page!=="sandbox"||n.line.events[r]||!t.answers.size||e.frame.time<n.line.total-1)return null;let s=[...t.answers.values()].every(o=>o.right);return u`<div class="words predict">
    <p class="what"><span class=${s?"good":""}>${s?"✓ ":""}${qt(e)}</span>
      <button class="primary" @click=${()=>e.dispatch({type:"again",time:0})}>${i.predictBox.again}</button></p>
    <p class="why">${It(e)??""} ${s?i.predictBox.all:i.predictBox.some}</p>
  </div>`}function _t({state:e,dispatch:t}){if(e.greeted)return h;let n=()=>{lt(),t({type:"greeted"})};return u`<aside class="greeting" aria-label=${i.welcome.label}><p>${i.welcome.text}</p>
    <button class="quiet" aria-label=${i.welcome.close} title=${i.welcome.close} @click=${n}>${E("close")}</button></aside>`}function Ft(e){let t=i.legend,n=r=>u`<svg class="wire ${r}" width="32" height="10" aria-hidden="true">${C`<line x1="1" x2="31" y1="5" y2="5" />`}</svg>`;return u`<ul class="reading" aria-label=${i.helpRead}>
    <li>${n("forward")} ${t.forward}</li>
    <li>${n("backward")} ${t.backward}</li>
    <li class="pos">${t.pos}</li>
    <li class="neg">${t.neg}</li>
    <li class="zero">${t.zero}</li>
    <li><code>${e}</code> ${t.unfilled}</li>
    <li><code>t1</code> ${t.unnamed}</li>
  </ul>`}function _n(e){let t=Math.max(1,Math.abs(e));return 10**(Math.floor(Math.log10(t))-1)}function Ht(e){let{state:t,program:n,frame:r}=e;if(t.page!=="sandbox"||t.predict||e.fixed||t.playing||r.time<n.line.total-1||t.text!==t.good)return null;let{nudge:s}=t;if(s&&t.values.has(s.name))return Fn(e);let{graph:o,walk:a,names:l,output:c}=n;if(!Number.isFinite(o.nodes[o.root].data))return null;let d=o.leaves.filter(({id:w,data:v,label:f})=>Number.isFinite(a.grads[w])&&a.grads[w]!==0&&Number.isFinite(v)&&t.values.has(f)).sort((w,v)=>Math.abs(a.grads[v.id])-Math.abs(a.grads[w.id]))[0];if(!d)return null;let p=_n(d.data),m=a.grads[d.id],g=l[d.id],b=i.welcome;return u`<p class="why">${b.nudge(g,$(p),c,$(p*m))}
    <button class="primary" @click=${()=>Gn(e,d.label,d.data,p,m)}>${b.tryIt}</button></p>`}function Fn(e){let{state:t,program:n,dispatch:r}=e,{name:s,from:o,by:a,grad:l,output:c}=t.nudge,d=n.graph.nodes[n.graph.root].data,p=H(M(l)*M(a),l*a),m=`${$(l)} × ${$(a)} ${p} ${$(l*a)}`,g=i.welcome,b=()=>{r({type:"nudge",nudge:null}),r({type:"value",name:s,value:o})};return u`<p class="why" role="status">${g.moved(n.output,$(c),$(d),$(d-c))} ${g.said(m)} ${Math.abs(d-c-l*a)>.001*Math.abs(l*a)?g.bend:""}
    <button class="toggle" @click=${b}>${g.back}</button></p>`}var Hn=700;function Gn(e,t,n,r,s){let{dispatch:o}=e,{graph:a}=nt(e.state),l=a.nodes[a.root].data,c=Number((n+r).toPrecision(12)),d=()=>{o({type:"value",name:t,value:c}),o({type:"nudge",nudge:{name:t,from:n,by:r,grad:s,output:l}})};if(Z()){d();return}let p=0,m=g=>{p||=g;let b=Math.min(1,(g-p)/Hn);b>=1?d():(o({type:"value",name:t,value:Number((n+r*b).toPrecision(6))}),requestAnimationFrame(m))};requestAnimationFrame(m)}function D(e,t={}){let{state:n,program:r,frame:s}=e,o=t.switches??["final","unfold","predict","3d"],a=n.predict&&o.includes("predict"),l=o.filter(m=>m!=="final"||!a),c=a?r.line.events[e.veil]:void 0,d=c?_e(e)?c.edges[0]:-1:null,p=n.view==="3d"&&l.includes("3d");return u`<section class="stage" aria-label=${i.graphLabel(r.graph.nodes.length)}>
    <div class="banner ${s.event?s.phase:"idle"}">
      ${t.headline??(_e(e)?Nt(e):Ct(e)??jn(e))}
      <div class="switches">
        ${l.includes("final")?$e(e,"final",i.final):h}
        ${l.includes("unfold")&&(n.unfold||e.program.graph.nodes.some(m=>m.tags.includes("derived")))?$e(e,"unfold",i.unfold):h}
        ${l.includes("predict")&&(n.strict||n.text.includes("**"))?$e(e,"strict",i.strict):h}
        ${l.includes("predict")?$e(e,"predict",i.predict):h}
        ${l.includes("3d")?u`<span class="segments" role="group" aria-label=${i.viewSwitch}>
                ${["2d","3d"].map(m=>u`<button class="segment" aria-pressed=${n.view===m} @click=${()=>e.dispatch({type:"view",view:m})}>${m==="2d"?i.view2d:i.view3d}</button>`)}
              </span>`:h}
        <span class="zoom">
          <button class="quiet" aria-label=${i.zoomOut} title=${i.zoomOut} data-zoom="out">${E("minus")}</button>
          <button class="quiet" aria-label=${i.fit} title=${`${i.fit} (f)`} data-zoom="fit">${E("fit")}</button>
          <button class="quiet" aria-label=${i.zoomIn} title=${i.zoomIn} data-zoom="in">${E("plus")}</button>
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
      ?large=${n.teach}
      @look=${m=>e.dispatch({type:"look",look:m.detail})}
      @pick=${m=>e.dispatch({type:"pick",...m.detail})}
    ></gradwalk-scene>
    ${Ft(t.unfilled??"--")}
  </section>`}function jn(e){let t=fe(e.program,e.frame.event),n=e.state.text!==e.state.good&&!e.fixed,{graph:r,line:s,output:o}=e.program,a=r.nodes[r.root].data,l=e.frame.time>=s.total,c=n?i.lastGood:l&&!Number.isFinite(a)?i.strangeOutput(o,$(a)):e.state.predict&&e.frame.index<0?i.predictBox.start:t.why,d=Ht(e);return d?u`<div class="words end-card"><p class="what">${t.what}</p>${d}</div>`:u`<div class="words"><p class="what">${t.what}</p><p class="why ${n?"bad":""}" title=${c}>${c}</p></div>`}function $e(e,t,n){return u`<button class="toggle" aria-pressed=${e.state[t]} @click=${()=>e.dispatch({type:"toggle",flag:t})}>${n}</button>`}var Dn=160;function U(e){let{state:t,program:n,frame:r}=e,{line:s}=n,o=t.playing,a=u`<button class="play" aria-label=${o?i.pause:i.play} title=${o?i.pause:i.play} @click=${e.playPause}>${E(o?"pause":"play")}</button>`;return u`<div class="transport" role="group" aria-label=${i.time}>
    <div class="buttons">
      ${a}
      ${ve("start",i.toStart,()=>e.seek(0))}
      ${ve("back",i.stepBack,()=>e.step(-1))}
      ${ve("step",i.step,()=>e.step(1))}
      ${ve("end",i.toEnd,()=>e.seek(s.total))}
    </div>
    <div class="segments" role="group" aria-label=${i.phaseSwitch}>
      ${s.phases.map(l=>u`<button
          class="segment ${l.phase}"
          aria-pressed=${r.phase===l.phase&&r.index>=0}
          @click=${()=>e.dispatch({type:"play",on:!0,time:l.start})}
        >${i.phases[l.phase]}</button>`)}
    </div>
    <div class="scrub" ${F(zn(s))}>
      ${Kn(s)}
      <input
        type="range"
        min="0"
        max=${Math.ceil(s.total)}
        step="1"
        aria-label=${i.time}
        aria-valuetext=${fe(n,r.event).what}
        .value=${ne(String(Math.round(r.time)))}
        @input=${l=>e.seek(Math.min(s.total,Number(l.target.value)))}
        @keydown=${l=>Bn(e,l)}
      />
    </div>
    <label class="speed">
      <span class="hidden">${i.speed}</span>
      <select aria-label=${i.speed} @change=${l=>e.dispatch({type:"speed",speed:Number(l.target.value)})}>
        ${st.map(l=>u`<option value=${l} .selected=${l===t.speed}>${i.speeds(l)}</option>`)}
      </select>
    </label>
  </div>`}function ve(e,t,n){return u`<button class="quiet ${e}" aria-label=${t} title=${t} @click=${n}>${E(e)}</button>`}function Bn(e,t){if(t.shiftKey||t.ctrlKey||t.metaKey)return;let n={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[t.key];n&&(t.preventDefault(),t.stopPropagation(),e.step(n))}function zn(e){let t=r=>{let s=e.phases.find(o=>o.phase===r);return s?`${(100*s.end/e.total).toFixed(2)}%`:""},n=t("forward")||"0%";return{"--forward-end":n,"--sort-end":t("sort")||n}}function Kn(e){return e.events.length>Dn?"":u`<svg class="ticks" aria-hidden="true" width="100%" height="8">
    ${e.events.map(t=>{let n=`${100*t.end/e.total}%`;return C`<line x1=${n} x2=${n} y1="0" y2="8" />`})}
  </svg>`}function po({graph:e,names:t},n){let r=n.trim().toLowerCase();if(!r)return[];let s=[],o=[];for(let a of e.nodes){if(R(a))continue;let l=[t[a.id],a.op,pt(a.op)].map(c=>c.toLowerCase());l.includes(r)?s.push(a.id):[l[0],a.scope.toLowerCase()].some(c=>c.includes(r))&&o.push(a.id)}return[...s,...o]}function Fe({line:e,graph:t},n){let{firstEdge:r}=e,s=0,o=t.nodes.length-1;for(;s<o;){let a=s+o+1>>1;r[a]<=n?s=a:o=a-1}return{target:s,operand:n-r[s]}}function Gt(e,t,{target:n,operand:r}){return e.line.firstEdge[n]+r===t}function jt(e,t){let n=new Set;return t.slice(1).forEach((r,s)=>{let o=e.graph.nodes[t[s]].operands.indexOf(r);o>=0&&n.add(e.line.firstEdge[t[s]]+o)}),{nodes:new Set(t),edges:n}}function ho(e){return{key:t=>Vn(e,t),wheel:t=>Xn(e,t),down:t=>Qn(e,t)}}function Vn(e,t){let n=t.target.closest("[data-node]");if(!n||t.ctrlKey||t.metaKey||t.altKey||t.shiftKey)return;let r=Number(n.dataset.node);if(t.key==="Enter")e.open(r);else if(t.key.startsWith("Arrow")){let[s,o]=Wn(e.program,e.picture,r,t.key);s!==null&&e.focusNode(s,o)}else if(t.key==="PageDown"||t.key==="PageUp"){let s=Yn(e,r,t.key==="PageDown"?1:-1);s&&e.pick(null,s)}else return;t.preventDefault(),t.stopPropagation()}function Yn({program:e,picture:t,edge:n},r,s){let o=t.itemOf[r],a=t.layout.edges.flatMap(({source:d,target:p},m)=>d===o||p===o?t.edges[m]:[]);if(!a.length)return null;let l=n?a.findIndex(d=>Gt(e,d,n)):-1,c=l<0?s>0?0:a.length-1:(l+s+a.length)%a.length;return Fe(e,a[c])}function Wn(e,{layout:t,items:n,itemOf:r,edges:s,down:o},a,l){let c=r[a],[d,p,m]=o?["ArrowUp","ArrowDown","ArrowRight"]:["ArrowLeft","ArrowRight","ArrowDown"];if(l===d||l===p){let f=t.edges.map((x,L)=>({to:l===d?x.source:x.target,edge:x,wire:L})).filter(({edge:x})=>(l===d?x.target:x.source)===c),y=f.find(({to:x})=>!R(e.graph.nodes[n[x].node]))??f[0];return y?[n[y.to].node,Fe(e,s[y.wire][0])]:[null,null]}let g=f=>{let{x:y,y:x,width:L,height:Re}=t.cards[f];return o?x+Re:y+L},b=f=>o?t.cards[f].x:t.cards[f].y,w=l===m?1:-1,v=null;return t.cards.forEach((f,y)=>{let x=(b(y)-b(c))*w;g(y)!==g(c)||x<=0||(v===null||x<(b(v)-b(c))*w)&&(v=y)}),[v===null?null:n[v].node,null]}function Xn(e,t){if(!t.ctrlKey&&!t.metaKey)return;t.preventDefault();let n=e.view.getBoundingClientRect();e.zoom(Math.exp(-t.deltaY*.004),t.clientX-n.left,t.clientY-n.top)}function He(){let e=t=>t.stopPropagation();addEventListener("click",e,{capture:!0,once:!0}),setTimeout(()=>removeEventListener("click",e,{capture:!0}))}var Un=5;function Qn(e,t){if(t.button!==0||e.dataset.dragging)return;let n=new Map([[t.pointerId,{x:t.clientX,y:t.clientY}]]),r=!1,s=()=>{let[d,p]=[...n.values()];return p?Math.hypot(d.x-p.x,d.y-p.y):0},o={x:t.clientX,y:t.clientY};e.dataset.dragging="maybe";let a=d=>{n.size<2&&n.set(d.pointerId,{x:d.clientX,y:d.clientY})},l=d=>{let p=n.get(d.pointerId);if(!p||!r&&Math.hypot(d.clientX-o.x,d.clientY-o.y)<Un)return;r=!0,e.dataset.dragging="yes";let m=s();if(n.set(d.pointerId,{x:d.clientX,y:d.clientY}),n.size===2&&m>0){let w=e.view.getBoundingClientRect(),[v,f]=[...n.values()];e.zoom(s()/m,(v.x+f.x)/2-w.left,(v.y+f.y)/2-w.top)}let[g,b]=[(d.clientX-p.x)/n.size,(d.clientY-p.y)/n.size];n.size===2||d.shiftKey?e.pan(g,b):e.drag(g,b)},c=d=>{n.delete(d.pointerId),!n.size&&(removeEventListener("pointermove",l),removeEventListener("pointerup",c),removeEventListener("pointercancel",c),e.removeEventListener("pointerdown",a),r&&He(),setTimeout(()=>delete e.dataset.dragging))};addEventListener("pointermove",l),addEventListener("pointerup",c),addEventListener("pointercancel",c),e.addEventListener("pointerdown",a)}var Jn=4;function Dt(e,t,n){let r=e.target.closest("[data-place]"),s=e.currentTarget;if(!r||e.button!==0)return;let o=Number(r.dataset.place),a=[...t()],l=!1,c=p=>{if(!l&&Math.hypot(p.clientX-e.clientX,p.clientY-e.clientY)<Jn)return;l=!0,r.classList.add("dragged"),p.preventDefault();let m=[...s.querySelectorAll("[data-place]")].find(w=>{let v=w.getBoundingClientRect();return p.clientX>=v.left&&p.clientX<=v.right&&p.clientY>=v.top-12&&p.clientY<=v.bottom+12}),g=m?a.indexOf(Number(m.dataset.place)):-1,b=a.indexOf(o);g<0||g===b||(a=a.filter(w=>w!==o),a.splice(g,0,o),n(a))},d=()=>{r.classList.remove("dragged"),l&&He(),removeEventListener("pointermove",c),removeEventListener("pointerup",d),removeEventListener("pointercancel",d)};addEventListener("pointermove",c),addEventListener("pointerup",d),addEventListener("pointercancel",d)}var Zn=24;function Io(e){return u`${j(e)}${er(e)}`}function er(e){let{state:t,program:n}=e,r=Le(n.graph),s=de(n.graph,t.order)?t.order:r,o=tr(n),a=t.ran?e:{...e,frame:ce(n.line,o)},l=t.ran?void 0:u`<div class="words"><p class="what task">${i.order.task}</p><p class="why">${i.order.rule}</p></div>`;return u`
    ${D(a,{compare:t.ran,switches:[],headline:l,lit:t.ran?lr(n,e.state.edge,e.state.node):null})}
    ${r.length>Zn?u`<p class="panel pad">${i.order.count(r.length)}</p>`:nr(e,s,o)}
    ${t.ran?u`${U(e)}${ar(e)}`:h}`}function tr(e){let[t]=e.line.phases;return t?.phase==="forward"?t.end:0}function nr(e,t,n){let{program:r,dispatch:s,state:o}=e,{names:a}=r,l=d=>s({type:"order",order:d}),c=(d,p)=>{if(p<0||p>=t.length||d===p)return;let m=[...t];m.splice(p,0,...m.splice(d,1)),l(m)};return u`<section class="tray panel" aria-label=${i.order.tray}>
    <ol class="places" @pointerdown=${d=>Dt(d,()=>rr(e,t),l)}>
      ${he(t,d=>d,(d,p)=>u`<li class="place" data-place=${d}>
          <span class="number" aria-hidden="true">${p+1}</span>
          <button class="bare nudge" aria-label=${i.order.earlier(a[d])} ?disabled=${p===0} @click=${()=>c(p,p-1)}>${E("left")}</button>
          <button class="grip" aria-label=${i.order.place(a[d],p+1,t.length)} @keydown=${m=>sr(m,p,c)}>${a[d]}</button>
          <button class="bare nudge" aria-label=${i.order.later(a[d])} ?disabled=${p===t.length-1} @click=${()=>c(p,p+1)}>${E("right")}</button>
        </li>`)}
    </ol>
    <div class="actions">
      <button class="primary" @click=${()=>{de(r.graph,o.order)||l(t),s({type:"run",on:!0,time:n})}}>${E("play")} ${i.order.run}</button>
      <button class="toggle" @click=${()=>l(or(t))}>${i.order.shuffle}</button>
      <button class="toggle" @click=${()=>l(O(r.graph).order.filter(d=>t.includes(d)))}>${i.order.right}</button>
    </div>
  </section>`}function rr(e,t){return de(e.program.graph,e.state.order)?e.state.order:t}function sr(e,t,n){let r={ArrowLeft:-1,ArrowUp:-1,ArrowRight:1,ArrowDown:1}[e.key];if(!r)return;e.preventDefault(),e.stopPropagation(),n(t,t+r);let s=e.currentTarget;requestAnimationFrame(()=>s.focus())}function or(e){let t=[...e];for(let n=t.length-1;n>0;n--){let r=Math.floor(Math.random()*(n+1));[t[n],t[r]]=[t[r],t[n]]}return t}function ar(e){let{program:t,frame:n}=e,{walk:r,names:s,graph:o}=t;if(n.time<t.line.total-1)return u``;if(!r.wrong.length)return u`<section class="panel verdict right"><h2>✓ ${i.order.won}</h2><div class="body"><p>${i.order.insight}</p>${we(t)}</div></section>`;let a=r.backward.filter(l=>l.note==="zero"&&r.expected[l.node]!==0);return u`<section class="panel verdict wrong">
    <h2>✗ ${r.lost.length?i.order.lost(r.lost.length):i.order.starved}</h2>
    <div class="body columns">
      <ul class="losses">
        ${r.lost.map(l=>ir(e,l))}
        ${a.map(l=>u`<li><span>${i.order.starvedRow(s[l.node])}</span></li>`)}
        <li class="insight">${i.order.insight}</li>
      </ul>
      ${we(t)}
    </div>
    <span class="hidden">${o.nodes.length}</span>
  </section>`}function ir(e,t){let{names:n,graph:r}=e.program,s=r.nodes[t.source].operands.indexOf(t.to);return u`<li>
    <span><strong class="bad">${i.order.lostRow($(t.contribution),t.path.map(o=>n[o]).join(" → "))}</strong>
    <br />${i.narration.lostWhy(n[t.to],n[t.source])}</span>
    <button class="toggle" @click=${()=>e.dispatch({type:"pick",node:null,edge:{target:t.source,operand:s}})}>${i.order.showPath}</button>
  </li>`}function lr(e,t,n){if(!t||n!==null)return null;let r=e.graph.nodes[t.target].operands[t.operand],s=e.walk.lost.find(o=>o.source===t.target&&o.to===r);return s?jt(e,s.path):null}function we(e){let{walk:t,names:n,graph:r}=e,s=Le(r).toReversed(),o=new Set(t.wrong);return u`<table class="comparison" aria-rowcount=${s.length+1}>
    <caption>${i.bugs.table}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${i.bugs.node}</th><th scope="col" class="end">${i.order.got}</th><th scope="col" class="end">${i.order.should}</th><th scope="col"><span class="hidden">${i.bugs.differs(1)}</span></th></tr></thead>
    <tbody>${I({count:s.length,now:-1,columns:4,row:a=>{let l=s[a],c=o.has(l);return u`<tr class=${c?"differs":""} aria-rowindex=${a+2}><td>${n[l]}</td><td class="end ${c?"bad":""}">${$(t.grads[l])}</td><td class="end">${$(t.expected[l])}</td><td class=${c?"bad":"good"}>${c?"✗":"✓"}</td></tr>`}})}</tbody>
  </table>`}var ye=[["","def __add__(self, other):"],["+","    return Value(self.data + other.data,"],["","        (self, other), (1, 1))"],["","def __mul__(self, other):"],["*","    return Value(self.data * other.data,"],["","        (self, other),"],["","        (other.data, self.data))"],["","def tanh(self):"],["tanh","    t = math.tanh(self.data)"],["other","    return Value(t, (self,), (1 - t * t,))"]],cr=[["","topo, visited, stack = [], {self}, [(self, 0)]"],["","while stack:"],["pop","    node, i = stack.pop()"],["","    if i == len(node._children):"],["place","        topo.append(node)"],["","        continue"],["","    stack.append((node, i + 1))"],["","    child = node._children[i]"],["visited","    if child not in visited:"],["","        visited.add(child)"],["push","        stack.append((child, 0))"]],ur=[["seed","self.grad = 1.0"],["visit","for v in reversed(topo):"],["","    edges = zip(v._children, v._local_grads)"],["","    for child, local in edges:"],["push","        child.grad += local * v.grad"]],dr={forward:ye,sort:cr,backward:ur};function Bt(e,t){let{event:n}=t,r=n?.kind==="compute"?mr(e,n):dr[t.phase],s=n?gr(e,n):"",o=n?u`<li class="note"><code>${pr(r.find(([l])=>l===s)?.[1]??"")}# ${fr(e,n)}</code></li>`:h,a=n?.kind==="compute"?r.length-1:r.findIndex(([l])=>l&&l===s);return u`<ol class="code ${t.phase}" aria-label=${i.code.title}>
    ${r.map(([l,c],d)=>u`<li class=${l!==""&&l===s?"now":""}><code>${c}</code></li>${d===a?o:h}`)}
  </ol>`}function pr(e){return/^ */.exec(e)[0]}function mr(e,t){let n=e.graph.nodes[t.node],{op:r}=n;if(r==="+"||r==="*"){let o=ye.findIndex(([a])=>a===r);return ye.slice(o-1,o+(r==="+"?2:3))}return r==="tanh"?ye.slice(-3):{"-":[["","def __sub__(self, other):"],["-","    return self + (other * -1)"]],"/":[["","def __truediv__(self, other):"],["/","    return self * other**-1"]],neg:[["","def __neg__(self):"],["neg","    return self * -1"]],"**":[["","def __pow__(self, n):"],["**","    return Value(self.data**n,"],["","        (self,), (n * self.data**(n - 1),))"]],relu:[["","def relu(self):"],["relu","    return Value(max(0, self.data),"],["","        (self,), (float(self.data > 0),))"]],exp:[["","def exp(self):"],["exp","    e = math.exp(self.data)"],["","    return Value(e, (self,), (e,))"]],log:[["","def log(self):"],["log","    return Value(math.log(self.data),"],["","        (self,), (1 / self.data,))"]]}[r]??[["",`def ${r}(…):`],[r,"    return Value(…, inputs, local_grads)"],["",`    # the row ${r} of ops.py`]]}function gr(e,t){switch(t.kind){case"compute":return e.graph.nodes[t.node].op;case"sort":{let n=e.walk.sort[t.row].note;return n==="leaf"||n==="done"?"place":n?"visited":"push"}case"seed":return"seed";case"skip":case"leaf":return"visit";default:return"push"}}function fr(e,t){let{names:n,graph:r,walk:s}=e;switch(t.kind){case"push":{let o=t.push,a=e.walk.bug==="overwrite"?"=":"+=";return`${n[o.to]}.grad ${a} ${$(o.local)} * ${$(o.incoming)}`}case"compute":return`${n[t.node]} = ${$(r.nodes[t.node].data)}`;case"seed":return`${e.output}.grad = 1`;case"sort":{let[o,a]=s.sort[t.row].pop;return`(${n[o]}, ${a})`}case"lost":return`${n[t.lost.to]}: ✗`;default:return`v = ${n[t.node]}`}}var S=e=>({kind:"number",x:e}),oe=e=>({kind:"total",node:e}),je=(e,t)=>({kind:"local",node:e,operand:t}),Ge=e=>({kind:"grad",node:e}),k=e=>({kind:"sign",sign:e}),zt=new WeakMap;function hr(e){let t=zt.get(e);if(t)return t;let n=new Map,r=[];for(let{push:s}of e.events){if(!s)continue;let o=(n.get(s.to)??0)+1;n.set(s.to,o),r.push([s,o])}return t=new Map(r.map(([s,o])=>[s,[o,n.get(s.to)]])),zt.set(e,t),t}function De(e,t){let[n,r]=hr(e.line).get(t)??[1,1],s=_(e.graph,t.to,1).count===BigInt(r);return{place:n,count:r,arePaths:s}}function Kt(e,t,n){let{walk:r}=e,s=t.push,o=t.node,{incoming:a,contribution:l,before:c,after:d,to:p}=s,m=Object.is(a,r.expected[o])||a===r.expected[o],g=M(a)*M(s.local),b=[Ge(p),k(Oe(s)?"+=":"="),m?oe(o):Ge(o),k("·"),je(o,s.operand),k("="),S(a),k("×"),S(s.local),k(H(g,l)),S(l)],{place:w,count:v}=De(e,s);if(!n)return{step:b,holds:null,complete:null};let y=w>1&&Oe(s)?[S(c),k("+"),S(l),k(H(M(c)+M(l),d))]:[],x=w===v&&(Object.is(d,r.expected[p])||d===r.expected[p]);return{step:b,holds:x||w===1?null:[Ge(p),k("="),...y,S(d)],complete:x?[oe(p),k("="),...y,S(d)]:null}}function Vt(e,t){let{graph:n}=e,{operands:r,local_grads:s}=n.nodes[t];return r.flatMap((o,a)=>R(n.nodes[o])?[]:[[je(t,a),k("="),S(s[a])]])}function Yt({graph:e,names:t},{target:n,operand:r}){let s=e.nodes[n],o=s.local_grads[r],a=Je(e,s,r,c=>t[c]),l=a.replaceAll("-","−")!==$(o);return[je(n,r),k("="),...l?[{kind:"formula",text:a,node:n,operand:r},k("=")]:[],S(o)]}function Wt({graph:e},t){if(t===e.root)return[oe(t),k("="),S(1)];let n=_(e,t,4),r=n.largest.flatMap((l,c)=>[...c?[k("+")]:[],...l.locals.flatMap((d,p)=>p?[k("×"),S(d)]:[S(d)])]);if(r.length<2)return[oe(t),k("="),S(n.total)];let s=0;for(let{locals:l}of n.largest)s+=l.reduce((c,d)=>c*M(d),1);let o=n.complete?[]:[k("+"),{kind:"rest"}],a=n.complete?H(s,n.total):"=";return[oe(t),k("="),...r,...o,k(a),S(n.total)]}function Ut(e,t,n,r){if(r)return $r(e,r);if(n!==null)return vr(e,n);let{event:s}=t;if(s?.kind==="push")return br(e,t);if(s?.kind==="compute"){let o=e.graph.nodes[s.node];return u`<p class="formula">${mt(e.graph,o)}</p>
      <p class="why">${i.equation.keeps}</p>
      <div class="locals">${Vt(e,o.id).map(a=>Q(e,a))}</div>`}return u`<p class="why">${s?.kind==="sort"?i.equation.sorting:i.equation.idle}</p>`}function br(e,t){let n=t.event,r=n.push,{step:s,holds:o,complete:a}=Kt(e,n,t.landed),{place:l,count:c,arePaths:d}=De(e,r),p=i.equation;return u`
    ${Q(e,s)}
    <p class="part">${(d?p.path:p.contribution)(l,c,a!==null)}</p>
    ${o?Q(e,o):h}
    ${a?Q(e,a):h}
    <p class="why">${i.narration.rule(te(e,n.node))}</p>`}function $r(e,t){let{graph:n,names:r}=e,s=n.nodes[t.target].operands[t.operand],o=u`<p class="picked">${i.inspect.edge(r[s],r[t.target])}</p>`;if(R(n.nodes[s]))return u`${o}<p class="why">${i.inspect.noPath}</p>`;let a=n.nodes[t.target].local_grads[t.operand];return u`
    ${o}
    ${Q(e,Yt(e,t))}
    <p class="why">${i.inspect.wiggle(r[s],r[t.target],$(a))}</p>`}function vr(e,t){let{graph:n,names:r,output:s}=e,o=n.nodes[t];return R(o)?u`<p class="picked">${i.inspect.node(r[t])}</p>${Xt(o)}<p class="why">${i.inspect.noPath}</p>`:u`
    <p class="picked">${i.inspect.node(r[t])}<span class="exact">${V(o.data)}</span></p>
    ${Xt(o)}
    ${Q(e,Wt(e,t))}
    ${wr(o.data,e.walk.grads[t])}
    ${t===n.root?h:u`<p class="why">${i.inspect.paths(_(n,t,1).count,r[t],s)}</p>`}`}function wr(...e){let t=[...new Set(e.map(gt))].filter(Boolean);return t.length?u`<p class="why odd">${t.join(" ")}</p>`:h}function Xt(e){return e.scope?u`<p class="why scope">${i.inspect.scope(e.scope)}</p>`:h}function Q(e,t){let n=[[]];return t.forEach((r,s)=>{r.kind==="sign"&&r.sign!=="×"&&r.sign!=="·"&&n.at(-1).length&&n.push([]),n.at(-1).push(yr(e,r,s>0?t[s-1]:null))}),u`<div class="equation">${n.map(r=>u`<math display="inline" displaystyle="true"><mrow>${r}</mrow></math>`)}</div>`}function yr(e,t,n){let{names:r,output:s}=e;switch(t.kind){case"number":{let o=n?.kind==="sign"&&!["=","≈","+="].includes(n.sign);return N`<mn class=${Y(t.x)}>${o?ee(t.x):$(t.x)}</mn>`}case"total":return xr(s,r[t.node]);case"local":return kr(e,t.node,t.operand);case"grad":return N`<mi class="grad">${i.narration.gradOf(r[t.node])}</mi>`;case"formula":return N`<mtext class="code">${t.text.replaceAll("-","−").replaceAll("*","∗")}</mtext>`;case"rest":return N`<mo>…</mo>`;case"sign":return N`<mo form="infix">${t.sign}</mo>`}}function Qt(e,t){return N`<mfrac><mrow><mo rspace="0">∂</mo><mi>${e}</mi></mrow><mrow><mo rspace="0">∂</mo><mi>${t}</mi></mrow></mfrac>`}function xr(e,t){return N`<mrow class="total">${Qt(e,t)}</mrow>`}function kr({graph:e,names:t},n,r){let{operands:s}=e.nodes[n],o=s.filter(l=>l===s[r]).length,a=s.slice(0,r+1).filter(l=>l===s[r]).length;return N`<munder class="local"><mrow>${Qt(t[n],t[s[r]])}</mrow><mtext>${i.equation.local(o>1?a:0)}</mtext></munder>`}function Jt(e,t,n,r,s){let{graph:o,names:a,walk:l}=e,c=i.numbers,d=o.nodes.filter(g=>!R(g)).toReversed(),p=g=>{let b=d[g],w=b.id===n,v=t.node(b.id),f=r?l.grads[b.id]:v.grad,y=Y(f),x=w?V:$;return u`<tr class=${`${w?"now":""} ${t.phase}`} aria-rowindex=${g+2} @click=${()=>s(b.id)}>
      <td title=${a[b.id]}><button class="bare" aria-label=${c.select(a[b.id])} aria-pressed=${w}>${a[b.id]}</button></td>
      <td class="end" title=${v.filled?V(b.data):""}>${v.filled?x(b.data):"·"}</td>
      <td class="end ${y}" title=${f===null?"":V(f)}>${f===null?"·":x(f)} ${ct[y]}</td>
    </tr>`},m=n===null?-1:d.findIndex(({id:g})=>g===n);return u`<table class="numbers" aria-rowcount=${d.length+1}>
    <caption class="hidden">${c.caption}</caption>
    <thead><tr aria-rowindex="1"><th scope="col">${c.node}</th><th scope="col" class="end">${c.value}</th><th scope="col" class="end">${c.grad}</th></tr></thead>
    <tbody>${I({count:d.length,now:m,columns:3,row:p})}</tbody>
  </table>`}var Er={},Zt=le(class extends Xe{constructor(){super(...arguments),this.ot=Er}render(e,t){return t()}update(e,[t,n]){if(Array.isArray(t)){if(Array.isArray(this.ot)&&this.ot.length===t.length&&t.every((r,s)=>r===this.ot[s]))return Se}else if(this.ot===t)return Se;return this.ot=Array.isArray(t)?Array.from(t):t,this.render(t,n)}});function xe(e,t,n,r=Number.POSITIVE_INFINITY){let{events:s}=e.line,o=i.events,a=l=>{let c=s[l],{what:d,how:p,result:m,sum:g}=ft(e,c),b=l>=r&&c.phase==="backward",w=l===t.index?"now":l<t.index?"past":"ahead";return u`<tr class="${c.phase} ${w}" aria-rowindex=${l+2} aria-current=${l===t.index?"step":h} @click=${()=>n(c.end)}>
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
  </table>`}var en=e=>e.program.graph.leaves.map(t=>e.program.walk.grads[t.id]),Be=[{id:"predict",preset:"x1",predict:!0,done:({state:e,program:t})=>{let n=t.line.events.flatMap((r,s)=>r.kind==="push"?[s]:[]);return e.predict&&n.length>3&&n.every(r=>e.answers.get(r)?.right)}},{id:"dead",preset:"x9",values:{x:2,w:3,b:1},done:e=>e.state.good.includes("relu")&&en(e).every(t=>t===0)},{id:"square",preset:"x3",done:({state:e,program:t,frame:n})=>/^\s*(\w+)\s*\*\s*\1\s*$/.test(e.good)&&n.time>=t.line.total},{id:"negative",preset:"x6",done:e=>en(e).some(t=>t<0)}];function xa(e){let t=Be.find(({id:n})=>n===e.state.task);t?.done(e)&&Lt(`try:${t.id}`)}function tn(e){let t=new Set(Be.map(s=>s.id).filter(s=>q().done.has(`try:${s}`))),n=i.tries.rows[e.state.task],r=t.has(e.state.task);return u`<div class="tries" role="group" aria-label=${i.tries.title}>
    <span class="lead">${i.tries.title}</span>
    ${Be.map(s=>{let[o,a]=i.tries.rows[s.id];return u`<button
        class="try ${t.has(s.id)?"done":""}"
        data-try=${s.id}
        title=${a}
        aria-pressed=${s.id===e.state.task}
        @click=${l=>{Rr(e,s),Tr(l.currentTarget)}}
      ><span aria-hidden="true">${t.has(s.id)?"✓":"○"}</span> ${o}${t.has(s.id)?u`<span class="hidden">, ${i.tries.done}</span>`:h}</button>`})}
    ${n?u`<p class="task ${r?"good":""}" role="status">${r?`✓ ${i.tries.well}`:""} ${n[1]}</p>`:h}
  </div>`}function Tr(e){let t=e.getRootNode();requestAnimationFrame(()=>{let n=t.querySelector(".stage");n&&n.getBoundingClientRect().top<0&&n.scrollIntoView({block:"start",behavior:Z()?"instant":"smooth"})})}function Rr(e,t){let n=z(t.preset),r=t.values??n.values;e.dispatch({type:"task",task:""}),e.dispatch({type:"load",text:n.text,values:r}),e.dispatch({type:"toggle",flag:"predict",on:t.predict??!1}),e.dispatch({type:"play",on:!0,time:0}),Z()&&!t.predict&&e.dispatch({type:"seek",time:G}),e.dispatch({type:"task",task:t.id})}function _a(e){return u`
    ${U(e)}
    ${e.embedded?h:_t(e)}
    ${j(e,e.fixed?h:tn(e))}
    ${D(e)}
    <div class="dock four">${Sr(e)}</div>`}function Sr(e){let{program:t,frame:n,state:r,dispatch:s}=e,o=t.line.events[e.veil]!==void 0,a=it()&&!e.fixed&&!o,l=o&&(r.node!==null||r.edge!==null)?u`<p class="why">${i.predictBox.hidden}</p>`:Ut(t,n,r.node,r.edge);return Zt([i,t,n.index,n.landed,r.node,r.edge,r.final,e.veil,a],()=>[P(i.events.title,xe(t,n,e.seek,e.veil),"table"),P(i.equation.title,l,"rule"),P(i.code.title,Bt(t,n),"engine"),P(i.numbers.title,Jt(t,n,r.node,r.final,c=>s({type:"pick",node:c})),"table",a?u`<button class="toggle" @click=${()=>s({type:"proof",on:!0})}>${i.proof.button}</button>`:h)])}function P(e,t,n="",r=h){return u`<section class="panel ${n}"><div class="title"><h2>${e}</h2>${r}</div><div class="body" tabindex="0" role="region" aria-label=${e}>${t}</div></section>`}var J=1e3,nn=5,ze=class extends ie{static{this.styles=ge}static{this.properties={power:{state:!0}}}constructor(){super(),new me(this),this.power=2}get length(){let t=10**this.power,n=10**Math.max(0,Math.floor(this.power)-1);return Math.round(t/n)*n}render(){let{length:t}=this,n=t>=J,r=i.bugs.count(t);return u`<section class="panel depth">
      <div class="body">
        <label class="variable wide">
          <span>${i.bugs.depth}</span>
          <input type="range" min="0.5" max=${nn} step="0.01" .value=${String(this.power)} aria-valuetext=${r}
            @input=${s=>{this.power=Number(s.target.value)}} />
          <output>${r}</output>
        </label>
        <p class="why">${i.bugs.depthText(t)}</p>
        <div class="columns">
          ${this.#e(i.bugs.recursive,i.bugs.frames(Math.min(t+1,J)),n?i.bugs.overflow:i.bugs.fine,n,!0)}
          ${this.#e(i.bugs.iterative,i.bugs.entries(t+1),i.bugs.fine,!1,!1)}
        </div>
      </div>
    </section>`}#e(t,n,r,s,o){let a=c=>`${(100*Math.min(1,Math.log10(c)/nn)).toFixed(2)}%`,{length:l}=this;return u`<div class="pile ${s?"dies":""}">
      <h2>${t}</h2>
      <div class="room" role="img" aria-label=${n} ${F({"--used":a(s?J:l),"--limit":a(J)})}>
        <div class="used"></div>${o?u`<div class="limit"></div>`:h}
      </div>
      <p>${n}${o?u` <span class="why">· ${i.bugs.limit}</span>`:h}</p>
      <p class=${s?"bad":"good"}><strong>${s?"✗":"✓"} ${r}</strong></p>
      <pre>${o?Lr(l):Mr(l)}</pre>
    </div>`}},rn=e=>e?`+${[...String(e)].map(t=>"₀₁₂₃₄₅₆₇₈₉"[Number(t)]).join("")}`:"x";function sn(e,t){if(t<=8)return Array.from({length:t},(r,s)=>e(s));let n=i.bugs.between(t-6);return[0,1,2,3].map(e).concat(n,e(t-2),e(t-1))}function Lr(e){let t=Math.min(e+1,J);return[...sn(r=>`${"  ".repeat(Math.min(r,5))}build(${rn(e-r)})`,t),e>=J?i.bugs.overflow:""].join(`
`)}function Mr(e){return sn(t=>t===e?"(x, 0)":`(${rn(e-t)}, 1)`,e+1).join(`
`)}customElements.define("gradwalk-depth",ze);function ke(e){let t=e>>>0;return()=>{t=t+1831565813>>>0;let n=Math.imul(t^t>>>15,t|1);return n^=n+Math.imul(n^n>>>7,n|61),((n^n>>>14)>>>0)/4294967296}}var Pr={easy:{operations:2,leaves:3,vocabulary:["+","*"]},medium:{operations:3,leaves:2,vocabulary:["+","*","*","-"]},hard:{operations:5,leaves:2,vocabulary:["+","*","*","-","**2","relu"]}},Or=["a","b","c"],Ar=["d","e","g","h","k","m"],Nr=[-4,-3,-2,-1,1,2,2,3,4,5],on=60;function Ee(e,t){for(;;){let n=Ir(e,t);if(qr(n))return n}}function Ir(e,t){let{operations:n,leaves:r,vocabulary:s}=Pr[t],o=m=>m[Math.floor(e()*m.length)],a={},l=Or.slice(0,1+Math.floor(e()*r));for(let m of l)a[m]=o(Nr);let c=[...l],d=[...l],p=[];for(let m=0;m<n;m++){let g=Ar[m],b=d.length>n-m,w=o(b?["+","*"]:s),v=o(d),f=b?d.filter(L=>L!==v):c,y=o(f.length?f:c);w==="relu"?p.push(`${g} = relu(${v})`):w==="**2"?p.push(`${g} = ${v}**2`):p.push(`${g} = ${v} ${w} ${y}`);let x=w==="relu"||w==="**2"?[v]:[v,y];d=[...d.filter(L=>!x.includes(L)),g],c.push(g)}return{text:p.join("; "),values:a}}function qr({text:e,values:t}){let n=A(T(e).evaluate(t));if(n.leaves.length!==Object.keys(t).length)return!1;let{expected:r}=O(n);return n.nodes.every(s=>Math.abs(s.data)<=on&&Math.abs(r[s.id])<=on&&(s.tags.includes("const")||r[s.id]!==0)&&(s.data!==0||s.op==="relu"))}function Ke(e){return new Map(Qe.map(t=>[t,O(e,{bug:t}).grads]))}function Ve({text:e,values:t}){return A(T(e).evaluate(t))}function an(e){for(;;){let t=Ee(e,"medium"),n=Ve(t),r=O(n).grads.join(),s=[...Ke(n)],[o,a]=s[Math.floor(e()*s.length)];if(s.filter(([,c])=>c.join()===a.join()).length===1&&a.join()!==r)return{...t,bug:o}}}var Cr=["overwrite","wrong-order","no-reset","no-visited"],Ye=class extends ie{static{this.styles=ge}static{this.properties={seed:{type:Number},fixed:{type:Boolean},answer:{state:!0}}}#e;#t;constructor(){super(),new me(this),this.seed=0,this.fixed=!1,this.answer=""}connectedCallback(){super.connectedCallback(),this.seed||this.#n()}willUpdate(t){t.has("seed")&&(this.#e=an(ke(this.seed)),this.#t=tt(Ve(this.#e),{bug:this.#e.bug,compare:!0}),this.answer="")}#n(){this.seed=1+Math.floor(Math.random()*1e9),this.dispatchEvent(new CustomEvent("case",{detail:this.seed,bubbles:!0,composed:!0}))}#r(t){this.answer||(this.answer=t,Mt(t===this.#e.bug))}render(){let{text:t,values:n,bug:r}=this.#e,{right:s,all:o}=q(),a=this.#t,l=Object.entries(n).map(([c,d])=>`${c} = ${$(d)}`).join(", ");return u`<section class="stage game">
        <div class="banner">
          <div class="words"><p class="what">${t}</p><p class="why">${i.checks.where(l)}</p></div>
          <span class="score">${o?i.bugs.score(s,o):h}</span>
        </div>
        <gradwalk-scene class="picture" .program=${a} .frame=${ce(a.line,a.line.total)} compare></gradwalk-scene>
      </section>
      <section class="panel quiz" aria-live="polite">
        <div class="body">
          <p class="ask">${i.bugs.game}</p>
          <div class="choices">
            ${Cr.map(c=>u`<button
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
    </div>`}#o(t){let{graph:n,names:r}=this.#t,s=Ke(n).get(t);return n.nodes.filter(o=>!R(o)).map(o=>`${r[o.id]} ${$(s[o.id])}`).join("   ")}};customElements.define("gradwalk-diagnose",Ye);function wi(e){let{state:t,dispatch:n}=e;return u`
    <div class="bar">
      <span class="segments" role="group" aria-label=${i.bugs.mode}>
        ${[!1,!0].map(r=>u`<button class="segment" aria-pressed=${t.game===r} @click=${()=>n({type:"game",on:r})}>${r?i.bugs.diagnose:i.bugs.explore}</button>`)}
      </span>
      ${t.game?h:u`<div class="choices" role="group" aria-label=${i.bugs.choose}>
              ${ot.map(r=>u`<button class="toggle" data-bug=${r} aria-pressed=${t.bug===r} @click=${()=>n({type:"bug",bug:r})}>${i.bugs.names[r]}</button>`)}
            </div>`}
    </div>
    ${t.game?u`<gradwalk-diagnose .seed=${t.seed} ?fixed=${e.fixed} @case=${r=>n({type:"case",seed:r.detail})} @show=${r=>{let{text:s,values:o,bug:a}=r.detail;n({type:"load",text:s,values:o}),n({type:"bug",bug:a}),n({type:"game",on:!1})}}></gradwalk-diagnose>`:t.bug==="recursion"?u`<section class="panel explain"><div class="body">${cn("recursion")}<p>${i.bugs.what.recursion}</p></div></section><gradwalk-depth></gradwalk-depth>`:_r(e)}`}function _r(e){let{program:t,state:n,frame:r}=e,{wrong:s}=t.walk,o=t.problem?i.bugs.tooMany:s.length?i.bugs.differs(s.length):i.bugs.same,a=r.time>=t.line.total?u`<div class="words"><p class="what ${s.length?"bad":"good"}">${s.length?"✗":"✓"} ${o}</p><p class="why" title=${i.bugs.what[n.bug]}>${i.bugs.what[n.bug]}</p></div>
          ${s.length||e.fixed?h:u`<button class="toggle showcase" @click=${()=>Fr(e)}>${i.bugs.showcase}</button>`}`:void 0;return u`
    ${j(e)}
    ${D(e,{compare:!0,switches:["unfold"],headline:a})}
    ${U(e)}
    <div class="dock bugs">
      ${P(i.bugs.names[n.bug],u`${cn(n.bug)}<p class="why">${i.bugs.what[n.bug]}</p>`,"rule")}
      ${P(i.bugs.table,we(t),"table")}
      ${P(i.events.title,xe(t,r,e.seek),"table")}
    </div>`}var ln={overwrite:{text:"d = a*b; e = a + b; f = d*e",values:{a:-2,b:3}},"wrong-order":{text:"(a + b) * c",values:{a:2,b:-3,c:10}},"no-reset":{text:"a * a",values:{a:3}},"no-visited":{text:"d = a*b; f = d*d",values:{a:2,b:3}}};function Fr(e){e.load(ln[e.state.bug].text,ln[e.state.bug].values),e.seek(G)}function cn(e){let[t,n]=i.bugs.code[e];return u`<dl class="diff">
    <div class="good"><dt>✓ ${i.bugs.rightLine}</dt><dd><code>${t}</code></dd></div>
    <div class="bad"><dt>✗ ${i.bugs.wrongLine}</dt><dd><code>${n||i.bugs.missing}</code></dd></div>
  </dl>`}function Te(e,t){let{text:n,values:r}=z(e);return{id:`${e}-${t}`,text:n,values:r,leaf:t}}var Hr=[Te("x1","a"),Te("x1","b"),Te("x2","w1"),Te("x6","a")];function Gr(e,t){let n=Ee(ke(t),e),r=dn(A(T(n.text).evaluate(n.values)));return{...n,id:`${e}.${t}`,leaf:r}}var un="own";function Li(e,t,n){let r=Hr.find(a=>a.id===e);if(r)return r;if(e===un)return t?jr(t,n,un):null;let[,s,o]=/^(easy|medium|hard)\.(\d{1,10})$/.exec(e)??[];return s?Gr(s,Number(o)):null}function jr(e,t,n){let r=T(e),s=Object.fromEntries(r.names.map(a=>[a,t[a]??1])),o=A(r.evaluate(s));return o.leaves.length?{id:n,text:e,values:s,leaf:dn(o)}:null}function dn(e){let t=e.leaves[0],n=0n;for(let r of e.leaves){let{count:s}=_(e,r.id,1);s>n&&([t,n]=[r,s])}return t.label}function Mi({text:e,values:t}){return A(T(e).evaluate(t))}function Dr(e,t){return _(e,t,6)}function Pi(e,t,n){let r=i.checks.diagnosis,s=Dr(e,t),o=e.find(t),a=Ze(e);if(s.count>1n&&s.complete){for(let l of s.largest)if(B(n,l.product))return r.onePath(l.nodes.map(c=>a[c]).join(" → "));if(B(n,s.largest.reduce((l,c)=>l*c.product,1)))return r.product}return B(n,O(e,{bug:"overwrite"}).grads[o.id])?r.overwrite:B(n,-s.total)?r.flipped:B(n,o.data)?r.value(t):s.largest.some(l=>l.locals.length>1&&l.locals.some(c=>B(n,c)))?r.local:""}function Di(e){return Br(e,j(e))}function Br(e,t=h){return u`
    ${zr(e)}
    ${t}
    ${D(e,{switches:[],headline:Kr(e)})}
    <div class="dock descent">
      ${P(i.descend.curve(e.program.output),Vr(e),"curve")}
      ${P(i.descend.surface,Xr(e),"surface")}
      ${P(i.descend.leaves,Ur(e),"leaves")}
    </div>`}function zr(e){let{state:t,dispatch:n}=e,r=i.descend;return u`<div class="bar descend-bar" role="group" aria-label=${r.controls}>
    <button class="primary" data-descend="run" @click=${()=>n({type:"descending",on:!t.descending})}>${E(t.descending?"pause":"play")} ${t.descending?i.pause:r.run}</button>
    <button class="toggle" data-descend="step" @click=${()=>n({type:"descend",steps:1})}>${E("step")} ${r.step}</button>
    <button class="toggle" data-descend="reset" ?disabled=${t.way.length<2} @click=${()=>n({type:"climb"})}>${E("start")} ${r.reset}</button>
    <label>${r.rate} <select @change=${s=>n({type:"rate",rate:Number(s.target.value)})}>
      ${rt.map(s=>u`<option value=${s} .selected=${s===t.rate}>${$(s)}</option>`)}
    </select></label>
  </div>`}function Kr(e){let{state:t,program:n}=e,r=i.descend,s=Math.max(0,t.way.length-1),o=n.graph.nodes[n.graph.root].data,a=t.way[0]?.output??o,l=t.stuck==="numbers"?r.strange:t.stuck==="still"?r.still:t.stuck==="up"?r.up:r.rule;return u`<div class="words"><p class="what">${s?r.fell(n.output,$(a),$(o),s):r.start(n.output,$(o))}</p>
    <p class="why ${t.stuck==="numbers"||t.stuck==="up"?"bad":""}" role="status">${l}</p></div>`}var pn=320,We=120;function Vr(e){let{way:t}=e.state,n=i.descend,r=t.filter(({output:p})=>Number.isFinite(p));if(r.length<2)return u`<p class="why">${n.noCurve}</p>`;let[s,o]=[Math.min,Math.max].map(p=>p(...r.map(m=>m.output))),a=p=>4+(pn-8)*p/(r.length-1),l=p=>We-6-(We-12)*(p-s)/Math.max(o-s,1e-300),c=r.map(({output:p},m)=>`${m?"L":"M"}${a(m).toFixed(1)} ${l(p).toFixed(1)}`),d=r.at(-1);return u`<figure class="sparkline">
    <svg viewBox="0 0 ${pn} ${We}" role="img" aria-label=${n.curveSaid(e.program.output,$(r[0].output),$(d.output),r.length-1)} preserveAspectRatio="none">
      ${C`<path class="line" d=${c.join("")} vector-effect="non-scaling-stroke" />`}
    </svg>
    <figcaption><span>${$(r[0].output)}</span><span>${n.steps(r.length-1)}</span><strong>${$(d.output)}</strong></figcaption>
  </figure>`}function Yr({state:e}){let t=ue(e).filter(n=>e.learning.includes(n));return t.length>=2?[t[0],t[1]]:null}var Wr=pe((e,t,n,r,s)=>wt(e,s,[t,n],r.length?r:[{values:s,output:0}]));function Xr(e){let{state:t}=e,n=i.descend,r=Yr(e);if(!r)return u`<p class="why">${n.noSurface}</p>`;let s=Wr(t.good,r[0],r[1],t.way,t.values),o=s.rows.length,a=s.rows.flat().filter(Number.isFinite),[l,c]=[Math.min(...a),Math.max(...a)],d=f=>Number.isFinite(f)?Math.sqrt((f-l)/Math.max(c-l,1e-300)):1,p=f=>o*(f-s.x[0])/(s.x[1]-s.x[0]),m=f=>o-o*(f-s.y[0])/(s.y[1]-s.y[0]),g=(t.way.length?t.way:[{values:t.values,output:0}]).map(({values:f})=>[p(f.get(r[0])??0),m(f.get(r[1])??0)]),b=g.map(([f,y],x)=>`${x?"L":"M"}${f.toFixed(2)} ${y.toFixed(2)}`),[w,v]=g.at(-1);return u`<figure class="surface-map">
    <svg viewBox="0 0 ${o} ${o}" role="img" aria-label=${n.surfaceSaid(r[0],r[1],$(l),$(c))}>
      ${s.rows.map((f,y)=>f.map((x,L)=>C`<rect class="cell" x=${L} y=${y} width="1" height="1" shape-rendering="crispEdges" fill-opacity=${d(x).toFixed(2)} />`))}
      ${C`<path class="way" d=${b.join("")} vector-effect="non-scaling-stroke" /><circle class="now" cx=${w} cy=${v} r="0.6" />`}
    </svg>
    <figcaption>${n.axes(r[0],$(s.x[0]),$(s.x[1]),r[1],$(s.y[0]),$(s.y[1]))}</figcaption>
  </figure>`}function Ur(e){let{state:t,program:n,dispatch:r}=e,{graph:s,walk:o}=n,a=i.descend;return u`<table class="numbers learns">
    <caption class="hidden">${a.leaves}</caption>
    <thead><tr><th scope="col">${a.learns}</th><th scope="col" class="end">${i.numbers.value}</th><th scope="col" class="end">${i.numbers.grad}</th></tr></thead>
    <tbody>${s.leaves.map(l=>{let c=t.learning.includes(l.label);return u`<tr class="backward"><td><label class="check-line"><input type="checkbox" .checked=${c} @change=${()=>{let p=c?t.learning.filter(m=>m!==l.label):[...t.learning,l.label];r({type:"learning",learning:p})}} /> ${l.label}</label></td>
        <td class="end">${$(l.data)}</td><td class="end">${c?$(o.expected[l.id]):h}</td></tr>`})}</tbody>
  </table>`}function Qi(e,t,n){let{walk:r,names:s,line:o}=e,a=i.trace,l=o.events.findIndex(m=>m.phase==="sort"),c=Math.min(t.index-l,r.sort.length),d=m=>m.map(([g,b])=>`(${s[g]},${b})`).join(" ")||a.empty,p=m=>{let g=r.sort[m],[b,w]=g.pop,v=o.events[l+m],f=m<=c,y=g.note==="leaf"||g.note==="done"?a[g.note]:g.note?a.already(s[e.graph.nodes[b].operands[w]]):"";return u`<tr class=${`sort ${m===c?"now":f?"past":"ahead"}`} aria-rowindex=${m+2} aria-current=${m===c?"step":h} @click=${()=>n(v.end)}>
      <td class="index"><button class="bare" aria-label=${i.events.goto(m+1,a.sort)}>${m+1}</button></td>
      <td class="who">${f?u`(${s[b]},${w}) <span class="note">${y}</span>`:"·"}</td>
      <td class="how">${f?d(g.stack):"·"}</td>
      <td class="how">${f?Qr(e,g.stack,g.sorted):"·"}</td>
      <td class="how">${f?g.sorted.map(x=>s[x]).join(" "):"·"}</td>
    </tr>`};return u`<table class="trace sort" aria-rowcount=${r.sort.length+1}>
    <caption>${a.sort}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${a.pop}</th><th scope="col">${a.stack}</th><th scope="col">${a.visited}</th><th scope="col">${a.sorted}</th></tr></thead>
    <tbody>${I({count:r.sort.length,now:c,columns:5,row:p})}</tbody>
  </table>`}function Qr(e,t,n){return[...new Set([...n,...t.map(([s])=>s)])].sort((s,o)=>s-o).map(s=>e.names[s]).join(" ")}var Jr=pe(e=>{let t=new Map;return e.events.forEach(({phase:n,kind:r,row:s},o)=>{if(n!=="backward"||r==="seed")return;let a=t.get(s);a?a.push(o):t.set(s,[o])}),t});function Ji(e,t,n){let{walk:r,names:s,line:o,graph:a}=e,l=i.trace,{event:c}=t,p=c?.phase==="backward"?c.kind==="seed"?0:c.row:-1,m=Jr(o),g=r.backward.map((v,f)=>({step:v,row:f})).filter(({step:v})=>!R(a.nodes[v.node])),b=v=>{let{step:f,row:y}=g[v],x=m.get(y)??[],L=y<p||y===p&&c?.kind!=="seed",Re=L||y===p&&f.node===a.root,mn=o.events[x.at(-1)??-1]?.end??0,gn=()=>x.filter(ae=>ae<=t.index).map(ae=>o.events[ae].push?Zr(e,o.events[ae].push):h),fn=f.note==="leaf"?l.skipped:l.skippedZero;return u`<tr class=${`backward ${y===p?"now":L?"past":"ahead"}`} aria-rowindex=${v+2} aria-current=${y===p?"step":h} @click=${()=>n(mn)}>
      <td class="index"><button class="bare" aria-label=${i.events.goto(y+1,l.backward)}>${y+1}</button></td>
      <td class="who">${t.phase==="backward"?s[f.node]:"·"} (${Re?$(f.grad):"·"})</td>
      <td class="how">${L?f.note?fn:gn():"·"}</td>
    </tr>`},w=g.findIndex(({row:v})=>v===p);return u`<table class="trace backward" aria-rowcount=${g.length+1}>
    <caption>${l.backward}</caption>
    <thead><tr aria-rowindex="1"><th scope="col" class="index">#</th><th scope="col">${l.node}</th><th scope="col">${l.pushes}</th></tr></thead>
    <tbody>${I({count:g.length,now:w,columns:3,row:b})}</tbody>
  </table>`}function Zr(e,t){let{local:n,incoming:r,contribution:s,before:o,after:a,to:l}=t,c=M(n)*M(r),d=o===0?` ${H(c,s)} ${$(s)}`:` → ${$(a)}`;return u`<span class="push ${Y(s)}">${e.names[l]} += ${ee(n)}·${ee(r)}${d}</span>`}export{Zt as a,re as b,z as c,G as d,is as e,Tt as f,q as g,cs as h,Lt as i,us as j,ds as k,Tn as l,j as m,At as n,D as o,U as p,po as q,Fe as r,Gt as s,jt as t,ho as u,Io as v,er as w,we as x,Bt as y,Ut as z,xr as A,Jt as B,xa as C,_a as D,P as E,wi as F,cn as G,Hr as H,un as I,Li as J,Mi as K,Dr as L,Pi as M,Di as N,Br as O,Qi as P,Ji as Q};
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

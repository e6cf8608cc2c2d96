import{b as f}from"./chunk-shared-parts-stage.js";import{a as b}from"./chunk-shared-lit-html-directives-repeat.js";import{a as u}from"./chunk-shared-lit-html-directives-live.js";import{G as d,H as m,a as p}from"./chunk-shared-app-timeline.js";import{c as i,g as l,k as o}from"./chunk-shared-lit-html-lit-html.js";import{j as c}from"./chunk-shared-core-rows.js";function P(e,r=l){return e.fixed?i``:i`<div class="controls">${g(e)}${w(e)}${r}</div>`}function g(e,r){let{state:t}=e,n=d(t.text,t.strict),s=n?f(n.said):"";return i`<div class="expression ${n?"invalid":""}">
    <div class="line">
      <label class="hidden" for="expression">${o.expression}</label>
      <div class="grow">
        <textarea
          id="expression"
          rows="1"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          maxlength=${c}
          placeholder="(a + b) * c"
          aria-invalid=${n!==null}
          aria-describedby="expression-note"
          .value=${u(t.text)}
          @input=${a=>e.dispatch({type:"type",text:y(a.target.value)})}
          @keydown=${a=>{a.key==="Enter"&&(a.preventDefault(),e.dispatch({type:"play",on:!0,time:0})),a.key==="Escape"&&x(a.target)}}
        ></textarea>
        <div class="mirror" aria-hidden="true">${h(t.text,n?.column)}</div>
      </div>
      ${E(e,r)}
    </div>
    <p id="expression-note" class="note" role=${n?"alert":l}>
      ${n?i`<span class="message" title=${s}>${s}</span>`:i`<span class="hint">${o.expressionHint}</span>`}
    </p>
  </div>`}function x(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function h(e,r=-1){if(r<0)return`${e}​`;let t=[...e],[n,s]=[t.slice(0,r).join(""),t.slice(r).join("")];return i`${n}<span class="caret"></span>${s}\u200b`}var y=e=>e.replace(/\s*\n\s*/g," ");function E(e,r){let t=r?p.filter(s=>r.includes(s.id)):p,n=t.find(s=>s.text===e.state.good)?.id??"";return i`<label class="presets"><span class="hidden">${o.presets}</span>
    <select
      aria-label=${o.presets}
      @change=${s=>{let a=t.find($=>$.id===s.target.value);a&&e.load(a.text,a.values)}}
    >
      ${n?l:i`<option value="" .selected=${!0}>${o.presetOwn}</option>`}
      ${t.map(s=>i`<option value=${s.id} .selected=${s.id===n}>${o.presetNames[s.id]}</option>`)}
    </select>
  </label>`}function w(e){let r=m(e.state);return i`<div class="variables" role="group" aria-label=${o.variables}>
    ${b(r,t=>t,t=>L(e,t,T(e.state,t)))}
  </div>`}function T({values:e,pull:r},t){let n=e.get(t)??0;return r?.name===t?Number((n+r.by).toPrecision(15)):n}function L(e,r,t){let n=k(t),s=a=>e.dispatch({type:"value",name:r,value:a});return i`<div class="variable">
    <span class="name" aria-hidden="true" title=${r}>${r}</span>
    <input
      type="range"
      min=${-n}
      max=${n}
      step="any"
      aria-label=${o.slider(r)}
      .value=${u(String(t))}
      @input=${a=>s(v(Number(a.target.value),n))}
      @keydown=${a=>M(a,t,n,s)}
    />
    <gradwalk-number id=${`box-${r}`} .value=${t} .label=${o.box(r)} @number=${a=>s(a.detail)}></gradwalk-number>
  </div>`}function k(e){let r=10;for(;r<Math.abs(e)&&r<1e300;)r*=10;return r}function v(e,r){let t=r/100;return Number((Math.round(e/t)*t).toPrecision(10))}function M(e,r,t,n){let s={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!s)return;e.preventDefault();let a=t/100*(e.shiftKey?10:1);n(Math.max(-t,Math.min(t,v(r+s*a,t))))}export{P as a};

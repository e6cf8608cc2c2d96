import{a as $}from"./chunk-shared-parts-stage.js";import{a as v}from"./chunk-shared-lit-html-directives-repeat.js";import{a as u}from"./chunk-shared-lit-html-directives-live.js";import{G as d,H as m,a as p}from"./chunk-shared-app-timeline.js";import{c as i,g as l,k as o}from"./chunk-shared-lit-html-lit-html.js";import{j as c}from"./chunk-shared-core-rows.js";function O(e,r=l){return e.fixed?i``:i`<div class="controls">${x(e)}${w(e)}${r}</div>`}function x(e,r){let{state:t}=e,a=d(t.text,t.strict),s=a?$(a.said):"";return i`<div class="expression ${a?"invalid":""}">
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
          aria-invalid=${a!==null}
          aria-describedby="expression-note"
          .value=${u(t.text)}
          @input=${n=>e.dispatch({type:"type",text:y(n.target.value)})}
          @keydown=${n=>{n.key==="Enter"&&(n.preventDefault(),e.dispatch({type:"play",on:!0,time:0})),n.key==="Escape"&&g(n.target)}}
        ></textarea>
        <div class="mirror" aria-hidden="true">${h(t.text,a?.column)}</div>
      </div>
      ${E(e,r)}
    </div>
    <p id="expression-note" class="note" role=${a?"alert":l}>
      ${a?i`<span class="message" title=${s}>${s}</span>`:i`<span class="hint">${o.expressionHint}</span>`}
    </p>
  </div>`}function g(e){e.dispatchEvent(new CustomEvent("leave",{bubbles:!0,composed:!0}))}function h(e,r=-1){if(r<0)return`${e}​`;let t=[...e],[a,s]=[t.slice(0,r).join(""),t.slice(r).join("")];return i`${a}<span class="caret"></span>${s}\u200b`}var y=e=>e.replace(/\s*\n\s*/g," ");function E(e,r){let t=r?p.filter(s=>r.includes(s.id)):p,a=t.find(s=>s.text===e.state.good)?.id??"";return i`<label class="presets"><span class="hidden">${o.presets}</span>
    <select
      aria-label=${o.presets}
      @change=${s=>{let n=t.find(f=>f.id===s.target.value);n&&e.load(n.text,n.values)}}
    >
      ${a?l:i`<option value="" .selected=${!0}>${o.presetOwn}</option>`}
      ${t.map(s=>i`<option value=${s.id} .selected=${s.id===a}>${o.presetNames[s.id]}</option>`)}
    </select>
  </label>`}function w(e){let r=m(e.state);return i`<div class="variables" role="group" aria-label=${o.variables}>
    ${v(r,t=>t,t=>T(e,t,e.state.values.get(t)??0))}
  </div>`}function T(e,r,t){let a=L(t),s=n=>e.dispatch({type:"value",name:r,value:n});return i`<div class="variable">
    <span class="name" aria-hidden="true" title=${r}>${r}</span>
    <input
      type="range"
      min=${-a}
      max=${a}
      step="any"
      aria-label=${o.slider(r)}
      .value=${u(String(t))}
      @input=${n=>s(b(Number(n.target.value),a))}
      @keydown=${n=>k(n,t,a,s)}
    />
    <gradwalk-number id=${`box-${r}`} .value=${t} .label=${o.box(r)} @number=${n=>s(n.detail)}></gradwalk-number>
  </div>`}function L(e){let r=10;for(;r<Math.abs(e)&&r<1e300;)r*=10;return r}function b(e,r){let t=r/100;return Number((Math.round(e/t)*t).toPrecision(10))}function k(e,r,t,a){let s={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[e.key];if(!s)return;e.preventDefault();let n=t/100*(e.shiftKey?10:1);a(Math.max(-t,Math.min(t,b(r+s*n,t))))}export{O as a};

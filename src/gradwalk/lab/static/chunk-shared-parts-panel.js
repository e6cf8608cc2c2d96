import{c as e,g as t}from"./chunk-shared-lit-html-lit-html.js";function s(n,i,l="",o=t){return e`<section class="panel ${l}">
    <div class="title"><h2>${n}</h2>${o}</div>
    <div class="body" tabindex="0" role="region" aria-label=${n}>${i}</div>
  </section>`}export{s as a};

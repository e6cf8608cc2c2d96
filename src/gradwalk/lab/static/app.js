import"./chunk-chunk-7NTQF2JT.js";import"./chunk-chunk-Y3QRPORU.js";

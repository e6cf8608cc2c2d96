import{c as e}from"./chunk-shared-scene-plan-rooms.js";import"./chunk-shared-scene-scopes.js";import"./chunk-shared-app-names.js";import"./chunk-shared-core-rows.js";e(globalThis);

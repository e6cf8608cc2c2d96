import{f as r}from"./chunk-shared-app-python.js";export{r as frames};

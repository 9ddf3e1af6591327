export { exportNotebook } from "./export-notebook.js";

import whole from "./jest.config.js";

/** @type {import("jest").Config} */
// biome-ignore lint/style/noDefaultExport: Jest takes its configuration as a default export
export default { ...whole, projects: whole.projects.filter(({ displayName }) => displayName === "units") };

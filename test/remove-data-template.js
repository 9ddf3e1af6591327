/** Jest's global tear-down: removes what `data-template.js` made. */
// biome-ignore lint/style/noDefaultExport: Jest takes its tear-down as a default export
export default async function removeDataTemplate() {
  await globalThis.removeDataTemplate?.();
}

export { parseSpan } from "./parse-span.js";
export { spanWords } from "./span-words.js";

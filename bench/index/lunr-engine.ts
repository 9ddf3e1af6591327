import lunr from "lunr";
import type { Engine } from "./engine.ts";

/** lunr as its guide shows it: text and path as fields; operators of its query language are taken out of the query. */
export const lunrEngine: Engine = async (files) => {
  const decoder = new TextDecoder();
  const index = lunr((builder) => {
    builder.ref("path");
    builder.field("path");
    builder.field("text");
    for (const { path, bytes } of files) builder.add({ path, text: decoder.decode(bytes) });
  });
  return ({ title, body }) =>
    index
      .search(`${title} ${body}`.replace(/[:~^*+-]/g, " "))
      .slice(0, 20)
      .map(({ ref }) => ref);
};

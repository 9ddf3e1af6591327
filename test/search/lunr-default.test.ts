import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import lunr from "lunr";
import { createLunrDefault } from "../../bench/recall/create-lunr-default.ts";

describe("createLunrDefault", () => {
  it("ranks as lunr does", () => {
    const folder = "node_modules/lunr/lib";
    const texts = readdirSync(folder).map((path) => ({
      path,
      blob: path,
      text: readFileSync(`${folder}/${path}`, "utf8"),
    }));
    const index = lunr((builder) => {
      builder.ref("path");
      builder.field("text");
      for (const file of texts) builder.add(file);
    });
    const ours = createLunrDefault();
    for (const { blob, text } of texts) ours.add(blob, text);
    for (const query of [
      "token set intersection, with wildcards",
      "Builds the inverted index of documents",
      "stemmer",
    ]) {
      const theirs = index.search(query.replace(/[:~^*+-]/g, " ")).map(({ ref }) => ref);
      expect(theirs.length).toBeGreaterThan(2);
      expect(ours.rank(texts, query)).toEqual(theirs);
    }
  });
});

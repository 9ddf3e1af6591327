import { isImageUrl } from "./is-image-url.ts";
import { markdownSegments } from "./markdown-segments.ts";

const MARKDOWN = /!\[[^\]]{0,500}\]\(\s{0,3}<?(https?:\/\/[^\s)>]{1,2000})/g;
const HTML = /<img\s[^<>]{0,2000}?\bsrc\s{0,3}=\s{0,3}["']?(https?:\/\/[^"'\s<>]{1,2000})/gi;
const MAX_IMAGES = 5;

/**
 * The addresses of images that texts of an issue (Markdown) show and that were uploaded to GitHub itself, in their
 * order, at most five: others could be anything, and asking for them would tell their owners of the run. Images in blocks of
 * code and in HTML comments are not shown to anybody. `web`: origin of the host.
 */
export function findImages(texts: readonly string[], web: string): readonly string[] {
  const found = texts.flatMap((text) =>
    markdownSegments(text)
      .filter(({ kind }) => kind === "text")
      .flatMap(({ text: shown }) =>
        [...shown.matchAll(MARKDOWN), ...shown.matchAll(HTML)]
          .sort((a, b) => a.index - b.index)
          .map(([, url = ""]) => url.replaceAll("&amp;", "&")),
      ),
  );
  return [...new Set(found)].filter((url) => isImageUrl(url, web)).slice(0, MAX_IMAGES);
}

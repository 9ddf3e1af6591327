import type { Nodes } from "hast";
import { markdownToHtml } from "./parse-markdown.ts";
import { sanitiseHtml } from "./sanitise-html.ts";

const MAX_IMAGES = 5;

/** A part of every upload's address; texts without it need no parsing. */
const UPLOADED = /user-attachments|user-images|storage\/user/;

/**
 * The addresses of images that an issue's texts (Markdown) show, in order, at most five. Only uploads to GitHub itself:
 * fetching others would tell their owners about the run. Skips images in code and HTML comments, which nobody sees.
 * `web`: the host's origin.
 */
export function findImages(texts: readonly string[], web: string): readonly string[] {
  const found = texts
    .filter((text) => UPLOADED.test(text))
    .flatMap((text) => sourcesOf(sanitiseHtml(markdownToHtml(text).html).tree));
  return [...new Set(found)].filter((url) => isImageUrl(url, web)).slice(0, MAX_IMAGES);
}

function sourcesOf(node: Nodes): string[] {
  if (node.type === "element" && node.tagName === "img") return [String(node.properties.src ?? "")];
  return "children" in node ? node.children.flatMap(sourcesOf) : [];
}

const UPLOADS = /^\/(?:user-attachments\/assets|storage\/user)\//;

const HOSTS: ReadonlySet<string> = new Set([
  "user-images.githubusercontent.com",
  "private-user-images.githubusercontent.com",
]);

/** Where github.com redirects requests for an upload. */
const BUCKET = /^github-production-user-asset-[0-9a-z]+\.s3\.amazonaws\.com$/;

/**
 * Whether an address is that of an image uploaded to GitHub itself. `web` is the origin of the configured host
 * (`https://github.com`, or an Enterprise Server's). `redirected`: such an address redirected here.
 */
export function isImageUrl(url: string, web: string, redirected = false): boolean {
  if (!URL.canParse(url) || !URL.canParse(web)) return false;
  const { protocol, host, origin, pathname, username, password } = new URL(url);
  if (username !== "" || password !== "") return false;
  const own = new URL(web);
  if (origin === own.origin) return UPLOADS.test(pathname);
  if (protocol !== "https:") return false;
  if (host === "github.com") return UPLOADS.test(pathname);
  if (host === `media.${own.host}`) return true;
  return HOSTS.has(host) || (redirected && BUCKET.test(host));
}

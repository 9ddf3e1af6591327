import type { Nodes } from "hast";
import { markdownToHtml } from "./parse-markdown.ts";
import { sanitiseHtml } from "./sanitise-html.ts";

const MAX_IMAGES = 5;

/** What every address of an upload holds; texts without it need not be read. */
const UPLOADED = /user-attachments|user-images|storage\/user/;

/**
 * The addresses of images that texts of an issue (Markdown) show and that were uploaded to GitHub itself, in their
 * order, at most five: others could be anything, and asking for them would tell their owners of the run. Images in blocks of
 * code and in HTML comments are not shown to anybody. `web`: origin of the host.
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

/** Where github.com sends who asks for an upload. */
const BUCKET = /^github-production-user-asset-[0-9a-z]+\.s3\.amazonaws\.com$/;

/**
 * Whether an address is that of an image that somebody has uploaded to GitHub itself. `web` is the origin of the
 * configured host (`https://github.com`, an Enterprise Server's). `redirected`: it was the answer to such an address.
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

import type { Nodes } from "hast";
import { sanitiseHtml } from "./sanitise-html.ts";

const MAX_IMAGES = 5;

/**
 * The images that pages (GitHub's HTML) show, in order, at most five: their addresses by asset. Only uploads to GitHub
 * itself: fetching others would tell their owners about the run. `web`: the host's origin.
 */
export function findImages(pages: readonly string[], web: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const page of pages) {
    if (!page.includes("<img")) continue;
    for (const url of sourcesOf(sanitiseHtml(page).tree)) {
      if (found.size < MAX_IMAGES && isImageUrl(url, web)) found.set(assetOf(url), url);
    }
  }
  return found;
}

function sourcesOf(node: Nodes): string[] {
  if (node.type === "element" && node.tagName === "img") return [String(node.properties.src ?? "")];
  return "children" in node ? node.children.flatMap(sourcesOf) : [];
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i;

/** What stays of an image's address when its signature, and perhaps its host, change: the upload's id, or its path. */
function assetOf(url: string): string {
  const { pathname } = new URL(url);
  return UUID.exec(pathname)?.[0] ?? pathname;
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

import type { Nodes } from "hast";
import { sanitiseHtml } from "./sanitise-html.ts";
import { stripInvisible, textOf } from "./visible-text.ts";

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
      if (found.size < MAX_IMAGES && isUploadUrl(url, web, "image")) found.set(assetOf(url), url);
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

/** A file other than an image that somebody attached to an issue. */
export interface Attached {
  url: string;
  /** the file's name, for people and prompts alone */
  name: string;
}

const LONGEST_NAME = 100;

/**
 * The files that a page (GitHub's HTML) links to with words that a reader sees, in order, each once: those uploaded to
 * the host itself, or to the issue's own repository. `issue`: the issue's address.
 */
export function findAttached(page: string, issue: string): readonly Attached[] {
  if (!page.includes("/files/")) return [];
  const { origin, pathname: ofIssue } = new URL(issue);
  const repository = ofIssue.split("/", 3).join("/").toLowerCase();
  const found = new Map<string, Attached>();
  for (const address of linksOf(sanitiseHtml(page).tree)) {
    if (!isUploadUrl(address, origin, "file")) continue;
    const { pathname } = new URL(address);
    const folder = pathname.replace(/\/files\/.*/, "").toLowerCase();
    const name = decoded(pathname.slice(pathname.lastIndexOf("/") + 1));
    if ((folder !== "/user-attachments" && folder !== repository) || /[/\\]/.test(name)) continue;
    const shown = stripInvisible(name).replace(/\s+/g, " ").slice(0, LONGEST_NAME);
    found.set(pathname, { url: `${origin}${pathname}`, name: shown });
  }
  return [...found.values()];
}

function linksOf(node: Nodes): string[] {
  if (node.type === "element" && node.tagName === "a") {
    const isSeen = /[\p{L}\p{N}]/u.test(stripInvisible(textOf(node.children)));
    return isSeen ? [String(node.properties.href ?? "")] : [];
  }
  return "children" in node ? node.children.flatMap(linksOf) : [];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

type UploadKind = "image" | "file";

/** Where a host keeps uploads. */
const UPLOADS: Readonly<Record<UploadKind, RegExp>> = {
  image: /^\/(?:user-attachments\/assets|storage\/user)\//,
  file: /^\/(?:user-attachments|[\w.-]+\/[\w.-]+)\/files\/\d{1,15}\/[^/]+$/,
};

const IMAGE_HOSTS: ReadonlySet<string> = new Set([
  "user-images.githubusercontent.com",
  "private-user-images.githubusercontent.com",
]);

/** Where github.com redirects requests for an upload. */
const STORES: Readonly<Record<UploadKind, RegExp>> = {
  image: /^github-production-user-asset-[0-9a-z]+\.s3\.amazonaws\.com$/,
  file: /^(?:github-production-repository-file-[0-9a-z]+\.s3\.amazonaws\.com|objects\.githubusercontent\.com)$/,
};

/**
 * Whether an address is that of an image or another file uploaded to GitHub itself. `web` is the origin of the
 * configured host (`https://github.com`, or an Enterprise Server's), the only one for files. `redirected`: such an
 * address redirected here.
 */
export function isUploadUrl(url: string, web: string, kind: UploadKind, redirected = false): boolean {
  if (!URL.canParse(url) || !URL.canParse(web)) return false;
  const { protocol, host, origin, pathname, username, password } = new URL(url);
  if (username !== "" || password !== "") return false;
  const own = new URL(web);
  if (origin === own.origin) return UPLOADS[kind].test(pathname);
  if (protocol !== "https:") return false;
  if (redirected && (STORES[kind].test(host) || host === `media.${own.host}`)) return true;
  if (kind === "file") return false;
  if (host === "github.com") return UPLOADS.image.test(pathname);
  return host === `media.${own.host}` || IMAGE_HOSTS.has(host);
}

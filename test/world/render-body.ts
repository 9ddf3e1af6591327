import { defaultSchema } from "hast-util-sanitize";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { type DefaultTreeAdapterTypes, parseFragment, serialize } from "parse5";
import type { WorldState } from "./state.ts";

type Parent = DefaultTreeAdapterTypes.ParentNode;

type Element = DefaultTreeAdapterTypes.Element;

/** Languages of fences that GitHub colours, with its own names for them, and those that it draws. */
const COLOURED = new Map(
  "js:js javascript:js ts:ts typescript:ts py:python python:python sh:shell bash:shell json:json yaml:yaml diff:diff html:text-html-basic"
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);

const DRAWN = new Set(["mermaid", "geojson", "topojson", "stl"]);

/**
 * A text's HTML as GitHub's API gives it: rendered as GFM, sanitised by GitHub's published rules, with GitHub's classes
 * on fences, suggestions, formulas and mentions, and signed addresses for uploaded images: those of github.com, or of a
 * server at `web`.
 */
export function renderBody(text: string, web?: string): string {
  const key = `${web} ${text}`;
  const html = rendered.get(key) ?? render(text, web);
  rendered.set(key, html);
  return html;
}

/** A run reads the same texts again and again. */
const rendered = new Map<string, string>();

function render(text: string, web: string | undefined): string {
  const html = micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const page = parseFragment(html);
  sanitise(page);
  decorate(page, web);
  return serialize(page);
}

/** How the world shows what people wrote, or sent by e-mail. */
export const htmlOf = ({ emails, url }: Pick<WorldState, "emails" | "url">, body: string): string =>
  emails.get(body) ?? renderBody(body, url);

/** How GitHub shows an e-mail: its quoted part is on the page, and hidden by a class. */
export const renderEmail = (text: string, quoted: string): string =>
  `<div class="email-fragment">${escaped(text)}</div>\n<span class="email-hidden-toggle"><a href="#">…</a></span>` +
  `<div class="email-hidden-reply" style="display:none"><div class="email-quoted-reply">${escaped(quoted)}</div></div>`;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const KEPT = new Set(defaultSchema.tagNames);

const GONE_WHOLE = new Set(["script", "style", "template", "svg", "math"]);

const ATTRIBUTES = new Set(["href", "src", "alt", "title", "checked", "disabled", "type", "start", "align", "open"]);

/** Takes comments and what GitHub does not allow out of a tree, in place. */
function sanitise(parent: Parent): void {
  parent.childNodes = parent.childNodes.flatMap((node) => {
    if (!("tagName" in node)) return node.nodeName === "#text" ? [node] : [];
    if (GONE_WHOLE.has(node.tagName)) return [];
    sanitise(node);
    const isFence = node.tagName === "code" && parent.nodeName === "pre";
    node.attrs = node.attrs.filter(({ name, value }) => {
      if (isFence && name === "class") return true;
      if (node.tagName === "section" || name === "data-footnote-ref" || name === "data-footnote-backref") return true;
      if (name === "href" || name === "src") return /^(?:https?:|mailto:|#|\/)/i.test(value);
      return ATTRIBUTES.has(name);
    });
    for (const child of node.childNodes) child.parentNode = node;
    return KEPT.has(node.tagName) ? [node] : node.childNodes;
  });
}

function decorate(parent: Parent, web: string | undefined): void {
  parent.childNodes = parent.childNodes.flatMap((node): DefaultTreeAdapterTypes.ChildNode[] => {
    if (node.nodeName === "#text" && "value" in node && parent.nodeName !== "a") return mentionsIn(node.value);
    if (!("tagName" in node)) return [node];
    if (node.tagName === "pre") return fragment(fence(node));
    if (node.tagName !== "code") decorate(node, web);
    if (node.tagName === "img") signImage(node, web);
    if (node.tagName === "a" && node.attrs.some(({ name }) => name === "data-footnote-backref"))
      node.attrs.push({ name: "class", value: "data-footnote-backref" });
    return [node];
  });
}

const fragment = (html: string) => parseFragment(html).childNodes;

/** Mentions become links, and formulas GitHub's own element. */
function mentionsIn(text: string): DefaultTreeAdapterTypes.ChildNode[] {
  const html = escaped(text)
    .replace(
      /(?<![\w/])@([a-z\d](?:[a-z\d-]{0,38}))/gi,
      '<a class="user-mention notranslate" href="https://github.com/$1">@$1</a>',
    )
    .replace(
      /\$\$[^$]+\$\$|\$(?=\S)[^$]*[\\\n][^$]*\$/g,
      '<math-renderer style="display: inline-block">$&</math-renderer>',
    );
  return fragment(html);
}

function fence(pre: Element): string {
  const code = pre.childNodes.find((node): node is Element => "tagName" in node && node.tagName === "code");
  if (code === undefined) return serialize({ ...parseFragment(""), childNodes: [pre] } as Parent);
  const source = serialize(code);
  const language = code.attrs.find(({ name }) => name === "class")?.value.replace(/^language-/, "") ?? "";
  if (language === "suggestion") return suggestion(source);
  if (language === "math") return `<math-renderer class="js-display-math">${source}</math-renderer>`;
  if (DRAWN.has(language))
    return `<section class="js-render-needs-enrichment render-needs-enrichment"><div class="render-plaintext-hidden"><pre lang="${language}">${source}</pre></div></section>`;
  const known = COLOURED.get(language);
  if (known !== undefined)
    return `<div class="highlight highlight-${known.includes("-") ? known : `source-${known}`} notranslate" dir="auto"><pre>${source}</pre></div>`;
  const lang = language === "" ? "" : ` lang="${escaped(language).replaceAll('"', "&quot;")}"`;
  return `<pre${lang} class="notranslate"><code class="notranslate">${source}</code></pre>`;
}

function suggestion(source: string): string {
  const row = (kind: string, line: string) =>
    `<tr><td class="blob-num blob-num-${kind}" data-line-number="1"></td><td class="blob-code-inner blob-code-${kind}">${line}</td></tr>`;
  const lines = source.replace(/\n$/, "").split("\n");
  const rows = [row("deletion", "the old line"), ...lines.map((line) => row("addition", line))];
  return `<div class="my-2 js-suggested-changes-blob diff-view"><div>Suggested change</div><table><tbody>${rows.join("")}</tbody></table></div>`;
}

const UPLOAD = /^https?:\/\/[^/]+\/user-attachments\/assets\/([\w-]+)$/;

const OLDER = /^https:\/\/(?:private-)?user-images\.githubusercontent\.com\/([^?]+)/;

let reads = 0;

/** Another address at each read, as on GitHub; images of other hosts go through GitHub's proxy. */
function signImage(image: Element, web: string | undefined): void {
  const src = image.attrs.find(({ name }) => name === "src");
  if (src === undefined) return;
  const [, upload] = UPLOAD.exec(src.value) ?? [];
  const [, older] = OLDER.exec(src.value) ?? [];
  const path = older ?? (upload === undefined ? undefined : `1/2-${upload}.png`);
  reads += 1;
  const jwt = `eyJhbGciOiJIUzI1NiJ9.e30.signature${reads}`;
  if (path === undefined) src.value = `https://camo.githubusercontent.com/${Buffer.from(src.value).toString("hex")}`;
  else if (web === undefined) src.value = `https://private-user-images.githubusercontent.com/${path}?jwt=${jwt}`;
  else src.value = `${web}/storage/user/${path}?jwt=${jwt}`;
}

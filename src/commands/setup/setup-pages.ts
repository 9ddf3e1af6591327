import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Liquid } from "liquidjs";
import { OWN_FOLDER } from "../../data/own-files.ts";

const FOLDER = path.join(OWN_FOLDER, "pages", "setup");

/** A whole page with its HTTP headers. */
export interface Page {
  html: string;
  headers: Readonly<Record<string, string>>;
}

/** Renders a template of `pages/setup`. `action`: where its form goes, if not to one of these pages. */
export type ShowPage = (
  template: "address" | "register" | "install" | "finish" | "end" | "fault",
  values: Readonly<Record<string, unknown>>,
  action?: string,
) => Promise<Page>;

/** Reads the style sheet at once, and each template when it is first shown. */
export async function openPages(): Promise<ShowPage> {
  const style = await readFile(path.join(FOLDER, "style.css"), "utf8");
  const styleHash = createHash("sha256").update(style).digest("base64");
  const liquid = new Liquid({
    root: FOLDER,
    extname: ".liquid",
    outputEscape: "escape",
    strictFilters: true,
    cache: true,
  });
  return async (template, values, action) => ({
    html: liquid.renderFileSync(template, { ...values, style }),
    headers: headersOf(styleHash, action === undefined ? "'self'" : formsTo(action)),
  });
}

/**
 * Where the manifest form may go. An Enterprise Server may redirect a person who is not signed in to a sign-on page on
 * another host, and browsers check the form's target there, too.
 */
function formsTo(action: string): string {
  const { origin } = new URL(action);
  return origin === "https://github.com" ? origin : `${origin} https:`;
}

/** A page runs no script, loads nothing, and cannot be framed. */
function headersOf(styleHash: string, formsTo: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action ${formsTo}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
}

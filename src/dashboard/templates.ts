import { readFile } from "node:fs/promises";
import path from "node:path";
import { Liquid } from "liquidjs";
import { DASHBOARD_PATH } from "../data/dashboard-path.ts";
import { OWN_FOLDER } from "../data/own-files.ts";
import { mapTexts } from "../report/run/document.ts";
import { revealHidden } from "../report/run/page.ts";
import { PAGE_STYLE } from "../report/run/page-style.ts";
import type { Reply, Visitor } from "./gate.ts";

const FOLDER = path.join(OWN_FOLDER, "pages", "dashboard");

type Template = "overview" | "runs" | "run" | "repositories" | "trends" | "sign-in" | "fault";

interface PageValues {
  title: string;
  /** the entry of the navigation that it belongs to */
  place?: string;
  /** seconds until the browser asks for it again */
  refresh?: number | undefined;
  /** plain data; texts may be anybody's */
  values?: Readonly<Record<string, unknown>>;
  /** HTML of our own making, the only values that are not escaped */
  html?: Readonly<Record<string, unknown>>;
}

/** Renders the templates of `pages/dashboard`. */
export interface Templates {
  page(template: Template, visitor: Visitor | undefined, page: PageValues, status?: number): Promise<Reply>;
  /** A page with a sentence only. */
  fault(status: number, sentence: string, visitor?: Visitor): Promise<Reply>;
  styleSheet: Reply;
}

/** Nothing is loaded but our own style sheet, nothing runs, and nobody frames the page. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SAFE = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
};

const PLACES = [
  { path: DASHBOARD_PATH, name: "Overview" },
  { path: `${DASHBOARD_PATH}/runs`, name: "Runs" },
  { path: `${DASHBOARD_PATH}/repositories`, name: "Repositories" },
  { path: `${DASHBOARD_PATH}/trends`, name: "Trends" },
];

/** Reads the style sheet now, and each template when it is first shown. */
export async function openTemplates(folder = FOLDER): Promise<Templates> {
  const style = PAGE_STYLE + (await readFile(path.join(folder, "style.css"), "utf8"));
  const liquid = new Liquid({
    root: folder,
    extname: ".liquid",
    outputEscape: "escape",
    strictFilters: true,
    strictVariables: true,
    ownPropertyOnly: true,
    cache: true,
  });
  const page: Templates["page"] = async (template, visitor, { values = {}, html = {}, ...about }, status = 200) => {
    const shown = {
      title: about.title,
      place: about.place ?? "",
      refresh: about.refresh ?? 0,
      login: visitor?.login ?? "",
      places: visitor ? PLACES : [],
      base: DASHBOARD_PATH,
      ...values,
    };
    return {
      status,
      headers: { ...SAFE, "content-type": "text/html; charset=utf-8", "cache-control": "no-store" },
      body: liquid.renderFileSync(template, { ...mapTexts(shown, revealHidden), html }),
    };
  };
  return {
    page,
    fault: (status, sentence, visitor) => page("fault", visitor, { title: sentence }, status),
    styleSheet: {
      status: 200,
      headers: { ...SAFE, "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" },
      body: style,
    },
  };
}

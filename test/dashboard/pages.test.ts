import { readdirSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { parse } from "parse5";
import type { LimitUse } from "../../src/data/limits.ts";
import type { VisibleParts } from "../../src/queue/visible.ts";
import type { RunSummary } from "../../src/run/runs.ts";
import { anyCharacter } from "../fakes/any-character.ts";
import { HOSTILE } from "../report/run/hostile-report.ts";
import { sampleReport } from "../report/run/sample-report.ts";
import { fc } from "../seeded.ts";
import { projectRoot } from "../world/project-root.ts";
import { sampleView } from "./sample-view.ts";
import { startDashboard } from "./start-dashboard.ts";

const PAGES = ["", "/runs", "/repositories", "/trends", "/runs/x"];

let view: VisibleParts = sampleView();
let dashboard: Awaited<ReturnType<typeof startDashboard>>;
beforeAll(async () => {
  dashboard = await startDashboard({ view: () => view });
});
afterAll(async () => {
  expect(dashboard.faults).toEqual([]);
  await dashboard.close();
});

const get = (path: string, init?: RequestInit) => fetch(`${dashboard.url}${path}`, { redirect: "manual", ...init });

describe("the pages of the dashboard", () => {
  it.each([...PAGES, "/nothing", "/runs/%ff", "/style.css"])(
    "run nothing, load only our style sheet, and are not framed or kept (%s)",
    async (page) => {
      const { headers } = await get(`/dashboard${page}`);
      const policy = headers.get("content-security-policy")?.split("; ") ?? [];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy.join()).not.toMatch(/unsafe|script|https?:|\*/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe(page === "/style.css" ? "no-cache" : "no-store");
    },
  );

  it.each(PAGES)("have no script, style or handler in their HTML (%s)", async (page) => {
    expect(markup(await (await get(`/dashboard${page}`)).text()).strange).toEqual([]);
  });

  it("look again while something is at work", async () => {
    const refresh = /<meta http-equiv="refresh" content="10">/;
    expect(await (await get("/dashboard")).text()).toMatch(refresh);
    expect(await (await get("/dashboard/runs/x")).text()).not.toMatch(refresh);
    view = { ...sampleView(), runs: { ...sampleView().runs, report: async () => working() } };
    const page = await (await get("/dashboard/runs/x")).text();
    view = sampleView();
    expect(page).toMatch(refresh);
    expect(page).toContain("Planning since 2026-11-23 10:00 UTC");
  });

  it.each([
    ["/", 303],
    ["/dashboard", 200],
    ["/dashboard/", 200],
    ["/dashboard/trends?by=month", 200],
    ["/dashboard/trends?by=%3Cscript%3E", 200],
    ["/dashboards", 404],
    ["/dashboard/nothing", 404],
    ["/dashboard/runs/a/b", 404],
    ["/dashboard/runs/%ff", 404],
    ["//evil.test/dashboard", 404],
  ])("answers %s with %d", async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  it("shows the limits that are used most, and how many more there are", async () => {
    const { figures } = sampleView();
    const uses = Array.from({ length: 23 }, (_, at) => ({
      scope: "repository",
      period: "month",
      most: 10,
      of: `acme/r${at}`,
      spent: 9 - at / 10,
      setAside: 0,
      isReached: at === 0,
    }));
    view = { ...sampleView(), figures: { ...figures, limits: async () => uses as readonly LimitUse[] } };
    const many = await (await get("/dashboard")).text();
    view = { ...sampleView(), figures: { ...figures, limits: async () => [] } };
    const none = await (await get("/dashboard")).text();
    view = sampleView();
    expect(many.match(/acme\/r\d+, repository, this month: \$\d\.\d\d of \$10\.00/g)).toHaveLength(20);
    expect(many).toContain("3 more are used less");
    expect(many.match(/>reached</g)).toHaveLength(1);
    expect(many.match(/>near</g)).toHaveLength(10);
    expect(none).not.toContain("Limits");
  });

  it("looks for the runs that the form asks for, and keeps what was typed", async () => {
    const wanted: unknown[] = [];
    const { runs } = sampleView();
    const latest: typeof runs.latest = async (_most, asked) => {
      wanted.push(asked);
      return [];
    };
    view = { ...sampleView(), runs: { ...runs, latest } };
    const page = await (await get("/dashboard/runs?words=rounding&repository=acme%2F&person=&end=gave-up")).text();
    view = sampleView();
    expect(wanted).toEqual([{ words: "rounding", repository: "acme/", end: "gave-up" }]);
    expect(page).toContain('name="words" value="rounding"');
    expect(page).toContain('<option value="gave-up" selected>');
    expect(page).toContain("No run fits.");
  });

  it("lead from a run to its pull request, and nowhere that is no address of a page", async () => {
    expect(await (await get("/dashboard/runs")).text()).toContain('href="https://github.com/acme/shop/pull/12"');
    const { runs } = sampleView();
    const [run] = (await runs.latest(9)).filter(({ pullUrl }) => pullUrl !== undefined);
    if (run === undefined) throw new Error("the sample has no run with a pull request");
    view = { ...sampleView(), runs: { ...runs, latest: async () => [{ ...run, pullUrl: "javascript:alert(1)" }] } };
    const page = await (await get("/dashboard/runs")).text();
    view = sampleView();
    expect(page).not.toContain("javascript:");
  });

  it("has no page for a run that nobody kept, and takes no forms", async () => {
    view = { ...sampleView(), runs: { ...sampleView().runs, report: async () => undefined } };
    expect((await get("/dashboard/runs/x")).status).toBe(404);
    view = sampleView();
    expect((await get("/dashboard", { method: "POST" })).status).toBe(405);
    expect(await (await get("/dashboard", { method: "HEAD" })).text()).toBe("");
  });

  it.each([
    ["localhost", 200],
    ["localhost:3001", 200],
    ["LOCALHOST:1", 200],
    ["127.0.0.1:8080", 200],
    ["evil.test", 421],
    ["evil.test:3001", 421],
    ["localhost.evil.test", 421],
    ["127.0.0.1.evil.test", 421],
    ["evil.test#localhost", 421],
    ["0.0.0.0:3001", 421],
  ])("on loopback, answers a request for the host %j with %d", async (host, status) => {
    const got = await new Promise<{ status?: number; text: string }>((resolve, reject) => {
      const asked = request(`${dashboard.url}/dashboard`, { headers: { host } }, async (response) => {
        let text = "";
        for await (const part of response) text += String(part);
        resolve({ status: response.statusCode, text });
      });
      asked.once("error", reject).end();
    });
    expect(got.status).toBe(status);
    expect(got.text.includes("acme/shop")).toBe(status === 200);
  });

  it("answers 503 without its reason when the database fails", async () => {
    const failing = async () => {
      throw new Error("secret of the database");
    };
    view = { ...sampleView(), runs: { ...sampleView().runs, latest: failing } };
    const response = await get("/dashboard");
    view = sampleView();
    expect([response.status, await response.text()]).toEqual([503, "The page could not be made; the log says why.\n"]);
    expect(dashboard.faults.splice(0)).toHaveLength(1);
  });
});

describe("what people wrote", () => {
  it.each(PAGES)("never becomes markup (%s)", async (page) => {
    const plain = markup(await (await get(`/dashboard${page}`)).text());
    await fc.assert(
      fc.asyncProperty(hostileText, async (text) => {
        view = hostileView(text);
        const shown = markup(await (await get(`/dashboard${page}`)).text());
        // A title may have code in it, in the page of a run.
        if (page !== "/runs/x") expect(shown.elements).toEqual(plain.elements);
        expect(shown.strange).toEqual([]);
      }),
      { numRuns: 8, examples: [[HOSTILE]] },
    );
    view = sampleView();
  });

  it("is escaped by the templates, which leave out only the run, which is of our own making", () => {
    const folder = join(projectRoot(), "pages", "dashboard");
    const raw = readdirSync(folder).flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(/\{\{[^}]*\|[^}]*\}\}/g)].map(([found]) => found),
    );
    expect(raw.toSorted()).toEqual(["{{ html.run | raw }}"]);
  });
});

const hostileText = fc.oneof(
  fc.constant(HOSTILE),
  fc.constantFrom(
    "{{ html.run | raw }}",
    "{% render 'fault' %}",
    "</title><script>",
    "' onfocus='x",
    "&lt;b&gt;",
    "\u202e",
  ),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }),
  fc
    .array(fc.constantFrom("<", ">", '"', "'", "&", "/", "=", "`", "-", "!", "a", " ", "\0"), { minLength: 1 })
    .map((all) => all.join("")),
);

/** The sample with `text` wherever people, GitHub or a model could have written it. */
function hostileView(text: string): VisibleParts {
  const { runs, figures } = sampleView();
  const poisoned = (run: RunSummary): RunSummary => {
    const end = run.end === undefined ? undefined : text;
    return { ...run, id: run.id + text, title: text, repository: text, requestedAt: text, end };
  };
  const report = sampleReport({ title: text, repository: text });
  return {
    runs: {
      unfinished: async (most) => (await runs.unfinished(most)).map(poisoned),
      latest: async (most) => (await runs.latest(most)).map(poisoned),
      report: async () => report,
    },
    figures: {
      ...figures,
      repositories: async (most) => (await figures.repositories(most)).map((one) => ({ ...one, name: text })),
      trend: async (span, count) =>
        (await figures.trend(span, count)).map((slot) => ({
          ...slot,
          runs: slot.runs.map((one) => ({ ...one, outcome: one.outcome === "refused" ? text : one.outcome })),
        })),
    },
  };
}

function working() {
  const standing = { is: "working", phase: "plan", since: "2026-11-23T10:00:00Z" } as const;
  return { ...sampleReport(), state: undefined, standing };
}

interface Element {
  tagName?: string;
  attrs?: readonly { name: string; value: string }[];
  childNodes?: readonly Element[];
}

/** The elements of a page with the names of their attributes, and what no page of ours may have. */
function markup(html: string) {
  const elements: string[] = [];
  const strange: string[] = [];
  const walk = ({ tagName = "", attrs = [], childNodes = [] }: Element) => {
    if (tagName !== "") elements.push([tagName, ...attrs.map(({ name }) => name)].join(" "));
    if (/^(script|style|iframe|object|embed|base|img)$/.test(tagName)) strange.push(tagName);
    for (const { name, value } of attrs) {
      if (/^on|^style$|^srcdoc$/.test(name)) strange.push(`${tagName} ${name}`);
      if (/^(href|src|action)$/.test(name) && !/^(\/dashboard|#|https?:\/\/|data:,$)/.test(value)) strange.push(value);
    }
    for (const child of childNodes) walk(child);
  };
  walk(parse(html) as unknown as Element);
  return { elements, strange };
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { findChromium } from "../report/run/find-chromium.ts";
import { startChromium } from "../report/run/start-chromium.ts";
import { startDashboard } from "./start-dashboard.ts";

/** Evaluated in the page. */
const LOW_CONTRAST = readFileSync(join(import.meta.dirname, "low-contrast.js"), "utf8");

const chromium = findChromium();

const PAGES = ["", "/runs", "/runs/x", "/repositories", "/trends", "/nothing"];

if (chromium === undefined) {
  it.skip("the dashboard in Chromium: left out, there is none on the PATH and CHROMIUM_PATH is not set", () =>
    undefined);
} else {
  describe("the dashboard in Chromium", () => {
    let browser: Awaited<ReturnType<typeof startChromium>>;
    let dashboard: Awaited<ReturnType<typeof startDashboard>>;
    beforeAll(async () => {
      dashboard = await startDashboard();
      browser = await startChromium(chromium);
    });
    afterAll(async () => {
      await browser?.close();
      await dashboard?.close();
    });

    async function open(page: string, { width = 1280, scheme = "light", url = dashboard.url }) {
      const tab = await browser.openTab();
      const evaluate = async (expression: string) => {
        const { result, exceptionDetails } = await tab.send("Runtime.evaluate", { expression, returnByValue: true });
        if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
        return (result as { value?: unknown }).value;
      };
      for (const domain of ["Page", "Network", "Runtime", "Log"]) await tab.send(`${domain}.enable`);
      await tab.send("Emulation.setDeviceMetricsOverride", { width, height: 800, deviceScaleFactor: 1, mobile: false });
      const features = [{ name: "prefers-color-scheme", value: scheme }];
      await tab.send("Emulation.setEmulatedMedia", { features });
      await tab.send("Page.navigate", { url: `${url}/dashboard${page}` });
      await tab.happened("Page.loadEventFired");
      await evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      return { ...tab, evaluate };
    }

    describe.each(PAGES)("the page %j", (page) => {
      it.each([360, 768, 1280])("fits into %d pixels, and asks for nothing but itself and its style", async (width) => {
        const { evaluate, events } = await open(page, { width });
        expect(await evaluate("document.documentElement.clientWidth")).toBe(width);
        expect(await evaluate("document.documentElement.scrollWidth")).toBe(width);
        expect(await evaluate("document.querySelectorAll('h1').length")).toBe(1);
        const asked = events().filter(({ method }) => method === "Network.requestWillBeSent");
        const urls = asked.map(({ params }) => (params as { request: { url: string } }).request.url);
        const own = [`${dashboard.url}/dashboard${page}`, `${dashboard.url}/dashboard/style.css`];
        expect(urls.filter((url) => !url.startsWith("data:")).toSorted()).toEqual(own.toSorted());
        const faults = ["Runtime.exceptionThrown", "Runtime.consoleAPICalled"];
        expect(events().filter(({ method }) => faults.includes(method ?? ""))).toEqual([]);
        const logged = events().filter(({ method }) => method === "Log.entryAdded");
        expect(logged).toHaveLength(page === "/nothing" ? 1 : 0);
      });

      it.each(["light", "dark"])("has enough contrast in every text (%s)", async (scheme) => {
        const { evaluate } = await open(page, { scheme });
        expect(await evaluate("getComputedStyle(document.body).backgroundColor")).toBe(
          scheme === "dark" ? "rgb(18, 22, 27)" : "rgb(255, 255, 255)",
        );
        expect(await evaluate(LOW_CONTRAST)).toEqual([]);
      });
    });

    it("has room for a long name on a telephone, and for who is not signed in", async () => {
      const login = "a-login-of-the-thirty-nine-characters-x";
      const visitor = { visible: "all", isOperator: false, login } as const;
      const signedIn = await startDashboard({ gate: () => async () => visitor });
      const stranger = await startDashboard({
        gate: (templates) => async () =>
          templates.page("sign-in", undefined, {
            title: "Sign in",
            values: { address: "/dashboard/sign-in", note: "" },
          }),
      });
      for (const { url } of [signedIn, stranger]) {
        const { evaluate } = await open("", { width: 360, url });
        expect(await evaluate("document.documentElement.scrollWidth")).toBe(360);
        expect(await evaluate("document.querySelectorAll('button, .button').length")).toBe(1);
        expect(await evaluate(LOW_CONTRAST)).toEqual([]);
      }
      await signedIn.close();
      await stranger.close();
    });

    it("is walked through by the keyboard in the order of its reading, and shows where it is", async () => {
      const { send, evaluate } = await open("", {});
      const names: unknown[] = [];
      for (let at = 0; at < 8; at++) {
        for (const type of ["keyDown", "keyUp"])
          await send("Input.dispatchKeyEvent", { type, key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 });
        names.push(await evaluate("document.activeElement.textContent"));
        expect(await evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
      }
      expect(names.slice(0, 7)).toEqual([
        "To the content",
        "MAGIS",
        "Overview",
        "Runs",
        "Repositories",
        "Trends",
        "Add --json to the list command",
      ]);
    });

    it("has names for what a screen reader reads out", async () => {
      const { send } = await open("/trends", {});
      const { nodes } = await send("Accessibility.getFullAXTree");
      const named = (nodes as AxNode[]).map(({ role, name }) => `${role?.value}: ${name?.value ?? ""}`);
      expect(named).toContain("navigation: Pages");
      expect(named).toContain("heading: Trends");
      expect(named).toContain("heading: Runs by how they ended");
      expect(named).toContain("region: The figures");
    });
  });
}

interface AxNode {
  role?: { value: string };
  name?: { value: string };
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { findChromium } from "./find-chromium.ts";
import { hostileReport } from "./hostile-report.ts";
import { pageOf } from "./rendered.ts";
import { emptyReport, sampleReport } from "./sample-report.ts";
import { startChromium } from "./start-chromium.ts";

const chromium = findChromium();

if (chromium === undefined) {
  it.skip("the page in Chromium: left out, there is none on the PATH and CHROMIUM_PATH is not set", () => undefined);
} else {
  describe("the page in Chromium", () => {
    let folder: string;
    let browser: Awaited<ReturnType<typeof startChromium>>;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), "magis-page-"));
      browser = await startChromium(chromium);
    });
    afterAll(async () => {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it.each([
      ["with everything in it", sampleReport(), 360],
      ["with hostile texts", hostileReport(), 360],
      ["with nothing in it", emptyReport(), 360],
      ["with everything in it", sampleReport(), 1280],
      ["with hostile texts", hostileReport(), 1280],
    ])("%s fits, runs nothing and asks for nothing", async (name, report, width) => {
      const file = join(folder, `${name}-${width}.html`);
      await writeFile(file, pageOf(report));
      const { send, events, happened } = await browser.openTab();
      const evaluate = async (expression: string) => {
        const { result } = await send("Runtime.evaluate", { expression, returnByValue: true });
        return (result as { value?: unknown }).value;
      };
      for (const domain of ["Page", "Network", "Runtime", "Log"]) await send(`${domain}.enable`);
      await send("Emulation.setDeviceMetricsOverride", { width, height: 800, deviceScaleFactor: 1, mobile: false });
      await send("Page.navigate", { url: pathToFileURL(file).href });
      await happened("Page.loadEventFired");
      await evaluate("for (const one of document.querySelectorAll('details')) one.open = true");

      expect(await evaluate("document.querySelectorAll('h2').length")).toBeGreaterThanOrEqual(1);
      expect(await evaluate("document.documentElement.clientWidth")).toBe(width);
      expect(await evaluate("document.documentElement.scrollWidth")).toBe(width);
      expect(await evaluate("document.querySelectorAll('script, img, iframe, object, form').length")).toBe(0);
      expect(await evaluate("typeof window.hacked")).toBe("undefined");
      expect(await evaluate("getComputedStyle(document.body).display")).toBe(width < 1024 ? "block" : "grid");

      const asked = events().filter(({ method }) => method === "Network.requestWillBeSent");
      const urls = asked.map(({ params }) => (params as { request: { url: string } }).request.url);
      expect(urls.filter((url) => url !== pathToFileURL(file).href && !url.startsWith("data:"))).toEqual([]);
      const faults = ["Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"];
      expect(events().filter(({ method }) => faults.includes(method ?? ""))).toEqual([]);
    });
  });
}

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { findChromium } from "../test/report/run/find-chromium.ts";
import { startChromium } from "../test/report/run/start-chromium.ts";
import type { PullRow, ThreadView } from "../test/world/create-reader.ts";
import type { World } from "../test/world/world-handle.ts";

const markdown = new MarkdownIt({ html: true });

const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d1d9e0, #3d444d); --soft: light-dark(#f6f8fa, #151b23); --quiet: light-dark(#59636e, #9198a1); }
* { box-sizing: border-box; }
body { margin: 0; padding: 24px; width: 900px; font: 14px/1.5 system-ui, "Segoe UI", "Liberation Sans", sans-serif; background: light-dark(#fff, #0d1117); color: light-dark(#1f2328, #f0f6fc); }
h1 { font-size: 26px; font-weight: 400; margin: 0 0 6px; } h1 span { color: var(--quiet); }
.state { display: inline-block; padding: 3px 12px; border-radius: 99px; color: #fff; background: #1f883d; font-weight: 600; margin-right: 8px; } .draft { background: #59636e; }
.about { color: var(--quiet); margin: 0 0 16px; } .about code, td code, p code, li code { background: light-dark(#818b981f, #656c7633); border-radius: 6px; padding: .2em .4em; font-size: 85%; }
.card { border: 1px solid var(--line); border-radius: 6px; margin-bottom: 16px; overflow: hidden; } .head { background: var(--soft); border-bottom: 1px solid var(--line); padding: 8px 16px; color: var(--quiet); } .head b { color: light-dark(#1f2328, #f0f6fc); }
.body { padding: 12px 16px; } .body h2 { font-size: 18px; border-bottom: 1px solid var(--line); padding-bottom: 4px; margin: 16px 0 8px; } .body > :first-child { margin-top: 0; }
table { border-collapse: collapse; font-size: 13px; } th, td { border: 1px solid var(--line); padding: 5px 10px; text-align: left; } tr:nth-child(2n) { background: var(--soft); }
pre { background: var(--soft); padding: 10px; border-radius: 6px; overflow: hidden; font-size: 12px; } a { color: light-dark(#0969da, #4493f8); text-decoration: none; } sub { color: var(--quiet); }
.reply { border-top: 1px solid var(--line); } .settled { color: var(--quiet); padding: 8px 16px; border-top: 1px solid var(--line); }`;

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

const rendered = (text: string) => markdown.render(text.replace(/<!--[\s\S]*?-->\n*/g, ""));

const card = (who: string, text: string) =>
  `<div class="card"><div class="head"><b>${escaped(who)}</b> commented</div><div class="body">${rendered(text)}</div></div>`;

function thread({ path, line, resolved, comments }: ThreadView): string {
  const place = `${path}${line === null ? "" : `:${line}`}`;
  const said = comments.map(({ user, body }, index) => {
    return `<div class="body${index > 0 ? " reply" : ""}"><b>${escaped(user.login)}</b>${rendered(body)}</div>`;
  });
  const end = resolved
    ? `<div class="settled">✓ ${escaped(comments.at(-1)?.user.login ?? "")} marked this conversation as resolved</div>`
    : "";
  return `<div class="card"><div class="head"><b>${escaped(place)}</b></div>${said.join("")}${end}</div>`;
}

/**
 * Takes pictures of a pull request, light and dark, as GitHub would lay it out: `FOLDER/pull-request-{light,dark}.png`. What stands
 * on them is what the bot has written; the page around it, with `note` at its end, is ours. Throws where there is no Chromium.
 */
export async function takePictures(world: World, pull: PullRow, folder: string, note: string): Promise<void> {
  const program = findChromium();
  if (program === undefined) throw new Error("Pictures need Chromium, on the PATH or in CHROMIUM_PATH.");
  const about = `<b>${escaped(pull.user.login)}</b> wants to merge into <code>${escaped(pull.base.ref)}</code> from <code>${escaped(pull.head.ref)}</code>`;
  const state = pull.draft ? '<span class="state draft">Draft</span>' : '<span class="state">Open</span>';
  const html = `<!doctype html><meta charset="utf-8"><style>${STYLE}</style>
<h1>${escaped(pull.title)} <span>#${pull.number}</span></h1><p class="about">${state}${about}</p>
${card(pull.user.login, pull.body ?? "")}${world.threads(pull.number).map(thread).join("")}<p class="about">${escaped(note)}</p>`;
  await mkdir(folder, { recursive: true });
  const browser = await startChromium(program);
  try {
    for (const scheme of ["light", "dark"]) {
      const { send, happened } = await browser.openTab();
      await send("Page.enable");
      await send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
      await send("Emulation.setDeviceMetricsOverride", {
        width: 900,
        height: 800,
        deviceScaleFactor: 1,
        mobile: false,
      });
      await send("Page.navigate", { url: `data:text/html;base64,${Buffer.from(html).toString("base64")}` });
      await happened("Page.loadEventFired");
      const { data } = await send("Page.captureScreenshot", { captureBeyondViewport: true, format: "png" });
      await writeFile(join(folder, `pull-request-${scheme}.png`), Buffer.from(String(data), "base64"));
    }
  } finally {
    await browser.close();
  }
}

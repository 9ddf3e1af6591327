import type { ServerResponse } from "node:http";
import type { RepositoryId } from "../../model/run-request.ts";
import { repositoryName } from "../../model/run-request.ts";

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);

const STYLE = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem; color-scheme: light dark; }
  label, p.step { display: block; margin: 1rem 0; } input[type=text], input[type=url], input[type=password] { width: 100%; font: inherit; padding: .3rem; box-sizing: border-box; }
  button { font: inherit; font-weight: 600; padding: .5rem 1.2rem; border: 0; border-radius: .4rem; background: #1f883d; color: #fff; cursor: pointer; }
  fieldset { border: 1px solid #8886; border-radius: .4rem; margin: 1rem 0; } fieldset label { margin: .2rem 0; }
  .fault { color: #d1242f; } pre { white-space: pre-wrap; } small { color: #7a7a7a; }
  @supports selector(:has(*)) { .for { display: none; } ${["anthropic", "openai", "bedrock", "vertex"]
    .map((name) => `fieldset:has([value=${name}]:checked) .for.${name}`)
    .join(", ")} { display: block; } }`;

/** A whole page; `body` is HTML. `refresh`: seconds after which the browser asks for it again. */
function page(title: string, body: string, head = ""): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>${head}<style>${STYLE}</style></head>
<body><h1>${escaped(title)}</h1>
${body}
</body></html>
`;
}

const fault = (text: string | undefined) =>
  text === undefined ? "" : `<p class="fault" role="alert">${escaped(text)}</p>`;

/** The first page: where the host reaches the bot, and the one button. */
export function startPage(given: { readonly url: string; readonly fault?: string | undefined }): string {
  return page(
    "Register MAGIS as a GitHub App",
    `${fault(given.fault)}
<p>GitHub asks once more before it makes the app. It will have the permissions of <code>app.yml</code>, and belong to you or your organisation alone.</p>
<form method="post" action="/setup/register">
<label>The address at which GitHub can reach the bot, e.g. <code>https://magis.example.com</code>
<input type="url" name="url" value="${escaped(given.url)}" placeholder="https://"></label>
<label><input type="checkbox" name="channel" value="yes"${given.url === "" ? " checked" : ""}> I have none: use a channel of smee.io, for trying. What GitHub sends passes through it.</label>
<p><button>Register on GitHub</button></p>
</form>`,
  );
}

/** Hands the manifest on to the host: by itself, or with a button where scripts are off. */
export function handOnPage(action: string, manifest: object, nonce: string): string {
  return page(
    "On to GitHub",
    `<form method="post" action="${escaped(action)}">
<input type="hidden" name="manifest" value="${escaped(JSON.stringify(manifest))}">
<p><button>Register on GitHub</button></p>
</form>
<script nonce="${nonce}">document.forms[0].submit()</script>`,
  );
}

/** The app is there; it waits for its installation. */
export function installPage(installUrl: string, kept: readonly string[]): string {
  return page(
    "The app is registered",
    `<p>Its keys are in ${kept.map((file) => `<code>${escaped(file)}</code>`).join(" and ")}, which only you can read.</p>
<p class="step"><a href="${escaped(installUrl)}" target="_blank" rel="noreferrer"><button type="button">Install it on repositories</button></a></p>
<p>This page goes on by itself when that is done.</p>`,
    '<meta http-equiv="refresh" content="2">',
  );
}

/** What may have the models, and what has to be known or done besides. */
const PROVIDERS = [
  ["anthropic", "Anthropic's API", ""],
  ["openai", "An endpoint that speaks OpenAI's chat completions", "npm install openai@6, beside magis"],
  [
    "bedrock",
    "Amazon Bedrock",
    "npm install @anthropic-ai/bedrock-sdk, beside magis; with this machine's AWS credentials",
  ],
  [
    "vertex",
    "Google Vertex AI",
    "npm install @anthropic-ai/vertex-sdk, beside magis; with this machine's Google credentials",
  ],
] as const;

export type Provider = (typeof PROVIDERS)[number][0];

export const isProvider = (name: string): name is Provider => PROVIDERS.some(([known]) => known === name);

interface FinishForm {
  readonly repositories: readonly RepositoryId[];
  readonly label: string;
  /** who has the models, where it is still to be said how they are reached; absent: it is known */
  readonly provider?: Provider | undefined;
  /** what was entered before it was found wrong; never a key */
  readonly given?: Readonly<Record<string, string>> | undefined;
  readonly fault?: string | undefined;
}

/** The last form: the label's repositories, and where the models are. */
export function finishPage({ repositories, label, provider, given = {}, fault: wrong }: FinishForm): string {
  const boxes = repositories.map((repository) => {
    const name = escaped(repositoryName(repository));
    return `<label><input type="checkbox" name="repository" value="${name}"${repositories.length === 1 ? " checked" : ""}> ${name}</label>`;
  });
  return page(
    "Installed",
    `${fault(wrong)}<form method="post" action="/setup/finish">
<fieldset><legend>Create the label <code>${escaped(label)}</code> in</legend>${boxes.join("\n")}</fieldset>
${provider === undefined ? "" : modelFields(given.provider ?? provider, given)}
<p><button>Finish</button></p>
</form>`,
  );
}

function modelFields(chosen: string, given: Readonly<Record<string, string>>): string {
  const choices = PROVIDERS.map(([name, title, note]) => {
    const hint = note === "" ? "" : `<br><small class="for ${name}">${escaped(note)}</small>`;
    return `<label><input type="radio" name="provider" value="${name}"${name === chosen ? " checked" : ""}> ${escaped(title)}${hint}</label>`;
  });
  const field = (providers: string, name: string, text: string, hint = "") =>
    `<label class="for ${providers}">${text}<input type="text" name="${name}" value="${escaped(given[name] ?? "")}" placeholder="${hint}" spellcheck="false" autocomplete="off"></label>`;
  return `<fieldset><legend>The models are at</legend>
${choices.join("\n")}
${field("openai", "base-url", "Its address, with <code>/v1</code>; without one: OpenAI's own", "http://localhost:11434/v1")}
<label class="for anthropic openai">The key, which is written to <code>.env</code><input type="password" name="key" autocomplete="off"></label>
${field("openai bedrock vertex", "model", "The model, as it is called there")}
${field("openai bedrock vertex", "price", "Its price: dollars for a million tokens, in/out; <code>0/0</code> for one of your own", "2/8")}
${field("openai bedrock vertex", "small-model", "A smaller one for simple questions, if there is one")}
${field("openai bedrock vertex", "small-price", "Its price", "0.2/0.8")}
<label><input type="checkbox" name="prove" value="yes"${given.prove === "yes" ? " checked" : ""}> Prove it by one tiny call of each model; it costs less than a cent</label>
</fieldset>`;
}

/** All is done; `report` is what the doctor found. */
export function endPage(report: string, next: string): string {
  return page("MAGIS is set up", `<pre>${escaped(report)}</pre><p>${escaped(next)} You can close this page.</p>`);
}

/** Something went wrong that no form can mend. */
export function faultPage(text: string): string {
  return page("This did not work", `${fault(text)}<p><a href="/setup">Go on</a></p>`);
}

/** Answers with a page that may load nothing and be framed by nobody; `nonce`: of its own script. */
export function showPage(response: ServerResponse, html: string, status = 200, nonce?: string): void {
  const script = nonce === undefined ? "" : `; script-src 'nonce-${nonce}'`;
  response
    .writeHead(status, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'${script}`,
      "cache-control": "no-store",
      "referrer-policy": "same-origin",
    })
    .end(html);
}

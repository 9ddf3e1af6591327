import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { closest } from "fastest-levenshtein";
import { MagisError } from "../../data/error.ts";
import { FORMER_SETTINGS, settingsIn } from "../../data/setting-definitions/all-settings.ts";
import type { EnvFile } from "./own-env-file.ts";
import { environmentSchema } from "./schema.ts";

type Texts = Readonly<Record<string, string | undefined>>;

/** What was read, and a sentence for each variable of the file that does not count and for each that is not ours. */
export interface CollectedTexts {
  texts: Texts;
  passedOver: readonly string[];
  unknown: readonly string[];
}

/**
 * Reads every variable of the schema as text, from `environment`, else from `envFile`. An empty one counts as not set.
 * A file that is not the operator's own may set only what the settings' definitions allow to anybody, because commands
 * run in checkouts of other people's repositories. The operator's own file decides nothing about secrets of the
 * environment. Throws CONFIGURATION_INVALID if the file cannot be read.
 */
export function collectTexts(envFile: EnvFile | undefined, environment: Texts): CollectedTexts {
  const file: Texts = envFile === undefined ? {} : readEnvFile(envFile.path);
  const given = { ...file, ...environment };
  const refused = new Map(
    settingsIn("environment").flatMap(([, { environment: one }]) => {
      const why = envFile && whyRefused(one, envFile, file, environment);
      return why === undefined ? [] : [[one.variable, why] as const];
    }),
  );
  const names = Object.keys(environmentSchema.shape);
  return {
    texts: Object.fromEntries(
      names.map((name) => [name, refused.has(name) || !isGiven(given[name]) ? undefined : given[name]]),
    ),
    passedOver: [...refused.values()],
    unknown: unknownVariables(file, environment, envFile?.path),
  };
}

const OURS = /^MAGIS_\w+$/i;

/** What Kubernetes adds to every container's environment for a service whose name begins with `magis`. */
const SERVICE_LINK = /_(?:SERVICE_(?:HOST|PORT)|PORT)(?:_\w+)?$/;

const MAX_NAME = 60;

/**
 * A sentence for each variable that looks like one of ours and is not, with the nearest name and without its value.
 * Never drop a misspelt limit silently.
 */
function unknownVariables(file: Texts, environment: Texts, envFile: string | undefined): readonly string[] {
  const known = Object.keys(environmentSchema.shape);
  const hasLinks = Object.keys(environment).some((name) => /^MAGIS\w*_SERVICE_HOST$/.test(name));
  const strange = ([name, text]: readonly [string, string | undefined]) =>
    OURS.test(name) && isGiven(text) && !known.includes(name) && !(hasLinks && SERVICE_LINK.test(name));
  const found = [
    ...Object.entries(environment).flatMap((one) => (strange(one) ? [{ name: one[0], from: "" }] : [])),
    ...Object.entries(file).flatMap((one) =>
      strange(one) && environment[one[0]] === undefined ? [{ name: one[0], from: ` in ${envFile}` }] : [],
    ),
  ];
  return found.map(({ name, from }) => {
    if (FORMER_SETTINGS.has(name)) return `${name}${from} is no longer a setting and does nothing: take it out.`;
    const shown = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
    return `${shown}${from} is no setting and does nothing: did you mean ${nearestVariable(name.slice(0, MAX_NAME), known)}?`;
  });
}

/** By what follows the prefix: `MAGIS_PORT` means `PORT`. */
function nearestVariable(name: string, known: readonly string[]): string {
  const bare = (text: string) => text.toUpperCase().replace(/^MAGIS_/, "");
  const near = closest(bare(name), known.map(bare));
  return known.find((one) => bare(one) === near) ?? near;
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text.trim() !== "";

type InEnvironment = ReturnType<typeof settingsIn<"environment">>[number][1]["environment"];

/** Why a variable that only the file sets does not count, in a sentence; undefined if it counts. */
function whyRefused(one: InEnvironment, envFile: EnvFile, file: Texts, environment: Texts): string | undefined {
  const name = one.variable;
  if (!envFile.isOwn) {
    if (one.fromAnybody || !isGiven(file[name]) || environment[name] !== undefined) return undefined;
    return `${name} in ${envFile.path} does not count: the working directory may be somebody else's, and no server was set up here. Set ${name} in the environment.`;
  }
  const secret = guardOf(one, file, environment);
  if (secret === undefined) return undefined;
  return `${name} in ${envFile.path} does not count, since ${secret} comes from the environment: a file does not decide where a secret goes or what may be spent with it. Set ${name} in the environment too.`;
}

/**
 * The secret of the environment because of which a variable that only the file sets does not count, if there is one.
 */
function guardOf({ variable, takesSecrets = [] }: InEnvironment, file: Texts, environment: Texts): string | undefined {
  if (!isGiven(file[variable]) || environment[variable] !== undefined) return undefined;
  const found = ambientGuard(variable, file, environment);
  if (found !== undefined) return found;
  const settings = settingsIn("environment").flatMap(([, { environment: one }]) =>
    one.secretFor?.includes(variable) ? [one.variable] : [],
  );
  // Whoever wrote the same secret into the file knows it already.
  return [...settings, ...takesSecrets].find((name) => isGiven(environment[name]) && environment[name] !== file[name]);
}

/**
 * The same for a value that brings secrets from outside our variables: profiles, files of the home directory, what a
 * machine is given. The file's author may not have them, and so must neither choose them nor say what is spent.
 */
function ambientGuard(variable: string, file: Texts, environment: Texts): string | undefined {
  for (const [, { environment: one }] of settingsIn("environment")) {
    const { values = [], spends = [] } = one.ambient ?? {};
    const chosen = environment[one.variable]?.trim();
    if (one.variable === variable && values.includes(file[variable]?.trim() ?? "")) {
      return `the secret of ${file[variable]?.trim()}`;
    }
    if (chosen !== undefined && values.includes(chosen) && spends.includes(variable)) return `the secret of ${chosen}`;
  }
  return undefined;
}

/**
 * The variables of a `.env` file, parsed as Node itself does; none if there is no file. Throws CONFIGURATION_INVALID
 * for a file that cannot be read.
 */
function readEnvFile(path: string): Readonly<Record<string, string | undefined>> {
  try {
    return parseEnv(readFileSync(path, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new MagisError("CONFIGURATION_INVALID", `${path} cannot be read: check its kind and rights.`, {}, error);
  }
}

const PEM = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----([\s\S]+?)-----END \1-----/;

/**
 * The app's RSA key as PKCS#8 PEM, from the text of PRIVATE_KEY or the file of PRIVATE_KEY_PATH, or a sentence that
 * says what is wrong. Line ends may be real, written as `\n`, or replaced by blanks; the text may be base64.
 */
export function readPrivateKey(
  text: string | undefined,
  path: string | undefined,
): { key: string } | { fault: string } {
  if (text !== undefined) return parseKey(text, "PRIVATE_KEY");
  if (path === undefined) {
    return { fault: "PRIVATE_KEY is missing: set it, or PRIVATE_KEY_PATH, to the private key of the GitHub App." };
  }
  let content: string;
  try {
    content = readFileSync(path, "utf8");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const what = missing ? "names a file that does not exist" : "names a file that cannot be read";
    return { fault: `PRIVATE_KEY_PATH ${what}: name the .pem file that GitHub gave for the app.` };
  }
  return parseKey(content, "PRIVATE_KEY_PATH");
}

function parseKey(text: string, name: string): { key: string } | { fault: string } {
  const plain = text.includes("-----BEGIN") ? text : Buffer.from(text, "base64").toString("utf8");
  const [, kind, body = ""] = PEM.exec(plain.replaceAll("\\r", "").replaceAll("\\n", "\n")) ?? [];
  const lines = body.replace(/\s+/g, "").match(/.{1,64}/g) ?? [];
  try {
    const key = createPrivateKey([`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ""].join("\n"));
    if (key.asymmetricKeyType !== "rsa") throw new TypeError("not an RSA key");
    return { key: key.export({ type: "pkcs8", format: "pem" }).toString() };
  } catch {
    // What node:crypto says may quote the key's text, so nothing of it is passed on.
    return {
      fault: `${name} is not a readable RSA private key: use the whole .pem file that GitHub gave for the app.`,
    };
  }
}

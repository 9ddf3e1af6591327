import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "@jest/globals";
import { readConfig } from "../../../src/settings/environment/read-config.ts";
import { rsaKey } from "../../fakes/rsa-key.ts";

const PRIVATE_KEY = rsaKey("pkcs1");
const KEYLESS = { APP_ID: "7", WEBHOOK_SECRET: "a-secret", ANTHROPIC_API_KEY: "a-key" };
const VALID = { ...KEYLESS, PRIVATE_KEY };

describe(".env.example", () => {
  const text = readFileSync(new URL("../../../.env.example", import.meta.url), "utf8");

  it("is a .env file whose uncommented lines are valid once filled in", () => {
    const active = parseEnv(text);
    expect(Object.values(active).every((value) => value === "")).toBe(true);
    expect(() => readConfig(undefined, { ...active, ...VALID })).not.toThrow();
  });

  it("is valid with every line uncommented", () => {
    const every = parseEnv(text.replace(/^#(?=[A-Z])/gm, ""));
    expect(() => readConfig(undefined, { ...every, ...VALID })).not.toThrow();
  });
});

describe("a .env file", () => {
  it("fills in what the environment lacks; absent is fine, unreadable is reported", () => {
    const folder = mkdtempSync(join(tmpdir(), "magis-env-"));
    try {
      const file = join(folder, ".env");
      expect(readConfig({ path: file, isOwn: true }, VALID).server.port).toBe(3000);
      const key = PRIVATE_KEY.replaceAll("\n", "\\n");
      writeFileSync(file, `# a note\nPRIVATE_KEY="${key}"\nPORT=1\nMAGIS_LABEL='from file'\nHOST=from-file\n`);
      const config = readConfig({ path: file, isOwn: true }, { ...KEYLESS, PORT: "2", HOST: "" });
      expect(config.server).toMatchObject({ port: 2, host: "localhost" });
      expect(config.trigger.label).toBe("from file");
      expect(() => readConfig({ path: folder, isOwn: true }, VALID)).toThrow(/cannot be read/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

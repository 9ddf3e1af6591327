import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { credentialVariables } from "../../../src/settings/environment/piped-secrets.ts";

it("systemd's credentials are the variables they are named by, unless these are set", () => {
  const folder = mkdtempSync(join(tmpdir(), "magis-credentials-"));
  try {
    writeFileSync(join(folder, "ANTHROPIC_API_KEY"), "key\n");
    writeFileSync(join(folder, "PRIVATE_KEY"), "-----BEGIN\nline\n-----END\n");
    writeFileSync(join(folder, "WEBHOOK_SECRET"), "from the file");
    writeFileSync(join(folder, "other.pem"), "not ours");
    mkdirSync(join(folder, "folder"));
    const given = { CREDENTIALS_DIRECTORY: folder, WEBHOOK_SECRET: "set" };
    expect(credentialVariables(given)).toEqual({ ANTHROPIC_API_KEY: "key", PRIVATE_KEY: "-----BEGIN\nline\n-----END" });
    expect(credentialVariables({})).toEqual({});
  } finally {
    rmSync(folder, { recursive: true });
  }
});

import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "@jest/globals";
import { writeEnvFile } from "../../../src/settings/environment/write-env-file.ts";

const folder = mkdtempSync(join(tmpdir(), "magis-env-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the file of settings and the key are their owner's alone, and other lines stay as they are", () => {
  const file = join(folder, ".env");
  writeFileSync(file, "# mine\nAPP_ID=1\n#PORT=3000\nOTHER='x y'\n");
  chmodSync(file, 0o644);
  const names = writeEnvFile(file, { APP_ID: "2", PORT: "80", WEBHOOK_SECRET: "a b", PRIVATE_KEY: "the key" });
  expect(names).toEqual([".env", "magis.private-key.pem"]);
  const key = join(folder, "magis.private-key.pem");
  expect(readFileSync(file, "utf8")).toBe(
    `# mine\nAPP_ID=2\n#PORT=3000\nPORT=80\nOTHER='x y'\nWEBHOOK_SECRET=a b\nPRIVATE_KEY_PATH=${key}\n`,
  );
  expect(readFileSync(key, "utf8")).toBe("the key");
  for (const one of [file, key]) expect((statSync(one).mode & 0o777).toString(8)).toBe("600");
  expect(() => writeEnvFile(file, { APP_ID: "2\nPORT=1" })).toThrow("The value of APP_ID cannot be written");
});

import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { openAuditLog, withAudit } from "../../src/app/open-audit-log.ts";
import type { Audit, AuditEntry } from "../../src/data/audit.ts";
import type { OpenRepository, Repository } from "../../src/git/repository.ts";
import { QUIET } from "../queue/database/test-databases.ts";

describe("the audit log", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-audit-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const write: AuditEntry = { what: "write", method: "POST", place: "/x", status: 201, milliseconds: 3 };

  it("adds to the file that is there, and goes on after the file was truncated", async () => {
    const file = join(folder, "audit.jsonl");
    const times = async () =>
      (await readFile(file, "utf8"))
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => ({ ...(JSON.parse(line) as object), time: undefined }));
    openAuditLog(file, QUIET)?.(write);
    const audit = openAuditLog(file, QUIET);
    audit?.(write);
    expect(await times()).toEqual([write, write]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await writeFile(file, "");
    audit?.(write);
    expect(await times()).toEqual([write]);
  });

  it("is not kept unless a file is named, and refuses one that cannot be written", () => {
    expect(openAuditLog(undefined, QUIET)).toBeUndefined();
    expect(() => openAuditLog(folder, QUIET)).toThrow("MAGIS_AUDIT_LOG cannot be written");
  });

  it("has each push, also one that is refused", async () => {
    const entries: AuditEntry[] = [];
    const audit: Audit = (entry) => void entries.push(entry);
    const push = async (_commit: string, ref: string) => {
      if (ref.endsWith("taken")) throw new Error("refused");
    };
    const open: OpenRepository = async () => ({ push }) as unknown as Repository;
    const source = { url: "https://github.com/acme/widget.git", commit: "0".repeat(40) };
    const repository = await withAudit(open, audit)(source);
    await repository.push("c", "refs/heads/free");
    await expect(repository.push("c", "refs/heads/taken")).rejects.toThrow("refused");
    const pushed = { what: "write", repository: "acme/widget", method: "git push", milliseconds: expect.any(Number) };
    expect(entries).toEqual([
      { ...pushed, place: "refs/heads/free", status: 200 },
      { ...pushed, place: "refs/heads/taken", status: 0 },
    ]);
    expect(withAudit(open, undefined)).toBe(open);
  });
});

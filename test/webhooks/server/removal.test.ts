import { afterEach, describe, expect, it } from "@jest/globals";
import { startTestServer, type TestServerOptions } from "./start-test-server.ts";

describe("uninstalling the app", () => {
  let server: Awaited<ReturnType<typeof startTestServer>> | undefined;
  afterEach(() => server?.close(0));
  const start = async (options: TestServerOptions = {}) => {
    server = await startTestServer(options);
    return server;
  };
  const deleted = JSON.stringify({ action: "deleted", installation: { id: 11 } });
  const removed = JSON.stringify({
    action: "removed",
    installation: { id: 11 },
    repositories_removed: [{ full_name: "octo/cat" }, { full_name: "octo/dog" }],
  });

  it("forgets the whole installation when removed from an account", async () => {
    const { post, forgotten } = await start();
    expect(await post("installation", deleted)).toMatchObject({ status: 200 });
    expect(forgotten).toEqual([{ installationId: 11 }]);
  });

  it("forgets each repository that it is removed from, in this installation", async () => {
    const { post, forgotten, received } = await start();
    expect(await post("installation_repositories", removed)).toMatchObject({ status: 200 });
    expect(forgotten).toEqual([
      { installationId: 11, owner: "octo", name: "cat" },
      { installationId: 11, owner: "octo", name: "dog" },
    ]);
    expect(received).toEqual([]);
  });

  it("ends the work on what it can no longer see, also when it is suspended, before anything is forgotten", async () => {
    const ended: unknown[] = [];
    const { post, forgotten } = await start({
      withdraw: async (scope) => void ended.push([scope, forgotten.length]),
    });
    await post("installation", deleted.replace("deleted", "suspend"));
    await post("installation", deleted);
    await post("installation_repositories", removed);
    expect(ended).toEqual([
      [{ installationId: 11 }, 0],
      [{ installationId: 11 }, 0],
      [{ installationId: 11, owner: "octo", name: "cat" }, 1],
      [{ installationId: 11, owner: "octo", name: "dog" }, 1],
    ]);
  });

  it("forgets nothing when it is installed or suspended, or the signature is wrong", async () => {
    const { post, forgotten } = await start();
    for (const action of ["created", "suspend"])
      expect(await post("installation", deleted.replace("deleted", action))).toMatchObject({ status: 200 });
    const forged = { "x-hub-signature-256": `sha256=${"0".repeat(64)}` };
    expect(await post("installation", deleted, forged)).toMatchObject({ status: 401 });
    expect(forgotten).toEqual([]);
  });

  it("asks GitHub to deliver again when the database fails or cannot be reached", async () => {
    const failing = await start({ forget: () => Promise.reject(new Error("no")) });
    expect(await failing.post("installation", deleted)).toMatchObject({ status: 500 });
    await failing.close(0);
    let come: (versions: number) => void = () => undefined;
    const back = new Promise<number>((resolve) => {
      come = resolve;
    });
    const away = await start({ forget: () => back, webhookLimit: 50 });
    expect(await away.post("installation", deleted)).toMatchObject({ status: 503 });
    come(1);
  });
});

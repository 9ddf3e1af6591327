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

  it("ends the work on what it can no longer see, also when it is suspended, before it forgets that", async () => {
    const ended: unknown[] = [];
    const { post, forgotten, received } = await start({
      withdraw: async (scope) => void ended.push([scope, forgotten.length]),
    });
    await post("installation", deleted.replace("deleted", "suspend"));
    await post("installation", deleted);
    await post("installation_repositories", removed);
    const [whole, cat, dog] = [
      { installationId: 11 },
      ...["cat", "dog"].map((name) => ({ installationId: 11, owner: "octo", name })),
    ];
    expect(ended).toEqual([
      [whole, 0],
      [whole, 0],
      [cat, 1],
      [dog, 1],
    ]);
    expect(forgotten).toEqual([whole, cat, dog]);
    expect(received).toEqual([]);
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

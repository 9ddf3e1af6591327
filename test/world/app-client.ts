import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "@octokit/rest";
import type { World } from "./world-handle.ts";

export interface AppClient {
  octokit: Octokit;
  token: string;
}

/** An ordinary Octokit for the app's first installation, with the given permissions or all. */
export async function appClient(world: World, permissions?: Record<string, string>): Promise<AppClient> {
  const baseUrl = `${world.url}/api/v3`;
  const { APP_ID: appId, PRIVATE_KEY: privateKey } = world.botEnvironment();
  const app = new Octokit({ baseUrl, authStrategy: createAppAuth, auth: { appId, privateKey } });
  const { data } = await app.rest.apps.createInstallationAccessToken({
    installation_id: 100,
    permissions,
  });
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return { octokit: new Octokit({ baseUrl, auth: data.token, log }), token: data.token };
}

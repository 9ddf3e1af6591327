import { z } from "zod";
import type { Api } from "./create-api.ts";
import type { Finding } from "./finding.ts";
import { findingsOf } from "./findings-of.ts";
import type { Manifest } from "./manifest.ts";
import type { RegisteredApp } from "./registered-app.ts";
import { replyText } from "./reply-text.ts";

const { ok, fault } = findingsOf("repository");

export interface RepositoryName {
  readonly owner: string;
  readonly name: string;
}

/** How the app reaches one repository. */
export interface Access {
  readonly installationId: number;
  readonly token: string;
}

export interface RepositoryExamined {
  readonly findings: readonly Finding[];
  /** absent where the app does not reach the repository */
  readonly access?: Access;
}

/** Whether the app is installed on the repository and is given a token for it with the permissions it needs. */
export async function checkRepository(
  api: Api,
  app: RegisteredApp,
  { owner, name }: RepositoryName,
  manifest: Manifest,
): Promise<RepositoryExamined> {
  const installed = await api.get(`/repos/${owner}/${name}/installation`);
  const found = z.object({ id: z.number() }).safeParse("data" in installed ? installed.data : undefined);
  if ("status" in installed && installed.status === 404) {
    const text = `The app is not installed on ${owner}/${name}, or there is no such repository.`;
    return { findings: [fault(text, `Install it, or select the repository: ${app.installUrl}`)] };
  }
  if ("silence" in installed || installed.status !== 200 || !found.success) {
    return { findings: [fault(`GitHub ${replyText(installed)}.`, "Try again later.")] };
  }
  const { id } = found.data;
  const grant = (body: object) => api.post(`/app/installations/${id}/access_tokens`, { repositories: [name], ...body });
  const full = await grant({ permissions: manifest.permissions });
  const token = tokenOf(full);
  if (token !== undefined) {
    const text = `The app is installed on ${owner}/${name} and gets a token with every permission it needs.`;
    return { findings: [ok(text)], access: { installationId: id, token } };
  }
  const text = `GitHub gives no token with the permissions the bot needs: it ${replyText(full)}.`;
  const remedy = `Grant the missing permissions at ${app.settingsUrl}/permissions, then accept them where the app is installed.`;
  const less = tokenOf(await grant({}));
  return {
    findings: [fault(text, remedy)],
    ...(less !== undefined && { access: { installationId: id, token: less } }),
  };
}

function tokenOf(reply: Awaited<ReturnType<Api["post"]>>): string | undefined {
  if ("silence" in reply || reply.status !== 201) return undefined;
  return z.object({ token: z.string() }).safeParse(reply.data).data?.token;
}

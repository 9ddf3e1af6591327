import { MagisError } from "../data/error.ts";
import { repositoryName } from "../data/run-request.ts";
import { byTokens, openAppAccess } from "./access.ts";
import type { AppRegistration, NewApp } from "./app-registration-port.ts";
import { createClient, type GithubOptions } from "./client.ts";
import { attempt, isHttpFailure } from "./errors.ts";

const LABEL = { color: "5319e7", description: "MAGIS resolves this issue" };

/**
 * Registers an app on GitHub by a manifest.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
export function createAppRegistration(options: GithubOptions): AppRegistration {
  const accessOf = ({ id: appId, privateKey }: NewApp) =>
    openAppAccess({ appId, privateKey }, (authentication) => createClient(options, { authentication }));
  const clientOf = (app: NewApp, installationId: number) =>
    createClient(options, { authentication: byTokens(accessOf(app).tokensFor({ installationId })) });
  return {
    async exchange(code) {
      const { data } = await attempt("exchange the code of the registration", () =>
        createClient(options, { authentication: {} }).rest.apps.createFromManifest({ code }),
      );
      if (!data.webhook_secret) throw new MagisError("HOST_REFUSED", "GitHub gave no webhook secret with the app.");
      const { id, slug = "", html_url: page, pem: privateKey, webhook_secret: webhookSecret } = data;
      const { client_id: clientId, client_secret: clientSecret } = data;
      return { id, slug, page, privateKey, webhookSecret, clientId, clientSecret };
    },
    async repositories(app) {
      const { client } = accessOf(app);
      const installations = await attempt("list the app's installations", () =>
        client.paginate(client.rest.apps.listInstallations, { per_page: 100 }),
      );
      const lists = installations.map(async ({ id }) => {
        const own = clientOf(app, id);
        const repositories = await attempt("list the repositories of an installation", () =>
          own.paginate(own.rest.apps.listReposAccessibleToInstallation, { per_page: 100 }),
        );
        return repositories.map(({ name, owner }) => ({ owner: owner.login, name, installationId: id }));
      });
      return (await Promise.all(lists)).flat();
    },
    async createLabel(app, repository, name) {
      const { owner, name: repo, installationId } = repository;
      await attempt(`create the label in ${repositoryName(repository)}`, () =>
        clientOf(app, installationId)
          .rest.issues.createLabel({ owner, repo, name, ...LABEL })
          .catch((error: unknown) => {
            // It exists already.
            if (!isHttpFailure(error) || error.status !== 422) throw error;
          }),
      );
    },
  };
}

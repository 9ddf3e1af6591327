import { MagisError } from "../data/error.ts";
import { type RepositoryId, repositoryName } from "../data/run-request.ts";
import { byTokens, openAppAccess } from "./access.ts";
import { createClient, type GithubOptions } from "./client.ts";
import { attempt, isHttpFailure } from "./errors.ts";

/** A newly registered app. GitHub gives these secrets only once, for the manifest's code. */
export interface NewApp {
  id: number;
  slug: string;
  /** the app's own page on the host */
  page: string;
  /** PEM */
  privateKey: string;
  webhookSecret: string;
  /** for people who sign in to the dashboard */
  clientId: string;
  clientSecret: string;
}

/** Registers an app on the host. Every method throws MagisErrors HOST_…. */
export interface AppRegistration {
  /** Exchanges the code that the host gave the browser; possible once, within an hour. */
  exchange(code: string): Promise<NewApp>;
  /** The repositories in which the app is installed; none before it is. */
  repositories(app: NewApp): Promise<readonly RepositoryId[]>;
  /** Makes a label unless it exists. */
  createLabel(app: NewApp, repository: RepositoryId, name: string): Promise<void>;
}

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

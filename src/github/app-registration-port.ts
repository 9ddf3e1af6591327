import type { RepositoryId } from "../data/run-request.ts";

/** A newly registered app. GitHub gives these secrets only once, for the manifest's code. */
export interface NewApp {
  readonly id: number;
  readonly slug: string;
  /** the app's own page on the host */
  readonly page: string;
  /** PEM */
  readonly privateKey: string;
  readonly webhookSecret: string;
  /** for people who sign in to the dashboard */
  readonly clientId: string;
  readonly clientSecret: string;
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

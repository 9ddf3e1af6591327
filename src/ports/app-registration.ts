import type { RepositoryId } from "../model/run-request.ts";

/** An app as GitHub gives it once, when its manifest's code is exchanged. */
export interface NewApp {
  readonly id: number;
  readonly slug: string;
  /** the app's own page on the host */
  readonly page: string;
  /** PEM */
  readonly privateKey: string;
  readonly webhookSecret: string;
}

/** What a registration asks of the host. Every method throws MagisErrors of the kinds HOST_…. */
export interface AppRegistration {
  /** Exchanges the code that the host gave the browser; it can be done once, within an hour. */
  exchange(code: string): Promise<NewApp>;
  /** The repositories in which the app is installed; none before it is. */
  repositories(app: NewApp): Promise<readonly RepositoryId[]>;
  /** Makes a label where it is not there yet. */
  createLabel(app: NewApp, repository: RepositoryId, name: string): Promise<void>;
}

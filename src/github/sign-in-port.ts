import type { RepositoryId } from "../data/run-request.ts";

/** What a sign-in is tied to, so that nobody else can end it. */
export interface SignInRequest {
  readonly state: string;
  /** PKCE: SHA-256 of the verifier, in base64url */
  readonly challenge: string;
  /** where the host sends the browser back to */
  readonly redirectUrl: string;
}

/** Lets people sign in at the host, and asks it what they may do there. Methods throw MagisErrors HOST_…. */
export interface SignIn {
  /** Where the browser goes to sign in. */
  address(request: SignInRequest): string;
  /** Exchanges the code that the host gave the browser for the person's token; undefined when it takes no such code. */
  exchange(given: {
    readonly code: string;
    readonly verifier: string;
    readonly redirectUrl: string;
  }): Promise<string | undefined>;
  /** Whose token it is; undefined when it is valid no more. */
  login(token: string): Promise<string | undefined>;
  /** The repositories with the app to which the person may push; undefined when the token is valid no more. */
  repositories(token: string): Promise<readonly RepositoryId[] | undefined>;
  /** Makes the token invalid. */
  revoke(token: string): Promise<void>;
}

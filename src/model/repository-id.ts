/** A repository as one installation of the app sees it. */
export interface RepositoryId {
  readonly owner: string;
  readonly name: string;
  readonly installationId: number;
}

/** `owner/name`, for people and for keys within one installation. */
export function repositoryName(repository: Pick<RepositoryId, "owner" | "name">): string {
  return `${repository.owner}/${repository.name}`;
}

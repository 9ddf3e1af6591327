import { webLink } from "../text/compose-markdown.ts";

/** Links the run's page on the dashboard, if there is one. */
export const pageSentence = (page: string | undefined): string =>
  page === undefined ? "" : `${webLink("The run's page", page)} has the details.`;

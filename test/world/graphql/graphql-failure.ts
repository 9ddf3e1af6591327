import { GraphQLError } from "graphql";

/** An error of GitHub's GraphQL: a message with a `type` such as NOT_FOUND or FORBIDDEN. */
export function graphqlFailure(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

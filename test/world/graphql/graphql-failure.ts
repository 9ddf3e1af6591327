import { GraphQLError } from "graphql";

/** An error as GitHub's GraphQL answers it: a `type` such as NOT_FOUND or FORBIDDEN beside the message. */
export function graphqlFailure(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

/** `$1` null: all. Names are compared as GitHub does, without case. */
export const SEEN = `
  ($1::bigint[] IS NULL OR (installation, lower(owner) || '/' || lower(repo)) IN (
    SELECT * FROM unnest($1::bigint[], $2::text[])))`;

export const begunIn = (period: "day" | "month") =>
  `started >= date_trunc('${period}', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;

export const moneyOf = (sum: string, condition: string) =>
  `coalesce(sum(${sum}) FILTER (WHERE ${condition}), 0)::float8`;

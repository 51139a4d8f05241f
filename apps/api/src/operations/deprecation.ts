/** An operation that will end: docs/evolution.md. */
export interface Deprecation {
  /** Since when (RFC 3339, in whole seconds). */
  readonly since: `${string}Z`;
  /** The end of the operation (RFC 3339, in whole seconds); unless given, this is not decided. */
  readonly sunset?: `${string}Z`;
  /** The URL of a page about what takes its place. */
  readonly link?: string;
}

/** An operation that will end: docs/evolution.md. */
export interface Deprecation {
  /** Since when (RFC 3339, in whole seconds). */
  readonly since: `${string}Z`;
  /** When it ends (RFC 3339); unless given, this is not decided. */
  readonly sunset?: `${string}Z`;
  /** The URL of a page about what takes its place. */
  readonly link?: string;
}

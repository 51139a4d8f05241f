import { z } from 'zod';
import { InviteUrl } from './application.ts';
import { type Guild, GuildWithCustom } from './guild.ts';
import { Actor, FieldChange, Timestamp } from './history.ts';
import { PROBLEMS, type ProblemSlug } from './problem-catalogue.ts';

/** The schema of a text in a problem document. Its length is for the OpenAPI document; clients do not enforce it. */
const words = (maxLength: number, description: string) => z.string().meta({ maxLength, description });

/** An invalid field of a request. */
export const ProblemIssue = z
  .strictObject({
    path: z
      .array(z.union([z.string().meta({ maxLength: 128 }), z.int().min(0)]))
      .meta({ description: 'The path of the field: names and indexes.', examples: [['enabledFeatures', 0]] }),
    pointer: words(1_024, 'The same as a JSON Pointer (RFC 6901).').meta({ examples: ['/enabledFeatures/0'] }),
    message: words(1_024, 'What was expected.'),
  })
  .meta({ id: 'ProblemIssue' });
export type ProblemIssue = z.infer<typeof ProblemIssue>;

/** A field that another change has set, and that change. */
export const Conflict = z
  .strictObject({
    field: words(64, 'The field.'),
    ...FieldChange.shape,
    revision: z.int().min(1).meta({ description: 'The revision of the newest change of the field.' }),
    at: Timestamp,
    actor: Actor,
  })
  .meta({ id: 'Conflict' });
export type Conflict = z.infer<typeof Conflict>;

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/**
 * The body of an error response: a problem document.
 * @see https://www.rfc-editor.org/rfc/rfc9457
 */
export const Problem = z
  .strictObject({
    type: words(128, 'Identifies the kind of problem; the URL of a page about it.'),
    title: words(128, 'A short summary of the kind.'),
    status: z.int().min(400).max(599).meta({ description: 'The HTTP status.' }),
    detail: words(4_096, 'What happened this time and what to do.'),
    instance: words(2_048, 'The path of the request.'),
    code: words(64, 'The tRPC error code.'),
    message: words(4_096, 'The same as `detail`.'),
    issues: z.array(ProblemIssue).optional().meta({ description: 'All errors of the request.' }),
    current: GuildWithCustom.optional().meta({ description: 'With 412: the record as it is now.' }),
    conflicts: z
      .array(Conflict)
      .optional()
      .meta({ description: 'With 409 and 412: fields of the request that another change has set, and that change.' }),
    inviteUrl: InviteUrl.optional().meta({
      description: 'With `bot-absent`: the page where a user adds the bot to this guild.',
    }),
    retryAfter: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Seconds to wait before trying again; as in Retry-After.' }),
  })
  .meta({ id: 'Problem', title: 'Problem', description: 'A problem document (RFC 9457).' });
export type Problem = z.infer<typeof Problem>;

/** The details of one occurrence of a problem. */
export interface ProblemOptions {
  /**
   * The explanation of this occurrence; the catalogue's text unless given. Sent to the client, so it must not contain
   * secrets.
   */
  readonly detail?: string;
  readonly issues?: readonly ProblemIssue[];
  /** For `revision-mismatch`: the current record. */
  readonly current?: Guild;
  /** For `revision-mismatch`: the entity tag of the current record, without quotes. */
  readonly tag?: string;
  /** For `revision-mismatch` and `later-change`: the fields that another change has set. */
  readonly conflicts?: readonly Conflict[];
  /** For `bot-absent`: the page where a user adds the bot to the guild. */
  readonly inviteUrl?: string;
  /** Seconds until a retry may succeed. */
  readonly retryAfter?: number;
  /** The underlying error, which is logged but not sent. */
  readonly cause?: unknown;
}

/** Thrown for a problem of the catalogue. The transports map it to tRPC's error shape and to HTTP. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly slug: ProblemSlug;
  readonly options: ProblemOptions;

  constructor(slug: ProblemSlug, options: ProblemOptions = {}) {
    super(options.detail ?? PROBLEMS[slug].text, { cause: options.cause });
    this.slug = slug;
    this.options = options;
  }

  /** Returns the document to send. `instance` is the URL of the request. */
  toProblem(instance: string): Problem {
    const { code, status, title } = PROBLEMS[this.slug];
    const { issues, current, conflicts, inviteUrl, retryAfter } = this.options;
    return {
      type: `/problems/${this.slug}`,
      title,
      status,
      detail: this.message,
      instance,
      code,
      message: this.message,
      ...(issues && { issues: [...issues] }),
      ...(current && { current }),
      ...(conflicts && { conflicts: [...conflicts] }),
      ...(inviteUrl !== undefined && { inviteUrl }),
      ...(retryAfter !== undefined && { retryAfter }),
    };
  }
}

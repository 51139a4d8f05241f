/** The fields of errors that a log line keeps, if they are text, numbers or booleans. */
const KEPT_FIELDS = [
  'code',
  'errno',
  'syscall',
  'address',
  'port',
  'path',
  'status',
  'statusCode',
  'method',
  'url',
  'route',
  'fault',
  'retryAfter',
  'maybeSent',
  'limit',
  'timeToReset',
  'scope',
] as const;

/** Causes of causes that a log line keeps. */
const MAX_DEPTH = 5;

/** Errors of an AggregateError that a log line keeps. */
const MAX_ERRORS = 10;

/**
 * Returns the fields of an error that belong in a log line. The fields are listed, because libraries attach whole requests
 * to their errors. discord.js's `DiscordAPIError`, for one, has `requestBody` and `rawError`.
 * Use it as pino's serializer for `err`. Secrets within the kept texts are for the redactor to remove.
 * @see https://getpino.io/#/docs/api?id=serializers-object
 */
export function errorFields(error: unknown): unknown {
  return fieldsOf(error, 0);
}

function fieldsOf(error: unknown, depth: number): unknown {
  if (!(error instanceof Error)) return plain(error);
  const fields: Record<string, unknown> = { type: error.name, message: error.message, stack: error.stack };
  for (const name of KEPT_FIELDS) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') fields[name] = value;
  }
  if (depth >= MAX_DEPTH) return fields;
  if (error.cause !== undefined) fields.cause = fieldsOf(error.cause, depth + 1);
  if (error instanceof AggregateError) {
    fields.errors = error.errors.slice(0, MAX_ERRORS).map((one: unknown) => fieldsOf(one, depth + 1));
  }
  return fields;
}

/** Returns what a log line keeps of a thrown value that is no error: its kind, because its fields may be anything. */
function plain(thrown: unknown): unknown {
  if (typeof thrown === 'object' && thrown !== null) return { type: Object.prototype.toString.call(thrown) };
  return typeof thrown === 'function' || typeof thrown === 'symbol' ? { type: typeof thrown } : thrown;
}

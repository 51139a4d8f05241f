import { STATUS_CODES } from 'node:http';
import { type RESTError, RESTJSONErrorCodes } from 'discord-api-types/v10';

export interface FieldError {
  /** The keys and indexes that lead to the field; empty for the whole form. */
  readonly path: readonly PropertyKey[];
  /** An error code of Discord, such as `BASE_TYPE_REQUIRED`. */
  readonly code: string;
  readonly message: string;
}

/** Errors under the keys and indexes of their fields; errors of the field itself under `_errors`. */
interface NestedErrors {
  readonly [key: string]: NestedErrors | readonly Omit<FieldError, 'path'>[];
}

type ErrorBody =
  | (Pick<RESTError, 'code' | 'message'> & { readonly errors?: NestedErrors })
  | { readonly error: string; readonly error_description?: string };

/** An error response of Discord's REST API. Thrown by routes, sent by the error handler. */
export class RestRefusal extends Error {
  override readonly name = 'RestRefusal';
  readonly status: number;
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super('message' in body ? body.message : (body.error_description ?? body.error));
    this.status = status;
    this.body = body;
  }
}

/** The body of a generic error status: `{"message":"404: Not Found","code":0}`. */
export function httpError(status: number) {
  const message = `${status}: ${STATUS_CODES[status] ?? 'Unknown Error'}`;
  return { message, code: RESTJSONErrorCodes.GeneralError } satisfies RESTError;
}

export function unauthorized(): RestRefusal {
  return new RestRefusal(401, httpError(401));
}

/**
 * 403: the token is valid, but lacks a scope, or its bot is not in the guild.
 *
 * @see https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
 */
export function missingAccess(): RestRefusal {
  return refusal(403, RESTJSONErrorCodes.MissingAccess, 'Missing Access');
}

export function notForBots(): RestRefusal {
  return refusal(403, RESTJSONErrorCodes.BotsCannotUseThisEndpoint, 'Bots cannot use this endpoint');
}

/**
 * 400: all fields that are missing, malformed or out of bounds.
 *
 * @see https://discord.com/developers/docs/reference#error-messages
 */
export function invalidForm(errors: readonly FieldError[]): RestRefusal {
  return new RestRefusal(400, {
    message: 'Invalid Form Body',
    code: RESTJSONErrorCodes.InvalidFormBodyOrContentType,
    errors: nested(errors),
  });
}

export function invalidField(path: readonly PropertyKey[], code: string, message: string): RestRefusal {
  return invalidForm([{ path, code, message }]);
}

export function refusal(status: number, code: RESTJSONErrorCodes, message: string): RestRefusal {
  return new RestRefusal(status, { message, code });
}

/** Nests errors by their paths. The errors of a field hide those of its content. */
function nested(errors: readonly FieldError[]): NestedErrors {
  const own = errors.filter(({ path }) => path.length === 0);
  if (own.length > 0) return { _errors: own.map(({ code, message }) => ({ code, message })) };
  const byKey = new Map<string, FieldError[]>();
  for (const { path, ...error } of errors) {
    const [key, ...rest] = path;
    const inner = byKey.get(String(key)) ?? [];
    byKey.set(String(key), [...inner, { ...error, path: rest }]);
  }
  return Object.fromEntries([...byKey].map(([key, inner]) => [key, nested(inner)]));
}

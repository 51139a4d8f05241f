import { STATUS_CODES } from 'node:http';
import { type RESTError, RESTJSONErrorCodes } from 'discord-api-types/v10';

/** An error response of Discord's REST API. Thrown by routes, sent by the error handler. */
export class RestRefusal extends Error {
  override readonly name = 'RestRefusal';
  readonly status: number;
  readonly body: RESTError;

  constructor(status: number, body: RESTError) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** The body of a generic error status: `{"message":"404: Not Found","code":0}`. */
export function httpError(status: number) {
  const message = `${status}: ${STATUS_CODES[status] ?? 'Unknown Error'}`;
  return { message, code: RESTJSONErrorCodes.GeneralError } satisfies RESTError;
}

/** 401: no token, or one that is unknown, revoked or expired. */
export function unauthorized(): RestRefusal {
  return new RestRefusal(401, httpError(401));
}

/**
 * 403: the token is valid, but lacks a scope.
 *
 * @see https://discord.com/developers/docs/topics/opcodes-and-status-codes#json
 */
export function missingAccess(): RestRefusal {
  return new RestRefusal(403, { message: 'Missing Access', code: RESTJSONErrorCodes.MissingAccess });
}

/**
 * 400: a field of the query or body is out of bounds.
 *
 * @see https://discord.com/developers/docs/reference#error-messages
 */
export function invalidField(field: string, code: string, message: string): RestRefusal {
  return new RestRefusal(400, {
    message: 'Invalid Form Body',
    code: RESTJSONErrorCodes.InvalidFormBodyOrContentType,
    errors: { [field]: { _errors: [{ code, message }] } },
  });
}

/** An error with one of Discord's codes and messages. */
export function refusal(status: number, code: RESTJSONErrorCodes, message: string): RestRefusal {
  return new RestRefusal(status, { message, code });
}

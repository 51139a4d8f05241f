/** No answer came, because the network failed. The cause is fetch's own error. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** Whether the request may have arrived: false when no connection was made. */
  readonly maybeSent: boolean;

  constructor(options: { readonly maybeSent: boolean; readonly cause: unknown }) {
    super(options.maybeSent ? 'The connection broke before the answer came' : 'No connection could be made', options);
    this.maybeSent = options.maybeSent;
  }
}

/** No answer came in time. The request may have been carried out. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  /** @param milliseconds how long was waited */
  constructor(milliseconds: number) {
    super(`No answer came within ${milliseconds} ms`);
  }
}

/** What answered is not the service: a proxy's error page, or another service altogether. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  readonly status: number;
  /** Seconds, as the Retry-After header asked. */
  readonly retryAfter: number | undefined;

  constructor({ status, retryAfter }: { readonly status: number; readonly retryAfter: number | undefined }) {
    super(`The answer is no JSON; its status is ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

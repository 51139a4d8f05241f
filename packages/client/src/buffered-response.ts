import { retryAfterSeconds } from './retry-after.ts';
import { UnexpectedResponseError } from './transport-errors.ts';

/** An HTTP response whose body was received completely: the part of a Response that tRPC's links use. */
export class BufferedResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly #text: string;

  constructor({ ok, status, headers }: Pick<Response, 'ok' | 'status' | 'headers'>, text: string) {
    this.ok = ok;
    this.status = status;
    this.headers = headers;
    this.#text = text;
  }

  /** Seconds of the Retry-After header. */
  get retryAfter(): number | undefined {
    return retryAfterSeconds(this.headers.get('retry-after'), this.headers.get('date'));
  }

  /** @throws UnexpectedResponseError, which does not quote the body */
  async json(): Promise<unknown> {
    try {
      return JSON.parse(this.#text);
    } catch {
      throw new UnexpectedResponseError(this);
    }
  }
}

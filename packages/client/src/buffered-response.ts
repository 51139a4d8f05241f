import { retryAfterSeconds } from './retry-after.ts';
import { UnexpectedAnswerError } from './transport-errors.ts';

/** An HTTP answer whose body has arrived completely: as much of a Response as a tRPC link looks at. */
export class Answer {
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

  /** Seconds, as the Retry-After header asks. */
  get retryAfter(): number | undefined {
    return retryAfterSeconds(this.headers.get('retry-after'), this.headers.get('date'));
  }

  /** @throws UnexpectedAnswerError, which does not quote the body */
  async json(): Promise<unknown> {
    try {
      return JSON.parse(this.#text);
    } catch {
      throw new UnexpectedAnswerError(this);
    }
  }
}

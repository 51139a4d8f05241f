import type { Authenticator, CheckOutcome } from '../auth/authenticator.ts';
import type { ReceiveCalls } from '../auth/shared-calls.ts';
import type { CheckQuestion, StatedApplication } from '../auth/shared-checks.ts';
import type { AuthenticatedToken } from '../auth/token-check.ts';
import { REFUSAL_CODEC } from '../domain/refusal-codec.ts';
import { OpenStreams } from '../follow/stream-limit.ts';
import type { ProcessGroup } from '../process-group.ts';
import { encodeError } from '../store/workers/encoded-errors.ts';
import type { Answer, FromWorker, Question, ToMember } from './messages.ts';

/** Connection to one worker. */
export interface MemberLink {
  /** Handles a message of the worker. */
  receive(message: FromWorker): void;
  /** The worker has ended, and its streams with it. Nothing more is sent to it. */
  close(): void;
}

type SharedParts = Pick<ProcessGroup, 'checks' | 'shareCalls' | 'streams'>;

/**
 * The limits of the first process, and what it knows for all: it checks tokens by Discord, counts the open streams, and passes
 * on the calls that each process has counted.
 */
export class FirstMember implements SharedParts {
  readonly streams = new OpenStreams();
  readonly #workers = new Set<(message: ToMember) => void>();
  #authenticator: Authenticator | undefined;
  #receiveCalls: ReceiveCalls = () => {};
  #application: StatedApplication | undefined;

  readonly checks = {
    isFirst: true,
    serve: (authenticator: Authenticator) => {
      this.#authenticator = authenticator;
    },
    sendOutcome: (outcome: CheckOutcome) => this.#sendToAll({ type: 'checked', outcome }),
    sendApplication: (application: StatedApplication) => {
      const { name, icon } = this.#application ?? {};
      this.#application = application;
      if (name !== application.name || icon !== application.icon) this.#sendToAll({ type: 'application', application });
    },
  } as const;

  readonly shareCalls = (receive: ReceiveCalls): ReceiveCalls => {
    this.#receiveCalls = receive;
    return (counted) => this.#sendToAll({ type: 'calls', counted });
  };

  /** Connects a worker. */
  connect(send: (message: ToMember) => void): MemberLink {
    /** The callers of its streams. */
    const callers: (string | undefined)[] = [];
    this.#workers.add(send);
    const answer = async (question: Question): Promise<unknown> => {
      if (question.of !== 'stream') return this.#check(question);
      const isCounted = this.streams.open(question.userId);
      if (isCounted) callers.push(question.userId);
      return isCounted;
    };
    let isOpen = true;
    return {
      receive: async (message) => {
        if (!isOpen) return;
        if (message.type === 'calls') {
          this.#receiveCalls(message.counted);
          this.#sendToAll(message, send);
        } else if (message.type === 'close-stream') {
          const index = callers.indexOf(message.userId);
          if (index < 0) return;
          callers.splice(index, 1);
          this.streams.close(message.userId);
        } else if (message.type === 'question') {
          send({ type: 'answer', id: message.id, answer: await encoded(answer(message)) });
        } else if (message.type === 'ready' && this.#application !== undefined) {
          send({ type: 'application', application: this.#application });
        }
      },
      close: () => {
        isOpen = false;
        this.#workers.delete(send);
        for (const userId of callers) this.streams.close(userId);
      },
    };
  }

  #check(question: CheckQuestion): Promise<AuthenticatedToken | undefined> {
    const authenticator = this.#authenticator;
    if (authenticator === undefined) throw new Error('Expected the authenticator before the start of workers');
    const { token, clientIp } = question;
    if (question.of === 'checkAgain') return authenticator.checkAgain(token, () => clientIp, question);
    return authenticator.authenticate(token, () => clientIp, question);
  }

  #sendToAll(message: ToMember, but?: (message: ToMember) => void): void {
    for (const send of this.#workers) if (send !== but) send(message);
  }
}

async function encoded(result: Promise<unknown>): Promise<Answer> {
  try {
    return { result: await result };
  } catch (error) {
    return { error: encodeError(error, REFUSAL_CODEC) };
  }
}

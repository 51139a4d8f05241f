import type { ReceiveCalls } from '../auth/shared-calls.ts';
import type { CheckReceivers } from '../auth/shared-checks.ts';
import type { AuthenticatedToken } from '../auth/token-check.ts';
import { REFUSAL_CODEC } from '../domain/refusal-codec.ts';
import type { ProcessGroup } from '../process-group.ts';
import { decodeError } from '../store/workers/encoded-errors.ts';
import type { Answer, FromMember, Question, ToWorker } from './messages.ts';

/** What a worker has in common with the first process. */
export interface OtherMember extends Pick<ProcessGroup, 'checks' | 'shareCalls' | 'streams'> {
  /** Handles a message of the first process. */
  receive(message: ToWorker): void;
}

/** Creates the limits of a worker, and its calls of the first process. A worker ends with it: each call is answered before. */
export function otherMember(send: (message: FromMember) => void): OtherMember {
  const waiting = new Map<number, (answer: Answer) => void>();
  let questions = 0;
  let receiveCalls: ReceiveCalls = () => {};
  let receivers: CheckReceivers | undefined;
  const ask = async <T>(question: Question): Promise<T> => {
    const answer = await new Promise<Answer>((resolve) => {
      const id = questions++;
      waiting.set(id, resolve);
      send({ type: 'question', id, ...question });
    });
    if ('error' in answer) throw decodeError(answer.error, REFUSAL_CODEC);
    return answer.result as T;
  };
  return {
    checks: {
      isFirst: false,
      ask: (question) => ask<AuthenticatedToken | undefined>(question),
      listen: (given) => {
        receivers = given;
      },
    },
    shareCalls(receive) {
      receiveCalls = receive;
      return (counted) => send({ type: 'calls', counted });
    },
    streams: {
      open: (userId) => ask<boolean>({ of: 'stream', userId }),
      close: (userId) => send({ type: 'close-stream', userId }),
    },
    receive(message) {
      if (message.type === 'calls') receiveCalls(message.counted);
      else if (message.type === 'checked') receivers?.onOutcome(message.outcome);
      else if (message.type === 'application') receivers?.onApplication(message.application);
      else if (message.type === 'answer') {
        waiting.get(message.id)?.(message.answer);
        waiting.delete(message.id);
      }
    },
  };
}

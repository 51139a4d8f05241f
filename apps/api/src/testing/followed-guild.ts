import type { FollowEvent } from '@guild-settings/contract';
import { expect } from 'vitest';
import type { TestApi } from './api-resource.ts';
import { IDS } from './people.ts';

/** The events of a guild that one stream has received. */
export interface Followed {
  readonly response: Response;
  readonly events: FollowEvent[];
  readonly ids: string[];
  /** Resolves when the service has ended the stream. */
  readonly ended: Promise<void>;
  close(): void;
}

interface FollowOptions {
  readonly token?: string;
  readonly lastEventId?: string | undefined;
  readonly guild?: string;
}

/** Opens the events of a guild over REST, as the manager unless another token is given. */
export async function follow(
  api: TestApi,
  { token = api.tokens.manager, lastEventId, ...options }: FollowOptions = {},
): Promise<Followed> {
  const aborter = new AbortController();
  const response = await fetch(`${api.url}/guilds/${options.guild ?? IDS.guild}/events`, {
    headers: { authorization: `Bearer ${token}`, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: aborter.signal,
  });
  const [events, ids]: [FollowEvent[], string[]] = [[], []];
  const ended = read(response, { events, ids, check: api.checkFollowEvent }).catch((error: unknown) => {
    if (!aborter.signal.aborted) throw error;
  });
  return { response, events, ids, ended, close: () => aborter.abort() };
}

interface Receiver extends Pick<Followed, 'events' | 'ids'> {
  readonly check: (event: unknown) => void;
}

async function read(response: Response, { events, ids, check }: Receiver): Promise<void> {
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const fields = new Map(message.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
      const data = fields.get('data');
      if (data === undefined) continue;
      const event = JSON.parse(data) as FollowEvent;
      check(event);
      expect(fields.get('event')).toBe(event.type);
      ids.push(fields.get('id') ?? '');
      events.push(event);
    }
  }
}

/** Returns the types of the events of a stream. */
export const typesOf = ({ events }: Followed) => events.map(({ type }) => type);
/** Returns the events of one type. */
export const ofType = <Type extends FollowEvent['type']>({ events }: Followed, type: Type) =>
  events.filter((event): event is Extract<FollowEvent, { type: Type }> => event.type === type);

import type { DiscordSim } from '../sim.ts';

/** Returns the path of a channel for a user, below `/chat`. */
export function place(person: { readonly id: string }, channel: { readonly id: string }): string {
  return `/people/${person.id}/channels/${channel.id}`;
}

/** Sends a GET to a route of the chat. */
export function ask({ chatUrl }: DiscordSim, path: string): Promise<Response> {
  return fetch(`${chatUrl}${path}`);
}

/** Posts to a route of the chat as its page does. */
export function send({ chatUrl }: DiscordSim, path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: new URL(chatUrl).origin };
  return fetch(`${chatUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** An event of a stream, its data taken to be of type `Data`. */
export interface ChatEvent<Data = { id: string; content: string; loading: boolean }> {
  readonly event: string;
  readonly data: Data;
}

/** Subscribes to a channel until the end of the scope. */
export async function listen(discord: DiscordSim, path: string) {
  const abort = new AbortController();
  const response = await fetch(`${discord.chatUrl}${path}/stream`, { signal: abort.signal });
  const events = read(response);
  /** Resolves with the next matching event. */
  const next = async (fits: (event: ChatEvent) => boolean = () => true): Promise<ChatEvent> => {
    for (;;) {
      const { value, done } = await events.next();
      if (done) throw new Error('The stream has ended');
      if (fits(value)) return value;
    }
  };
  return { response, next, [Symbol.dispose]: () => abort.abort() };
}

async function* read({ body }: Response): AsyncGenerator<ChatEvent> {
  if (!body) throw new Error('The stream has no body');
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

import { type ClientRequest, request } from 'node:http';
import type { Shard } from '@guild-settings/contract';

/** The shard and the types of events of a watcher. */
export interface PlainView {
  readonly shard?: Shard;
  readonly accepts?: readonly string[];
}

/** A record as it was received. */
export interface ReceivedRecord {
  readonly revision: number;
  readonly guildId: string;
  readonly json: string;
}

interface ReceivedEvent {
  readonly type: string;
  readonly revision: number;
  readonly guild: { readonly id: string };
  readonly guilds: readonly { readonly revision: number; readonly guild: { readonly id: string } }[];
}

/** A watcher by Node's HTTP client, of which a thousand take a second. It resumes after the last event that it has received. */
export class PlainWatcher {
  readonly view: PlainView;
  readonly records: ReceivedRecord[] = [];
  readonly types = new Set<string>();
  /** Revisions of the ids, in the order of receipt. */
  readonly revisions: number[] = [];
  isLive = false;
  readonly #url: string;
  readonly #authorization: string;
  #request: ClientRequest | undefined;
  #lastId: string | undefined;

  constructor(url: string, token: string, view: PlainView = {}) {
    this.view = view;
    this.#authorization = `Bearer ${token}`;
    this.#url = `${url}/trpc/guilds.watch?input=${encodeURIComponent(JSON.stringify(view))}`;
  }

  /** The revision of the last event. */
  get revision(): number {
    return this.revisions.at(-1) ?? 0;
  }

  /** Connects. What an earlier connection still receives is ignored. */
  open(): void {
    const headers = {
      authorization: this.#authorization,
      ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }),
    };
    const outgoing = request(this.#url, { headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        if (this.#request !== outgoing) return;
        const messages = (text + part).split('\n\n');
        text = messages.pop() ?? '';
        for (const message of messages) this.#receive(message);
      });
      response.on('error', () => {});
    });
    outgoing.on('error', () => {}).end();
    this.#request = outgoing;
  }

  /** Disconnects at once. */
  close(): void {
    this.#request?.destroy();
    this.#request = undefined;
    this.isLive = false;
  }

  #receive(message: string): void {
    const [, data, id] = /^data: (.*)\nid: (.*)$/.exec(message) ?? [];
    if (data === undefined || id === undefined) return;
    const event = JSON.parse(data) as ReceivedEvent;
    this.#lastId = id;
    this.types.add(event.type);
    this.revisions.push(Number(id.split(':')[1]));
    if (event.type === 'live') this.isLive = true;
    const changed = event.type === 'guilds' ? event.guilds : event.type === 'guild' ? [event] : [];
    for (const { revision, guild } of changed)
      this.records.push({ revision, guildId: guild.id, json: JSON.stringify(guild) });
  }
}

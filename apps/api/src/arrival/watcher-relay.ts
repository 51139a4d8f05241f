import { randomUUID } from 'node:crypto';
import { Rejection } from '@guild-settings/contract';
import { z } from 'zod';
import { MAX_MESSAGE_BYTES } from '../store/store.ts';

/** Pause between two signs of life. */
const HEARTBEAT_INTERVAL_MS = 2_500;

/** The position of a watcher, as one process of the service sends it to the others. */
const WatcherState = z.object({
  id: z.string(),
  epoch: z.string(),
  revision: z.int(),
  /** Absent in messages of earlier versions: the newest that the receiver knows. */
  generation: z.int().optional(),
  /** Identifies the shards whose guilds the position is about. Absent in messages of earlier versions. */
  shardsDigest: z.int().optional(),
  /** Whether the sender has a stream of it. */
  isConnected: z.boolean(),
  rejected: z.array(Rejection.omit({ reason: true })).optional(),
});
export type WatcherState = z.infer<typeof WatcherState>;

const Message = z.object({
  from: z.string(),
  /** `states` is also a sign of life. `hello`: the sender requests the states of all. `bye`: it stops. */
  type: z.enum(['states', 'hello', 'bye']),
  states: z.array(WatcherState).default([]),
});
type Message = z.infer<typeof Message>;

/** How messages reach the other processes, and what to do with theirs. */
export interface RelayOptions {
  readonly broadcast: (message: string) => Promise<void>;
  /** Returns the state of a watcher of this process; undefined: it has none. */
  readonly stateOf: (id: string) => WatcherState | undefined;
  /** Returns the ids of all watchers with a stream of this process. */
  readonly connectedIds: () => readonly string[];
  readonly onStates: (from: string, states: readonly WatcherState[]) => void;
  readonly onGone: (from: string) => void;
  /** Called from time to time. */
  readonly onBeat: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Sends the positions of this process's watchers to the other processes of the service. While one message is under way, changes
 * are collected for the next one, so the number of messages does not grow with the number of acknowledgements.
 */
export class WatcherRelay {
  readonly #options: RelayOptions;
  readonly #self: string = randomUUID();
  readonly #changed = new Set<string>();
  readonly #heartbeat: NodeJS.Timeout;
  #sending: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.#beat(), HEARTBEAT_INTERVAL_MS).unref();
  }

  /** Requests the watchers of the other processes, and sends them those of this one: each may have missed what the other sent. */
  hello(): void {
    void this.#broadcast({ from: this.#self, type: 'hello', states: [] });
    this.#sendAll();
  }

  /** Sends the position of a watcher. Resolves when it is sent. */
  changed(id: string): Promise<void> {
    // Others would take a message after the last one for a sign of life.
    if (this.#isClosed) return Promise.resolve();
    this.#changed.add(id);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  /** Handles a message of any process. */
  receive(text: string): void {
    const { data: message } = Message.safeParse(parsed(text));
    // Another process may be of a newer version.
    if (message === undefined || message.from === this.#self) return;
    const { from, type, states } = message;
    const { onStates, onGone } = this.#options;
    if (type === 'bye') onGone(from);
    else onStates(from, states);
    if (type === 'hello') this.#sendAll();
  }

  /** Announces to the others that this process stops. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#isClosed = true;
    await this.#sending;
    await this.#broadcast({ from: this.#self, type: 'bye', states: [] });
  }

  #sendAll(): void {
    for (const id of this.#options.connectedIds()) void this.changed(id);
  }

  #beat(): void {
    const { onBeat, connectedIds } = this.#options;
    onBeat();
    if (this.#sending === undefined && connectedIds().length > 0)
      void this.#broadcast({ from: this.#self, type: 'states', states: [] });
  }

  async #send(): Promise<void> {
    // Acknowledgements of the same moment share a message.
    await Promise.resolve();
    while (this.#changed.size > 0) {
      const ids = [...this.#changed];
      this.#changed.clear();
      const states = ids.flatMap((id) => this.#options.stateOf(id) ?? []);
      for (const part of this.#parts(states)) await this.#broadcast(part);
    }
  }

  /** Divides states into messages that are short enough. */
  *#parts(states: readonly WatcherState[]): Generator<Message> {
    const empty: Message = { from: this.#self, type: 'states', states: [] };
    const room = MAX_MESSAGE_BYTES - Buffer.byteLength(JSON.stringify(empty));
    let part: WatcherState[] = [];
    let bytes = 0;
    for (const state of states) {
      const size = Buffer.byteLength(JSON.stringify(state)) + 1;
      if (bytes + size > room) {
        yield { ...empty, states: part };
        part = [];
        bytes = 0;
      }
      part.push(state);
      bytes += size;
    }
    if (part.length > 0) yield { ...empty, states: part };
  }

  async #broadcast(message: Message): Promise<void> {
    await this.#options.broadcast(JSON.stringify(message)).catch(this.#options.onError);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { RecordSettings, Snowflake } from '@guild-settings/contract';
import type { APIAllowedMentions } from 'discord.js';
import type { Channels } from '../discord/channels.ts';
import { botText, VOCABULARY } from '../i18n/bot-text.ts';
import { nextOf } from './moments.ts';
import type { Reminder, Reminders } from './reminders.ts';

const MAX_IN_FLIGHT = 16;

/**
 * Longest time between two checks of the clock, in milliseconds. A timer measures elapsed time, but reminders are due
 * by the clock, which may be set, or stop with the machine.
 */
const MAX_SLEEP_MS = 30_000;

/** Time until a retry. It doubles with each attempt. */
const MIN_RETRY_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 600_000;

/**
 * Maximum attempts of a reminder that Discord refuses: about a day, with the delays of `retryDelayMs`. Permissions may
 * be granted again. Attempts are counted because the system's clock may be set.
 */
const MAX_REFUSED_TRIES = 152;

/** Delay in milliseconds from which on the message mentions that it is late. */
const LATE_AFTER_MS = 60_000;

export interface ReminderDeliveryOptions {
  readonly queue: Reminders;
  readonly channels: Pick<Channels, 'post'>;
  readonly settingsOf: (guildId: string) => Readonly<RecordSettings>;
  /** Returns true if the settings of a guild are known. Those of another process's guilds are not. */
  readonly hasSettings: (guildId: string) => boolean;
  readonly clock: () => number;
  readonly onDelivered?: (latenessMs: number) => void;
  readonly onError?: (error: unknown, reminder?: Reminder) => void;
}

/**
 * Sends reminders when they are due: never earlier, and at least once. A reminder is deleted after Discord has accepted
 * it. If the process is killed in between, it is sent again with the same nonce, which lets Discord discard the
 * duplicate for some minutes.
 */
export class ReminderDelivery {
  readonly #options: ReminderDeliveryOptions;
  /** Deliveries by channel. Each has its own signal, because discord.js never removes its listeners from a signal. */
  readonly #inFlight = new Map<Snowflake, { readonly done: Promise<void>; readonly aborter: AbortController }>();
  /** Nonces of posted reminders that are still in the file. */
  readonly #posted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  #lastNow = Number.POSITIVE_INFINITY;

  constructor(options: ReminderDeliveryOptions) {
    this.#options = options;
    options.queue.onAdded(() => this.#sendDue());
  }

  start(): void {
    this.#isRunning = true;
    this.#sendDue();
  }

  /** Starts no further deliveries and waits for those in flight, which are aborted together with the signal. */
  async stop(signal: AbortSignal): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    const abort = () => {
      for (const delivery of this.#inFlight.values()) delivery.aborter.abort();
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
    await Promise.all([...this.#inFlight.values()].map(({ done }) => done));
    signal.removeEventListener('abort', abort);
  }

  #sendDue(): void {
    if (!this.#isRunning) return;
    clearTimeout(this.#timer);
    try {
      const now = this.#options.clock();
      // The first reading counts as a step back: the clock may have been set while the process was stopped.
      if (now < this.#lastNow) this.#options.queue.clockWentBack(now, now + MAX_RETRY_DELAY_MS);
      this.#lastNow = now;
      this.#startDue(now);
      this.#sleep(now);
    } catch (error) {
      // The file cannot be read.
      this.#options.onError?.(error);
      this.#timer = setTimeout(() => this.#sendDue(), MIN_RETRY_DELAY_MS);
    }
  }

  #startDue(now: number): void {
    const { queue } = this.#options;
    while (this.#inFlight.size < MAX_IN_FLIGHT) {
      const reminder = queue.nextDue(now, [...this.#inFlight.keys()]);
      if (reminder === undefined) break;
      const { channelId } = reminder;
      // A single delivery at a time per channel: reminders arrive in order, and a slow channel does not delay others.
      const aborter = new AbortController();
      const done = this.#send(reminder, aborter.signal).finally(() => {
        this.#inFlight.delete(channelId);
        this.#sendDue();
      });
      this.#inFlight.set(channelId, { done, aborter });
    }
  }

  /** Sleeps until the first reminder that is not due. Due reminders are in flight, or wait for one that is. */
  #sleep(now: number): void {
    const next = this.#options.queue.nextTryAfter(now);
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#sendDue(), Math.min(next - now, MAX_SLEEP_MS));
  }

  async #send(reminder: Reminder, signal: AbortSignal): Promise<void> {
    const { queue, clock, onError } = this.#options;
    try {
      await this.#deliver(reminder, signal);
    } catch (error) {
      if (signal.aborted) return;
      onError?.(error, reminder);
      try {
        queue.tryAgain(reminder, clock() + retryDelayMs(reminder));
      } catch (unwritten) {
        // The reminder stays due. The pause gives the file time to become writable.
        onError?.(unwritten, reminder);
        await delay(MIN_RETRY_DELAY_MS, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #deliver(reminder: Reminder, signal: AbortSignal): Promise<void> {
    const { queue, channels, clock, onDelivered } = this.#options;
    if (this.#isPaused(reminder)) return this.#next(reminder);
    const post = { content: this.#content(reminder), nonce: reminder.nonce, mentions: mentionOf(reminder) };
    const isPosted = this.#posted.has(reminder.nonce);
    const outcome = isPosted ? 'posted' : await channels.post(reminder.channelId, post, signal);
    const now = clock();
    if (outcome === 'posted') {
      this.#posted.add(reminder.nonce);
      this.#next(reminder);
      this.#posted.delete(reminder.nonce);
      onDelivered?.(now - reminder.dueAt);
    } else if (outcome === 'gone') queue.fail(reminder, 'channel-gone', now);
    else if (reminder.tries >= MAX_REFUSED_TRIES) queue.fail(reminder, 'forbidden', now);
    else queue.tryAgain(reminder, now + retryDelayMs(reminder));
  }

  /** Returns true if a repeating reminder skips its times: it needs the feature `reminders` and beta features. */
  #isPaused({ every, guildId }: Reminder): boolean {
    if (every === null || !this.#options.hasSettings(guildId)) return false;
    const { beta, enabledFeatures } = this.#options.settingsOf(guildId);
    return !beta || !enabledFeatures.includes('reminders');
  }

  #next(reminder: Reminder): void {
    const { queue, clock } = this.#options;
    const { every, dueAt, timeZone } = reminder;
    if (every === null) queue.finish(reminder);
    else queue.repeat(reminder, nextOf(every, dueAt, clock(), timeZone));
  }

  #content(reminder: Reminder): string {
    const { id, guildId, userId, text, dueAt, timeZone } = reminder;
    const { hasSettings, settingsOf } = this.#options;
    const translator = VOCABULARY.translatorOf(hasSettings(guildId) ? settingsOf(guildId) : reminder);
    const lines = [botText(translator)('remind.due', { user: `<@${userId}>`, id }), text];
    if (this.#options.clock() - dueAt >= LATE_AFTER_MS) {
      lines.push(botText(translator)('remind.late', { moment: translator.moment(dueAt, timeZone) }));
    }
    return lines.join('\n');
  }
}

function mentionOf({ userId }: Reminder): APIAllowedMentions {
  return { parse: [], users: [userId] };
}

function retryDelayMs({ tries }: Reminder): number {
  return Math.min(MAX_RETRY_DELAY_MS, MIN_RETRY_DELAY_MS * 2 ** tries);
}

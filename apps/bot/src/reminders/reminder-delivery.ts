import { setTimeout as delay } from 'node:timers/promises';
import type { GuildSettings, Snowflake } from '@guild-settings/contract';
import type { APIAllowedMentions } from 'discord.js';
import type { Channels } from '../discord/channels.ts';
import { translatorOf } from '../i18n/translator.ts';
import { nextOf } from './moments.ts';
import type { Reminder, ReminderQueue } from './reminders.ts';

/** Reminders that are on their way at a time, each for a channel of its own. */
const MOST_UNDER_WAY = 16;

/**
 * The longest that the clock is not looked at, in milliseconds. A timer counts time as it passes; the clock that reminders
 * are due by may be set, or stand still with the machine.
 */
const LONGEST_SLEEP = 30_000;

/** Milliseconds until the first and, doubling, the latest next try of what could not be delivered. */
const FIRST_RETRY = 2_000;
const LATEST_RETRY = 600_000;

/**
 * How often is tried what Discord refuses: for a day, with the pauses of retryWait. Permissions may come back. Counted, and
 * not measured by the system's clock: after a step of it, a reminder would be given up at its first refusal.
 */
const MAX_REFUSED_TRIES = 152;

/** From when on a reminder says that it is late, in milliseconds. */
const LATE = 60_000;

export interface ReminderDeliveryOptions {
  readonly queue: ReminderQueue;
  readonly channels: Pick<Channels, 'post'>;
  readonly settingsOf: (guildId: string) => Readonly<GuildSettings>;
  /** Whether there are settings of a guild; there are none of a guild that has gone to another process. */
  readonly knows: (guildId: string) => boolean;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Told of each delivery, with how late it was in milliseconds. */
  readonly onDelivered?: (lateness: number) => void;
  /** Told what kept a reminder, or any, from being delivered; it is tried again. */
  readonly onError?: (error: unknown, reminder?: Reminder) => void;
}

/**
 * Sends reminders when they are due: never before, and at least once. A reminder is forgotten after Discord has taken it;
 * if the process dies in between it is sent again under the same nonce, by which Discord knows it for some minutes.
 */
export class ReminderDelivery {
  readonly #options: ReminderDeliveryOptions;
  /** By channel. Each can be given up on its own: Discord's client never lets go of a signal that it was handed. */
  readonly #underWay = new Map<Snowflake, { readonly done: Promise<void>; readonly giveUp: AbortController }>();
  /** Nonces that Discord has taken, and the file does not say so yet. */
  readonly #posted = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;
  /** What the clock said when it was last looked at. */
  #lastLook = Number.POSITIVE_INFINITY;

  constructor(options: ReminderDeliveryOptions) {
    this.#options = options;
    options.queue.onAdded(() => this.#sendDue());
  }

  /** Begins with what has become due meanwhile. */
  start(): void {
    this.#isRunning = true;
    this.#sendDue();
  }

  /** Begins no more deliveries and waits for those under way, which are given up when the signal aborts. */
  async stop(giveUp: AbortSignal): Promise<void> {
    this.#isRunning = false;
    clearTimeout(this.#timer);
    const abort = () => {
      for (const delivery of this.#underWay.values()) delivery.giveUp.abort();
    };
    giveUp.addEventListener('abort', abort, { once: true });
    if (giveUp.aborted) abort();
    await Promise.all([...this.#underWay.values()].map(({ done }) => done));
    giveUp.removeEventListener('abort', abort);
  }

  #sendDue(): void {
    if (!this.#isRunning) return;
    clearTimeout(this.#timer);
    try {
      const now = this.#options.clock();
      // It may also have been set back while the process was away.
      if (now < this.#lastLook) this.#options.queue.clockWentBack(now, now + LATEST_RETRY);
      this.#lastLook = now;
      this.#startDue(now);
      this.#sleep(now);
    } catch (error) {
      // The file cannot be read just now.
      this.#options.onError?.(error);
      this.#timer = setTimeout(() => this.#sendDue(), FIRST_RETRY);
    }
  }

  #startDue(now: number): void {
    const { queue } = this.#options;
    while (this.#underWay.size < MOST_UNDER_WAY) {
      const reminder = queue.nextDue(now, [...this.#underWay.keys()]);
      if (reminder === undefined) break;
      const { channelId } = reminder;
      // One at a time for a channel: they arrive in order, and a slow channel keeps nobody else waiting.
      const giveUp = new AbortController();
      const done = this.#send(reminder, giveUp.signal).finally(() => {
        this.#underWay.delete(channelId);
        this.#sendDue();
      });
      this.#underWay.set(channelId, { done, giveUp });
    }
  }

  /** Until the first that is not due yet: what is due is on its way, or waits for a delivery to end. */
  #sleep(now: number): void {
    const next = this.#options.queue.nextTryAfter(now);
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#sendDue(), Math.min(next - now, LONGEST_SLEEP));
  }

  async #send(reminder: Reminder, signal: AbortSignal): Promise<void> {
    const { queue, clock, onError } = this.#options;
    try {
      await this.#deliver(reminder, signal);
    } catch (error) {
      if (signal.aborted) return;
      onError?.(error, reminder);
      try {
        queue.tryAgain(reminder, clock() + retryWait(reminder));
      } catch (unwritten) {
        // It stays due; the file gets time to be writable again.
        onError?.(unwritten, reminder);
        await delay(FIRST_RETRY, undefined, { signal }).catch(() => {});
      }
    }
  }

  async #deliver(reminder: Reminder, signal: AbortSignal): Promise<void> {
    const { queue, channels, clock, onDelivered } = this.#options;
    if (this.#isPaused(reminder)) return this.#next(reminder);
    const post = { content: this.#content(reminder), nonce: reminder.nonce, mentions: onlyThePerson(reminder) };
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
    else queue.tryAgain(reminder, now + retryWait(reminder));
  }

  /** Repeating is a beta feature of reminders: where either is off, a repeating reminder passes over its times. */
  #isPaused({ every, guildId }: Reminder): boolean {
    if (every === null || !this.#options.knows(guildId)) return false;
    const { beta, enabledFeatures } = this.#options.settingsOf(guildId);
    return !beta || !enabledFeatures.includes('reminders');
  }

  #next(reminder: Reminder): void {
    const { queue, clock } = this.#options;
    const { every, dueAt, timeZone } = reminder;
    if (every === null) queue.finish(reminder);
    else queue.repeat(reminder, nextOf(every, dueAt, clock(), timeZone));
  }

  #content({ id, guildId, userId, text, dueAt, timeZone, language }: Reminder): string {
    const { knows, settingsOf } = this.#options;
    const translator = translatorOf(knows(guildId) ? settingsOf(guildId).language : language);
    const lines = [translator.t('remind.due', { user: `<@${userId}>`, id }), text];
    if (this.#options.clock() - dueAt >= LATE) {
      lines.push(translator.t('remind.late', { moment: translator.moment(dueAt, timeZone) }));
    }
    return lines.join('\n');
  }
}

function onlyThePerson({ userId }: Reminder): APIAllowedMentions {
  return { parse: [], users: [userId] };
}

function retryWait({ tries }: Reminder): number {
  return Math.min(LATEST_RETRY, FIRST_RETRY * 2 ** tries);
}

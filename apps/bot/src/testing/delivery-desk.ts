import { DEFAULT_SETTINGS, type GuildSettings } from '@guild-settings/contract';
import { temporaryFile } from '@guild-settings/testing';
import { vi } from 'vitest';
import type { Channels, Post } from '../discord/channels.ts';
import { ReminderDelivery } from '../reminders/reminder-delivery.ts';
import { type NewReminder, openReminders, type Reminder } from '../reminders/reminders.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const NOON = Date.parse('2026-06-01T12:00:00Z');

/** Timers and the clock stand still in this scope, but for what `vi` does. */
export function stillTime(): Disposable {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOON });
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}

/** Something to be reminded of in a minute. */
export function reminderOf(changed: Partial<NewReminder> = {}): NewReminder {
  return {
    guildId: '1234567890123456789',
    channelId: '1300000000000000001',
    userId: '1200000000000000002',
    text: 'tea',
    dueAt: NOON + MINUTE,
    timeZone: 'UTC',
    language: 'en-US',
    every: null,
    createdAt: NOON,
    ...changed,
  };
}

interface DeskOptions {
  /** Takes the posts; all are posted unless given. */
  readonly post?: Channels['post'];
  readonly clock?: () => number;
  readonly settings?: Partial<GuildSettings>;
  /** Of the bot before; a new one unless given. */
  readonly path?: string;
}

/** Reminders in a file of their own and their delivery, not started yet. */
export async function deliveryDesk(options: DeskOptions = {}) {
  const { clock = Date.now, post = async () => 'posted' } = options;
  const file = options.path === undefined ? temporaryFile() : undefined;
  const path = options.path ?? file?.path ?? '';
  const posts: (Post & { readonly channelId: string; readonly at: number })[] = [];
  const errors: unknown[] = [];
  const lateness: number[] = [];
  const settings = { ...DEFAULT_SETTINGS, enabledFeatures: ['reminders'], beta: true, ...options.settings };
  const queue = openReminders(path);
  const delivery = new ReminderDelivery({
    queue,
    channels: {
      post(channelId, what, signal) {
        posts.push({ ...what, channelId, at: clock() });
        return post(channelId, what, signal);
      },
    },
    settingsOf: () => settings,
    knows: () => true,
    clock,
    onDelivered: (late) => lateness.push(late),
    onError: (error) => errors.push(error),
  });
  return {
    path,
    queue,
    delivery,
    posts,
    errors,
    lateness,
    settings,
    /** Adds a reminder that has room. */
    add(changed: Partial<NewReminder> = {}): Reminder {
      const added = queue.add(reminderOf(changed));
      if (added === undefined) throw new Error('no room');
      return added;
    },
    /** What was posted, without the lines around it. */
    texts: () => posts.map(({ content }) => content.split('\n')[1]),
    async [Symbol.asyncDispose]() {
      await delivery.stop(AbortSignal.abort());
      queue.close();
      file?.[Symbol.dispose]();
    },
  };
}

import { DEFAULT_SETTINGS, type RecordSettings } from '@guild-settings/contract';
import { temporaryFile } from '@guild-settings/testing';
import { vi } from 'vitest';
import type { Channels, Post } from '../discord/channels.ts';
import { ReminderDelivery } from '../reminders/reminder-delivery.ts';
import { type NewReminder, openReminders, type Reminder } from '../reminders/reminders.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const NOON = Date.parse('2026-06-01T12:00:00Z');

/** Stops timers and the clock in this scope; `vi` advances them. */
export function stillTime(): Disposable {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: NOON });
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}

/** A reminder that is due in a minute. */
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
  /** Receives the posts; accepts all by default. */
  readonly post?: Channels['post'];
  readonly clock?: () => number;
  readonly settings?: Partial<RecordSettings>;
  /** File of the bot; a new one by default. */
  readonly path?: string;
}

/** Reminders in a file of their own and their delivery, not started. */
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
    hasSettings: () => true,
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
    /** Adds a reminder below the limit. */
    add(changed: Partial<NewReminder> = {}): Reminder {
      const added = queue.add(reminderOf(changed));
      if (added === undefined) throw new Error('Expected fewer reminders');
      return added;
    },
    /** Texts of the posts, without the lines around them. */
    texts: () => posts.map(({ content }) => content.split('\n')[1]),
    async [Symbol.asyncDispose]() {
      await delivery.stop(AbortSignal.abort());
      queue.close();
      file?.[Symbol.dispose]();
    },
  };
}

import { randomBytes } from 'node:crypto';
import type { GuildId, Snowflake } from '@guild-settings/contract';
import { and, asc, count, eq, gt, isNotNull, lt, lte, min, notInArray, sql } from 'drizzle-orm';
import { withoutGap } from './moments.ts';
import { openReminderDatabase } from './reminder-database.ts';
import { type ReminderFailure, reminders } from './reminder-schema.ts';

/** Something to remind somebody of. Times are in milliseconds since 1970. */
export type Reminder = typeof reminders.$inferSelect;

/** What somebody asks to be reminded of. */
export type NewReminder = Pick<
  Reminder,
  'guildId' | 'channelId' | 'userId' | 'text' | 'dueAt' | 'timeZone' | 'language' | 'every' | 'createdAt'
>;

/** The most reminders that a person has in one guild. */
export const MOST_REMINDERS = 15;

/** How long people can see that a reminder could not be delivered, in milliseconds. */
const FAILURE_KEPT = 30 * 86_400_000;

/** What is to be reminded of, in the bot's file. What a method has returned from survives a crash and the loss of power. */
export interface Reminders {
  /** Keeps a reminder; undefined: the person has as many as they may in this guild. */
  add(reminder: NewReminder): Reminder | undefined;
  /** A person's reminders in a guild, the next one first. */
  of(guildId: GuildId, userId: Snowflake): Reminder[];
  /** Forgets a reminder of a person, or of anybody in the guild; false: there is no such one. */
  cancel(guildId: GuildId, whose: Snowflake | 'anybody', id: number): boolean;
}

/** What the delivery needs of them. */
export interface ReminderQueue extends Reminders {
  /** The reminder that is to be sent first, when that is no later than `now`, of none of these channels. */
  nextDue(now: number, busyChannels: readonly Snowflake[]): Reminder | undefined;
  /** When the first one after a moment is to be sent; undefined: none is. */
  nextTryAfter(moment: number): number | undefined;
  /** It was delivered and is over. */
  finish(reminder: Reminder): void;
  /** It was delivered and comes again. */
  repeat(reminder: Reminder, dueAt: number): void;
  /** It could not be delivered now. */
  tryAgain(reminder: Reminder, at: number): void;
  /**
   * Repairs what was written by a clock that has since been set back: retries later than a moment become due when the
   * reminder is, and repeating reminders come at their next time.
   */
  clockWentBack(now: number, latestRetry: number): void;
  /** It cannot be delivered. */
  fail(reminder: Reminder, failure: ReminderFailure, now: number): void;
  /** How many are waiting to be sent. */
  pending(): number;
  /** Calls back after each new reminder. */
  onAdded(listener: () => void): void;
  close(): void;
}

/** Opens the reminders in the bot's file. */
export function openReminders(path: string): ReminderQueue {
  const db = openReminderDatabase(path);
  const listeners: (() => void)[] = [];
  const ofPerson = (guildId: GuildId, userId: Snowflake) =>
    and(eq(reminders.guildId, guildId), eq(reminders.userId, userId));
  /** As it was read: somebody may have cancelled it meanwhile. */
  const same = ({ id, nonce }: Reminder) => and(eq(reminders.id, id), eq(reminders.nonce, nonce));

  return {
    add(reminder) {
      const added = db.transaction(
        (tx) => {
          const held = tx
            .select({ n: count() })
            .from(reminders)
            .where(ofPerson(reminder.guildId, reminder.userId))
            .get();
          if ((held?.n ?? 0) >= MOST_REMINDERS) return undefined;
          const row = { ...reminder, nonce: newNonce(), nextTryAt: reminder.dueAt };
          return tx.insert(reminders).values(row).returning().get();
        },
        { behavior: 'immediate' },
      );
      if (added) for (const listener of listeners) listener();
      return added;
    },
    of(guildId, userId) {
      return db
        .select()
        .from(reminders)
        .where(ofPerson(guildId, userId))
        .orderBy(asc(reminders.dueAt), asc(reminders.id))
        .all();
    },
    cancel(guildId, whose, id) {
      const theirs = whose === 'anybody' ? eq(reminders.guildId, guildId) : ofPerson(guildId, whose);
      return (
        db
          .delete(reminders)
          .where(and(theirs, eq(reminders.id, id)))
          .run().changes > 0
      );
    },
    nextDue(now, busyChannels) {
      return db
        .select()
        .from(reminders)
        .where(and(lte(reminders.nextTryAt, now), notInArray(reminders.channelId, [...busyChannels])))
        .orderBy(asc(reminders.nextTryAt), asc(reminders.id))
        .limit(1)
        .get();
    },
    nextTryAfter(moment) {
      return (
        db
          .select({ at: min(reminders.nextTryAt) })
          .from(reminders)
          .where(gt(reminders.nextTryAt, moment))
          .get()?.at ?? undefined
      );
    },
    finish(reminder) {
      db.delete(reminders).where(same(reminder)).run();
    },
    repeat(reminder, dueAt) {
      const next = { dueAt, nextTryAt: dueAt, nonce: newNonce(), tries: 0 };
      db.update(reminders).set(next).where(same(reminder)).run();
    },
    tryAgain(reminder, at) {
      db.update(reminders)
        .set({ nextTryAt: at, tries: reminder.tries + 1 })
        .where(same(reminder))
        .run();
    },
    clockWentBack(now, latestRetry) {
      db.update(reminders)
        .set({ nextTryAt: sql`${reminders.dueAt}` })
        .where(and(gt(reminders.tries, 0), gt(reminders.nextTryAt, latestRetry)))
        .run();
      const repeating = and(isNotNull(reminders.every), isNotNull(reminders.nextTryAt), gt(reminders.dueAt, now));
      for (const reminder of db.select().from(reminders).where(repeating).all()) {
        const { every, timeZone } = reminder;
        const dueAt = every ? withoutGap(every, reminder.dueAt, now, timeZone) : reminder.dueAt;
        if (dueAt === reminder.dueAt) continue;
        db.update(reminders).set({ dueAt, nextTryAt: dueAt }).where(same(reminder)).run();
      }
    },
    fail(reminder, failure, now) {
      db.update(reminders).set({ nextTryAt: null, failure }).where(same(reminder)).run();
      const old = now - FAILURE_KEPT;
      db.delete(reminders)
        .where(and(isNotNull(reminders.failure), lt(reminders.dueAt, old)))
        .run();
    },
    pending: () => db.select({ n: count() }).from(reminders).where(isNotNull(reminders.nextTryAt)).get()?.n ?? 0,
    onAdded: (listener) => void listeners.push(listener),
    close: () => db.$client.close(),
  };
}

/** By which Discord knows one delivery again: 20 of the 25 characters that it takes. */
function newNonce(): string {
  return randomBytes(15).toString('base64url');
}

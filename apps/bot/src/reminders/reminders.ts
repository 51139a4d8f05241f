import { randomBytes } from 'node:crypto';
import type { GuildId, Snowflake } from '@guild-settings/contract';
import { and, asc, count, eq, gt, isNotNull, lt, lte, min, notInArray, sql } from 'drizzle-orm';
import type { BotDatabase } from '../storage/bot-database.ts';
import { withoutGap } from './moments.ts';
import { type ReminderFailure, reminders } from './reminder-schema.ts';

export type Reminder = typeof reminders.$inferSelect;

export type NewReminder = Pick<
  Reminder,
  'guildId' | 'channelId' | 'userId' | 'text' | 'dueAt' | 'timeZone' | 'language' | 'every' | 'createdAt'
>;

export const MAX_REMINDERS = 15;

/** Time for which the list shows a reminder that could not be delivered, in milliseconds. */
const FAILURE_RETENTION_MS = 30 * 86_400_000;

/** Reminders in the bot's file. A change survives a crash and a power loss after its method has returned. */
export type Reminders = ReturnType<typeof remindersIn>;

export function remindersIn(db: BotDatabase) {
  const listeners: (() => void)[] = [];
  const ofUser = (guildId: GuildId, userId: Snowflake) =>
    and(eq(reminders.guildId, guildId), eq(reminders.userId, userId));
  /** Matches the reminder as it was read, because it may have been cancelled or repeated since. */
  const same = ({ id, nonce }: Reminder) => and(eq(reminders.id, id), eq(reminders.nonce, nonce));

  return {
    add(reminder: NewReminder): Reminder | undefined {
      const added = db.transaction(
        (tx) => {
          const held = tx.select({ n: count() }).from(reminders).where(ofUser(reminder.guildId, reminder.userId)).get();
          if ((held?.n ?? 0) >= MAX_REMINDERS) return undefined;
          const row = { ...reminder, nonce: newNonce(), nextTryAt: reminder.dueAt };
          return tx.insert(reminders).values(row).returning().get();
        },
        { behavior: 'immediate' },
      );
      if (added) for (const listener of listeners) listener();
      return added;
    },
    of(guildId: GuildId, userId: Snowflake) {
      return db
        .select()
        .from(reminders)
        .where(ofUser(guildId, userId))
        .orderBy(asc(reminders.dueAt), asc(reminders.id))
        .all();
    },
    cancel(guildId: GuildId, owner: Snowflake | 'any', id: number) {
      const theirs = owner === 'any' ? eq(reminders.guildId, guildId) : ofUser(guildId, owner);
      return (
        db
          .delete(reminders)
          .where(and(theirs, eq(reminders.id, id)))
          .run().changes > 0
      );
    },
    nextDue(now: number, busyChannels: readonly Snowflake[]) {
      return db
        .select()
        .from(reminders)
        .where(and(lte(reminders.nextTryAt, now), notInArray(reminders.channelId, [...busyChannels])))
        .orderBy(asc(reminders.nextTryAt), asc(reminders.id))
        .limit(1)
        .get();
    },
    nextTryAfter(moment: number) {
      return (
        db
          .select({ at: min(reminders.nextTryAt) })
          .from(reminders)
          .where(gt(reminders.nextTryAt, moment))
          .get()?.at ?? undefined
      );
    },
    finish(reminder: Reminder) {
      db.delete(reminders).where(same(reminder)).run();
    },
    repeat(reminder: Reminder, dueAt: number) {
      const next = { dueAt, nextTryAt: dueAt, nonce: newNonce(), tries: 0 };
      db.update(reminders).set(next).where(same(reminder)).run();
    },
    tryAgain(reminder: Reminder, at: number) {
      db.update(reminders)
        .set({ nextTryAt: at, tries: reminder.tries + 1 })
        .where(same(reminder))
        .run();
    },
    /**
     * Corrects times that were written before the clock was set back: retries after `latestRetry` become due together
     * with the reminder, and repeating reminders get their next time.
     */
    clockWentBack(now: number, latestRetry: number) {
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
    fail(reminder: Reminder, failure: ReminderFailure, now: number) {
      db.update(reminders).set({ nextTryAt: null, failure }).where(same(reminder)).run();
      const old = now - FAILURE_RETENTION_MS;
      db.delete(reminders)
        .where(and(isNotNull(reminders.failure), lt(reminders.dueAt, old)))
        .run();
    },
    pending: () => db.select({ n: count() }).from(reminders).where(isNotNull(reminders.nextTryAt)).get()?.n ?? 0,
    onAdded: (listener: () => void) => void listeners.push(listener),
  };
}

/** Returns 20 of the 25 characters that Discord allows for a nonce. */
function newNonce(): string {
  return randomBytes(15).toString('base64url');
}

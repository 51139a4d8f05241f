import { randomUUID } from 'node:crypto';
import type { Cursor } from '@guild-settings/contract';
import { epochMark } from '../epoch-mark.ts';
import type { SqliteDatabase } from './database.ts';

/** Epochs that are kept. A cursor of an older one cannot be resumed. */
const MAX_EPOCHS = 1_000;

export interface Epochs {
  /** Begins an epoch, once for each time that a process opens the database. Returns its id. */
  begin(): string;
  present(): string;
  /** Returns the mark of the epoch in which a revision was made. */
  markOf(revision: number): string;
  /** Returns whether this file holds all that a cursor has seen, and the change log still reaches back to the cursor. */
  canResume(cursor: Cursor): boolean;
}

export function openEpochs({ $client: db }: SqliteDatabase): Epochs {
  const insert = db
    .prepare<[string], number>('INSERT INTO epochs (epoch, since) SELECT ?, last_revision FROM meta RETURNING number')
    .pluck();
  const ofRevision = db
    .prepare<[number], string>('SELECT epoch FROM epochs WHERE since < ? ORDER BY number DESC LIMIT 1')
    .pluck();
  const deleteOld = db.prepare<[number]>('DELETE FROM epochs WHERE number < ?');
  const present = db.prepare<[], string>('SELECT epoch FROM epochs ORDER BY number DESC LIMIT 1').pluck();
  /** The last revision of an epoch is that at which the next one began; of the present one, the newest. */
  const bounds = db.prepare<[string], { readonly oldest: number; readonly last: number }>(
    `SELECT oldest_revision AS oldest, coalesce(
       (SELECT since FROM epochs AS next WHERE next.number > begun.number ORDER BY next.number LIMIT 1), last_revision
     ) AS last
     FROM epochs AS begun, meta WHERE begun.epoch = ?`,
  );
  const begin = db.transaction(() => {
    const epoch = randomUUID();
    const number = insert.get(epoch) ?? 0;
    deleteOld.run(number - MAX_EPOCHS);
    return epoch;
  });
  return {
    begin: () => begin.immediate(),
    present: () => present.get() ?? '',
    markOf: (revision) => epochMark(ofRevision.get(revision)),
    canResume({ epoch, revision }) {
      const found = bounds.get(epoch);
      return found !== undefined && revision <= found.last && revision >= found.oldest - 1;
    },
  };
}

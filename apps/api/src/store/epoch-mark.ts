import { createHash } from 'node:crypto';
import { EPOCH_MARK_LENGTH } from '@guild-settings/contract';

/** The mark of revisions that were made in an epoch which is not kept any more. */
const OLDER = '0'.repeat(EPOCH_MARK_LENGTH);

/** By the ids of epochs, of which a store keeps a thousand. */
const MARKS = new Map<string, string>();

/** Returns the mark of an epoch in entity tags; undefined: one that is not kept. */
export function epochMark(epoch: string | null | undefined): string {
  if (epoch == null) return OLDER;
  const known = MARKS.get(epoch);
  if (known !== undefined) return known;
  const number = createHash('sha256').update(epoch).digest().readBigUInt64BE();
  const mark = number.toString(36).padStart(EPOCH_MARK_LENGTH, '0').slice(-EPOCH_MARK_LENGTH);
  MARKS.set(epoch, mark);
  return mark;
}

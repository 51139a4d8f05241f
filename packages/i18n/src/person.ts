import type { Actor } from '@guild-settings/contract';
import { shorten, type Words } from './words.ts';

/** Returns how a person without a known name is called, or what else made a change. */
export function actorName({ kind, id }: Actor, { shared }: Pick<Words, 'shared'>): string {
  switch (kind) {
    case 'user':
      return id === null ? shared('person.erased') : shared('person.user', { id });
    case 'application':
      return shared('person.application');
    case 'platform':
      return shared('person.platform');
    default:
      // An author of a newer service.
      return shorten(kind);
  }
}

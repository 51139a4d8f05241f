import { DEFAULT_STATE } from '../domain/default-state.ts';
import type { Change, GuildWrite, StoredGuild } from '../store/store.ts';

export const A = '197038439483310086';
export const B = '197038439483310087';
export const NEVER_SEEN = '9999999999999999999';

export const CHANGE: Change = {
  at: 1_000,
  actor: { kind: 'user', id: '53908099506183680' },
  origin: 'rest',
  reason: null,
  before: {},
  after: {},
};

/** Decides on another prefix. */
export function prefix(value: string, at = 1_000): (current: StoredGuild | null) => GuildWrite {
  return (current) => {
    const state = current ?? DEFAULT_STATE;
    const before = { prefix: state.settings.prefix };
    return {
      next: { ...state, settings: { ...state.settings, prefix: value } },
      change: { ...CHANGE, at, before, after: { prefix: value } },
    };
  };
}

/** Decides on whether the bot is there. */
export function presence(value: 'present' | 'left', leftAt: number | null = null) {
  return (current: StoredGuild | null): GuildWrite => {
    const { next, change } = prefix('!')(current);
    return { next: { ...next, presence: value, leftAt }, change };
  };
}

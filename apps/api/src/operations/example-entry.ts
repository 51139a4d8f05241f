import type { HistoryEntry } from '@guild-settings/contract';
import { EXAMPLE_DIFFERENCE } from './example-guild.ts';

export const EXAMPLE_ENTRY: HistoryEntry = {
  revision: 42,
  at: '2026-11-22T08:00:00.000Z',
  kind: 'settings',
  actor: { kind: 'user', id: '80351110224678912' },
  origin: 'rest',
  reason: 'requested by the team',
  changes: EXAMPLE_DIFFERENCE.changes,
};

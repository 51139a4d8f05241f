import { exportOf, type GuildExport } from '../export.ts';
import { DEFAULT_SETTINGS, type Guild } from '../guild.ts';
import type { GuildAccessList } from '../guild-access.ts';
import type { Difference, HistoryEntry } from '../history.ts';
import type { ManagedGuildSummary } from '../users.ts';

export const EXAMPLE_GUILD: Guild = {
  id: '197038439483310086',
  name: 'Discord Testers',
  icon: 'f64c482b807da4f539cff778d174971c',
  ...DEFAULT_SETTINGS,
  prefix: '?',
  enabledFeatures: ['reminders'],
};

export const EXAMPLE_PATCHES = {
  one: { prefix: '?' },
  another: { language: 'ja' },
  two: { language: 'ja', enabledFeatures: ['reminders'] },
  three: { beta: true, language: 'ja', enabledFeatures: ['reminders'] },
} as const;

export const EXAMPLE_DIFFERENCE: Difference = { revision: 42, changes: { prefix: { from: '!', to: '?' } } };

export const EXAMPLE_UNDO: Difference = { revision: 42, changes: { prefix: { from: '?', to: '!' } } };

export const EXAMPLE_ACCESS = {
  entries: [
    { subject: 'role:197038439483310099', level: 'editor' },
    { subject: 'user:80351110224678912', level: 'viewer' },
  ],
} satisfies GuildAccessList;

export const EXAMPLE_ENTRY: HistoryEntry = {
  revision: 42,
  at: '2026-11-22T08:00:00.000Z',
  kind: 'settings',
  actor: { kind: 'user', id: '80351110224678912' },
  origin: 'rest',
  reason: 'requested by the team',
  changes: EXAMPLE_DIFFERENCE.changes,
};

export const EXAMPLE_EXPORT: GuildExport = exportOf({
  guild: EXAMPLE_GUILD,
  revision: EXAMPLE_ENTRY.revision,
  exportedAtMs: Date.UTC(2026, 10, 22, 9),
});

export const EXAMPLE_SUMMARY: ManagedGuildSummary = {
  id: '197038439483310086',
  name: 'Discord Testers',
  icon: 'f64c482b807da4f539cff778d174971c',
  owner: false,
  permissions: '32',
  access: 'manager',
  botPresent: true,
};

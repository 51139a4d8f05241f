import { exportOf, type GuildExport } from '@guild-settings/contract';
import { EXAMPLE_ENTRY } from './example-entry.ts';
import { EXAMPLE_GUILD } from './example-guild.ts';

export const EXAMPLE_EXPORT: GuildExport = exportOf({
  guild: EXAMPLE_GUILD,
  revision: EXAMPLE_ENTRY.revision,
  exportedAtMs: Date.UTC(2026, 10, 22, 9),
});

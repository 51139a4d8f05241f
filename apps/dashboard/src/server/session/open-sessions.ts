import type { DatabaseConfig } from '@guild-settings/runtime/environment';
import type { Clock } from '../clock.ts';
import type { SessionStore } from './session-store.ts';
import { openSqliteSessions } from './sqlite/sqlite-sessions.ts';

export async function openSessions(database: DatabaseConfig, clock: Clock): Promise<SessionStore> {
  switch (database.kind) {
    case 'sqlite':
      return openSqliteSessions(database.path, clock);
    case 'postgres': {
      const { openPostgresSessions } = await import('./postgres/postgres-sessions.ts');
      return openPostgresSessions(database.url);
    }
  }
}

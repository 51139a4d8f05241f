import { expectTypeOf, test } from 'vitest';
import type * as postgres from './postgres/schema.ts';
import type * as sqlite from './sqlite/schema.ts';

test('a row is the same in both stores', () => {
  expectTypeOf<(typeof postgres.guilds)['$inferSelect']>().toEqualTypeOf<(typeof sqlite.guilds)['$inferSelect']>();
  expectTypeOf<(typeof postgres.changes)['$inferSelect']>().toEqualTypeOf<(typeof sqlite.changes)['$inferSelect']>();
  expectTypeOf<(typeof postgres.tokenChecks)['$inferSelect']>().toEqualTypeOf<
    (typeof sqlite.tokenChecks)['$inferSelect']
  >();
  expectTypeOf<(typeof postgres.meta)['$inferSelect']>().toEqualTypeOf<(typeof sqlite.meta)['$inferSelect']>();
  expectTypeOf<(typeof postgres.presenceReports)['$inferSelect']>().toEqualTypeOf<
    (typeof sqlite.presenceReports)['$inferSelect']
  >();
  expectTypeOf<(typeof postgres.watchers)['$inferSelect']>().toExtend<(typeof sqlite.watchers)['$inferSelect']>();
});

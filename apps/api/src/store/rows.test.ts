import fc from 'fast-check';
import { expect, test } from 'vitest';
import { feedPageOf, type GuildRow, reachOf } from './rows.ts';

/** A revision of a guild, of a change of an access list, or one that was superseded. */
const revisions = fc.array(fc.constantFrom('guild', 'guild', 'access', 'replaced'), { minLength: 20, maxLength: 120 });

test('pages that are limited in entries and in size have every entry once, in the order of revisions', () => {
  fc.assert(
    fc.property(
      revisions,
      fc.integer({ min: 2, max: 30 }),
      fc.integer({ min: 1, max: 30 }),
      (kinds, limit, fitting) => {
        const numbered = kinds.map((kind, index) => ({ kind, revision: index + 1 }));
        const guilds = numbered
          .filter(({ kind }) => kind === 'guild')
          .map(({ revision }) => ({ id: String(revision), revision, settings: {} }) as unknown as GuildRow);
        const lines = numbered.flatMap(({ kind, revision }) =>
          kind === 'access' ? [{ revision, access: String(revision) }] : [],
        );
        const newest = numbered.length;
        const read: number[] = [];
        for (let after = 0, isLast = false; !isLast; ) {
          const left = guilds.filter(({ revision }) => revision > after);
          // A store reads at most the bytes of a page.
          const some = left.slice(0, Math.min(limit, fitting));
          const isWhole = some.length === left.length && some.length < limit;
          const reach = reachOf({ guilds: some, isWhole, newest });
          const told = lines.filter(({ revision }) => revision > after && revision <= reach).slice(0, limit);
          const page = feedPageOf({ guilds: some, isWhole, lines: told, newest, limit });
          expect(page.upTo).toBeGreaterThan(after);
          read.push(...page.entries.map(({ revision }) => revision));
          ({ upTo: after, isLast } = page);
        }
        expect(read).toEqual(numbered.filter(({ kind }) => kind !== 'replaced').map(({ revision }) => revision));
      },
    ),
    { numRuns: 300 },
  );
});

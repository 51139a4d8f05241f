import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleVersion, type Replacement } from './bundle.ts';

/** Adds text behind the first occurrence of another one. */
const after = (module: string, text: string, added: string): Replacement => ({ module, text, by: `${text}${added}` });

/** The changes of the next version in the sources of this one. */
const REPLACEMENTS: readonly Replacement[] = [
  // A sixth language.
  after('contract/src/languages.ts', "'es-ES'", ", 'fr'"),
  // A sixth setting, for services and for readers.
  {
    module: 'contract/src/settings/specified.ts',
    text: '  enabledFeatures: {\n',
    by: "  timezone: { kind: 'text', max: 40, default: 'UTC', label: { 'en-US': 'Time zone' } },\n  enabledFeatures: {\n",
  },
  after('contract/src/received.ts', '(typeSchema),\n', "  timezone: z.string().default('UTC'),\n"),
  // An eighth type of events: that a single guild was changed.
  after(
    'contract/src/watch.ts',
    "  z.object({ type: z.literal('removed'), revision: Revision, guild: GuildId }),\n",
    "  z.object({ type: z.literal('touched'), revision: Revision, guild: GuildId }),\n",
  ),
  {
    module: 'api/src/feed/events.ts',
    text: "for (const record of records) yield { type: 'guild', ...record };",
    by: `for (const record of records) {
      yield { type: 'guild', ...record };
      yield { type: 'touched', revision: record.revision, guild: record.guild.id };
    }`,
  },
  // Another field of the input of a watch.
  after('contract/src/watch.ts', '    shard: WatchedShard.optional(),\n', '    verbose: z.boolean().optional(),\n'),
  after('client/src/watch.ts', 'accepts: WATCH_EVENT_TYPES,', ' verbose: true,'),
  // An operation that will end.
  after(
    'api/src/operations/read-history.ts',
    "  type: 'query',\n",
    "  deprecation: { since: '2027-01-01T00:00:00Z', sunset: '2027-07-01T00:00:00Z', link: '/docs' },\n",
  ),
];

/** Writes the service and its reader as the next version could be, with an OpenAPI document. */
export async function bundleNextVersion(folder: string): Promise<void> {
  await bundleVersion(folder, { replacements: REPLACEMENTS, withDocument: true });
  addMigration(join(folder, 'api/src/store/sqlite/migrations'));
  addMigration(join(folder, 'api/src/store/postgres/migrations'));
}

/** Adds a migration that both databases understand. */
function addMigration(migrations: string): void {
  const journalFile = join(migrations, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8'));
  const { idx, when, ...last } = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: idx + 1, when: when + 1, tag: 'next' });
  writeFileSync(journalFile, JSON.stringify(journal));
  writeFileSync(join(migrations, 'next.sql'), `ALTER TABLE "guilds" ADD "planted" text DEFAULT 'x' NOT NULL;`);
}

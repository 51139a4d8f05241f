import type {
  Application,
  CurrentCaller,
  Guild,
  HistoryEntry,
  ManagedGuildSummary,
  PresenceReceipt,
  Problem,
} from '@guild-settings/contract';
import { defineSettings } from '@guild-settings/contract/settings';
import { expectTypeOf } from 'vitest';
import { createGuildSettingsClient, hasProblem, isGuildSettingsError, withRequest } from './index.ts';

const client = createGuildSettingsClient({ url: 'http://127.0.0.1:3000', token: 'token' });
const guild = '197038439483310086';

// Results are the contract's types.
expectTypeOf(client.guilds.get.query({ guild })).resolves.toEqualTypeOf<Guild>();
expectTypeOf(client.guilds.update.mutate({ guild, prefix: '?' })).resolves.toEqualTypeOf<Guild>();
expectTypeOf(client.presence.report.mutate({ type: 'left', guild })).resolves.toEqualTypeOf<PresenceReceipt>();
// In JSON, a value of type unknown may be missing.
type Entry = Omit<HistoryEntry, 'changes'> & { changes: Record<string, { from?: unknown; to?: unknown }> };
type Difference = { revision: number; changes: Entry['changes'] };
expectTypeOf(client.guilds.history.query({ guild, field: 'prefix' })).resolves.toExtend<{ entries: Entry[] }>();
expectTypeOf(client.guilds.change.query({ guild, revision: 42 })).resolves.toExtend<Entry>();
expectTypeOf(client.guilds.undo.mutate({ guild, revision: 42 })).resolves.toExtend<Guild | Difference>();
expectTypeOf(client.guilds.restore.mutate({ guild, revision: 42 })).resolves.toExtend<Guild | Difference>();

expectTypeOf(client.users.me.query()).resolves.toEqualTypeOf<CurrentCaller>();
expectTypeOf(client.users.guilds.query()).resolves.toEqualTypeOf<ManagedGuildSummary[]>();
expectTypeOf(client.application.get.query()).resolves.toEqualTypeOf<Application>();

// Call options.
client.users.guilds.query(undefined, withRequest({ headers: { 'cache-control': 'no-cache' } }));
client.guilds.update.mutate({ guild, beta: true }, withRequest({ ifMatch: '"7"', auditReason: 'because' }));
client.guilds.get.query({ guild }, withRequest({ onEtag: (etag) => expectTypeOf(etag).toEqualTypeOf<string>() }));
// @ts-expect-error a conditional read would be answered without a body
withRequest({ ifNoneMatch: '"7"' });

// Input of another shape does not compile.
// @ts-expect-error an id is a string
client.guilds.get.query({ guild: 197038439483310086n });
// @ts-expect-error an update names its guild
client.guilds.update.mutate({ prefix: '?' });
// @ts-expect-error values are not coerced
client.guilds.update.mutate({ guild, beta: 'yes' });
// @ts-expect-error not one of the languages
client.guilds.update.mutate({ guild, language: 'de' });
// @ts-expect-error no such field
client.guilds.update.mutate({ guild, colour: 'red' });
// @ts-expect-error a read has no mutate
client.guilds.get.mutate({ guild });

// Errors carry the problem, typed.
const error: unknown = undefined;
if (isGuildSettingsError(error)) expectTypeOf(error.data?.problem).toEqualTypeOf<Problem | undefined>();
hasProblem(error, 'revision-mismatch');
// @ts-expect-error not in the catalogue
hasProblem(error, 'no-such-problem');

// Without a declaration, the names and types of declared settings are unknown.
client.guilds.update.mutate({ guild, custom: { xpRate: 7, logLevel: null } });
// @ts-expect-error not a value of a setting
client.guilds.update.mutate({ guild, custom: { xpRate: {} } });

// The settings that a team declares.
const declared = defineSettings({
  settings: {
    xpRate: { kind: 'integer', min: 0, max: 100, default: 5, label: { 'en-US': 'XP' } },
    autoRoles: { kind: 'role', many: { max: 10 }, label: { 'en-US': 'Roles' } },
    logLevel: { kind: 'choice', choices: { off: {}, all: {} }, default: 'off', label: { 'en-US': 'Log' } },
  },
});
const typed = createGuildSettingsClient({ url: 'http://127.0.0.1:3000', token: 'token', settings: declared });
type Custom = { readonly xpRate: number; readonly autoRoles: readonly string[]; readonly logLevel: 'off' | 'all' };
const { custom, prefix, id } = await typed.guilds.get.query({ guild });
expectTypeOf(custom).toEqualTypeOf<Custom>();
expectTypeOf([prefix, id]).toEqualTypeOf<string[]>();
const update = typed.guilds.update.mutate;
await update({ guild, prefix: null, language: null, custom: { xpRate: null } });
const changed = await update({ guild, prefix: '?', custom: { xpRate: 7, logLevel: null } }, withRequest({}));
expectTypeOf(changed.custom).toEqualTypeOf<Custom>();
const enabled = await typed.guilds.enableFeature.mutate({ guild, feature: 'reminders' });
expectTypeOf(enabled.custom).toEqualTypeOf<Custom>();
const undone = await typed.guilds.undo.mutate({ guild, revision: 42 });
if ('custom' in undone) expectTypeOf(undone.custom).toEqualTypeOf<Custom>();
expectTypeOf(typed.users.me.query()).resolves.toEqualTypeOf<CurrentCaller>();
// A function that accepts a client also accepts this one, for procedures without a record.
expectTypeOf(typed).toExtend<Pick<typeof client, 'presence' | 'users' | 'application'>>();
// @ts-expect-error not declared
custom.xprate;
// @ts-expect-error not declared
update({ guild, custom: { xprate: 7 } });
// @ts-expect-error a number
update({ guild, custom: { xpRate: '7' } });
// @ts-expect-error Discord owns the name
update({ guild, name: null });
// @ts-expect-error not one of the choices
update({ guild, custom: { logLevel: 'some' } });
// @ts-expect-error no such field
update({ guild, colour: 'red' });

// Another bot of the same project has other settings.
const other = createGuildSettingsClient({
  url: 'http://127.0.0.1:3000',
  token: 'token',
  settings: { settings: { greeting: { kind: 'text', max: 100, label: { 'en-US': 'Greeting' } } } },
});
const greeted = await other.guilds.get.query({ guild });
expectTypeOf(greeted.custom).toEqualTypeOf<{ readonly greeting: string }>();

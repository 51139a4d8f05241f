import { LANGUAGES, ProblemError } from '@guild-settings/contract';
import { anyCharacter } from '@guild-settings/testing/any-character';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { StoredGuild } from '../store/guild-store.ts';
import { applyCommand, GuildChangedError } from './apply-command.ts';
import { type Command, type CommandTarget, type UpdateSettings, WritePermissionExpiredError } from './command.ts';
import { Records } from './record.ts';

const records = new Records();

const [A, B] = ['197038439483310086', '197038439483310087'];
const plain = { noNullPrototype: true } as const;
const text = fc.string({ unit: anyCharacter, maxLength: 8 });
const time = fc.nat({ max: 3_000_000_000 });
const record = <T>(properties: { [K in keyof T]: fc.Arbitrary<T[K]> }) => fc.record(properties, plain);
const optional = <T extends object>(properties: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(properties, { requiredKeys: [], noNullPrototype: true });
const profile = record({ name: text, icon: fc.option(text) });
const settings = {
  prefix: text,
  announcement_channel: text,
  beta: fc.boolean(),
  language: fc.constantFrom(...LANGUAGES),
  enabledFeatures: fc.array(text, { maxLength: 4 }),
};
const tags = fc.oneof(
  fc.constant('*' as const),
  fc.array(record({ isWeak: fc.boolean(), value: fc.constantFrom('0', '1', '2') })),
);
const change = { actor: fc.constant({ kind: 'user', id: A } as const), reason: fc.option(text) };

const subject = fc.constantFrom(`role:${A}`, `user:${A}`, `user:${B}`);
const entries = fc.array(record({ subject, level: fc.constantFrom('editor', 'viewer') }), { maxLength: 3 });

const command: fc.Arbitrary<Command> = fc.oneof(
  fc
    .tuple(
      record({
        kind: fc.constant('update-settings' as const),
        guildIds: fc.constant([A] as const),
        patch: optional(settings),
        change: record({ ...change, origin: fc.constantFrom('rest', 'trpc', 'bot') }),
        permittedUntilMs: time,
        changeLogBytesPerDay: fc.constantFrom(0, 300, 1_000),
      }),
      optional({ precondition: optional({ ifMatch: tags, ifNoneMatch: tags }), profile, subjects: fc.array(subject) }),
    )
    .map(([required, rest]) => ({ ...required, ...rest })),
  fc
    .tuple(
      record({
        kind: fc.constant('set-access' as const),
        guildIds: fc.constant([A] as const),
        entries,
        change: record({ ...change, origin: fc.constantFrom('rest', 'trpc', 'bot') }),
        permittedUntilMs: time,
        changeLogBytesPerDay: fc.constantFrom(0, 300, 1_000),
      }),
      optional({ precondition: optional({ ifMatch: tags, ifNoneMatch: tags }), computedAt: fc.nat({ max: 2 }) }),
    )
    .map(([required, rest]) => ({ ...required, ...rest })),
  record({
    kind: fc.constant('report-presence' as const),
    guildIds: fc.constant([A, B]),
    present: fc.dictionary(fc.constantFrom(A, B), fc.option(profile), plain),
    change: record({ ...change, at: time, origin: fc.constant('platform' as const) }),
    leftNotBefore: time,
  }),
);

const target: fc.Arbitrary<Omit<CommandTarget, 'wasPresent' | 'records'>> = record({
  guildId: fc.constant(A),
  stored: fc.option(
    record({
      id: fc.constant(A),
      name: fc.option(text),
      icon: fc.option(text),
      settings: optional(settings),
      access: fc.option(entries),
      presence: fc.constantFrom('unknown', 'present', 'left'),
      leftAt: fc.option(time),
      logged: record({ day: fc.nat({ max: 40 }), bytes: fc.nat({ max: 400 }) }),
      revision: fc.integer({ min: 1, max: 2 }),
      accessRevision: fc.nat({ max: 2 }),
      updatedAt: time,
      epochs: fc.constant({ record: '', access: '' }),
    }),
  ),
  nowMs: time,
  monotonicMs: time,
});

/** The result of a command: the rows that it writes, or its error. */
function outcome(command: Command, target: Omit<CommandTarget, 'wasPresent' | 'records'>): unknown {
  try {
    return applyCommand(command, { ...target, records, wasPresent: () => true });
  } catch (error) {
    if (error instanceof WritePermissionExpiredError || error instanceof GuildChangedError) return error.name;
    if (error instanceof ProblemError) return { ...error };
    throw error;
  }
}

test('a command that went through JSON or structuredClone does what the original does', () => {
  fc.assert(
    fc.property(command, target, (command, target) => {
      const original = outcome(command, target);
      expect(outcome(JSON.parse(JSON.stringify(command)), target)).toStrictEqual(original);
      expect(outcome(structuredClone(command), structuredClone(target))).toStrictEqual(original);
    }),
    { numRuns: 500 },
  );
});

test('applying a command changes neither the command nor the stored guild', () => {
  fc.assert(
    fc.property(command, target, (command, target) => {
      const before = structuredClone([command, target]);
      outcome(command, target);
      expect([command, target]).toStrictEqual(before);
    }),
  );
});

const update: UpdateSettings = {
  kind: 'update-settings',
  guildIds: [A],
  patch: { prefix: '?', beta: false },
  change: { actor: { kind: 'user', id: B }, origin: 'rest', reason: 'why' },
  permittedUntilMs: 100,
  changeLogBytesPerDay: 0,
};

test('an update is refused from the moment that its permission ends, whatever else is wrong with it', () => {
  const late = { guildId: A, stored: null, wasPresent: () => false, records, nowMs: 7, monotonicMs: 100 };
  expect(() => applyCommand({ ...update, precondition: { ifMatch: [] } }, late)).toThrow(WritePermissionExpiredError);
});

const STORED: StoredGuild = {
  id: A,
  name: 'A guild',
  icon: null,
  settings: { prefix: '?', beta: true, enabledFeatures: ['reminders'] },
  access: [{ subject: `user:${B}`, level: 'editor' }],
  presence: 'present',
  leftAt: null,
  logged: { day: 0, bytes: 0 },
  revision: 3,
  accessRevision: 2,
  updatedAt: 1,
  epochs: { record: '', access: '' },
};
const stateTarget = { guildId: A, stored: STORED, wasPresent: () => true, records, nowMs: 7, monotonicMs: 99 };
const setAccess: Command = { ...update, kind: 'set-access', entries: STORED.access ?? [] };
const report: Command = {
  kind: 'report-presence',
  guildIds: [A],
  present: { [A]: { name: 'A guild', icon: null } },
  change: { actor: update.change.actor, origin: 'platform', reason: null, at: 7 },
  leftNotBefore: 0,
};

test.each<[string, Command]>([
  ['an empty patch', { ...update, patch: {} }],
  ['the values that are set', { ...update, patch: { prefix: '?', beta: true, enabledFeatures: ['reminders'] } }],
  ['the defaults of what is not set', { ...update, patch: { language: 'en-US', announcement_channel: '' } }],
  ['a reset of what is not set', { ...update, patch: { language: null } }],
  ['a patch of settings that there are not', { ...update, patch: { mood: 'good' } as never }],
  ['a feature that is on and is switched on', { ...update, feature: { name: 'reminders', isEnabled: true } }],
  ['a feature that is off and is switched off', { ...update, feature: { name: 'music', isEnabled: false } }],
  ['the access list that the guild has', setAccess],
  ['a report of what is known', report],
])('nothing to change is no change: %s', (_, command) => {
  expect(applyCommand(command, stateTarget)).toBeNull();
});

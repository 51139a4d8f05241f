import type { RecordSettings } from '@guild-settings/contract';
import type { CustomSettings } from '@guild-settings/contract/settings';
import { expectTypeOf } from 'vitest';
import { type Declaration, defineSettings, openReplica, type Replica, type SettingsOf } from './index.ts';

const OPTIONS = { apiUrl: 'http://127.0.0.1:3000', credentials: 'token', path: 'replica.db' };
const guild = '197038439483310086';
const label = { 'en-US': 'x' };

const music = defineSettings({
  settings: {
    volume: { kind: 'integer', min: 0, max: 100, default: 50, label },
    djRoles: { kind: 'role', many: { max: 10 }, label },
    repeat: { kind: 'choice', choices: { off: {}, all: {} }, default: 'off', label },
  },
});
type Music = { readonly volume: number; readonly djRoles: readonly string[]; readonly repeat: 'off' | 'all' };

const replica = openReplica({ ...OPTIONS, settings: music });
expectTypeOf(replica).toEqualTypeOf<Replica<typeof music>>();
expectTypeOf(replica.get(guild).custom).toEqualTypeOf<Music>();
expectTypeOf(replica.get(guild).prefix).toEqualTypeOf<string>();
replica.on('change', (id, before, after) => {
  expectTypeOf(id).toEqualTypeOf<string>();
  expectTypeOf([before.custom, after.custom]).toEqualTypeOf<Music[]>();
  // @ts-expect-error not declared
  after.custom.loudness;
});
replica.on('declaration', (declaration) => declaration?.settings);
// @ts-expect-error no such event
replica.on('changed', () => {});
// @ts-expect-error not declared
replica.get(guild).custom.loudness;
// @ts-expect-error settings are read-only
replica.get(guild).custom.volume = 7;
// @ts-expect-error not one of the choices
replica.get(guild).custom.repeat === 'some';

// Another bot of the same project has other settings.
const welcome = openReplica({ ...OPTIONS, settings: { settings: { greeting: { kind: 'text', max: 100, label } } } });
expectTypeOf(welcome.get(guild).custom).toEqualTypeOf<{ readonly greeting: string }>();
// @ts-expect-error of the other bot
welcome.get(guild).custom.volume;
// @ts-expect-error no such kind
openReplica({ ...OPTIONS, settings: { settings: { colour: { kind: 'colour', label } } } });

// Of each kind that was added later.
const later = openReplica({
  ...OPTIONS,
  settings: {
    settings: {
      rate: { kind: 'number', min: 0, max: 9, decimals: 1, default: 1, was: 'speed', label },
      zone: { kind: 'timeZone', label },
      alarms: { kind: 'time', many: { max: 2 }, zone: 'zone', label },
      tint: { kind: 'color', default: '#5865F2', label },
      badge: { kind: 'emoji', label },
      helpers: { kind: 'user', many: { max: 9 }, label },
      warns: {
        kind: 'table',
        max: 9,
        columns: {
          count: { kind: 'integer', min: 1, max: 9, label },
          action: { kind: 'choice', choices: { mute: {}, kick: {} }, label },
          silent: { kind: 'switch', label },
        },
        label,
      },
    },
  },
});
expectTypeOf(later.get(guild).custom).toEqualTypeOf<{
  readonly rate: number;
  readonly zone: string;
  readonly alarms: readonly string[];
  readonly tint: string;
  readonly badge: string;
  readonly helpers: readonly string[];
  readonly warns: readonly {
    readonly count: number;
    readonly action: 'mute' | 'kick';
    readonly silent: boolean;
  }[];
}>();
// @ts-expect-error a former name
later.get(guild).custom.speed;
// @ts-expect-error rows are read-only
later.get(guild).custom.warns.push({ count: 1, action: 'mute', silent: true });

// The names in a declaration read from elsewhere are unknown to the type.
const read: Declaration = music;
expectTypeOf(openReplica({ ...OPTIONS, settings: read }).get(guild).custom).toEqualTypeOf<CustomSettings>();
expectTypeOf(openReplica({ ...OPTIONS, settings: { defaults: { prefix: '?' } } }).get(guild).custom).toEqualTypeOf<
  Readonly<Record<never, never>>
>();

// Without a declaration, names and types are those of the service.
expectTypeOf(openReplica(OPTIONS).get(guild)).toEqualTypeOf<Readonly<RecordSettings>>();
expectTypeOf<SettingsOf<undefined>>().toEqualTypeOf<Readonly<RecordSettings>>();

import type { Declaration, KindName, SettingDeclaration, SettingValue } from '../../contract/src/settings/index.ts';

const text = (label: string) => ({ label: { 'en-US': label } });

const [channel, role, user] = ['381870553235193857', '381870553235193858', '381870553235193859'] as const;
const OTHER_ID = '381870553235193860';
const BLOB = `<:blob:${OTHER_ID}>`;

/** A kind of settings: its declaration, and values that people and programs send. */
export interface KindSample {
  readonly declared: SettingDeclaration;
  /** A value, and one that is also valid in a declaration with narrower limits. */
  readonly values: readonly [SettingValue, SettingValue];
  /** Other values that a program may send, and the stored ones. */
  readonly taken: readonly (readonly [sent: unknown, SettingValue])[];
  /** Values that a program may not send, and the message of the refusal. */
  readonly refused: readonly (readonly [sent: unknown, message: string])[];
  /** Texts that people type in English, and their values; undefined: not a valid value. */
  readonly typed: readonly (readonly [typed: string, SettingValue | undefined])[];
  /** Values in files, and the imported ones; undefined: cannot be imported. */
  readonly imported: readonly (readonly [value: unknown, SettingValue | undefined])[];
  /** The options of narrower limits, by which the first value is invalid. */
  readonly narrowed?: object;
}

/** All kinds, each with one value. */
export const SAMPLES: Readonly<Record<KindName, KindSample>> = {
  switch: {
    declared: { kind: 'switch', ...text('Greet new members') },
    values: [true, false],
    taken: [],
    refused: [
      ['on', 'expected true or false'],
      [1, 'expected true or false'],
      [[true], 'expected true or false'],
    ],
    typed: [
      ['Yes', true],
      ['enabled', true],
      ['maybe', undefined],
    ],
    imported: [
      ['YES', true],
      [1, true],
      ['perhaps', undefined],
    ],
  },
  integer: {
    declared: { kind: 'integer', min: 0, max: 20_000, default: 5, unit: '%', ...text('Chance') },
    values: [1_500, 7],
    taken: [[1e3, 1_000]],
    refused: [
      [1.5, 'expected an integer'],
      ['7', 'expected an integer'],
      [20_001, 'expected at most 20000'],
    ],
    typed: [
      ['1,500 %', 1_500],
      ['１５００', 1_500],
      ['10k', 10_000],
      ['1.5', undefined],
    ],
    imported: [
      ['1500', 1_500],
      ['7.0', 7],
      [1.5, undefined],
    ],
    narrowed: { max: 9 },
  },
  number: {
    declared: { kind: 'number', min: 0.1, max: 5_000, decimals: 2, default: 1, unit: '×', ...text('XP rate') },
    values: [1_500.5, 1.5],
    taken: [[3, 3]],
    refused: [
      [0.1 + 0.2, 'at most 2 decimal places'],
      ['1.5', 'expected a number'],
      [0, 'expected at least 0.1'],
    ],
    typed: [
      ['1.5 ×', 1.5],
      ['1500.5', 1_500.5],
      ['1,500', undefined],
    ],
    imported: [
      ['1.5', 1.5],
      ['1500.50', 1_500.5],
      ['1,5', undefined],
    ],
    narrowed: { max: 10 },
  },
  duration: {
    declared: { kind: 'duration', min: 0, max: 86_400, default: 60, ...text('Cooldown') },
    values: [5_400, 90],
    taken: [],
    refused: [
      ['10m', 'expected an integer'],
      [1.5, 'expected an integer'],
      [-1, 'expected at least 0'],
    ],
    typed: [
      ['1.5h', 5_400],
      ['10 minutes', 600],
      ['1M', undefined],
    ],
    imported: [
      ['1h 30m', 5_400],
      ['90', 90],
      ['long', undefined],
    ],
    narrowed: { max: 120 },
  },
  choice: {
    declared: {
      kind: 'choice',
      choices: { off: { 'en-US': 'Nothing' }, errors: { 'en-US': 'Errors' }, all: { 'en-US': 'Everything' } },
      default: 'off',
      ...text('Log level'),
    },
    values: ['all', 'errors'],
    taken: [],
    refused: [
      ['Everything', 'expected one of off, errors, all'],
      ['', 'expected one of off, errors, all'],
      [0, 'expected one of off, errors, all'],
    ],
    typed: [
      ['EVERYTHING', 'all'],
      ['errors ', 'errors'],
      ['some', undefined],
    ],
    imported: [
      ['Everything', 'all'],
      ['ERRORS', 'errors'],
      ['some', undefined],
    ],
    narrowed: { choices: { off: { 'en-US': 'Nothing' }, errors: { 'en-US': 'Errors' } } },
  },
  time: {
    declared: { kind: 'time', zone: 'timeZone', default: '09:00', ...text('Daily bonus') },
    values: ['21:30', '00:00'],
    taken: [],
    refused: [
      ['9:30', 'HH:MM'],
      ['24:00', 'HH:MM'],
      [930, 'expected a string'],
    ],
    typed: [
      ['9:30', '09:30'],
      ['２１：３０', '21:30'],
      ['25:00', undefined],
    ],
    imported: [
      ['21:30', '21:30'],
      ['9:30', '09:30'],
      ['25:00', undefined],
    ],
  },
  timeZone: {
    declared: { kind: 'timeZone', ...text('Time zone') },
    values: ['America/New_York', 'Asia/Kolkata'],
    taken: [
      ['asia/kolkata', 'Asia/Kolkata'],
      ['Asia/Calcutta', 'Asia/Calcutta'],
    ],
    refused: [
      ['Mars/Phobos', 'time zone'],
      ['', 'time zone'],
      [2, 'expected a string'],
    ],
    typed: [
      ['new york', 'America/New_York'],
      ['europe/berlin', 'Europe/Berlin'],
      ['CEST', undefined],
    ],
    imported: [
      ['America/New York', 'America/New_York'],
      ['asia/calcutta', 'Asia/Calcutta'],
      ['Mars/Phobos', undefined],
    ],
  },
  text: {
    declared: {
      kind: 'text',
      lines: 'many',
      max: 100,
      placeholders: { user: { 'en-US': 'The new member' }, server: { 'en-US': 'The server' } },
      default: 'Hello, {user}!',
      ...text('Greeting'),
    },
    values: ['Hi {user}, welcome to **{server}**!', 'Hi'],
    taken: [['a\r\nb', 'a\nb']],
    refused: [
      ['Hi {usr}', '{usr}'],
      ['x'.repeat(101), 'at most 100 characters'],
      [5, 'expected a string'],
    ],
    typed: [
      ['Hi  {user}', 'Hi  {user}'],
      ['{ok: 1}', '{ok: 1}'],
      ['Hi {usr}', undefined],
    ],
    imported: [
      [5, '5'],
      [['Hi {user}'], 'Hi {user}'],
      ['Hi {usr}', undefined],
    ],
    narrowed: { max: 9, default: '' },
  },
  color: {
    declared: { kind: 'color', default: '#5865F2', ...text('Embed color') },
    values: ['#58F0AA', '#000000'],
    taken: [['#58f0aa', '#58F0AA']],
    refused: [
      ['blurple', '#RRGGBB'],
      ['#58F', '#RRGGBB'],
      [5_793_266, 'expected a string'],
    ],
    typed: [
      ['58f0aa', '#58F0AA'],
      ['Blurple', '#5865F2'],
      ['blorple', undefined],
    ],
    imported: [
      [5_828_778, '#58F0AA'],
      ['blurple', '#5865F2'],
      [16_777_216, undefined],
    ],
  },
  emoji: {
    declared: { kind: 'emoji', ...text('Reaction') },
    values: ['👩🏽‍🚀', BLOB],
    taken: [['', '']],
    refused: [
      ['👋👋', 'emoji'],
      [':wave:', 'emoji'],
      [5, 'expected a string'],
    ],
    typed: [
      [' 👋 ', '👋'],
      [BLOB, BLOB],
      ['wave at me', undefined],
    ],
    imported: [
      ['👋', '👋'],
      [BLOB, BLOB],
      ['👋👋', undefined],
    ],
  },
  channel: {
    declared: { kind: 'channel', types: ['text'], needs: ['SendMessages', 'EmbedLinks'], ...text('Mod log') },
    values: [channel, ''],
    taken: [],
    refused: [
      [`<#${channel}>`, 'expected a Discord id'],
      ['general', 'expected a Discord id'],
      [5, 'expected a string'],
    ],
    typed: [
      [`<#${channel}>`, channel],
      [` ${channel} `, channel],
      ['none', ''],
    ],
    imported: [
      [`<#${channel}>`, channel],
      ['', ''],
      [381_870_553_235_193_860, undefined],
    ],
  },
  role: {
    declared: { kind: 'role', ...text('Mute role') },
    values: [role, ''],
    taken: [],
    refused: [
      [`<@&${role}>`, 'expected a Discord id'],
      ['Muted', 'expected a Discord id'],
      [5, 'expected a string'],
    ],
    typed: [
      [`<@&${role}>`, role],
      [role, role],
      ['none', ''],
    ],
    imported: [
      [`<@&${role}>`, role],
      [` ${role}`, role],
      ['Muted', undefined],
    ],
  },
  user: {
    declared: { kind: 'user', ...text('Owner of the bot') },
    values: [user, ''],
    taken: [],
    refused: [
      [`<@${user}>`, 'expected a Discord id'],
      ['mika', 'expected a Discord id'],
      [5, 'expected a string'],
    ],
    typed: [
      [`<@!${user}>`, user],
      [user, user],
      ['none', ''],
    ],
    imported: [
      [`<@!${user}>`, user],
      [` ${user}`, user],
      ['mika', undefined],
    ],
  },
  table: {
    declared: {
      kind: 'table',
      max: 3,
      columns: {
        level: { kind: 'integer', min: 1, max: 100, ...text('Level') },
        role: { kind: 'role', ...text('Role') },
        note: { kind: 'text', max: 20, default: '-', ...text('Note') },
      },
      key: ['level'],
      ...text('Rewards'),
    },
    values: [
      [
        { level: 50, role, note: 'a' },
        { level: 5, role: '', note: '-' },
      ],
      [{ level: 5, role, note: '-' }],
    ],
    taken: [[[{ level: 5, role }], [{ level: 5, role, note: '-' }]]],
    refused: [
      [[{ level: '5', role, note: '' }], 'expected an integer'],
      [[{ level: 5, role, more: 1 }], 'more'],
      [
        [
          { level: 5, role, note: 'a' },
          { level: 5, role: '', note: 'b' },
        ],
        'level',
      ],
    ],
    typed: [['5 role', undefined]],
    imported: [
      [[{ level: 5, role }], [{ level: 5, role, note: '-' }]],
      [[{ level: 5, role }, 5], undefined],
      ['5', undefined],
    ],
    narrowed: { max: 1 },
  },
};

/** Kinds whose values may be lists, with two items. */
const LISTED = Object.entries(SAMPLES).filter(([name]) => !['switch', 'timeZone', 'table'].includes(name));

/** A declaration of all kinds, each by its name, and of their lists: `colors`. */
export const EVERY_KIND: Declaration = {
  settings: Object.fromEntries([
    ...Object.entries(SAMPLES).map(([name, { declared }]) => [name, declared]),
    ...LISTED.map(([name, { declared }]) => [`${name}s`, listOf(declared)]),
  ]),
};

/** Two items for each of the lists. */
export const LISTS: Readonly<Record<string, SettingValue>> = Object.fromEntries(
  LISTED.map(([name, { values }]) => [
    `${name}s`,
    values.map((value) => (value === '' ? OTHER_ID : value)) as string[],
  ]),
);

function listOf({ default: _, ...declared }: SettingDeclaration): SettingDeclaration {
  const one = declared.kind === 'text' ? { ...declared, lines: 'one' as const } : declared;
  return { ...one, many: { max: 3 } } as SettingDeclaration;
}

/** Returns the declaration with narrower limits, by which the first value of a kind is invalid. */
export function narrowed(): Declaration {
  const settings = Object.entries(SAMPLES).map(([name, sample]) => [name, { ...sample.declared, ...sample.narrowed }]);
  return { settings: { ...EVERY_KIND.settings, ...Object.fromEntries(settings) } };
}

/** Forty settings of all kinds in eight groups, like those of a large bot. */
export const FORTY_SETTINGS: Declaration = fortySettings();

function fortySettings(): Declaration {
  const range = { min: 0, max: 100 };
  const choices = (...labels: readonly string[]) =>
    Object.fromEntries(labels.map((label) => [label.toLowerCase().replaceAll(' ', '-'), { 'en-US': label }]));
  const user = { 'en-US': 'The member' };
  const on = (label: string): SettingDeclaration => ({ kind: 'switch', default: true, ...text(label) });
  const groups: Readonly<Record<string, readonly [label: string, Readonly<Record<string, SettingDeclaration>>]>> = {
    general: [
      'General',
      {
        timeZone: { kind: 'timeZone', default: 'Europe/Berlin', ...text('Time zone') },
        embedColor: { kind: 'color', default: '#5865F2', ...text('Embed color') },
        staff: { kind: 'role', many: { max: 10 }, ...text('Staff roles') },
        contact: {
          kind: 'user',
          ...text('Contact'),
          description: { 'en-US': 'Named in replies when something fails.' },
        },
        deleteCommands: { kind: 'switch', ...text('Delete commands after the reply') },
      },
    ],
    welcome: [
      'Welcome',
      {
        welcomeOn: on('Welcome new members'),
        welcomeChannel: { kind: 'channel', types: ['text', 'announcement'], ...text('Welcome channel') },
        welcomeMessage: {
          kind: 'text',
          lines: 'many',
          max: 1_000,
          placeholders: { user, server: { 'en-US': 'The server' }, count: { 'en-US': 'The number of members' } },
          default: 'Hi {user}, welcome to **{server}**! You are member {count}.',
          ...text('Message'),
          description: { 'en-US': 'Posted when a member joins.' },
        },
        welcomeReaction: { kind: 'emoji', default: '👋', ...text('Reaction') },
        autoRoles: { kind: 'role', many: { max: 10 }, ...text('Auto roles') },
      },
    ],
    levels: [
      'Levels',
      {
        levelsOn: on('XP for messages'),
        xpRate: { kind: 'number', min: 0.1, max: 10, decimals: 1, default: 1.5, unit: '×', ...text('XP rate') },
        bonusAt: { kind: 'time', zone: 'timeZone', default: '09:00', ...text('Daily bonus at') },
        noXpChannels: { kind: 'channel', many: { max: 50 }, ...text('Channels without XP') },
        rewards: {
          kind: 'table',
          max: 25,
          columns: {
            level: { kind: 'integer', min: 1, max: 500, ...text('Level') },
            role: { kind: 'role', ...text('Role') },
          },
          key: ['level'],
          default: [
            { level: 5, role: '' },
            { level: 20, role: '' },
          ],
          ...text('Rewards'),
          description: { 'en-US': 'A role for each level.' },
        },
      },
    ],
    moderation: [
      'Moderation',
      {
        modLog: { kind: 'channel', types: ['text'], ...text('Mod log') },
        muteRole: { kind: 'role', ...text('Mute role') },
        blockedWords: { kind: 'text', max: 50, many: { max: 25 }, ...text('Blocked words') },
        spam: { kind: 'choice', choices: choices('Allow', 'Warn', 'Delete'), default: 'warn', ...text('Spam') },
        warnThresholds: {
          kind: 'table',
          max: 10,
          columns: {
            warns: { kind: 'integer', min: 1, max: 100, ...text('Warnings') },
            action: { kind: 'choice', choices: choices('Mute', 'Kick', 'Ban'), ...text('Action') },
            duration: { kind: 'duration', min: 0, max: 2_419_200, default: 600, ...text('Duration') },
          },
          key: ['warns'],
          default: [{ warns: 3, action: 'mute', duration: 3_600 }],
          ...text('Warn thresholds'),
        },
      },
    ],
    tickets: [
      'Tickets',
      {
        ticketsOn: { kind: 'switch', ...text('Members can open tickets') },
        ticketCategory: { kind: 'channel', types: ['category'], needs: ['ManageChannels'], ...text('Ticket category') },
        ticketStaff: { kind: 'role', many: { max: 5 }, ...text('Ticket staff') },
        ticketLimit: { kind: 'integer', min: 1, max: 10, default: 1, ...text('Open tickets per member') },
        ticketClose: { kind: 'duration', min: 0, max: 604_800, default: 86_400, ...text('Close when quiet for') },
      },
    ],
    music: [
      'Music',
      {
        volume: { kind: 'integer', ...range, default: 50, unit: '%', ...text('Volume') },
        djRole: { kind: 'role', ...text('DJ role') },
        musicChannels: {
          kind: 'channel',
          types: ['voice', 'stage'],
          many: { max: 25 },
          ...text('Channels with music'),
        },
        leaveAfter: { kind: 'duration', min: 0, max: 3_600, default: 300, ...text('Leave when alone for') },
        sources: {
          kind: 'choice',
          choices: choices('YouTube', 'SoundCloud', 'Bandcamp', 'Radio', 'Files'),
          many: { max: 5 },
          default: ['youtube', 'radio'],
          ...text('Sources'),
        },
      },
    ],
    starboard: [
      'Starboard',
      {
        starboardOn: { kind: 'switch', ...text('Repost popular messages') },
        starEmoji: { kind: 'emoji', many: { max: 5 }, default: ['⭐'], ...text('Reactions that count') },
        starCount: { kind: 'integer', min: 1, max: 100, default: 3, ...text('Reactions needed') },
        starChannel: { kind: 'channel', types: ['text'], ...text('Starboard channel') },
        starColor: { kind: 'color', many: { max: 5 }, default: ['#FEE75C', '#E67E22'], ...text('Colors') },
      },
    ],
    birthdays: [
      'Birthdays',
      {
        birthdaysOn: on('Congratulate members'),
        birthdayAt: { kind: 'time', many: { max: 3 }, default: ['08:00', '18:00'], ...text('Times') },
        birthdayMessage: {
          kind: 'text',
          max: 200,
          placeholders: { user },
          default: 'Happy birthday, {user}! 🎂',
          ...text('Message'),
        },
        birthdayHelpers: { kind: 'user', many: { max: 10 }, ...text('Helpers') },
        birthdayXp: { kind: 'number', min: 0, max: 1_000, decimals: 2, default: 12.5, unit: 'XP', ...text('Gift') },
      },
    ],
  };
  const settings = Object.entries(groups).flatMap(([group, [, declared]]) =>
    Object.entries(declared).map(([name, setting]) => [name, { ...setting, group }]),
  );
  return {
    groups: Object.fromEntries(
      Object.entries(groups).map(([name, [label, declared]]) => {
        const enabledBy = Object.keys(declared).find((setting) => setting === `${name}On`);
        return [name, { ...text(label), ...(enabledBy !== undefined && { enabledBy }) }];
      }),
    ),
    settings: Object.fromEntries(settings),
  };
}

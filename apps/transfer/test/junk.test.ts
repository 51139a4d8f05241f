import { readFileSync, writeFileSync } from 'node:fs';
import { createGuildSettingsClient } from '@guild-settings/client';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { settings } from '../../../examples/own-settings/settings.ts';
import { importInto, startService, writeQuickDb } from './transfer-kit.ts';

const [ONE, OTHER] = ['197038439483310086', '613425648685547541'] as const;
const ROLES = ['381870553235193857', '381870553235193858'] as const;
const THIRTY = Array.from({ length: 30 }, (_, index) => `3818705532351950${String(index).padStart(2, '0')}`);

const MAP = [
  'prefix=prefix',
  'welcomeMessage=welcome.message,welcomeChannel=welcome.channel',
  'modLogChannel=modlog,autoRoles=autoroles,xpRate=xp.rate,xpCooldown=xp.cooldown,levelUpMessage=xp.message',
  'noXpChannels=xp.ignored,muteRole=muterole,staffRole=staff,ticketCategory=tickets.category',
  'warnThresholds=punishments,warnThresholds.warns=count,warnThresholds.action=type,warnThresholds.minutes=time',
  'embedColor=color,timeZone=tz,ticketsOn=tickets.enabled',
].join(',');
const ARGS = ['--map', MAP, '--scale', 'xpCooldown=/1000', '--scale', 'warnThresholds.minutes=/60000'];

/** Values in the formats of bots. */
const SOUND = {
  prefix: '%',
  welcome: { message: 'Hi **{user}**, you are #{count} of {server}', channel: '<#197038439483310102>' },
  modlog: '197038439483310102',
  autoroles: { [ROLES[0]]: true, [ROLES[1]]: true },
  xp: { rate: '1.50', cooldown: 90_000, message: '{user} has level {level}', ignored: THIRTY },
  muterole: `<@&${ROLES[0]}>`,
  staff: ROLES[1],
  tickets: { category: '197038439483310102', enabled: 1 },
  punishments: {
    3: { type: 'MUTE', time: '3600000', reason: 'spam' },
    5: { type: 'timeout', time: 86_400_000 },
    7: { type: 'ban' },
  },
  color: '5793266',
  tz: 'asia/kolkata',
};

/** Values that are invalid for every setting. */
const JUNK = {
  prefix: '!'.repeat(30),
  welcome: { message: 'Hi {usr}', channel: 'welcome' },
  modlog: 197038439483310100,
  autoroles: [ROLES[0], null, 'Member', { id: ROLES[1] }],
  xp: {
    rate: 1.555,
    cooldown: 1_500,
    message: { text: 'Well done' },
    ignored: [...THIRTY, ...THIRTY.map((id) => `9${id.slice(1)}`)],
  },
  muterole: OTHER,
  staff: '[object Object]',
  tickets: { category: 'undefined', enabled: 'maybe' },
  punishments: [
    { count: 3, type: 'mute', time: 90_001 },
    { count: 3, type: 'shout', time: 'forever' },
  ],
  color: '255',
  tz: 'Mars/Phobos',
};

test('of a file with junk each value is taken whole, or refused with row, field and reason', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('declaration.json'), JSON.stringify(settings));
  await using service = await startService({ SETTINGS_FILE: folder.file('declaration.json') });
  const client = createGuildSettingsClient({ url: service.url, token: service.token, settings });
  await client.guilds.update.mutate({ guild: OTHER, custom: { xpRate: 2, embedColor: '#00FF00' } });
  const before = await client.guilds.get.query({ guild: OTHER });
  await writeQuickDb(folder.file('json.sqlite'), {
    [ONE]: SOUND,
    [OTHER]: JUNK,
    [`xp_${ONE}_53908099506183680`]: { level: 4 },
    version: '"3"',
  });
  const from = ['--from', `quick.db:${folder.file('json.sqlite')}`, ...ARGS];
  const value = ['--value', 'warnThresholds.action:timeout=mute', '--yes'];
  const result = await importInto(service, folder, [...from, ...value]);
  expect(result).toMatchObject({ guilds: 1, others: 2, difference: { changed: 1 } });
  expect(Object.fromEntries(result.unmapped.sorted)).toEqual({ 'punishments.reason': 1 });

  expect(await client.guilds.get.query({ guild: ONE })).toMatchObject({
    prefix: '%',
    custom: {
      welcomeMessage: 'Hi **{user}**, you are #{count} of {server}',
      welcomeChannel: '197038439483310102',
      modLogChannel: '197038439483310102',
      autoRoles: ROLES,
      xpRate: 1.5,
      xpCooldown: 90,
      levelUpMessage: '{user} has level {level}',
      noXpChannels: THIRTY,
      muteRole: ROLES[0],
      staffRole: ROLES[1],
      warnThresholds: [
        { warns: 3, action: 'mute', minutes: 60 },
        { warns: 5, action: 'mute', minutes: 1_440 },
        { warns: 7, action: 'ban', minutes: 0 },
      ],
      embedColor: '#5865F2',
      timeZone: 'Asia/Kolkata',
      ticketCategory: '197038439483310102',
      ticketsOn: true,
    },
  });

  expect(await client.guilds.get.query({ guild: OTHER })).toEqual(before);
  const rejects = readFileSync(folder.file('rejects.ndjson'), 'utf8').trimEnd().split('\n');
  const refused = rejects.map((line) => JSON.parse(line));
  for (const { place, guild } of refused) expect([place, guild]).toEqual([`key "${OTHER}"`, OTHER]);
  expect(Object.fromEntries(refused.map(({ field, reason }) => [field, reason]))).toEqual({
    prefix: 'prefix: expected at most 20 characters, received 30',
    'custom.welcomeMessage': expect.stringContaining(
      'custom.welcomeMessage: expected no other placeholders than {user}',
    ),
    'custom.welcomeChannel': expect.stringMatching(
      /^custom\.welcomeChannel: expected the id or the mention of a channel, received "welcome"$/,
    ),
    'custom.modLogChannel': expect.stringMatching(/whose last digits may be lost/),
    'custom.autoRoles': expect.stringMatching(/^custom\.autoRoles\.2: .*"Member"; custom\.autoRoles\.3: .*\{"id":/),
    'custom.xpRate': 'custom.xpRate: expected at most 2 decimal places, received 1.555',
    'custom.xpCooldown': expect.stringMatching(
      /^custom\.xpCooldown: expected .*, received 1\.5, which is 1500 \/ 1000$/,
    ),
    'custom.levelUpMessage': 'custom.levelUpMessage: expected a string, received {"text":"Well done"}',
    'custom.noXpChannels': 'custom.noXpChannels: expected at most 50 items',
    'custom.muteRole': expect.stringContaining('expected a role other than @everyone'),
    'custom.staffRole': expect.stringMatching(/received "\[object Object\]"$/),
    'custom.ticketCategory': expect.stringMatching(/received "undefined"$/),
    'custom.ticketsOn': expect.stringMatching(/^custom\.ticketsOn: expected true or false, .*, received "maybe"$/),
    'custom.warnThresholds':
      'custom.warnThresholds.0.minutes: expected an exact number after / 60000, received 90001; ' +
      'custom.warnThresholds.1.action: expected one of mute, kick, ban or its name, received "shout"; ' +
      'custom.warnThresholds.1.minutes: expected an integer, received "forever"',
    'custom.embedColor': 'custom.embedColor: expected one meaning, such as #255 or #0000FF, received "255"',
    'custom.timeZone': expect.stringMatching(/^custom\.timeZone: .*received "Mars\/Phobos"$/),
  });
});

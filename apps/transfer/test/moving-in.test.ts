import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createGuildSettingsClient } from '@guild-settings/client';
import { temporaryFolder } from '@guild-settings/testing';
import { expect, test } from 'vitest';
import { settings } from '../../../examples/own-settings/settings.ts';
import { importInto, startService, writeQuickDb } from './transfer-kit.ts';

const DOCS = readFileSync(fileURLToPath(new URL('../../../docs/moving-in.md', import.meta.url)), 'utf8');
const [COMMANDO, AKAIRO, RED] = ['197038439483310086', '613425648685547541', '1197038439483310086'] as const;

/** Returns the part of the page about a framework: the displayed file, and the import command. */
function exampleOf(framework: string) {
  const [, part = ''] = new RegExp(`\\n### ${framework}\\n(.*?)\\n##`, 's').exec(DOCS) ?? [];
  const [, name = '', text = ''] = /`([\w.]+)`[^\n]*:\n\n```json\n(.*?)\n```/s.exec(part) ?? [];
  const [, typed = ''] = /\nnpx --yes pnpm@12 run import ((?:.*\\\n)*.*)\n/.exec(part) ?? [];
  const args = [...typed.replaceAll('\\\n', '').matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );
  return { name, text, args };
}

test.each([
  [
    'Commando',
    COMMANDO,
    { prefix: '$', custom: { modLogChannel: '197038439483310102', embedColor: '#5865F2', xpCooldown: 30 } },
    { guilds: 1, others: 1, unmapped: ['settings.cmd-ban', 'settings.grp-fun'] },
  ],
  [
    'Akairo',
    AKAIRO,
    {
      prefix: '?',
      custom: {
        autoRoles: ['381870553235193857'],
        xpRate: 1.5,
        noXpChannels: ['613425648685547550'],
        timeZone: 'Europe/Berlin',
      },
    },
    { guilds: 1, others: 1, unmapped: ['_id', '__v'] },
  ],
  [
    'Red',
    RED,
    {
      custom: {
        muteRole: '1197038439483310099',
        modLogChannel: '',
        levelUpMessage: '{user} reached level {level}',
        warnThresholds: [
          { warns: 3, action: 'mute', minutes: 60 },
          { warns: 5, action: 'ban', minutes: 0 },
        ],
      },
    },
    { guilds: 1, others: 0, unmapped: [] },
  ],
  [
    'quick.db',
    COMMANDO,
    { prefix: '%', custom: { modLogChannel: '197038439483310102', embedColor: '#5865F2' } },
    { guilds: 2, others: 1, unmapped: ['level_197038439483310086'] },
  ],
])(
  'the file of %s is imported by the command of the page',
  async (framework, guild, record, { unmapped, ...counts }) => {
    using folder = temporaryFolder();
    writeFileSync(folder.file('settings-file.json'), JSON.stringify(settings));
    await using service = await startService({ SETTINGS_FILE: folder.file('settings-file.json') });
    const { name, text, args } = exampleOf(framework);
    if (name.endsWith('.sqlite')) await writeQuickDb(folder.file(name), JSON.parse(text));
    else writeFileSync(folder.file(name), text);
    const typed = args.map((arg) => arg.replace(new RegExp(`(?<=:)${name}$`), folder.file(name)));
    const result = await importInto(service, folder, typed);
    expect(result.rejected.first).toEqual([]);
    expect(result).toMatchObject({ ...counts, outcome: 'applied' });
    expect(result.unmapped.sorted.map(([one]) => one)).toEqual(unmapped);
    const client = createGuildSettingsClient({ url: service.url, token: service.token, settings });
    expect(await client.guilds.get.query({ guild })).toMatchObject(record);
  },
);

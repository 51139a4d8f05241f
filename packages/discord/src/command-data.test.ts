import { PermissionFlagsBits, PermissionsBitField } from 'discord.js';
import { expect, test } from 'vitest';
import { settingsCommandData } from './settings-command.ts';

test('a library that reads the names of discord.js, as Sapphire does, registers the command for managers and in all languages', () => {
  const data = settingsCommandData();
  expect(new PermissionsBitField(data.defaultMemberPermissions ?? 0n).bitfield).toBe(PermissionFlagsBits.ManageGuild);
  expect(data.descriptionLocalizations?.ja).toBe(data.description_localizations?.ja);
  expect(data.nameLocalizations).toBe(data.name_localizations);
  expect(data.integrationTypes).toEqual([0]);
  expect(Object.keys(JSON.parse(JSON.stringify(data)))).toEqual(Object.keys(data));
  expect(JSON.stringify(data)).not.toContain('defaultMemberPermissions');
});

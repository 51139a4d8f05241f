import { LANGUAGES } from '@guild-settings/contract';
import { folded } from '@guild-settings/contract/settings';
import {
  APPLICATION,
  COMMANDS,
  clientResource,
  discordResource,
  translatorOf,
  VOCABULARY,
} from '@guild-settings/testing/bot';
import { Routes } from 'discord.js';
import { describe, expect, test } from 'vitest';
import type { CommandPath, CommandTexts } from '../i18n/translator.ts';
import { LOCALES } from '../i18n/translator.ts';
import { registrationOf } from './command-registration.ts';
import { findCommand } from './find-command.ts';

interface Registered {
  readonly name: string;
  readonly name_localizations?: object | null;
  readonly description?: string;
  readonly description_localizations?: object | null;
  readonly options?: readonly Registered[];
  readonly choices?: readonly Registered[];
}

function named(entries: readonly Registered[]): Registered[] {
  return entries.flatMap((entry) => [entry, ...named(entry.options ?? []), ...named(entry.choices ?? [])]);
}

const ALL = named(registrationOf(COMMANDS, VOCABULARY) as unknown as readonly Registered[]);
const LOCALISED = ['es-419', 'es-ES', 'hi', 'ja', 'ru'];

describe('the registration of the commands', () => {
  test('is accepted by Discord, for guilds alone, and unchanged when it is sent again', async () => {
    await using discord = await discordResource();
    await using client = clientResource(discord);
    for (let time = 0; time < 2; time++) {
      await client.rest.put(Routes.applicationCommands(APPLICATION.id), { body: registrationOf(COMMANDS, VOCABULARY) });
    }
    const kept = discord.world.commandsOf(APPLICATION.id);
    expect(kept.map(({ name }) => name)).toEqual(['help', 'ping', 'about', 'settings', 'announce', 'remind']);
    const inGuilds = { contexts: [0], integration_types: [0] };
    expect(kept).toMatchObject(kept.map(() => inGuilds));
  });

  test('is far below the size of a command, because settings are no part of it', () => {
    const size = ({ name, description = '', options = [], name_localizations: names, ...more }: Registered): number =>
      Math.max(...[name, ...Object.values(names ?? {})].map((text) => text.length)) +
      Math.max(...[description, ...Object.values(more.description_localizations ?? {})].map((text) => text.length)) +
      options.reduce((sum, option) => sum + size(option), 0);
    const commands = registrationOf(COMMANDS, VOCABULARY) as unknown as readonly Registered[];
    for (const command of commands) expect(size(command)).toBeLessThan(4_000);
    expect(ALL.filter((entry) => 'choices' in entry)).toEqual([]);
  });

  test('names everything in every language', () => {
    expect(ALL.length).toBeGreaterThan(20);
    for (const { name_localizations: names } of ALL) {
      expect(Object.keys(names ?? {}).toSorted()).toEqual(LOCALISED);
      expect(Object.values(names ?? {}).every((name) => typeof name === 'string' && name !== '')).toBe(true);
    }
    for (const { description_localizations: descriptions, description } of ALL) {
      if (description !== undefined) expect(Object.keys(descriptions ?? {}).toSorted()).toEqual(LOCALISED);
    }
  });

  test('hides from others what managers alone may do', () => {
    const permissions = registrationOf(COMMANDS, VOCABULARY).map(({ name, default_member_permissions: needed }) => [
      name,
      needed,
    ]);
    const everyone = { help: null, ping: null, about: null, remind: null };
    expect(Object.fromEntries(permissions)).toEqual({ ...everyone, settings: '32', announce: '32' });
  });
});

describe.each(LANGUAGES)('in %s', (language) => {
  const paths: CommandPath[] = COMMANDS.flatMap(({ name, subcommands = {} }): CommandPath[] => [
    [name],
    ...Object.keys(subcommands).map((subcommand): CommandPath => [name, subcommand]),
  ]);

  test('options have the names of the declared options', () => {
    for (const { name, action, subcommands = {} } of COMMANDS) {
      for (const [sub, { options }] of Object.entries(action ? { '': action } : subcommands)) {
        const path: CommandPath = sub === '' ? [name] : [name, sub];
        expect(Object.keys(VOCABULARY.commandTexts(language, path).options ?? {})).toEqual(Object.keys(options));
      }
    }
  });

  test('nothing is named like its neighbour, in English neither', () => {
    const siblings = [
      names(LOCALES[language].commands, LOCALES['en-US'].commands),
      ...paths.map((path) =>
        names(VOCABULARY.commandTexts(language, path).subcommands, VOCABULARY.commandTexts('en-US', path).subcommands),
      ),
      ...paths.map((path) =>
        names(VOCABULARY.commandTexts(language, path).options, VOCABULARY.commandTexts('en-US', path).options),
      ),
      Object.keys(LOCALES[language].words).map((word) => [
        ...new Set([VOCABULARY.wordIn(language, word), VOCABULARY.wordIn('en-US', word)].map(folded)),
      ]),
    ];
    for (const group of siblings) {
      const all = group.flat();
      expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
    }
  });

  test('commands are found by their names, capital letters or not', () => {
    for (const { name } of COMMANDS) {
      const localised = VOCABULARY.commandTexts(language, [name]).name;
      for (const typed of [name, name.toUpperCase(), localised, localised.toUpperCase(), localised.normalize('NFD')]) {
        expect(findCommand(COMMANDS, translatorOf({ language }), typed)?.name).toBe(name);
      }
    }
    expect(
      ['constructor', '__proto__', 'toString', ''].map((name) =>
        findCommand(COMMANDS, translatorOf({ language }), name),
      ),
    ).toEqual(Array.from({ length: 4 }));
  });

  test('names are what Discord takes and people can type in a word', () => {
    const texts = [
      ...paths.map((path) => VOCABULARY.commandTexts(language, path)),
      ...Object.values(LOCALES[language].words).map((name) => ({ name })),
    ];
    expect(texts.map(({ name }) => name).filter((name) => /\s/.test(name) || name !== name.toLowerCase())).toEqual([]);
  });
});

/** Returns the folded names of each sibling, in this language and in English. */
function names(here: Readonly<Record<string, CommandTexts>> = {}, english: typeof here = {}): string[][] {
  const keys = Object.keys(english);
  expect(Object.keys(here).toSorted()).toEqual(keys.toSorted());
  return keys.map((key) => [...new Set([key, here[key]?.name ?? key].map(folded))]);
}

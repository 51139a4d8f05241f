import { LANGUAGES } from '@guild-settings/contract';
import { anyCharacter } from '@guild-settings/testing/any-character';
import { invocationIn } from '@guild-settings/testing/bot';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../commands/command-list.ts';
import { Refusal } from '../../i18n/text.ts';
import { checkOptions } from '../check-options.ts';
import { type CommandPath, textsOf } from '../command-texts.ts';
import { readMessageOptions } from './message-options.ts';
import { splitWords } from './words.ts';

const ACTIONS = COMMANDS.flatMap(({ name, action, subcommands = {} }) =>
  action
    ? [{ path: [name] as CommandPath, action }]
    : Object.entries(subcommands).map(([sub, found]) => ({ path: [name, sub] as CommandPath, action: found })),
);

test.each(LANGUAGES)('whatever follows a command in %s is read or refused, never an error', (language) => {
  const invocation = invocationIn(language);
  const names = ACTIONS.flatMap(({ path }) =>
    Object.values(textsOf(language, path).options ?? {}).map(({ name }) => name),
  );
  const marks = ['--', '—', '=', '"', '“', '„', '「', ' ', '\n', '10m', '18:00', '#', '7', '__proto__', '🍵'];
  const piece = fc.constantFrom(...marks, ...names);
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 4_000 }),
    fc.array(piece, { maxLength: 40 }).map((parts) => parts.join('')),
  );
  const property = fc.property(text, fc.constantFrom(...ACTIONS), (typed, { path, action }) => {
    const words = splitWords(typed);
    const { values, extra } = readMessageOptions(action.options, path, words, language);
    expect(extra.length).toBeLessThanOrEqual(words.length);
    try {
      const checked = checkOptions(action.options, path, values, invocation);
      expect(Object.keys(checked)).toEqual(Object.keys(action.options));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  });
  // A failure prints its seed.
  fc.assert(property, { numRuns: 500 });
});

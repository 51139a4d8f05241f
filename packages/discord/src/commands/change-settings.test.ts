import { createGuildSettingsClient } from '@guild-settings/client';
import { DEFAULT_SETTINGS, LANGUAGES, type Language, PROBLEMS, type ProblemSlug } from '@guild-settings/contract';
import { serveHttp } from '@guild-settings/testing';
import { invocationIn, translatorOf } from '@guild-settings/testing/bot';
import { expect, test } from 'vitest';
import type { CommandPath } from '../i18n/translator.ts';
import { callService, type ServiceFailure } from '../settings/service.ts';
import { failureText, prefixLines } from './change-settings.ts';

test.each([
  ['!', true, []],
  ['', true, ['Prefix commands are off now. Slash commands and <@1> go on working.']],
  ['!', false, ['Only slash commands work: this bot does not read messages.']],
  ['', false, ['Only slash commands work: this bot does not read messages.']],
  ['', undefined, []],
])(
  'after a change of the prefix to %j, reading messages: %s, the reply says what works',
  (prefix, readsMessages, lines) => {
    const translator = translatorOf({ language: 'en-US' });
    const connection = { mention: '<@1>', readsMessages, guilds: 1, shardOf: () => ({ id: 0, count: 1 }) };
    expect(prefixLines(['prefix'], { ...DEFAULT_SETTINGS, prefix }, { translator, connection })).toEqual(lines);
  },
);

/** Problems that the person can solve, or that are temporary. Others are for the team of the bot. */
const FOR_PEOPLE: readonly ProblemSlug[] = [
  'invalid-request',
  'not-guild-manager',
  'not-guild-owner',
  'insufficient-access',
  'reserved-setting',
  'bot-absent',
  'too-many-features',
  'too-many-streams',
  'request-timeout',
  'revision-mismatch',
  'body-too-large',
  'rate-limited',
  'change-log-full',
  'internal',
  'bot-token-missing',
  'discord-unavailable',
  'store-unavailable',
  'write-unconfirmed',
];

async function failureOf(slug: string, status: number, detail: string): Promise<ServiceFailure> {
  const issues = [{ path: ['enabledFeatures', 0], pointer: '/enabledFeatures/0', message: detail }];
  const text = { title: detail, detail, message: detail, code: 'BAD_REQUEST', instance: '/trpc', issues };
  await using server = await serveHttp((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ type: `/problems/${slug}`, status, ...text }));
  });
  const client = createGuildSettingsClient({ url: server.url, token: 'token-of-the-test', retries: 0 });
  const outcome = await callService(() => client.guilds.update.mutate({ guild: '197038439483310086', prefix: '?' }));
  if (outcome.kind === 'result') throw new Error('Expected a failure');
  return outcome;
}

test.each(Object.entries(PROBLEMS))(
  'people read nothing that the service says to programs about %s, in any language',
  async (slug, { status, text }) => {
    const failure = await failureOf(slug, status, text);
    const textIn = (language: Language) => failureText(failure, invocationIn(language), 'show');
    if (!FOR_PEOPLE.some((known) => known === slug)) {
      // The error is logged, and people see a reference to it.
      expect(() => textIn('en-US')).toThrow(expect.not.objectContaining({ name: 'Refusal' }));
      return;
    }
    const said = LANGUAGES.map(textIn);
    expect(said.join()).not.toContain(text);
    expect(new Set(said).size).toBe(LANGUAGES.length);
  },
);

test.each([
  ['invalid-request', 400, '**features** does not take this value.'],
  ['reserved-setting', 403, '**features** is set by the bot’s team. It cannot be changed here.'],
  ['revision-mismatch', 412, 'Others are changing the settings at the same time. Please try again.'],
  ['change-log-full', 429, 'This server has reached its limit of changes for today. Please try again tomorrow.'],
])('the reason of %s is a sentence for people', async (slug, status, reason) => {
  expect(failureText(await failureOf(slug, status, 'for programs'), invocationIn('en-US'), 'show')).toBe(
    `The settings service rejected the change: ${reason}`,
  );
});

test('a change that is not confirmed can be checked with what the bot has: show, else history, else nothing', () => {
  const failure: ServiceFailure = { kind: 'unconfirmed' };
  const textWith = (...subcommands: string[]) => {
    const hasCommand = ([, subcommand = '']: CommandPath) => subcommands.includes(subcommand);
    return failureText(failure, { ...invocationIn('en-US'), hasCommand }, 'show');
  };
  expect(textWith('show', 'history')).toContain('Check with `!settings show`.');
  expect(textWith('history')).toContain('Check with `!settings history`.');
  expect(textWith()).toBe('The settings service did not respond, so the change may or may not have been made.');
});

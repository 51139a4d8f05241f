import { printedSeed } from '@guild-settings/testing';
import { anyCharacter } from '@guild-settings/testing/any-character';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import { APPLICATION, asBot, CHANNEL, GUILD, startBotSim } from '../testing/test-sim.ts';

// If Discord's document is available, also checks that bodies that it does not allow fail.
const RUNS = 40;
const seed = printedSeed('any-input');

const MESSAGE = {
  content: 'hi',
  tts: false,
  nonce: 'n1',
  flags: 0,
  allowed_mentions: { parse: ['everyone'], users: ['1'], replied_user: true },
  embeds: [
    {
      title: 'x',
      color: 1,
      timestamp: '2026-01-02T03:04:05Z',
      author: { name: 'x', url: 'https://example.com' },
      fields: [{ name: 'x', value: 'y', inline: true }],
    },
  ],
  components: [
    { type: 1, components: [{ type: 2, style: 1, custom_id: 'a', emoji: { name: '✅' }, disabled: true }] },
    { type: 1, components: [{ type: 3, custom_id: 'b', options: [{ label: 'x', value: 'y' }], min_values: 0 }] },
  ],
};
const COMMANDS = [
  {
    name: 'tea',
    type: 1,
    description: 'x',
    name_localizations: { ru: 'чай' },
    default_member_permissions: '32',
    contexts: [0],
    options: [
      { type: 3, name: 'a', description: 'x', required: true, min_length: 1, choices: [{ name: 'x', value: 'y' }] },
      { type: 4, name: 'b', description: 'x', min_value: 0, choices: [{ name: 'x', value: 1 }] },
      { type: 7, name: 'c', description: 'x', channel_types: [0] },
    ],
  },
  { name: 'more', description: 'x', options: [{ type: 1, name: 'a', description: 'x', options: [] }] },
  { name: 'Menu', type: 2 },
];

let discord: DiscordSim;
beforeAll(async () => {
  discord = await startBotSim();
});
afterAll(() => discord.close());

const anything = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, true, 'true', 0, 1, 1.5, -1, '1', '', 'x', 'x'.repeat(7_000), [], {}),
  fc.jsonValue({ maxDepth: 2 }),
);

/** Returns a JSON value with one of its parts, chosen by a number, replaced. */
function replaced(value: unknown, at: number, replacement: unknown): unknown {
  const root = { value: structuredClone(value) };
  const places = placesIn(root);
  const [holder, key] = places[at % places.length] ?? [root, 'value'];
  Object.assign(holder, { [key]: replacement });
  return root.value;
}

function placesIn(holder: object): [object, string][] {
  return Object.entries(holder).flatMap(([key, part]: [string, unknown]) => [
    [holder, key],
    ...(typeof part === 'object' && part !== null ? placesIn(part) : []),
  ]);
}

/** Returns true if a body has a number as an id: the simulator accepts it, like Discord, but the document does not. */
function hasNumberAsId(body: unknown): boolean {
  const { allowed_mentions: allowed } = Object(body) as { readonly allowed_mentions?: unknown };
  const { users } = Object(allowed) as { readonly users?: unknown };
  return Array.isArray(users) && users.some((id) => typeof id === 'number');
}

/**
 * Returns true if a query has another text for a boolean: the simulator accepts it, like Discord, but the document does
 * not.
 */
function hasOtherBoolean(parameters: readonly (readonly [name: string, value: string])[]): boolean {
  return parameters.some(
    ([name, value]) => name === 'with_counts' && /^(?:0|1|TRUE|FALSE)$/i.test(value) && value !== 'true',
  );
}

test.each([
  ['POST', `/channels/${CHANNEL.id}/messages`, MESSAGE],
  ['PUT', `/applications/${APPLICATION.id}/guilds/${GUILD.id}/commands`, COMMANDS],
])('%s %s answers any body, and not with 500', async (method, path, valid) => {
  expect((await asBot(discord, method, path, valid)).status).toBe(200);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(), anything), { minLength: 1, maxLength: 2 }), async (changes) => {
      const body = changes.reduce<unknown>((changed, [at, part]) => replaced(changed, at, part), valid);
      fc.pre(!hasNumberAsId(body));
      expect((await asBot(discord, method, path, body)).status).toBeLessThan(500);
    }),
    { seed, numRuns: RUNS },
  );
});

test.each([
  `/channels/${CHANNEL.id}/messages`,
  '/users/@me/guilds',
  `/guilds/${GUILD.id}`,
  `/guilds/${GUILD.id}/members/search`,
])('GET %s answers any query, and not with 500', async (path) => {
  const parameter = fc.tuple(
    fc.constantFrom('limit', 'before', 'after', 'around', 'query', 'with_counts', 'limit[]', '__proto__'),
    fc.oneof(fc.string({ unit: anyCharacter }), fc.integer().map(String), fc.constantFrom('true', '1e3', '0x1')),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(parameter, { maxLength: 4 }), async (parameters) => {
      fc.pre(!hasOtherBoolean(parameters));
      expect((await asBot(discord, 'GET', `${path}?${new URLSearchParams(parameters)}`)).status).toBeLessThan(500);
    }),
    { seed, numRuns: RUNS },
  );
});

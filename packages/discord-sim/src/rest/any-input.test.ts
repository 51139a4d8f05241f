import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import { asBot, CHANNEL, startBotSim } from '../testing/bot-sim.ts';
import { APPLICATION, GUILD } from '../testing/populated-sim.ts';

const RUNS = 60;
const FIELDS = [
  'type',
  'name',
  'content',
  'embeds',
  'components',
  'options',
  'choices',
  'fields',
  'custom_id',
  'emoji',
];
const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);

let discord: DiscordSim;
beforeAll(async () => {
  console.log(`any-input: SEED=${seed} repeats this run`);
  discord = await startBotSim();
});
afterAll(() => discord.close());

/** JSON whose keys are often those that the forms read. */
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, 0, 1, 2, 3, 5, -1, 1.5, '', 'x', '1', 'tea'),
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...FIELDS, '__proto__', 'constructor'), tie('value'), { maxKeys: 6 }),
  ),
})).value;

test.each([
  ['POST', `/channels/${CHANNEL.id}/messages`],
  ['PUT', `/applications/${APPLICATION.id}/guilds/${GUILD.id}/commands`],
])('%s %s answers any body, and not with 500', async (method, path) => {
  await fc.assert(
    fc.asyncProperty(json, async (body) => {
      expect((await asBot(discord, method, path, body)).status).toBeLessThan(500);
    }),
    { seed, numRuns: RUNS },
  );
});

test.each([`/channels/${CHANNEL.id}/messages`, '/users/@me/guilds', `/guilds/${GUILD.id}`])(
  'GET %s answers any query, and not with 500',
  async (path) => {
    const parameter = fc.tuple(
      fc.constantFrom('limit', 'before', 'after', 'around', 'with_counts', 'limit[]', '__proto__'),
      fc.oneof(fc.string({ unit: 'binary' }), fc.integer().map(String), fc.constantFrom('true', '1e3', '0x1')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parameter, { maxLength: 4 }), async (parameters) => {
        expect((await asBot(discord, 'GET', `${path}?${new URLSearchParams(parameters)}`)).status).toBeLessThan(500);
      }),
      { seed, numRuns: RUNS },
    );
  },
);

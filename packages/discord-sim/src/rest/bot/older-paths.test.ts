import { expect } from 'vitest';
import { asBot, test } from '../../testing/bot-sim.ts';
import { json } from '../../testing/populated-sim.ts';

test("the bot's application is at its older path as well, which discord.py requests", async ({ discord }) => {
  const application = await json(asBot(discord, 'GET', '/applications/@me'));
  expect(application).toHaveProperty('bot');
  expect(await json(asBot(discord, 'GET', '/oauth2/applications/@me'))).toStrictEqual(application);
});

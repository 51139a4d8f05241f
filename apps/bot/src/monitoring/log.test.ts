import type { Fault } from '@guild-settings/discord-sim';
import { waitUntil } from '@guild-settings/testing';
import { APPLICATION, botResource, CHANNEL, discordResource, MEMBER, OWNER, TOKEN } from '@guild-settings/testing/bot';
import type { Client } from 'discord.js';
import { expect, test } from 'vitest';
import { connectionLog, warnOnce } from './log.ts';

function recorder() {
  const lines: { readonly fields: unknown; readonly message: string }[] = [];
  const record = (fields: unknown, message = '') => void lines.push({ fields, message });
  return { lines, logger: { warn: record, info: (message: unknown) => record({}, String(message)) } };
}

test('failures that alternate are each logged once a minute, with the number of those left out', () => {
  const { lines, logger } = recorder();
  let now = 0;
  const warn = warnOnce({ logger, message: 'failed', clock: () => now });
  const [one, other] = [new Error('one'), new Error('other')];
  for (let turn = 0; turn < 10; turn += 1) {
    warn(one, { reminder: 7 });
    warn(other);
  }
  expect(lines.map(({ fields }) => fields)).toEqual([{ err: one, reminder: 7 }, { err: other }]);
  now += 60_000;
  warn(one);
  expect(lines.at(-1)?.fields).toEqual({ err: one, leftOut: 9 });
});

test('a connection is logged when it is lost and when it is back, whatever fails in between', () => {
  const { lines, logger } = recorder();
  const log = connectionLog({ logger, lost: 'lost', back: 'back' });
  log.recovered();
  log.failed(new Error('one'));
  log.failed(new Error('two'));
  log.recovered();
  log.recovered();
  log.failed(new Error('three'));
  expect(lines.map(({ message }) => message)).toEqual(['lost', 'back', 'lost']);
});

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 400 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 500 },
  { kind: 'html', status: 403 },
  { kind: 'close-socket' },
  { kind: 'truncated-json' },
];

/** Channels that do not exist; the look-up of the first takes long. */
const [SLOW, UNKNOWN] = ['1300000000000000098', '1300000000000000097'];

/** A text from a person that the bot repeats in requests to Discord. */
const WRITTEN = 'what-a-person-wrote';

test('failures of Discord put interaction tokens and request bodies into the log', async () => {
  await using discord = await discordResource();
  const { people, faults, messages, calls } = discord;
  const tokens = new Set<string>();
  await using bot = await botResource(discord, {
    settings: { enabledFeatures: ['reminders'], announcement_channel: CHANNEL.id },
    onClient(client: Client) {
      client.rest.options.retries = 0;
      client.on('interactionCreate', ({ token }) => tokens.add(token));
    },
  });
  // Registering the commands fails first.
  faults.set({ kind: 'status', status: 500 }, { path: '/applications', times: 1 });
  await bot.connected;
  const failedReplies = () => bot.log.filter(({ msg }) => msg === 'a command could not be answered').length;

  for (const fault of FAULTS) {
    // Webhooks are first used after seconds, so only some faults affect them.
    const webhooks = fault.kind === 'status' && fault.status === 400 ? ['/webhooks'] : [];
    for (const path of ['/interactions', ...webhooks, `/channels/${CHANNEL.id}/messages`, `/channels/${UNKNOWN}`]) {
      const before = failedReplies();
      faults.set(fault, { path });
      if (path === '/webhooks') {
        // A reply that takes so long is sent by the webhook.
        faults.set({ kind: 'latency', ms: 1_600 }, { path: `/channels/${SLOW}`, times: 1 });
        people.slash(OWNER.id, CHANNEL.id, 'settings set', { setting: 'announcement_channel', value: SLOW });
      } else if (path === '/interactions') {
        people.slash(MEMBER.id, CHANNEL.id, 'remind add', { when: '1y', text: WRITTEN });
      } else if (path === `/channels/${UNKNOWN}`) {
        people.sendMessage(OWNER.id, CHANNEL.id, `!settings set channel <#${UNKNOWN}>`);
      } else people.sendMessage(MEMBER.id, CHANNEL.id, `!help ${WRITTEN}`);
      await waitUntil(() => calls.list().some((call) => call.path.startsWith(path)));
      if (fault.kind !== 'truncated-json' && path !== `/channels/${UNKNOWN}`)
        await waitUntil(() => failedReplies() > before);
      faults.clear();
    }
  }
  // A reminder whose delivery fails.
  faults.set({ kind: 'status', status: 500 }, { path: `/channels/${CHANNEL.id}/messages` });
  people.slash(MEMBER.id, CHANNEL.id, 'remind add', { when: '1s', text: WRITTEN });
  await waitUntil(() => bot.log.some(({ msg }) => msg === 'reminders could not be sent'));
  faults.clear();
  await messages.waitFor(({ content, nonce }) => nonce !== null && content.includes(WRITTEN));

  expect(tokens.size).toBe(FAULTS.length + 2);
  const basic = Buffer.from(`${APPLICATION.id}:${APPLICATION.clientSecret}`).toString('base64');
  const secrets = [...tokens, TOKEN, APPLICATION.clientSecret, basic, WRITTEN];
  const leaks = bot.log.map((line) => JSON.stringify(line)).filter((line) => secrets.some((s) => line.includes(s)));
  expect(leaks).toStrictEqual([]);
  // The failure itself is still readable.
  expect(JSON.stringify(bot.log)).toMatch(/\/interactions\/\d+\/\[redacted\]\/callback/);
  expect(JSON.stringify(bot.log)).toMatch(/"status":403/);
});

import { readdirSync } from 'node:fs';
import { type ChatInputCommandInteraction, Events, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { expect } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import { exemptCalls } from '../testing/checked-calls.ts';
import {
  answerCommands,
  asBot,
  CHANNEL,
  GUILD,
  json,
  MEMBER,
  OWNER,
  outcome,
  type ScopedClient,
  sendableChannel,
  startBotSim,
  botTest as test,
  withButtons,
} from '../testing/test-sim.ts';

function place(person: { readonly id: string }, channel: { readonly id: string }): string {
  return `/people/${person.id}/channels/${channel.id}`;
}

function ask({ chatUrl }: DiscordSim, path: string): Promise<Response> {
  return fetch(`${chatUrl}${path}`);
}

function send({ chatUrl }: DiscordSim, path: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json', origin: new URL(chatUrl).origin };
  return fetch(`${chatUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

/** An event of a stream whose data is assumed to have the type `Data`. */
interface ChatEvent<Data = { id: string; content: string; loading: boolean }> {
  readonly event: string;
  readonly data: Data;
}

/** Subscribes to a channel until the end of the scope. */
async function listen(discord: DiscordSim, path: string) {
  const abort = new AbortController();
  const response = await fetch(`${discord.chatUrl}${path}/stream`, { signal: abort.signal });
  const events = read(response);
  const next = async (fits: (event: ChatEvent) => boolean = () => true): Promise<ChatEvent> => {
    for (;;) {
      const { value, done } = await events.next();
      if (done) throw new Error('The stream has ended');
      if (fits(value)) return value;
    }
  };
  return { response, next, [Symbol.dispose]: () => abort.abort() };
}

async function* read({ body }: Response): AsyncGenerator<ChatEvent> {
  if (!body) throw new Error('The stream has no body');
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, event, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
    }
  }
}

test('lists the guilds of a person and only the channels they can see', async ({ discord }) => {
  const staff = { id: '1300000000000000002', guildId: GUILD.id, name: 'staff', permissions: { '@everyone': {} } };
  discord.world.addChannel(staff);
  discord.world.addRole({ id: '1500000000000000001', guildId: GUILD.id, name: 'Staff' });
  discord.world.setNickname(GUILD.id, MEMBER.id, 'Mi');
  const member = await json(ask(discord, `/people/${MEMBER.id}/guilds`));
  expect(member).toMatchObject({
    guilds: [
      {
        name: GUILD.name,
        channels: [{ id: CHANNEL.id, name: 'general', type: 'text', parentId: null, writable: true }],
        roles: [{ id: '1500000000000000001', name: 'Staff' }],
        members: [{ name: 'Olga' }, { name: 'Mi', bot: false }, { name: 'Settings', bot: true }],
      },
    ],
  });
  expect(await json(ask(discord, '/people'))).toMatchObject({ people: [{ name: 'Olga' }, { name: 'mika' }] });
  const owner = await json(ask(discord, `/people/${OWNER.id}/guilds`));
  expect(owner).toMatchObject({ guilds: [{ channels: [{ name: 'general' }, { name: 'staff' }] }] });
});

test('lists guilds as they were added, whatever their age: the page opens with the first one', async ({ discord }) => {
  discord.world.addGuild({ id: '41771983423143937', name: 'Older', ownerId: OWNER.id });
  const guilds = [{ name: GUILD.name }, { name: 'Older' }];
  expect(await json(ask(discord, `/people/${OWNER.id}/guilds`))).toMatchObject({ guilds });
});

test('responds with 404 to unknown people, bots and paths', async ({ discord }) => {
  for (const path of ['/people/1/guilds', '/people/1100000000000000009/guilds', '/nowhere']) {
    const refusal = { message: expect.stringMatching(/no/) };
    expect(await outcome(ask(discord, path))).toStrictEqual([404, refusal]);
  }
});

const HERE = place(MEMBER, CHANNEL);

test('a message that was posted is in the world', async ({ discord }) => {
  expect(await outcome(send(discord, `${HERE}/messages`, { content: 'hello <b>' }))).toMatchObject([
    201,
    { content: 'hello <b>', author: { name: 'mika', bot: false } },
  ]);
  expect(discord.messages.in(CHANNEL.id)).toMatchObject([{ content: 'hello <b>', authorId: MEMBER.id }]);
});

test('history comes in pages of 50, without what was deleted', async ({ discord }) => {
  for (let n = 1; n <= 60; n += 1) discord.people.sendMessage(OWNER.id, CHANNEL.id, String(n));
  type Page = { messages: { id: string; content: string }[]; more: boolean };
  const newest = await json<Page>(ask(discord, `${HERE}/messages`));
  expect(newest).toMatchObject({ more: true, messages: { length: 50, 0: { content: '11' } } });
  const oldest = newest.messages[0]?.id ?? '';
  expect(await json<Page>(ask(discord, `${HERE}/messages?before=${oldest}`))).toMatchObject({
    more: false,
    messages: { length: 10, 9: { content: '10' } },
  });
  const { id } = await json<{ id: string }>(
    asBot(discord, 'POST', `/channels/${CHANNEL.id}/messages`, { content: 'x' }),
  );
  await asBot(discord, 'DELETE', `/channels/${CHANNEL.id}/messages/${id}`);
  expect((await json<Page>(ask(discord, `${HERE}/messages`))).messages.at(-1)?.content).toBe('60');
});

test('a reply names what it replies to, and says when that is gone', async ({ discord }) => {
  const path = `/channels/${CHANNEL.id}/messages`;
  const first = await json<{ id: string }>(asBot(discord, 'POST', path, { content: 'first' }));
  await asBot(discord, 'POST', path, { content: 'second', message_reference: { message_id: first.id } });
  const replies = () => json(ask(discord, `${HERE}/messages`));
  expect(await replies()).toMatchObject({ messages: [{}, { replyTo: { name: 'Settings', content: 'first' } }] });
  await asBot(discord, 'DELETE', `${path}/${first.id}`);
  expect(await replies()).toMatchObject({ messages: [{ replyTo: { name: null, content: null } }] });
});

test('refuses a message without content, and of none or too many characters', async ({ discord }) => {
  for (const [body, reason] of [
    [{}, 'received nothing'],
    [{ content: 7 }, 'received 7'],
    [{ content: ' ' }, '1 characters'],
    [{ content: 'x'.repeat(2_001) }, '2001 characters'],
    [null, 'received nothing'],
  ] as const) {
    const refusal = { message: expect.stringContaining(reason) };
    expect(await outcome(send(discord, `${HERE}/messages`, body))).toStrictEqual([400, refusal]);
  }
});

test('a channel that cannot be seen is not there, and one that cannot be written to is named', async ({ discord }) => {
  discord.world.setChannelPermissions(CHANNEL.id, { '@everyone': {} });
  for (const response of [ask(discord, `${HERE}/messages`), send(discord, `${HERE}/messages`, { content: 'x' })]) {
    expect((await response).status).toBe(404);
  }
  discord.world.setChannelPermissions(CHANNEL.id, { '@everyone': { allow: 0x400n } });
  const refusal = { message: 'User mika may not do that in channel #general' };
  expect(await outcome(send(discord, `${HERE}/messages`, { content: 'x' }))).toStrictEqual([403, refusal]);
});

const MESSAGES = `/channels/${CHANNEL.id}/messages`;

test('a stream begins with history and goes on with what is written, edited and deleted', async ({ discord }) => {
  discord.people.sendMessage(OWNER.id, CHANNEL.id, 'before');
  using stream = await listen(discord, HERE);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(await stream.next()).toMatchObject({ event: 'history', data: { messages: [{ content: 'before' }] } });
  const { id } = await json<{ id: string }>(asBot(discord, 'POST', MESSAGES, { content: 'one' }));
  await asBot(discord, 'PATCH', `${MESSAGES}/${id}`, { content: 'two' });
  await asBot(discord, 'DELETE', `${MESSAGES}/${id}`);
  expect(await stream.next()).toMatchObject({ event: 'message', data: { id, content: 'one', editedAt: null } });
  expect(await stream.next()).toMatchObject({
    event: 'message',
    data: { content: 'two', editedAt: expect.any(Number) },
  });
  expect(await stream.next()).toStrictEqual({ event: 'deleted', data: { id } });
});

test('a stream is silent about other channels, and about its own once it cannot be seen', async ({ discord }) => {
  const other = { id: '1300000000000000002', guildId: GUILD.id, name: 'other' };
  discord.world.addChannel(other);
  using stream = await listen(discord, HERE);
  discord.people.sendMessage(OWNER.id, other.id, 'elsewhere');
  discord.world.setChannelPermissions(CHANNEL.id, { '@everyone': {} });
  discord.people.sendMessage(OWNER.id, CHANNEL.id, 'hidden');
  discord.world.setChannelPermissions(CHANNEL.id, {});
  discord.people.sendMessage(OWNER.id, CHANNEL.id, 'seen again');
  const events = [await stream.next(), await stream.next(), await stream.next(), await stream.next()];
  expect(events.map(({ event }) => event)).toStrictEqual(['history', 'places', 'places', 'message']);
  expect(events.at(-1)).toMatchObject({ data: { content: 'seen again' } });
});

test('a stream outlives its channel and its place in the guild; HEAD opens none', async ({ discord }) => {
  expect((await fetch(`${discord.chatUrl}${HERE}/stream`, { method: 'HEAD' })).status).toBe(404);
  using stream = await listen(discord, HERE);
  discord.world.removeMember(GUILD.id, MEMBER.id);
  discord.world.removeChannel(CHANNEL.id);
  expect(await stream.next(({ event }) => event === 'places')).toMatchObject({ data: { guildId: GUILD.id } });
  expect((await ask(discord, `${HERE}/stream`)).status).toBe(404);
});

test('closing the simulator ends the streams', async () => {
  const discord = await startBotSim();
  using stream = await listen(discord, HERE);
  await stream.next();
  await discord.close();
  await expect(stream.next()).rejects.toThrow();
});

test('a reader that leaves a megabyte unread is cut off', async ({ discord }) => {
  using stream = await listen(discord, HERE);
  await stream.next();
  for (let n = 0; n < 700; n += 1) discord.people.sendMessage(OWNER.id, CHANNEL.id, 'x'.repeat(2_000));
  await expect(stream.next(() => false)).rejects.toThrow();
  using again = await listen(discord, HERE);
  expect(await again.next()).toMatchObject({ data: { messages: { length: 50 } } });
});

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:";
const SAY = `${place(MEMBER, CHANNEL)}/messages`;
const HELLO = JSON.stringify({ content: 'hello' });

test('the page and its files are served under a strict policy, tests and types of it are not', async ({ discord }) => {
  expect(discord.chatUrl).toBe(`${discord.url}/chat`);
  const page = await ask(discord, '');
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const html = await page.text();
  const linked = [...html.matchAll(/(?:src|href)="\/chat(\/page\/[^"]+)"/g)].map(([, path]) => path ?? '');
  expect(linked.length).toBeGreaterThan(1);
  const files = readdirSync(new URL('../../page', import.meta.url)).filter((file) => /\.(js|css)$/.test(file));
  for (const path of ['', ...linked, ...files.map((file) => `/page/${file}`)]) {
    const { status, headers } = await ask(discord, path);
    expect([path, status]).toStrictEqual([path, 200]);
    expect(headers.get('content-security-policy')).toContain(POLICY);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  }
  for (const path of ['/page/markdown.d.ts', '/page/markdown.test.ts', '/page/index.html', '/page/..%2fchat.ts']) {
    expect((await ask(discord, path)).status).toBe(404);
  }
});

test('posts of other sites and pages without an origin, forms and broken JSON are refused', async ({ discord }) => {
  for (const [headers, status, body] of [
    [{ 'content-type': 'application/json', origin: 'https://evil.example' }, 403, HELLO],
    [{ 'content-type': 'application/json', origin: 'null' }, 403, HELLO],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, 415, HELLO],
    [{ 'content-type': 'text/plain' }, 415, HELLO],
    [{ 'content-type': 'application/jsonp' }, 415, HELLO],
    [{ 'content-type': 'application/json' }, 400, '{'],
  ] as const) {
    const refusal = { message: expect.any(String) };
    expect([
      headers,
      ...(await outcome(fetch(`${discord.chatUrl}${SAY}`, { method: 'POST', headers, body }))),
    ]).toStrictEqual([headers, status, refusal]);
  }
  expect(discord.messages.all()).toHaveLength(0);
});

test('the chat uses up no fault and no rate limit, and is not in the call log', async () => {
  await using discord = await startBotSim({ rateLimit: { limit: 1, windowMs: 60_000 } });
  exemptCalls('The status of a fault is not described.');
  discord.faults.set({ kind: 'status', status: 500 }, { times: 1 });
  for (const path of ['', '/people', '/people', '/nowhere']) expect((await ask(discord, path)).status).not.toBe(500);
  expect(discord.calls.count()).toBe(0);
  expect((await fetch(`${discord.apiUrl}/users/@me`)).status).toBe(500);
  expect(discord.calls.count()).toBe(1);
});

const ADD = {
  type: 1 as const,
  name: 'add',
  description: 'Adds one',
  descriptionLocalizations: { ru: 'Добавляет' },
  options: [
    { type: 3 as const, name: 'text', description: 'What', required: true, maxLength: 10 },
    { type: 4 as const, name: 'times', description: 'Times', choices: [{ name: 'once', value: 1 }] },
  ],
};
const COMMANDS = [
  { name: 'remind', nameLocalizations: { ru: 'напомнить' }, description: 'Reminders', options: [ADD] },
  { name: 'settings', description: 'Settings', defaultMemberPermissions: PermissionFlagsBits.ManageGuild },
];

function answering(client: ScopedClient, answer: (interaction: ChatInputCommandInteraction) => Promise<unknown>) {
  return answerCommands(client, COMMANDS, answer);
}

test('usable commands are listed to their subcommands, in the language of the client', async ({ client, discord }) => {
  await answering(client, async () => undefined);
  const noChoice = { choices: [], completes: false, min: null };
  const once = { choices: [{ label: 'once', value: 1 }], completes: false, min: null };
  expect(await json(ask(discord, `${HERE}/commands?locale=ru`))).toStrictEqual({
    commands: [
      {
        command: 'remind add',
        name: 'напомнить add',
        description: 'Добавляет',
        bot: 'Settings',
        options: [
          { name: 'text', label: 'text', description: 'What', kind: 'text', required: true, ...noChoice, max: 10 },
          { name: 'times', label: 'times', description: 'Times', kind: 'integer', required: false, ...once, max: null },
        ],
      },
    ],
  });
});

test('a command reaches the bot, and its answer streams, first as a placeholder', async ({ client, discord }) => {
  await answering(client, async (interaction) => {
    await interaction.deferReply();
    await interaction.editReply(`${interaction.locale} ${interaction.options.getString('text')}`);
  });
  using stream = await listen(discord, HERE);
  const use = { command: 'remind add', values: { text: 'tea', times: 1 }, locale: 'ja' };
  const response = await send(discord, `${HERE}/commands`, use);
  expect(response.status).toBe(202);
  expect(await stream.next(({ event }) => event === 'message')).toMatchObject({
    data: { loading: true, content: '', use: { name: 'mika', command: 'remind add' } },
  });
  expect(await stream.next()).toMatchObject({
    event: 'message',
    data: { loading: false, content: 'ja tea', editedAt: null, author: { name: 'Settings', bot: true } },
  });
  const { interactionId } = (await response.json()) as { interactionId: string };
  expect(await json(ask(discord, `${HERE}/interactions/${interactionId}`))).toStrictEqual({
    answered: true,
    modal: null,
  });
});

test('an ephemeral answer is for the person who asked alone', async ({ client, discord }) => {
  await answering(client, async (interaction) => {
    await interaction.reply({ content: 'secret', flags: MessageFlags.Ephemeral });
  });
  using mine = await listen(discord, HERE);
  using theirs = await listen(discord, place(OWNER, CHANNEL));
  await send(discord, `${HERE}/commands`, { command: 'remind add', values: { text: 'tea' } });
  expect(await mine.next(({ event }) => event === 'message')).toMatchObject({
    data: { content: 'secret', ephemeral: true },
  });
  discord.people.sendMessage(OWNER.id, CHANNEL.id, 'after it');
  expect(await theirs.next(({ event }) => event === 'message')).toMatchObject({ data: { content: 'after it' } });
  expect(await json(ask(discord, `${HERE}/messages`))).toMatchObject({ messages: { length: 2 } });
  expect(await json(ask(discord, `${place(OWNER, CHANNEL)}/messages`))).toMatchObject({ messages: { length: 1 } });
});

test('a button is pressed, and the message changes', async ({ client, discord }) => {
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isButton()) void interaction.update(`pressed in ${interaction.locale}`);
  });
  const { id } = await (await sendableChannel(client)).send({ content: 'sure?', ...withButtons('yes') });
  using stream = await listen(discord, HERE);
  expect(await stream.next()).toMatchObject({
    data: { messages: [{ buttons: [[{ customId: 'yes', label: 'yes', style: 1, disabled: false, url: null }]] }] },
  });
  expect((await send(discord, `${HERE}/messages/${id}/press`, { customId: 'yes', locale: 'hi' })).status).toBe(202);
  expect(await stream.next()).toMatchObject({ event: 'message', data: { id, content: 'pressed in hi' } });
  expect(await outcome(send(discord, `${HERE}/messages/${id}/press`, { customId: 'no' }))).toMatchObject([
    403,
    { message: expect.stringContaining('no button "no"') },
  ]);
  expect((await send(discord, `${HERE}/messages/1/press`, { customId: 'yes' })).status).toBe(404);
});

test('what the person may not use is refused in readable words', async ({ client, discord }) => {
  await answering(client, async () => undefined);
  for (const [body, status, message] of [
    [{ command: 'settings' }, 403, /^User mika is not shown command settings in guild Ünïcode$/],
    [{ command: 'remind add' }, 403, /requires option text/],
    [{ command: '' }, 400, /^command: expected/],
    [{ command: 'x', values: [] }, 400, /^values: expected/],
    [{ command: 'x', values: { a: null } }, 400, /^values\.a: expected/],
    [{ command: 'x', locale: 'xx' }, 400, /^locale: expected/],
  ] as const) {
    const refusal = { message: expect.stringMatching(message) };
    expect([body, ...(await outcome(send(discord, `${HERE}/commands`, body)))]).toStrictEqual([body, status, refusal]);
  }
});

import { expect } from 'vitest';
import { exemptCalls } from '../testing/checked-calls.ts';
import { asBot, BOT_TOKEN, CHANNEL, errorsOf, GUILD, json, MEMBER, botTest as test } from '../testing/test-sim.ts';

const MESSAGES = `/channels/${CHANNEL.id}/messages`;
const BUTTON = { type: 2, style: 1, label: 'Yes', custom_id: 'yes' };
const ROW = 'components.0.components';
const FIELD = { name: 'x', value: 'y' };
const MENU = { type: 3, custom_id: 'menu', options: [{ label: 'A', value: 'a' }] };

function row(...components: unknown[]) {
  return { components: [{ type: 1, components }] };
}

const button = (change: object) => row({ ...BUTTON, ...change });
const embed = (part: object) => ({ embeds: [part] });
const replyTo = (reference: object) => ({ content: 'x', message_reference: reference });

test('names all errors of a message at once, each under the path of its field', async ({ discord }) => {
  const response = asBot(discord, 'POST', MESSAGES, {
    content: 'x'.repeat(2_001),
    embeds: [{ title: 'fine' }, { color: -1, fields: [{ name: '', value: 'x' }, { name: 'x' }] }],
    allowed_mentions: { users: ['nobody'] },
  });
  const content = { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH', message: 'Must be 2000 or fewer in length.' }] };
  const refused = (await response).clone().json();
  expect(await refused).toMatchObject({ code: 50035, message: 'Invalid Form Body', errors: { content } });
  expect((await errorsOf(response)).sort()).toStrictEqual([
    400,
    'allowed_mentions.users.0: NUMBER_TYPE_COERCE',
    'content: BASE_TYPE_MAX_LENGTH',
    'embeds.1.color: NUMBER_TYPE_MIN',
    'embeds.1.fields.0.name: BASE_TYPE_BAD_LENGTH',
    'embeds.1.fields.1.value: BASE_TYPE_REQUIRED',
  ]);
});

const REFUSED: readonly [string, unknown, string][] = [
  ['content that is no text', { content: 5 }, 'content: STRING_TYPE_CONVERT'],
  ['a nonce of 26 characters', { content: 'x', nonce: 'n'.repeat(26) }, 'nonce: NONCE_TYPE_TOO_LONG'],
  ['a nonce that is a list', { content: 'x', nonce: [] }, 'nonce: NONCE_TYPE_INVALID_TYPE'],
  ['flags that are no number', { content: 'x', flags: 'all' }, 'flags: NUMBER_TYPE_COERCE'],
  [
    'mentions of all users and of some',
    { content: 'x', allowed_mentions: { parse: ['users'], users: ['1'] } },
    'allowed_mentions: MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE',
  ],
  [
    'mentions of an unknown kind',
    { content: 'x', allowed_mentions: { parse: ['all'] } },
    'allowed_mentions.parse.0: BASE_TYPE_CHOICES',
  ],
  ['a reply to an unknown message', replyTo({ message_id: '1' }), 'message_reference: REPLIES_UNKNOWN_MESSAGE'],
  [
    'a reply to another channel',
    replyTo({ message_id: '1', channel_id: '1' }),
    'message_reference: REPLIES_CANNOT_REFERENCE_OTHER_CHANNEL',
  ],
  ['a reply without an id', replyTo({}), 'message_reference.message_id: BASE_TYPE_REQUIRED'],
  ['an embed that is no object', { embeds: ['x'] }, 'embeds.0: MODEL_TYPE_CONVERT'],
  ['an embed in no list', { embeds: { title: 'x' } }, 'embeds: LIST_TYPE_CONVERT'],
  ['eleven embeds', { embeds: Array(11).fill({ title: 'x' }) }, 'embeds: BASE_TYPE_MAX_LENGTH'],
  ['a title of 257 characters', embed({ title: 'é'.repeat(257) }), 'embeds.0.title: BASE_TYPE_MAX_LENGTH'],
  ['an address that is none', embed({ url: 'x' }), 'embeds.0.url: URL_TYPE_INVALID_URL'],
  ['an image of another scheme', embed({ image: { url: 'ftp://x' } }), 'embeds.0.image.url: URL_TYPE_INVALID_SCHEME'],
  ['a time that is none', embed({ timestamp: 'soon' }), 'embeds.0.timestamp: DATE_TIME_TYPE_PARSE'],
  ['a number in place of a time', embed({ timestamp: '1' }), 'embeds.0.timestamp: DATE_TIME_TYPE_PARSE'],
  ['26 fields', embed({ fields: Array(26).fill(FIELD) }), 'embeds.0.fields: BASE_TYPE_MAX_LENGTH'],
  [
    'embeds of 6,001 characters together',
    { embeds: [{ description: 'x'.repeat(4_000) }, { description: 'x'.repeat(2_001) }] },
    'embeds: MAX_EMBED_SIZE_EXCEEDED',
  ],
  ['a button outside of a row', { components: [BUTTON] }, 'components.0.type: UNION_TYPE_CHOICES'],
  ['six rows', { components: Array(6).fill(row(BUTTON).components[0]) }, 'components: BASE_TYPE_MAX_LENGTH'],
  ['an empty row', row(), `${ROW}: BASE_TYPE_BAD_LENGTH`],
  ['a component without a type', row({ label: 'x' }), `${ROW}.0.type: BASE_TYPE_REQUIRED`],
  ['no custom id', button({ custom_id: undefined }), `${ROW}.0.custom_id: BUTTON_COMPONENT_CUSTOM_ID_REQUIRED`],
  [
    'two buttons of one custom id',
    row(BUTTON, { ...BUTTON, label: 'No' }),
    `${ROW}.1.custom_id: COMPONENT_CUSTOM_ID_DUPLICATED`,
  ],
  ['a custom id of 101 characters', button({ custom_id: 'x'.repeat(101) }), `${ROW}.0.custom_id: BASE_TYPE_BAD_LENGTH`],
  ['an unknown style', button({ style: 7 }), `${ROW}.0.style: BASE_TYPE_CHOICES`],
  ['an emoji that is none', button({ emoji: { name: 'tea' } }), `${ROW}.0.emoji.name: BUTTON_COMPONENT_INVALID_EMOJI`],
  ['a link that leads nowhere', button({ style: 5, custom_id: undefined }), `${ROW}.0.url: BASE_TYPE_REQUIRED`],
  [
    'a link with a custom id',
    button({ style: 5, url: 'https://example.com' }),
    `${ROW}.0.custom_id: BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE`,
  ],
  ['a menu beside a button', row(BUTTON, MENU), `${ROW}.1: COMPONENT_LAYOUT_WIDTH_EXCEEDED`],
  ['a menu without options', row({ ...MENU, options: [] }), `${ROW}.0.options: BASE_TYPE_BAD_LENGTH`],
  [
    'two options of one value',
    row({ ...MENU, options: [...MENU.options, { label: 'B', value: 'a' }] }),
    `${ROW}.0.options.1.value: SELECT_COMPONENT_OPTION_VALUE_DUPLICATED`,
  ],
];

test.for<(typeof REFUSED)[number]>(REFUSED)('refuses %s', async ([_name, body, error], { discord }) => {
  expect(await errorsOf(asBot(discord, 'POST', MESSAGES, body))).toStrictEqual([400, error]);
});

test('counts code points, not code units', async ({ discord }) => {
  expect((await asBot(discord, 'POST', MESSAGES, { content: '🍵'.repeat(2_000) })).status).toBe(200);
});

test('shows embeds and components as Discord completes them', async ({ discord }) => {
  const link = { type: 2, style: 5, label: 'More', url: 'https://example.com' };
  const first = row({ ...BUTTON, emoji: { id: null, name: '✅' } }, link).components;
  const embeds = [{ title: 'Tea', description: null, fields: [FIELD], timestamp: '2026-01-02T03:04:05Z' }];
  const message = { embeds, components: [...first, ...row({ ...MENU, id: 2 }).components] };
  const inline = { ...FIELD, inline: false };
  expect(await json(asBot(discord, 'POST', MESSAGES, message))).toMatchObject({
    embeds: [{ type: 'rich', title: 'Tea', fields: [inline], timestamp: '2026-01-02T03:04:05.000Z' }],
    components: [
      {
        id: 1,
        components: [
          { id: 3, ...BUTTON, emoji: { name: '✅' } },
          { id: 4, url: 'https://example.com' },
        ],
      },
      { id: 5, components: [{ id: 2, min_values: 1, max_values: 1, options: MENU.options }] },
    ],
  });
});

const SEARCH = `/guilds/${GUILD.id}/members/search`;

test.for<[string, ...string[]]>([
  ['/channels/x', 'channel_id: NUMBER_TYPE_COERCE'],
  [`${MESSAGES}/x`, 'message_id: NUMBER_TYPE_COERCE'],
  ['/users/01', 'user_id: NUMBER_TYPE_COERCE'],
  ['/guilds/18446744073709551616', 'guild_id: NUMBER_TYPE_COERCE'],
  ['/users/@me/guilds?limit=0', 'limit: NUMBER_TYPE_MIN'],
  ['/users/@me/guilds?limit=201', 'limit: NUMBER_TYPE_MAX'],
  ['/users/@me/guilds?limit=1&limit=2', 'limit: NUMBER_TYPE_COERCE'],
  ['/users/@me/guilds?before=yesterday', 'before: NUMBER_TYPE_COERCE'],
  ['/users/@me/guilds?after=', 'after: NUMBER_TYPE_COERCE'],
  [`${MESSAGES}?before=x`, 'before: NUMBER_TYPE_COERCE'],
  [`${MESSAGES}?limit=0`, 'limit: NUMBER_TYPE_MIN'],
  [`${MESSAGES}?limit=101`, 'limit: NUMBER_TYPE_MAX'],
  [`${MESSAGES}?after=yesterday&limit=many`, 'after: NUMBER_TYPE_COERCE', 'limit: NUMBER_TYPE_COERCE'],
  [SEARCH, 'query: BASE_TYPE_REQUIRED'],
  [`${SEARCH}?query=`, 'query: BASE_TYPE_BAD_LENGTH'],
  [`${SEARCH}?query=${'x'.repeat(101)}`, 'query: BASE_TYPE_BAD_LENGTH'],
  [`${SEARCH}?query=x&limit=0`, 'limit: NUMBER_TYPE_MIN'],
  [`${SEARCH}?query=x&limit=1001`, 'limit: NUMBER_TYPE_MAX'],
])('refuses the address %s', async ([path, ...errors], { discord }) => {
  expect(await errorsOf(asBot(discord, 'GET', path))).toStrictEqual([400, ...errors]);
});

test('takes ids that are numbers beyond 2^53, as discord.py sends them', async ({ discord }) => {
  exemptCalls("Discord's document has ids as texts alone.");
  const said = discord.people.sendMessage(MEMBER.id, CHANNEL.id, 'hi');
  const headers = { authorization: `Bot ${BOT_TOKEN}`, 'content-type': 'application/json' };
  const reference = `"message_reference":{"message_id":${said.id}}`;
  const body = `{"content":"<@${MEMBER.id}>","allowed_mentions":{"users":[${MEMBER.id}]},${reference}}`;
  expect((await fetch(`${discord.apiUrl}${MESSAGES}`, { method: 'POST', headers, body })).status).toBe(200);
  expect(discord.messages.in(CHANNEL.id).at(-1)).toMatchObject({ replyTo: said.id, mentions: [MEMBER.id] });
});

import createClient from 'openapi-fetch';
import type { components, paths } from './guild-settings.js';

type Problem = components['schemas']['Problem'];

const {
  GUILD_SETTINGS_URL: baseUrl = 'http://127.0.0.1:3000',
  GUILD_SETTINGS_TOKEN: token = 'sandbox-manager-token-00000001',
  GUILD_SETTINGS_GUILD: guild = '197038439483310086',
} = process.env;

const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
const path = { guild };

/** Returns the document and its entity tag, or ends the program with the text of the problem document. */
function expectDocument<Document>(result: {
  data?: Document;
  error?: Problem;
  response: Response;
}): [Document, string] {
  const { data, error, response } = result;
  if (data !== undefined) return [data, response.headers.get('etag') ?? ''];
  console.error(`${response.status} ${error?.title}: ${error?.detail}`);
  process.exit(1);
}

// Read. The entity tag names the revision of the record.
const [first, firstTag] = expectDocument(await client.GET('/guilds/{guild}', { params: { path } }));
console.log(`read: ${first.name}, beta is ${first.beta}`);

// Change: only the fields in the body.
const [changed, changedTag] = expectDocument(
  await client.PATCH('/guilds/{guild}', { params: { path }, body: { beta: !first.beta } }),
);
console.log(`changed: beta is ${changed.beta}`);

// Change only if the record is still at the revision that this program knows.
const language = first.language === 'ja' ? 'hi' : 'ja';
const [translated] = expectDocument(
  await client.PATCH('/guilds/{guild}', { params: { path, header: { 'If-Match': changedTag } }, body: { language } }),
);
console.log(`changed at the known revision: language is ${translated.language}`);

// History: who changed what, the newest change first.
const [{ entries }] = expectDocument(
  await client.GET('/guilds/{guild}/history', { params: { path, query: { limit: 1 } } }),
);
const { revision = 0, changes = {} } = entries[0] ?? {};
console.log(`history: language changed from ${changes.language?.from} to ${changes.language?.to}`);

// Undo: restores the values before one change. It never overwrites later changes.
const [undone] = expectDocument(
  await client.POST('/guilds/{guild}/history/{revision}/undo', { params: { path: { guild, revision } } }),
);
// With `dry_run`, the difference replaces the record.
if ('language' in undone) console.log(`undone: language is ${undone.language}`);

// Feature: PUT enables one, DELETE disables it. Concurrent switches of other features are not affected.
const [enabled, enabledTag] = expectDocument(
  await client.PUT('/guilds/{guild}/features/{feature}', { params: { path: { guild, feature: 'reminders' } } }),
);
console.log(`enabled: ${enabled.enabledFeatures.at(-1)}`);

// Conflict: the record has changed since the first read. The problem contains the current record.
const conflict = await client.PATCH('/guilds/{guild}', {
  params: { path, header: { 'If-Match': firstTag } },
  body: { prefix: '?' },
});
console.log(`conflict: ${conflict.response.status} ${conflict.error?.title}, beta is ${conflict.error?.current?.beta}`);

// Error: every issue of the request is listed with a JSON Pointer. The type check would refuse a number.
const refused = await client.PATCH('/guilds/{guild}', { params: { path }, body: { prefix: ' ?' } });
const pointers = refused.error?.issues?.map(({ pointer }) => pointer).join(', ');
console.log(`refused: ${refused.response.status} ${refused.error?.title}, ${pointers}`);

// A complete record can be sent back as it was read. A later service may have more languages than this program knows,
// and accepts its own values, so the type of the request has to be asserted.
const body = first as components['schemas']['GuildPatch'];
const [restored] = expectDocument(
  await client.PATCH('/guilds/{guild}', { params: { path, header: { 'If-Match': enabledTag } }, body }),
);
console.log(`restored: beta is ${restored.beta}, language is ${restored.language}`);

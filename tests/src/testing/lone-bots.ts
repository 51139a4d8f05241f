import { GUILDS } from '@guild-settings/discord-sim/testing/world';

/** A small bot of another project, which has some of the packages. */
interface LoneBot {
  /** The packages that it installs, one after the other, from their tarballs. */
  readonly tarballs: readonly string[];
  /** The packages that it installs from a registry. */
  readonly others: readonly string[];
  /** Receives the URL of the service, its token, the URL of Discord, its token, and a guild. */
  readonly program: string;
  /** JSON on standard output. */
  readonly prints: unknown;
}

const ARGUMENTS = "const [url = '', token = '', discordUrl = '', botToken = '', guild = ''] = process.argv.slice(2);";

const CLIENT = `
import { createGuildSettingsClient, hasProblem, mayManageGuild, withRequest } from '@guild-settings/client';

${ARGUMENTS}
const settings = createGuildSettingsClient({ url, token });
const permissions = [0n, 1n << 5n].map((bits) => mayManageGuild({ owner: false, permissions: bits }));
const { prefix } = await settings.guilds.update.mutate({ guild, prefix: '%' }, withRequest({ ifMatch: '*' }));
const refused = await settings.guilds.get.query({ guild: '1' }).catch((error: unknown) => error);
console.log(JSON.stringify([permissions, prefix, hasProblem(refused, 'invalid-request'), discordUrl !== botToken]));
// @ts-expect-error
const update = () => settings.guilds.update.mutate({ guild, prefix: 1 });
`;

const REPLICA = `
import { openReplica } from '@guild-settings/replica';

${ARGUMENTS}
const replica = openReplica({ apiUrl: url, credentials: token, path: 'replica.db' });
await replica.waitUntilLive();
const { prefix } = replica.get(guild);
await replica.close();
console.log(JSON.stringify([prefix, discordUrl !== botToken]));
// @ts-expect-error
const colour = () => replica.get(guild).colour;
`;

const PRESENCE = `
import { createGuildSettingsClient } from '@guild-settings/client';
import { reportPresence } from '@guild-settings/presence';
import { Client, GatewayIntentBits } from 'discord.js';

${ARGUMENTS}
const client = new Client({ intents: [GatewayIntentBits.Guilds], rest: { api: discordUrl.replace(/\\/v10$/, '') } });
const settings = createGuildSettingsClient({ url, token });
let presence: ReturnType<typeof reportPresence> | undefined;
const reported = new Promise<void>((resolve, reject) => {
  presence = reportPresence(client, settings, { onReported: resolve, onError: reject });
});
await client.login(botToken);
await reported;
const { name } = await settings.guilds.get.query({ guild });
await presence?.stop();
await client.destroy();
console.log(JSON.stringify([name]));
// @ts-expect-error
const report = () => reportPresence(client, { presence: {} });
`;

export const LONE_BOTS: readonly LoneBot[] = [
  { tarballs: ['client'], others: [], program: CLIENT, prints: [[false, true], '%', true, true] },
  { tarballs: ['replica'], others: [], program: REPLICA, prints: ['!', true] },
  { tarballs: ['presence', 'client'], others: ['discord.js@14'], program: PRESENCE, prints: [GUILDS[0].name] },
];

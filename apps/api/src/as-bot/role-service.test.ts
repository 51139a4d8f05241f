import { startDiscordSim } from '@guild-settings/discord-sim';
import { expect, test } from 'vitest';
import { createDiscordGet } from '../auth/discord-api.ts';
import { createMetrics } from '../ops/metrics.ts';
import { createBotApi } from './bot-api.ts';
import { GuildLookups } from './guild-lookups.ts';
import { GuildViews } from './guild-views.ts';
import { RoleService } from './role-service.ts';

const GUILD = '197038439483310000';
const APPLICATION = '80351110224670000';
const OWNER = '80351110224670001';
const TOKEN = 'bot-token-of-the-tests-000000001';

test('the ids of roles are those of all roles of the guild, without that of @everyone', async () => {
  await using discord = await startDiscordSim();
  const { world } = discord;
  world.addUser({ id: OWNER, username: 'olga' });
  world.addApplication({ id: APPLICATION, clientSecret: 's3cret', ownerId: OWNER });
  world.addBot({ applicationId: APPLICATION, token: TOKEN });
  world.addGuild({ id: GUILD, name: 'Tea', ownerId: OWNER });
  world.addBotToGuild(GUILD);
  const monotonicMs = () => performance.now();
  const api = createBotApi(createDiscordGet({ apiUrl: discord.apiUrl, metrics: createMetrics() }), TOKEN);
  const lookups = new GuildLookups({ run: (_person, work) => work(AbortSignal.timeout(10_000)) }, monotonicMs);
  const roles = new RoleService(new GuildViews({ api, lookups, applicationId: APPLICATION, monotonicMs }));
  const ids = await roles.idsOf({ id: GUILD, person: OWNER }, { presence: 'present' });
  expect(ids).toEqual(new Set(world.membersOf(GUILD).map(({ roleId }) => roleId)));
});

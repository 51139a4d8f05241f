import { ApplicationFlags } from 'discord-api-types/v10';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DiscordSim } from '../sim.ts';
import {
  APPLICATION,
  asBot,
  CHANNEL,
  GUILD,
  get,
  json,
  MEMBER,
  memberToken,
  startBotSim,
} from '../testing/test-sim.ts';

// Properties that strict readers of Discord's OpenAPI document require, but the type definitions of many libraries do
// not.
const USER = { flags: 0, public_flags: 0, primary_guild: null, global_name: null };

/** The three privileged intents of an application in few guilds. */
const ALLOWED_INTENTS =
  ApplicationFlags.GatewayPresenceLimited |
  ApplicationFlags.GatewayGuildMembersLimited |
  ApplicationFlags.GatewayMessageContentLimited;

let discord: DiscordSim;
beforeAll(async () => {
  discord = await startBotSim();
});
afterAll(() => discord.close());

test('a user has flags and a primary guild, wherever it appears, and for its own token a locale', async () => {
  expect(await json(asBot(discord, 'GET', `/users/${MEMBER.id}`))).toMatchObject(USER);
  expect(await json(asBot(discord, 'GET', `/guilds/${GUILD.id}/members/${MEMBER.id}`))).toMatchObject({ user: USER });
  const own = { ...USER, ...MEMBER, discriminator: '0', locale: 'en-US' };
  expect(await json(get(discord, '/users/@me', memberToken(discord)))).toMatchObject(own);
  expect(await json(get(discord, '/oauth2/@me', memberToken(discord)))).toMatchObject({ user: USER });
});

test('channels and threads have flags', async () => {
  const thread = { id: '1300000000000000003', guildId: GUILD.id, name: 't', type: 'thread' as const };
  discord.world.addChannel({ ...thread, parentId: CHANNEL.id });
  for (const { id } of [CHANNEL, thread]) {
    expect(await json(asBot(discord, 'GET', `/channels/${id}`))).toMatchObject({ flags: 0 });
  }
});

test('a guild has the properties of its widget, its limits and its region', async () => {
  expect(await json(asBot(discord, 'GET', `/guilds/${GUILD.id}`))).toMatchObject({
    home_header: null,
    max_members: expect.any(Number),
    max_presences: null,
    max_stage_video_channel_users: expect.any(Number),
    max_video_channel_users: expect.any(Number),
    nsfw: false,
    premium_subscription_count: 0,
    region: expect.any(String),
    widget_channel_id: null,
    widget_enabled: false,
  });
});

test('an application has type and flags, and for its bot, also at the path of discord.py, an owner and its installations', async () => {
  const application = { id: APPLICATION.id, type: null, flags: 0, flags_new: '0' };
  expect(await json(get(discord, '/oauth2/@me', memberToken(discord)))).toMatchObject({ application });
  const ofBot = await json(asBot(discord, 'GET', '/applications/@me'));
  expect(await json(asBot(discord, 'GET', '/oauth2/applications/@me'))).toStrictEqual(ofBot);
  expect(ofBot).toMatchObject({
    ...application,
    flags: ALLOWED_INTENTS,
    flags_new: String(ALLOWED_INTENTS),
    bot: { bot: true },
    owner: { primary_guild: null },
    approximate_guild_count: 1,
    approximate_user_install_count: 0,
    approximate_user_authorization_count: 0,
    explicit_content_filter: 0,
    eligible_oauth2_scopes: [],
    interactions_endpoint_url: null,
    role_connections_verification_url: null,
  });
});

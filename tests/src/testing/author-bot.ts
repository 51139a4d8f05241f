import { createGuildSettingsClient } from '@guild-settings/client';
import {
  isSettingsInteraction,
  reportPresence,
  type SettingsCommandOptions,
  settingsCommand,
} from '@guild-settings/discord';
import { openReplica } from '@guild-settings/replica';
import { Client, type ClientOptions, Events, type Interaction, REST, Routes, SlashCommandBuilder } from 'discord.js';

export interface AuthorBotOptions {
  readonly serviceUrl: string;
  readonly serviceToken: string;
  /** Without the version. */
  readonly discordUrl: string;
  readonly botToken: string;
  readonly path: string;
  readonly client?: Partial<ClientOptions>;
  readonly settings?: Partial<SettingsCommandOptions>;
  /** The shard of this process, and their number. */
  readonly shard?: { readonly id: number; readonly count: number };
}

const rank = new SlashCommandBuilder()
  .setName('rank')
  .setDescription('Shows your rank')
  .addStringOption((option) => option.setName('season').setDescription('A season').setAutocomplete(true));

/** Registers the commands of a bot, all at once, like the guide of discord.js. */
export async function deployCommands(
  { discordUrl, botToken }: Pick<AuthorBotOptions, 'discordUrl' | 'botToken'>,
  applicationId: string,
  others: readonly object[] = [],
): Promise<void> {
  const rest = new REST({ api: discordUrl }).setToken(botToken);
  await rest.put(Routes.applicationCommands(applicationId), { body: [rank.toJSON(), ...others] });
}

/** The bot of a team, which has its own commands but none for settings. */
export async function startAuthorBot({
  serviceUrl,
  serviceToken,
  botToken,
  path,
  shard,
  ...options
}: AuthorBotOptions) {
  const client = new Client({
    intents: ['Guilds', 'GuildMessages', 'MessageContent'],
    rest: { api: options.discordUrl },
    ...(shard && { shards: shard.id, shardCount: shard.count }),
    ...options.client,
  });
  const service = createGuildSettingsClient({ url: serviceUrl, token: serviceToken });
  const shards = shard === undefined ? null : { ids: [shard.id], count: shard.count };
  const replica = openReplica({ apiUrl: serviceUrl, credentials: serviceToken, path, shards });

  const presence = reportPresence(client, service);
  const settings = settingsCommand(client, { service, replica, ...options.settings });

  client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
  client.on(Events.MessageCreate, async (message) => {
    if (message.content === '!rank') await message.reply('You are first.');
  });
  await client.login(botToken);

  const stop = async () => {
    await settings.close();
    await presence.stop();
    await client.destroy();
    await replica.close();
  };
  return { client, service, replica, settings, stop, [Symbol.asyncDispose]: stop };
}

async function answer(interaction: Interaction): Promise<void> {
  if (isSettingsInteraction(interaction)) return;
  if (interaction.isAutocomplete()) return interaction.respond([{ name: 'Spring', value: 'spring' }]);
  if (interaction.isChatInputCommand() && interaction.commandName === 'rank') {
    const button = { type: 2, style: 1, label: 'Next season', custom_id: `settings|show|season|${interaction.id}` };
    await interaction.reply({ content: 'You are first.', components: [{ type: 1, components: [button] }] });
  } else if (interaction.isButton()) await interaction.reply('You are second.');
  else if (interaction.isRepliable()) await interaction.reply('Unknown command.');
}

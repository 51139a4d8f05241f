import { createGuildSettingsClient } from '@guild-settings/client';
import { isSettingsInteraction, reportPresence, settingsCommand, settingsCommandData } from '@guild-settings/discord';
import { openReplica } from '@guild-settings/replica';
import {
  ApplicationCommandRegistries,
  Command,
  container,
  InteractionHandler,
  InteractionHandlerTypes,
  RegisterBehavior,
  SapphireClient,
} from '@sapphire/framework';
import type { AutocompleteInteraction, ButtonInteraction } from 'discord.js';
import type { AuthorBotOptions } from './author-bot.ts';

interface SapphireBotOptions extends AuthorBotOptions {
  readonly overwrites: boolean;
  /** True: Sapphire registers the settings command. */
  readonly lists: boolean;
}

const options: SapphireBotOptions = JSON.parse(process.env.OPTIONS ?? '');

class RankCommand extends Command {
  override registerApplicationCommands(registry: Command.Registry): void {
    registry.registerChatInputCommand({ name: 'rank', description: 'Shows your rank' });
  }

  override async chatInputRun(interaction: Command.ChatInputCommandInteraction): Promise<void> {
    await interaction.reply('You are first.');
  }
}

class SettingsCommand extends Command {
  override registerApplicationCommands(registry: Command.Registry): void {
    registry.registerChatInputCommand(settingsCommandData());
  }
}

/** Answers every unknown button. */
class UnknownButtons extends InteractionHandler {
  constructor(context: InteractionHandler.LoaderContext) {
    super(context, { interactionHandlerType: InteractionHandlerTypes.Button });
  }

  override parse(interaction: ButtonInteraction) {
    return isSettingsInteraction(interaction) ? this.none() : this.some();
  }

  async run(interaction: ButtonInteraction | AutocompleteInteraction): Promise<void> {
    if (interaction.isButton()) await interaction.reply('Unknown button.');
  }
}

if (options.overwrites) {
  ApplicationCommandRegistries.setDefaultBehaviorWhenNotIdentical(RegisterBehavior.BulkOverwrite);
}
const { stores } = container;
await stores.loadPiece({ store: 'commands', name: 'rank', piece: RankCommand });
if (options.lists) await stores.loadPiece({ store: 'commands', name: 'settings', piece: SettingsCommand });
await stores.loadPiece({ store: 'interaction-handlers', name: 'unknown', piece: UnknownButtons });

const client = new SapphireClient({
  intents: ['Guilds'],
  rest: { api: options.discordUrl },
  baseUserDirectory: null,
  loadApplicationCommandRegistriesStatusListeners: false,
});
const service = createGuildSettingsClient({ url: options.serviceUrl, token: options.serviceToken });
const replica = openReplica({ apiUrl: options.serviceUrl, credentials: options.serviceToken, path: options.path });
const presence = reportPresence(client, service);
const settings = settingsCommand(client, { service, replica, register: !options.lists });
client.on('applicationCommandRegistriesRegistered', () => process.stdout.write('registered\n'));
for (const event of [
  'unknownChatInputCommand',
  'commandDoesNotHaveChatInputCommandHandler',
  'interactionHandlerError',
]) {
  client.on(event, () => process.stdout.write(`${event}\n`));
}
process.once('SIGTERM', async () => {
  await settings.close();
  await presence.stop();
  await client.destroy();
  await replica.close();
});
await client.login(options.botToken);
await replica.waitUntilLive();
process.stdout.write('ready\n');

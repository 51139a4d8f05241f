import { Agent } from 'node:https';
import { connect } from 'node:net';
import { Client, CommandInteraction, Constants } from 'eris';
import type { DiscordSim } from '../../src/sim.ts';
import { BOT_ID, BOT_TOKEN } from '../../src/testing/bot-sim.ts';
import { COMMANDS, type LibraryBot, testLibrary } from './library-suite.ts';

/** eris sends HTTPS requests to port 443 only. This agent opens plain connections to the simulator instead. */
class SimulatorAgent extends Agent {
  readonly #port: number;

  constructor({ url }: DiscordSim) {
    super();
    this.#port = Number(new URL(url).port);
  }

  override createConnection() {
    return connect(this.#port, '127.0.0.1');
  }
}

async function startBot(discord: DiscordSim): Promise<LibraryBot> {
  const client = new Client(`Bot ${BOT_TOKEN}`, {
    intents: ['guilds', 'guildMembers', 'guildMessages', 'messageContent'],
    rest: { domain: '127.0.0.1', agent: new SimulatorAgent(discord) },
    restMode: true,
  });
  let heartbeats = 0;
  client.on('rawWS', ({ op }) => {
    if (op === Constants.GatewayOPCodes.HEARTBEAT_ACK) heartbeats += 1;
  });
  // The tests cut connections.
  client.on('error', () => undefined);
  client.on('messageCreate', async ({ author, channel, content }) => {
    if (author.id !== BOT_ID) await client.createMessage(channel.id, `heard ${content}`);
  });
  client.on('interactionCreate', async (interaction) => {
    if (!(interaction instanceof CommandInteraction)) return;
    const [option] = interaction.data.options ?? [];
    const text = option && 'value' in option ? String(option.value) : '';
    if (interaction.data.name === 'echo') return interaction.createMessage(text);
    await interaction.defer();
    await interaction.editOriginalMessage(text);
    await interaction.createFollowup(`${text} again`);
  });
  const ready = new Promise<void>((resolve) => void client.once('ready', resolve));
  await client.connect();
  await ready;
  return {
    guild(id) {
      const guild = client.guilds.get(id);
      return guild ? { name: guild.name, channels: guild.channels.map(({ name }) => name) } : null;
    },
    heartbeats: () => heartbeats,
    register: async () => void (await client.bulkEditCommands(COMMANDS)),
    userName: async (id) => (await client.getRESTUser(id)).username,
    [Symbol.asyncDispose]: async () => client.disconnect({ reconnect: false }),
  };
}

testLibrary('eris', startBot);

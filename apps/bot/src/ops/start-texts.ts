import type { Client } from 'discord.js';
import type { BotConfig } from '../config.ts';
import { VERSION } from '../package-folder.ts';

/** Returns what is started, for the people who read the log. The configuration takes no URL with credentials. */
export function startText({ apiUrl, discord, databasePath, shards, readsMessages }: BotConfig): string {
  const parts = [
    `settings from ${apiUrl}`,
    `file ${databasePath}`,
    `Discord at ${new URL(discord.apiUrl).host}`,
    shards === null ? 'all shards' : `shards ${shards.ids.join(', ')} of ${shards.count}`,
    readsMessages ? 'prefix and slash commands' : 'slash commands only',
  ];
  return `guild-settings bot ${VERSION} starts: ${parts.join(', ')}`;
}

export function connectedText({ user, guilds }: Client): string {
  const count = guilds.cache.size;
  return `the bot is connected as ${user?.tag}, on ${count} ${count === 1 ? 'server' : 'servers'}`;
}

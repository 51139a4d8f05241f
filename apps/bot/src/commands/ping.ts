import { allUsers } from '@guild-settings/discord/framework';
import { SnowflakeUtil } from 'discord.js';
import { action, type BotCommand } from '../commands/services.ts';
import { botText } from '../i18n/bot-text.ts';

export const ping: BotCommand = {
  name: 'ping',
  action: action({
    options: {},
    guard: allUsers,
    run({ invocation: { id, translator }, services: { clock } }) {
      const taken = Math.max(0, clock() - SnowflakeUtil.timestampFrom(id));
      return botText(translator)('ping.pong', { duration: translator.duration(taken) });
    },
  }),
};

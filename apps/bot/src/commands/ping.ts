import { SnowflakeUtil } from 'discord.js';
import { action, allUsers, type Command } from '../framework/command.ts';

export const ping: Command = {
  name: 'ping',
  action: action({
    options: {},
    guard: allUsers,
    run({ invocation: { id, translator }, services: { clock } }) {
      const taken = Math.max(0, clock() - SnowflakeUtil.timestampFrom(id));
      return translator.t('ping.pong', { duration: translator.duration(taken) });
    },
  }),
};

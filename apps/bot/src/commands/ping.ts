import { SnowflakeUtil } from 'discord.js';
import { action, type Command, everybody } from '../framework/command.ts';

/** How long a command takes to reach the bot, from the moment that Discord took it in. */
export const ping: Command = {
  name: 'ping',
  action: action({
    options: {},
    guard: everybody,
    run({ invocation: { id, translator }, services: { clock } }) {
      const taken = Math.max(0, clock() - SnowflakeUtil.timestampFrom(id));
      return translator.t('ping.pong', { duration: translator.duration(taken) });
    },
  }),
};

import { type Client, Events } from 'discord.js';
import type { DispatchOptions } from './dispatch-options.ts';
import { interactionHandler } from './interaction-handler.ts';
import { messageHandler } from './message-handler.ts';

/** The bot's ears. */
export interface Listening {
  /** Hears nothing more, and resolves when what was heard is answered. */
  stop(): Promise<void>;
}

/** Opens both ways in. */
export function listen(client: Client, options: DispatchOptions): Listening {
  const underWay = new Set<Promise<void>>();
  let isStopped = false;
  const hear = (answer: () => Promise<void>) => {
    if (isStopped) return;
    const answered = answer()
      .catch(options.onError)
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
  };
  const onMessage = messageHandler(options);
  const onInteraction = interactionHandler(options);
  client.on(Events.MessageCreate, (message) => hear(() => onMessage(message)));
  client.on(Events.InteractionCreate, (interaction) => hear(() => onInteraction(interaction)));
  return {
    async stop() {
      isStopped = true;
      await Promise.all(underWay);
    },
  };
}

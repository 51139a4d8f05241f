import { type Client, Events } from 'discord.js';
import type { DoorOptions } from './door.ts';
import { prefixDoor } from './prefix-door.ts';
import { slashDoor } from './slash-door.ts';

/** The bot's ears. */
export interface Listening {
  /** Hears nothing more, and resolves when what was heard is answered. */
  stop(): Promise<void>;
}

/** Opens both ways in. */
export function listen(client: Client, options: DoorOptions): Listening {
  const underWay = new Set<Promise<void>>();
  let isStopped = false;
  const hear = (answer: () => Promise<void>) => {
    if (isStopped) return;
    const answered = answer()
      .catch(options.onError)
      .finally(() => underWay.delete(answered));
    underWay.add(answered);
  };
  const onMessage = prefixDoor(options);
  const onInteraction = slashDoor(options);
  client.on(Events.MessageCreate, (message) => hear(() => onMessage(message)));
  client.on(Events.InteractionCreate, (interaction) => hear(() => onInteraction(interaction)));
  return {
    async stop() {
      isStopped = true;
      await Promise.all(underWay);
    },
  };
}

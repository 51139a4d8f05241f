import { type Client, Events } from 'discord.js';
import { buttonHandler } from './button-handler.ts';
import type { DispatchOptions } from './dispatch-options.ts';
import { formHandler } from './form-handler.ts';
import { interactionHandler } from './interaction-handler.ts';
import { messageHandler } from './message-handler.ts';
import { suggestionHandler } from './suggestion-handler.ts';

export interface Dispatcher {
  /** Ignores further events. Resolves when the commands that run have replied. */
  stop(): Promise<void>;
}

export function dispatch(client: Client, options: DispatchOptions): Dispatcher {
  const running = new Set<Promise<void>>();
  let isStopped = false;
  const run = (handle: () => Promise<void>) => {
    if (isStopped) return;
    const handled = handle()
      .catch(options.onError)
      .finally(() => running.delete(handled));
    running.add(handled);
  };
  const onMessage = messageHandler(options);
  const onInteraction = interactionHandler(options);
  const onButton = buttonHandler(options);
  const onTyping = suggestionHandler(options);
  const onForm = formHandler(options);
  client.on(Events.MessageCreate, (message) => run(() => onMessage(message)));
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) run(() => onInteraction(interaction));
    else if (interaction.isButton()) run(() => onButton(interaction));
    else if (interaction.isAutocomplete()) run(() => onTyping(interaction));
    else if (interaction.isModalSubmit()) run(() => onForm(interaction));
  });
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

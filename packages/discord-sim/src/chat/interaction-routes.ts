import type { Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { MessageReader } from '../people/message-reader.ts';
import type { People } from '../people/people.ts';
import { FIRST_ANSWER_MS, type Interaction } from '../world/messages.ts';
import { isFor } from '../world/post-message.ts';
import type { World } from '../world/world.ts';
import { localeOf, modalValuesOf, slashValuesOf, textOf } from './chat-input.ts';
import { allowed, unknown } from './chat-refusal.ts';
import { commandMenu, localisedChoice } from './command-menu.ts';
import { modalMenu } from './modal-menu.ts';
import { type Viewer, type ViewerParams, viewerOf } from './viewer.ts';

const PATH = '/people/:personId/channels/:channelId';

interface Pressing {
  Params: ViewerParams & { readonly messageId: Snowflake };
}

interface Asking {
  Params: ViewerParams & { readonly interactionId: Snowflake };
}

export interface InteractionParts {
  readonly world: World;
  readonly people: People;
  readonly messages: MessageReader;
}

/** Registers the routes to list, complete and use commands, to press buttons, to fill in modals, and to read the bot's response. */
export function interactionRoutes(app: FastifyInstance, { world, people, messages }: InteractionParts): void {
  app.get<{ Params: ViewerParams }>(`${PATH}/commands`, async ({ params, query }) => {
    return { commands: commandMenu(world, viewerOf(world, params), localeOf(query)) };
  });

  app.post<{ Params: ViewerParams }>(`${PATH}/commands`, async ({ params, body }, reply) => {
    const { person, channel } = viewerOf(world, params);
    const use = { command: textOf(body, 'command'), values: slashValuesOf(body), locale: localeOf(body) };
    const { id } = allowed(world, channel.guildId, () => {
      return people.slash(person.id, channel.id, use.command, use.values, { locale: use.locale });
    });
    return reply.code(202).send({ interactionId: id });
  });

  app.post<Pressing>(`${PATH}/messages/:messageId/press`, async ({ params, body }, reply) => {
    const { person, channel } = viewerOf(world, params);
    const [customId, locale] = [textOf(body, 'customId'), localeOf(body)];
    const message = world.messages.find(params.messageId);
    if (message?.channelId !== channel.id || !isFor(world, message, person.id)) {
      throw unknown(`There is no message ${params.messageId} in #${channel.name}`);
    }
    const { id } = allowed(world, channel.guildId, () => people.press(person.id, message.id, customId, { locale }));
    return reply.code(202).send({ interactionId: id });
  });

  app.post<{ Params: ViewerParams }>(`${PATH}/choices`, async ({ params, body }) => {
    const { person, channel } = viewerOf(world, params);
    const [command, focused, locale] = [textOf(body, 'command'), textOf(body, 'focused'), localeOf(body)];
    const typing = allowed(world, channel.guildId, () => {
      return people.type(person.id, channel.id, command, slashValuesOf(body), focused, { locale });
    });
    // A client shows nothing where a bot suggests nothing.
    const choices = await typing.suggestions({ timeoutMs: FIRST_ANSWER_MS }).catch(() => []);
    return { choices: choices.map((choice) => ({ name: localisedChoice(choice, locale), value: choice.value })) };
  });

  app.get<Asking>(`${PATH}/interactions/:interactionId`, async ({ params }) => {
    const viewer = viewerOf(world, params);
    const { id } = interactionOf(world, viewer, params);
    const wait = { timeoutMs: FIRST_ANSWER_MS };
    const interaction = await messages.waitForAnswer(id, wait).catch(() => undefined);
    const modal = interaction?.modal === undefined ? null : modalMenu(world, interaction.modal, viewer);
    return { answered: interaction !== undefined, modal };
  });

  app.post<Asking>(`${PATH}/interactions/:interactionId/submit`, async ({ params, body }, reply) => {
    const viewer = viewerOf(world, params);
    const { id } = interactionOf(world, viewer, params);
    const [values, locale] = [modalValuesOf(body), localeOf(body)];
    const submitted = allowed(world, viewer.channel.guildId, () => {
      return people.submit(viewer.person.id, id, values, { locale });
    });
    return reply.code(202).send({ interactionId: submitted.id });
  });
}

function interactionOf(world: World, { person }: Viewer, { interactionId }: Asking['Params']): Interaction {
  const interaction = world.interactions.find(interactionId);
  if (interaction?.userId !== person.id) throw unknown(`There is no interaction ${interactionId}`);
  return interaction;
}

import type { Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import type { People } from '../people/people.ts';
import { isFor } from '../world/post-message.ts';
import type { World } from '../world/world.ts';
import { localeOf, slashValuesOf, textOf } from './chat-input.ts';
import { allowed, unknown } from './chat-refusal.ts';
import { commandMenu } from './command-menu.ts';
import { type ViewerParams, viewerOf } from './viewer.ts';

const PATH = '/people/:personId/channels/:channelId';

interface Pressing {
  Params: ViewerParams & { readonly messageId: Snowflake };
}

interface Asking {
  Params: ViewerParams & { readonly interactionId: Snowflake };
}

/** Registers the routes to list and use commands, to press buttons, and to read whether the bot has responded. */
export function interactionRoutes(app: FastifyInstance, world: World, people: People): void {
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

  app.get<Asking>(`${PATH}/interactions/:interactionId`, async ({ params }) => {
    const { person } = viewerOf(world, params);
    const interaction = world.interactions.find(params.interactionId);
    if (interaction?.userId !== person.id) throw unknown(`There is no interaction ${params.interactionId}`);
    return { answered: interaction.responseType !== null };
  });
}

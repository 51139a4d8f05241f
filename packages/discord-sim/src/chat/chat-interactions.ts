import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIComponentInLabel,
  type APIModalInteractionResponseCallbackData,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ComponentType,
  Locale,
  type LocalizationMap,
  type Snowflake,
  TextInputStyle,
} from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { channelObject } from '../objects/guild-objects.ts';
import type { MessageReader } from '../people/message-reader.ts';
import type { People } from '../people/people.ts';
import { canComplete, isSubcommand } from '../people/slash-options.ts';
import { mayUseCommand } from '../world/command-access.ts';
import { displayName } from '../world/guilds.ts';
import { FIRST_ANSWER_MS, type Interaction } from '../world/messages.ts';
import { isFor } from '../world/post-message.ts';
import type { World } from '../world/world.ts';
import {
  allowed,
  localeOf,
  modalValuesOf,
  slashValuesOf,
  textOf,
  unknown,
  type Viewer,
  type ViewerParams,
  viewerOf,
} from './chat-request.ts';

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
    // A client shows nothing if a bot suggests nothing.
    const choices = await typing.suggestions({ timeoutMs: FIRST_ANSWER_MS }).catch(() => []);
    return {
      choices: choices.map(({ name, name_localizations: names, value }) => ({
        name: localised(name, names, locale),
        value,
      })),
    };
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

interface MenuEntry {
  readonly command: string;
  readonly name: string;
  readonly description: string;
  readonly bot: string;
  readonly options: readonly ReturnType<typeof menuOption>[];
}

type Named = Pick<APIApplicationCommand, 'name' | 'description' | 'name_localizations' | 'description_localizations'>;

function commandMenu(world: World, { person, channel }: Viewer, locale: `${Locale}`): MenuEntry[] {
  const { guildId } = channel;
  const seen = new Set<string>();
  const entries: MenuEntry[] = [];
  for (const { applicationId, userId } of world.bots.all()) {
    if (!world.guilds.findMember(guildId, userId)) continue;
    const bot = displayName(world, guildId, userId);
    for (const command of [...world.commandsOf(applicationId, guildId), ...world.commandsOf(applicationId)]) {
      // Of several commands with one name, only the first can be used.
      if (command.type !== ApplicationCommandType.ChatInput || seen.has(command.name)) continue;
      seen.add(command.name);
      if (!mayUseCommand(world, command, channel.id, person.id)) continue;
      entries.push(...leavesOf([command], command.options, locale).map((leaf) => ({ ...leaf, bot })));
    }
  }
  return entries;
}

function leavesOf(
  way: readonly Named[],
  options: readonly APIApplicationCommandOption[] = [],
  locale: `${Locale}`,
): Omit<MenuEntry, 'bot'>[] {
  const below = options.flatMap((option) => (isSubcommand(option) ? [option] : []));
  if (below.length > 0) return below.flatMap((branch) => leavesOf([...way, branch], branch.options, locale));
  const names = way.map(({ name, name_localizations }) => localised(name, name_localizations, locale));
  return way.slice(-1).map(({ description, description_localizations }) => ({
    command: way.map(({ name }) => name).join(' '),
    name: names.join(' '),
    description: localised(description, description_localizations, locale),
    options: options.flatMap((option) => (isSubcommand(option) ? [] : [menuOption(option, locale)])),
  }));
}

function menuOption(option: APIApplicationCommandBasicOption, locale: `${Locale}`) {
  const choices = 'choices' in option ? (option.choices ?? []) : [];
  return {
    name: option.name,
    label: localised(option.name, option.name_localizations, locale),
    description: localised(option.description, option.description_localizations, locale),
    kind: KINDS[option.type] ?? 'unsupported',
    required: option.required ?? false,
    completes: canComplete(option),
    choices: choices.map(({ name, name_localizations, value }) => {
      return { label: localised(name, name_localizations, locale), value };
    }),
    ...boundsOf(option),
  };
}

const KINDS: Partial<Record<ApplicationCommandOptionType, string>> = {
  [ApplicationCommandOptionType.String]: 'text',
  [ApplicationCommandOptionType.Integer]: 'integer',
  [ApplicationCommandOptionType.Number]: 'number',
  [ApplicationCommandOptionType.Boolean]: 'boolean',
  [ApplicationCommandOptionType.User]: 'user',
  [ApplicationCommandOptionType.Channel]: 'channel',
};

function boundsOf(option: APIApplicationCommandBasicOption) {
  switch (option.type) {
    case ApplicationCommandOptionType.String:
      return { min: option.min_length ?? null, max: option.max_length ?? null };
    case ApplicationCommandOptionType.Integer:
    case ApplicationCommandOptionType.Number:
      return { min: option.min_value ?? null, max: option.max_value ?? null };
    default:
      return { min: null, max: null };
  }
}

const FALLBACKS: Partial<Record<`${Locale}`, Locale>> = {
  [Locale.EnglishUS]: Locale.EnglishGB,
  [Locale.EnglishGB]: Locale.EnglishUS,
  [Locale.SpanishLATAM]: Locale.SpanishES,
};

/** @see https://discord.com/developers/docs/interactions/application-commands#localization */
function localised(text: string, map: LocalizationMap | null | undefined, locale: `${Locale}`): string {
  const fallback = FALLBACKS[locale];
  return map?.[locale] ?? (fallback && map?.[fallback]) ?? text;
}

function modalMenu(world: World, { title, components }: APIModalInteractionResponseCallbackData, viewer: Viewer) {
  const fields = components.flatMap((row) => {
    if (row.type !== ComponentType.Label) return [];
    const { component, label, description = '' } = row;
    return [{ ...fieldOf(world, component, viewer), label, description }];
  });
  return { title, fields };
}

function fieldOf(world: World, field: APIComponentInLabel, viewer: Viewer) {
  const common = {
    customId: field.custom_id,
    placeholder: 'placeholder' in field ? (field.placeholder ?? '') : '',
    required: 'required' in field ? (field.required ?? true) : true,
  };
  if (field.type === ComponentType.TextInput) {
    const lines = field.style === TextInputStyle.Paragraph ? ('many' as const) : ('one' as const);
    const { min_length: min = 0, max_length: max = 4_000, value = '' } = field;
    return { ...common, min, max, text: { value, lines }, options: [] };
  }
  const { min_values: min = 1, max_values: max = 1 } = field as { min_values?: number; max_values?: number };
  return { ...common, min, max, text: null, options: optionsOf(world, field, viewer) };
}

function optionsOf(world: World, field: APIComponentInLabel, { channel: { guildId } }: Viewer) {
  const chosen = 'default_values' in field ? (field.default_values ?? []).map(({ id }) => id) : [];
  const entry = (value: string, label: string) => ({ value, label, chosen: chosen.includes(value) });
  switch (field.type) {
    case ComponentType.StringSelect:
      return field.options.map(({ value, label, default: isDefault = false }) => ({ value, label, chosen: isDefault }));
    case ComponentType.UserSelect:
      return world.membersOf(guildId).map(({ userId }) => entry(userId, `@${displayName(world, guildId, userId)}`));
    case ComponentType.RoleSelect:
      return world.guilds.roles(guildId).map(({ id, name }) => entry(id, `@${name}`));
    case ComponentType.ChannelSelect: {
      const { channel_types: types } = field;
      return world.channels
        .of(guildId)
        .filter((channel) => types === undefined || types.some((type) => type === channelObject(world, channel).type))
        .map(({ id, name }) => entry(id, `#${name}`));
    }
    default:
      return [];
  }
}

import { Locale, PermissionFlagsBits, type Snowflake } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { record } from '../json.ts';
import { badInput, PageRefusal } from '../local-access.ts';
import type { ModalValues } from '../people/modal-form.ts';
import type { SlashValues } from '../people/slash-options.ts';
import { findPerson } from '../world/accounts.ts';
import type { Channel, Message, User } from '../world/entities.ts';
import { displayName } from '../world/guilds.ts';
import { has } from '../world/permissions.ts';
import { isFor } from '../world/post-message.ts';
import type { World } from '../world/world.ts';

export interface Viewer {
  readonly person: User;
  readonly channel: Channel;
}

export interface ViewerParams {
  readonly personId: Snowflake;
  readonly channelId: Snowflake;
}

/** @throws {PageRefusal} 404 for an unknown user, or a bot */
export function personOf(world: World, personId: Snowflake): User {
  const person = findPerson(world, personId);
  if (!person) throw unknown(`There is no person ${personId}`);
  return person;
}

/** @throws {PageRefusal} 404 for an unknown user, or a channel that they cannot see */
export function viewerOf(world: World, { personId, channelId }: ViewerParams): Viewer {
  const person = personOf(world, personId);
  const channel = world.channels.find(channelId);
  if (!channel || !mayView(world, channelId, personId)) {
    throw unknown(`There is no channel ${channelId} that ${person.globalName ?? person.username} can see`);
  }
  return { person, channel };
}

export function mayView(world: World, channelId: Snowflake, userId: Snowflake): boolean {
  return has(world.permissionsIn(channelId, userId), PermissionFlagsBits.ViewChannel);
}

export function messagesFor(world: World, { person, channel }: Viewer): Message[] {
  return world.messages
    .all()
    .filter((message) => message.channelId === channel.id && !message.deleted && isFor(world, message, person.id));
}

const MAX_CONTENT = 2_000;
const LOCALES: readonly string[] = Object.values(Locale);

export function contentOf(body: unknown): string {
  const { content } = record(body);
  const expected = `a text of 1 to ${MAX_CONTENT} characters`;
  if (typeof content !== 'string') throw badInput('content', expected, content);
  // Discord counts code points.
  const { length } = [...content];
  if (content.trim() === '' || length > MAX_CONTENT) throw badInput('content', expected, `${length} characters`);
  return content;
}

/** @throws {PageRefusal} 400 when the property is not a text, or is empty */
export function textOf(body: unknown, field: string): string {
  const value = record(body)[field];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw badInput(field, 'a text that is not empty', value);
}

/**
 * The language of the person's client; `en-US` unless given.
 *
 * @throws {PageRefusal} 400 when Discord has no such locale
 */
export function localeOf(body: unknown): `${Locale}` {
  const { locale = Locale.EnglishUS } = record(body);
  if (typeof locale === 'string' && LOCALES.includes(locale)) return locale as `${Locale}`;
  throw badInput('locale', 'a locale of Discord such as "en-US"', locale);
}

/**
 * The values of a command's options by name; none unless given.
 *
 * @throws {PageRefusal} 400 when one is neither text nor number nor boolean
 */
export function slashValuesOf(body: unknown): SlashValues {
  const { values = {} } = record(body);
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw badInput('values', 'an object of option values by name', values);
  }
  for (const [name, value] of Object.entries(values)) {
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw badInput(`values.${name}`, 'a text, a number or a boolean', value);
    }
  }
  return values as SlashValues;
}

/**
 * The values of a modal's fields by custom id; none unless given.
 *
 * @throws {PageRefusal} 400 when one is neither a text nor a list of texts
 */
export function modalValuesOf(body: unknown): ModalValues {
  const { values = {} } = record(body);
  const isText = (value: unknown) => typeof value === 'string';
  for (const [name, value] of Object.entries(record(values))) {
    if (isText(value) || (Array.isArray(value) && value.every(isText))) continue;
    throw badInput(`values.${name}`, 'a text or a list of texts', value);
  }
  return record(values) as ModalValues;
}

export function unknown(what: string): PageRefusal {
  return new PageRefusal(404, what);
}

/**
 * Runs an action of a user.
 *
 * @throws {PageRefusal} 403 with the reason when Discord would not allow it, with names instead of ids
 */
export function allowed<Result>(world: World, guildId: string, act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PageRefusal(403, named(world, guildId, reason));
  }
}

export function handleChatErrors(app: FastifyInstance): void {
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    return reply.code(error.statusCode ?? 500).send({ message: error.message });
  });
  app.setNotFoundHandler((request, reply) => {
    return reply.code(404).send({ message: `The chat has no ${request.method} ${request.url}` });
  });
}

function named(world: World, guildId: string, reason: string): string {
  return reason.replaceAll(/\b[0-9]{17,20}\b/g, (id) => {
    const channel = world.channels.find(id);
    if (channel) return `#${channel.name}`;
    return world.findUser(id) ? displayName(world, guildId, id) : (world.guilds.find(id)?.name ?? id);
  });
}

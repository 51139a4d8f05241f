import {
  type APIAllowedMentions,
  type APIEmbed,
  type APIMessageTopLevelComponent,
  MessageFlags,
  RESTJSONErrorCodes,
} from 'discord-api-types/v10';
import { record } from '../../record.ts';
import type { MessageEdit } from '../../world/post-message.ts';
import { invalidField, refusal } from '../error-body.ts';

const MAX_CONTENT = 2_000;
const MAX_EMBEDS = 10;

/** Flags that a bot may set. */
const SETTABLE = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;

/**
 * Reads the message fields of a body. Does not validate embeds and components.
 *
 * @param settable - flags the caller may set; the others are dropped without a word
 * @throws {RestRefusal} 400 naming the field that is out of bounds
 * @see https://discord.com/developers/docs/resources/message#create-message-jsonform-params
 */
export function messageBody(body: unknown, settable: number = SETTABLE): MessageEdit {
  const { content, embeds, components, flags, allowed_mentions: allowedMentions } = record(body);
  if (content !== undefined && content !== null && typeof content !== 'string') {
    throw invalidField('content', 'STRING_TYPE_CONVERT', 'Could not interpret "content" as string.');
  }
  // Discord counts code points.
  if (content && [...content].length > MAX_CONTENT) {
    throw invalidField('content', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_CONTENT} or fewer in length.`);
  }
  const embedList = listOf<APIEmbed>('embeds', embeds);
  if (embedList && embedList.length > MAX_EMBEDS) {
    throw invalidField('embeds', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_EMBEDS} or fewer in length.`);
  }
  const componentList = listOf<APIMessageTopLevelComponent>('components', components);
  return {
    ...(content !== undefined && { content: content ?? '' }),
    ...(embedList && { embeds: embedList }),
    ...(componentList && { components: componentList }),
    ...(typeof flags === 'number' && { flags: flags & settable }),
    ...(allowedMentions !== undefined && { allowedMentions: allowedMentions as APIAllowedMentions | null }),
  };
}

/** @throws {RestRefusal} 400 (50006) for an empty message */
export function requireSubstance({ content = '', embeds = [], components = [] }: MessageEdit): void {
  if (content.trim() === '' && embeds.length === 0 && components.length === 0) {
    throw refusal(400, RESTJSONErrorCodes.CannotSendAnEmptyMessage, 'Cannot send an empty message');
  }
}

function listOf<Item>(field: string, value: unknown): Item[] | null {
  if (value === undefined) return null;
  if (value === null) return [];
  if (Array.isArray(value)) return value;
  throw invalidField(field, 'LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType');
}

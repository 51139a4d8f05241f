import {
  AllowedMentionsTypes,
  type APIAllowedMentions,
  type APIEmbed,
  EmbedType,
  MessageFlags,
  MessageReferenceType,
  RESTJSONErrorCodes,
} from 'discord-api-types/v10';
import { z } from 'zod';
import type { MessageEdit } from '../world/post-message.ts';
import { components } from './component-form.ts';
import { refusal } from './error-body.ts';
import {
  choice,
  complain,
  field,
  flag,
  id,
  integer,
  list,
  optional,
  readForm,
  text,
  timestamp,
  url,
  withoutUndefined,
} from './form.ts';

const MAX_EMBEDS = 10;
const MAX_FIELDS = 25;
const MAX_URL = 2_048;
/** The limit of all embeds of a message together. */
const MAX_CHARACTERS = 6_000;

const media = optional(z.object({ url: optional(url(MAX_URL)), description: optional(text({ max: 4_096 })) }));

const embed = z
  .object({
    title: optional(text({ max: 256 })),
    description: optional(text({ max: 4_096 })),
    url: optional(url(MAX_URL)),
    color: optional(integer({ min: 0, max: 0xff_ff_ff })),
    timestamp: optional(timestamp),
    author: optional(
      z.object({
        name: text({ min: 1, max: 256 }),
        url: optional(url(MAX_URL)),
        icon_url: optional(url(MAX_URL)),
      }),
    ),
    footer: optional(z.object({ text: text({ min: 1, max: 2_048 }), icon_url: optional(url(MAX_URL)) })),
    image: media,
    thumbnail: media,
    fields: optional(
      list(
        z.object({
          name: text({ min: 1, max: 256 }),
          value: text({ min: 1, max: 1_024 }),
          inline: optional(flag).transform((inline = false) => inline),
        }),
        { max: MAX_FIELDS },
      ),
    ),
  })
  // The fields are those of the type, except for missing ones.
  .transform((fields): APIEmbed => withoutUndefined({ ...fields, type: EmbedType.Rich }) as APIEmbed);

/** @see https://discord.com/developers/docs/resources/message#embed-object-embed-limits */
const embeds = list(embed, { max: MAX_EMBEDS }).refine(
  (parsed) => parsed.reduce((sum, each) => sum + charactersOf(each), 0) <= MAX_CHARACTERS,
  { error: `Embed size exceeds maximum size of ${MAX_CHARACTERS}`, params: { code: 'MAX_EMBED_SIZE_EXCEEDED' } },
);

function charactersOf({ title = '', description = '', author, footer, fields = [] }: APIEmbed): number {
  const texts = [title, description, author?.name ?? '', footer?.text ?? ''];
  return [...texts, ...fields.flatMap(({ name, value }) => [name, value])].reduce(
    (sum, part) => sum + [...part].length,
    0,
  );
}

const MAX_NONCE_LENGTH = 25;

/** Discord reads numbers as 64-bit integers. */
const MAX_NONCE = 2 ** 63;

const nonce = field<string>((value) => {
  const text = isInt64(value) ? String(value) : value;
  if (typeof text !== 'string') {
    return { complaint: { code: 'NONCE_TYPE_INVALID_TYPE', message: 'This field must be a string or integer.' } };
  }
  if (text.length <= MAX_NONCE_LENGTH) return { value: text };
  return {
    complaint: { code: 'NONCE_TYPE_TOO_LONG', message: `Must be ${MAX_NONCE_LENGTH} or fewer characters long.` },
  };
});

function isInt64(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < MAX_NONCE;
}

const MAX_IDS = 100;
const { User, Role, Everyone } = AllowedMentionsTypes;

/** @see https://discord.com/developers/docs/resources/message#allowed-mentions-object */
const allowedMentions = z
  .object({
    parse: optional(list(choice([User, Role, Everyone]))),
    users: optional(list(id, { max: MAX_IDS })),
    roles: optional(list(id, { max: MAX_IDS })),
    replied_user: optional(flag),
  })
  .superRefine(({ parse = [], users = [], roles = [] }, context) => {
    for (const [type, ids] of [[User, users] as const, [Role, roles] as const]) {
      if (!parse.includes(type) || ids.length === 0) continue;
      const message = `parse:["${type}"] and ${type}: [ids...] are mutually exclusive.`;
      complain(context, { code: 'MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE', message });
    }
  })
  .transform((fields) => withoutUndefined(fields) as APIAllowedMentions);

const MAX_CONTENT = 2_000;

const SETTABLE = MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications;

const messageEdit = z.object({
  content: text({ max: MAX_CONTENT }).nullish(),
  embeds: embeds.nullish(),
  components: components.nullish(),
  flags: optional(integer()),
  allowed_mentions: allowedMentions.nullish(),
});

const newMessage = messageEdit.extend({
  tts: optional(flag),
  nonce: optional(nonce),
  enforce_nonce: optional(flag),
  message_reference: optional(
    z.object({
      message_id: id,
      channel_id: optional(id),
      guild_id: optional(id),
      fail_if_not_exists: optional(flag),
      type: optional(choice([MessageReferenceType.Default])),
    }),
  ),
});

interface MessageFormOptions {
  /** Flags that the caller may set; the others are dropped without an error. */
  readonly settable?: number;
  readonly at?: readonly PropertyKey[];
}

/**
 * Reads the changes of a message. A field that is missing is not changed, and `null` empties it.
 *
 * @throws {RestRefusal} 400 (50035) with the errors of all fields
 * @see https://discord.com/developers/docs/resources/message#edit-message-jsonform-params
 */
export function readMessageEdit(body: unknown, { settable = SETTABLE, at = [] }: MessageFormOptions = {}): MessageEdit {
  return edited(readForm(messageEdit, body ?? {}, at), settable);
}

export interface NewMessage {
  readonly message: MessageEdit;
  readonly nonce: string | null;
  readonly enforceNonce: boolean;
  readonly reference: z.output<typeof newMessage>['message_reference'];
}

/**
 * @throws {RestRefusal} 400 (50035) with the errors of all fields
 * @see https://discord.com/developers/docs/resources/message#create-message-jsonform-params
 */
export function readNewMessage(body: unknown): NewMessage {
  const form = readForm(newMessage, body ?? {});
  return {
    message: edited(form, SETTABLE),
    nonce: form.nonce ?? null,
    enforceNonce: form.enforce_nonce ?? false,
    reference: form.message_reference,
  };
}

/** @throws {RestRefusal} 400 (50006) for an empty message */
export function requireSubstance({
  content = '',
  embeds: shown = [],
  components: rows = [],
}: Pick<MessageEdit, 'content' | 'embeds' | 'components'>): void {
  if (content.trim() === '' && shown.length === 0 && rows.length === 0) {
    throw refusal(400, RESTJSONErrorCodes.CannotSendAnEmptyMessage, 'Cannot send an empty message');
  }
}

function edited(form: z.output<typeof messageEdit>, settable: number): MessageEdit {
  return {
    ...(form.content !== undefined && { content: form.content ?? '' }),
    ...(form.embeds !== undefined && { embeds: form.embeds ?? [] }),
    ...(form.components !== undefined && { components: form.components ?? [] }),
    ...(form.flags !== undefined && { flags: form.flags & settable }),
    ...(form.allowed_mentions !== undefined && { allowedMentions: form.allowed_mentions }),
  };
}

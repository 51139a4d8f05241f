import {
  type APIEmbed,
  type APIMessageComponentEmoji,
  type APIMessageTopLevelComponent,
  type ButtonStyle,
  ComponentType,
  InteractionResponseType,
  MessageFlags,
  type Snowflake,
} from 'discord-api-types/v10';
import { commandPath } from '../people/slash-options.ts';
import type { Message } from '../world/entities.ts';
import { displayName } from '../world/guilds.ts';
import type { Interaction } from '../world/messages.ts';
import type { World } from '../world/world.ts';

export interface ChatMessage {
  readonly id: Snowflake;
  readonly author: { readonly id: Snowflake; readonly name: string; readonly bot: boolean };
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  /** Rows of buttons; other components are left out. */
  readonly buttons: readonly (readonly ChatButton[])[];
  readonly ephemeral: boolean;
  readonly loading: boolean;
  /** The command or button, and its user, that this message responds to. */
  readonly use: { readonly name: string; readonly command: string | null } | null;
  /** The message that it replies to; without a text when that is gone. */
  readonly replyTo: { readonly name: string | null; readonly content: string | null } | null;
  readonly createdAt: number;
  /** Milliseconds since the Unix epoch; `null` when it never changed after it could be read. */
  readonly editedAt: number | null;
}

export interface ChatButton {
  readonly customId: string | null;
  readonly url: string | null;
  readonly label: string;
  readonly style: ButtonStyle;
  readonly disabled: boolean;
}

export function chatMessage(world: World, message: Message): ChatMessage {
  const { id, guildId, authorId, content, ephemeral, loading, createdAt } = message;
  const interaction = message.interactionId === null ? null : world.interactions.find(message.interactionId);
  return {
    id,
    author: { id: authorId, name: displayName(world, guildId, authorId), bot: world.user(authorId).bot },
    content,
    embeds: message.flags & MessageFlags.SuppressEmbeds ? [] : message.embeds,
    buttons: message.components.map(buttonsOf).filter((row) => row.length > 0),
    ephemeral,
    loading,
    use: interaction && useOf(world, interaction),
    replyTo: message.replyTo === null ? null : replied(world, guildId, message.replyTo),
    createdAt,
    editedAt: interaction && wasDeferred(interaction, id) ? null : message.editedAt,
  };
}

/** Filling in a deferred response does not count as an edit. */
function wasDeferred({ responseType, originalId }: Interaction, id: Snowflake): boolean {
  return responseType === InteractionResponseType.DeferredChannelMessageWithSource && originalId === id;
}

function useOf(world: World, { userId, guildId, use }: Interaction) {
  const name = displayName(world, guildId, userId);
  return { name, command: use.kind === 'command' ? commandPath(use.data) : null };
}

function replied(world: World, guildId: Snowflake, messageId: Snowflake) {
  const original = world.messages.find(messageId);
  if (!original || original.deleted || original.ephemeral) return { name: null, content: null };
  return { name: displayName(world, guildId, original.authorId), content: original.content };
}

function buttonsOf(row: APIMessageTopLevelComponent): ChatButton[] {
  if (row.type !== ComponentType.ActionRow) return [];
  return row.components.flatMap((button) => {
    if (button.type !== ComponentType.Button) return [];
    const [emoji, label] = ['emoji' in button && button.emoji, 'label' in button && button.label];
    return {
      customId: 'custom_id' in button ? button.custom_id : null,
      url: 'url' in button ? button.url : null,
      label: [emoji && emojiText(emoji), label].filter(Boolean).join(' '),
      style: button.style,
      disabled: button.disabled ?? false,
    };
  });
}

function emojiText({ id, name }: APIMessageComponentEmoji): string {
  return id ? `:${name}:` : (name ?? '');
}

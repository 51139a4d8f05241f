import { BOT_PERMISSIONS, mayManageGuild } from '@guild-settings/contract';
import { shorten } from '@guild-settings/i18n';
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIModalInteractionResponseCallbackData,
  type AutocompleteInteraction,
  type ButtonInteraction,
  ButtonStyle,
  type ChatInputCommandInteraction,
  ComponentType,
  MessageFlags,
  type ModalSubmitInteraction,
  type PermissionsBitField,
  type Snowflake,
  SnowflakeUtil,
} from 'discord.js';
import { type CommandOfBot, mayUseCommand } from '../../discord/command-access.ts';
import type { CommandPath } from '../../i18n/translator.ts';
import { hasCommand } from '../find-command.ts';
import type { Button, Form, Invocation, Reply } from '../invocation.ts';
import type { CommandOutcome, InvocationOptions } from './run-action.ts';

type PartInteraction = ButtonInteraction | ModalSubmitInteraction;

type GuildInteraction = ChatInputCommandInteraction | AutocompleteInteraction | PartInteraction;

/** Time for which the buttons of a reply, or a form, can be used after the command, in milliseconds. */
const LIFETIME_MS = 15 * 60_000;

export function usableUntilMs(interactionId: string): number {
  return SnowflakeUtil.timestampFrom(interactionId) + LIFETIME_MS;
}

/**
 * Returns the use of a slash command, its button or its form in a guild; undefined outside of guilds. It is not
 * permitted until `permitted` has checked it.
 * @param commandId the id of the interaction with the slash command
 * @param isPrivate true: only the user sees the reply, which is then in their language
 */
export function invocationOf(
  interaction: GuildInteraction,
  commandId: string,
  { commands, settingsOf, isSynced, declared, vocabulary }: InvocationOptions,
  isPrivate = false,
): Invocation | undefined {
  const { id, guildId, channelId, user, memberPermissions, locale } = interaction;
  if (guildId === null || channelId === null || memberPermissions === null) return undefined;
  const settings = settingsOf(guildId);
  const own = vocabulary.languageOf(locale);
  // Until the language of the guild is known, the user's language is the best choice.
  const isOwn = own !== undefined && (isPrivate || !isSynced());
  return {
    trigger: {
      kind: isPart(interaction) ? 'part' : 'slash',
      isPermitted: false,
      buttonsUntilMs: usableUntilMs(commandId),
    },
    id,
    guildId,
    channelId,
    userId: user.id,
    permissions: permissionsOf(interaction, memberPermissions),
    mayWrite: mayWrite(interaction, memberPermissions),
    settings,
    translator: vocabulary.translatorOf(isOwn ? { language: own } : settings, declared()),
    ownTranslator: own === undefined ? undefined : vocabulary.translatorOf({ language: own }, declared()),
    hasCommand: (path) => hasCommand(commands, path),
    prefix: '/',
    channelTypes: channelTypesOf(interaction),
  };
}

/**
 * Returns the use of a command with the result of Discord's permission check. For a manager's slash command, Discord
 * has done the check. For others it may not have: another program may have registered a command of the same name for
 * all members.
 */
export async function permitted(
  invocation: Invocation,
  interaction: GuildInteraction,
  command: CommandOfBot,
): Promise<Invocation> {
  const { trigger, permissions } = invocation;
  if (trigger.kind === 'message') return invocation;
  const isLet = trigger.kind === 'slash' && (!command.forManagers || mayManageGuild({ owner: false, permissions }));
  const isPermitted = isLet || (await mayUseCommand(interaction, command, permissions));
  return { ...invocation, trigger: { ...trigger, isPermitted } };
}

function isPart(interaction: GuildInteraction): interaction is PartInteraction {
  return interaction.isButton() || interaction.isModalSubmit();
}

/** Returns the types of the mentioned or chosen channels, as stated by Discord. */
function channelTypesOf(interaction: GuildInteraction): ReadonlyMap<Snowflake, number> {
  const named = interaction.isModalSubmit()
    ? interaction.fields
    : interaction.isChatInputCommand()
      ? interaction.options
      : undefined;
  const channels = [...(named?.resolved?.channels ?? [])];
  return new Map(channels.flatMap(([id, channel]) => (channel === null ? [] : [[id, channel.type] as const])));
}

/**
 * Returns the user's permissions in the guild. The interaction contains those in the channel, to which overwrites may
 * add some, so only permissions that the user's roles also have count.
 */
function permissionsOf(interaction: GuildInteraction, inChannel: Readonly<PermissionsBitField>): bigint {
  return interaction.inCachedGuild() ? inChannel.bitfield & interaction.member.permissions.bitfield : 0n;
}

function mayWrite({ channel }: GuildInteraction, inChannel: Readonly<PermissionsBitField>): boolean {
  const { SEND_MESSAGES, SEND_MESSAGES_IN_THREADS } = BOT_PERMISSIONS;
  return inChannel.has(channel?.isThread() ? SEND_MESSAGES_IN_THREADS : SEND_MESSAGES);
}

/** Time after which a reply is deferred: Discord ends an interaction without a response after 3 seconds. */
const DEFER_AFTER_MS = 1_500;

export interface InteractionReply extends Reply {
  readonly outcome: CommandOutcome;
}

/**
 * Sends a reply at once if it is ready in time; otherwise defers it. A form is opened instead of a reply that is ready
 * in time. The reply to a form opened by a button replaces the reply with the button, which stays if the form was
 * refused or failed.
 */
export async function sendReply(
  interaction: ChatInputCommandInteraction | ModalSubmitInteraction | ButtonInteraction,
  reply: Promise<InteractionReply>,
  { isPrivate, ...of }: ReplyContext & { readonly isPrivate: boolean },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, DEFER_AFTER_MS, 'late');
  });
  const first = await Promise.race([reply, timeout]);
  clearTimeout(timer);
  const replaced = interaction.isModalSubmit() && interaction.isFromMessage() ? interaction : undefined;
  if (first === 'late') {
    if (replaced === undefined) await interaction.deferReply(isPrivate ? { flags: MessageFlags.Ephemeral } : {});
    else await replaced.deferUpdate();
    const late = await reply;
    if (replaced === undefined || late.outcome === 'done') await interaction.editReply(payloadOf(late, of));
    else await interaction.followUp({ ...payloadOf(late, of), flags: MessageFlags.Ephemeral });
    return;
  }
  if (first.form !== undefined && !interaction.isModalSubmit()) {
    await interaction.showModal(formPayload(first.form, of, interaction.user.id));
    return;
  }
  if (replaced !== undefined && first.outcome === 'done') {
    await replaced.update(payloadOf(first, of));
    return;
  }
  const isEphemeral = isPrivate || first.outcome !== 'done';
  await interaction.reply({ ...payloadOf(first, of), ...(isEphemeral && { flags: MessageFlags.Ephemeral }) });
}

const STYLES = {
  primary: ButtonStyle.Primary,
  secondary: ButtonStyle.Secondary,
  danger: ButtonStyle.Danger,
} as const satisfies Record<Button['style'], ButtonStyle>;

/** Discord's limit: https://docs.discord.com/developers/components/reference#button */
const MAX_BUTTON_LABEL = 80;

interface ReplyContext {
  readonly path: CommandPath;
  readonly replyId: Snowflake;
}

/**
 * Replies contain texts of users and mentions in settings. They must not notify users or roles, regardless of the
 * client's defaults.
 */
export const NO_MENTIONS = { parse: [], repliedUser: true } as const;

export function payloadOf({ content, buttons = [] }: Reply, { path, replyId }: ReplyContext) {
  const [command, subcommand] = path;
  const items = buttons.map(
    ({ name, label, style, values }): APIButtonComponentWithCustomId => ({
      type: ComponentType.Button,
      style: STYLES[style],
      label: shorten(label, MAX_BUTTON_LABEL),
      custom_id: formatButtonId({ command, subcommand: subcommand ?? null, name, replyId, values }),
    }),
  );
  const row: APIActionRowComponent<APIButtonComponentWithCustomId> = {
    type: ComponentType.ActionRow,
    components: items,
  };
  return { content, components: items.length === 0 ? [] : [row], allowedMentions: NO_MENTIONS };
}

/** Returns the form for a user: unlike for a button, Discord does not state whose command opened a form. */
function formPayload(
  { title, fields, values }: Form,
  { path: [command, subcommand], replyId }: ReplyContext,
  userId: Snowflake,
): APIModalInteractionResponseCallbackData {
  return {
    custom_id: formatButtonId({ command, subcommand: subcommand ?? null, name: userId, replyId, values }),
    title,
    components: fields.map(({ label, description, component }) => ({
      type: ComponentType.Label,
      label,
      ...(description !== undefined && { description }),
      component,
    })),
  };
}

/**
 * The content of the custom id of a button or a form. The bot stores nothing about its buttons, so they outlive its
 * process.
 */
export interface ButtonId {
  readonly command: string;
  readonly subcommand: string | null;
  /** The name of a button; the id of the user of a form. */
  readonly name: string;
  /**
   * The id of the interaction that the reply with the button belongs to, which distinguishes it from edits of the same
   * message.
   */
  readonly replyId: Snowflake;
  readonly values: readonly string[];
}

/** Formats a custom id: at most 100 characters, if the values satisfy the limits of `Button`. */
export function formatButtonId({ command, subcommand, name, replyId, values }: ButtonId): string {
  return [command, subcommand ?? '', name, replyId, ...values].join('|');
}

export function parseButtonId(customId: string): ButtonId | undefined {
  const [command = '', subcommand = '', name = '', replyId = '', ...values] = customId.split('|');
  if (!/^\d{17,20}$/.test(replyId)) return undefined;
  return { command, subcommand: subcommand || null, name, replyId, values };
}

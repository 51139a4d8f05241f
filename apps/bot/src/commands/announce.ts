import {
  anyRest,
  type ChannelState,
  channelIdOf,
  code,
  type Form,
  type Invocation,
  nameOf,
  Refusal,
  type Reply,
  requirePermission,
  slashNameOf,
  usageOf,
} from '@guild-settings/discord/framework';
import { ComponentType, TextInputStyle } from 'discord.js';
import { action, type BotCommand, type Services } from '../commands/services.ts';
import { botText } from '../i18n/bot-text.ts';

/** Discord's limit for a message, in code points. */
const MAX_LENGTH = 2_000;

/** Limit of the form's text: the preview has a sentence above it. */
const MAX_FORM_LENGTH = MAX_LENGTH - 300;

/** The name of the form's field. */
const FIELD = 'value';

const OPTIONS = { text: anyRest(MAX_LENGTH) };

/**
 * Posts in the guild's announcement channel. Without a text, a form asks for it and a preview follows: only the preview
 * contains the text, so its buttons work after a restart of the bot. Other channels may follow the announcement
 * channel: a button publishes.
 */
export const announce: BotCommand = {
  name: 'announce',
  forManagers: true,
  action: action({
    options: OPTIONS,
    guard: requirePermission,
    async run({ invocation, options: { text = '' }, services }) {
      const channelId = await writableChannel(invocation, services);
      return text.trim() === ''
        ? formReply(invocation)
        : post({ channelId, text, nonce: invocation.id }, invocation, services);
    },
    async submit({ invocation, filledIn, services }) {
      const text = String(filledIn[FIELD]);
      if (text.trim() === '') return formReply(invocation).content;
      return orDraft(text, invocation, async () =>
        preview(await writableChannel(invocation, services), text, invocation),
      );
    },
    formButtons: { edit: ({ invocation, shown }) => formReply(invocation, textOf(shown)) },
    buttons: {
      async post({ invocation, values: [previewed, nonce = ''], shown, services }) {
        const text = textOf(shown);
        return orDraft(text, invocation, async () => {
          const channelId = await writableChannel(invocation, services);
          if (channelId !== previewed) return preview(channelId, text, invocation);
          return post({ channelId, text, nonce }, invocation, services);
        });
      },
      cancel: ({ invocation }) => botText(invocation.translator)('announce.cancelled'),
      async publish({ invocation, values: [channelId = '', messageId = ''], services: { channels } }) {
        const t = botText(invocation.translator);
        const channel = `<#${channelId}>`;
        const outcome = await channels.publish({ channelId, messageId, canPublish: true }).catch(() => 'late');
        return outcome === 'published' ? t('announce.published', { channel }) : t('announce.notPublished', { channel });
      },
    },
  }),
};

async function writableChannel(invocation: Invocation, { channels }: Pick<Services, 'channels'>): Promise<string> {
  const { guildId, settings, translator } = invocation;
  const { announcement_channel: setting } = settings;
  if (setting === '') throw new Refusal(botText(translator)('announce.unset', { command: setChannel(invocation) }));
  const channelId = channelIdOf(setting);
  if (channelId === undefined) throw new Refusal(why('unknown', code(setting), invocation));
  const state = await channels.stateOf(guildId, channelId);
  if (state !== 'writable') throw new Refusal(why(state, `<#${channelId}>`, invocation));
  return channelId;
}

function preview(channelId: string, text: string, invocation: Invocation): Reply {
  const lead = botText(invocation.translator)('announce.preview', { channel: `<#${channelId}>` });
  return draft({ lead, channelId, text }, invocation);
}

/** Returns the reply of an action, or the refusal with the text, so that it is not lost. */
async function orDraft(text: string, invocation: Invocation, act: () => Promise<Reply>): Promise<Reply> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal) return draft({ lead: error.message, channelId: '', text }, invocation);
    throw error;
  }
}

interface Draft {
  /** A paragraph above the text, without blank lines. */
  readonly lead: string;
  /** The channel to which a button posts; if the setting has changed, the post is previewed again. */
  readonly channelId: string;
  readonly text: string;
}

function draft({ lead, channelId, text }: Draft, { id, translator }: Invocation): Reply {
  const t = botText(translator);
  return {
    content: `${lead}\n\n${text}`,
    buttons: [
      { name: 'post', label: t('announce.post'), style: 'primary', values: [channelId, id] },
      { name: 'edit', label: t('announce.edit'), style: 'secondary', values: [] },
      { name: 'cancel', label: t('announce.cancel'), style: 'secondary', values: [] },
    ],
  };
}

function textOf(shown: string): string {
  return shown.slice(shown.indexOf('\n\n') + 2);
}

interface Announcement {
  readonly channelId: string;
  readonly text: string;
  /** Discord discards a second post with the same nonce. */
  readonly nonce: string;
}

async function post(
  { channelId, text: content, nonce }: Announcement,
  invocation: Invocation,
  { channels }: Pick<Services, 'channels'>,
): Promise<Reply> {
  const { userId, trigger, translator } = invocation;
  const parse = await channels.mentionsOf(channelId, userId);
  const posted = await channels.announce(channelId, { content, nonce, mentions: { parse } });
  const channel = `<#${channelId}>`;
  if (posted === 'gone') throw new Refusal(why('unknown', channel, invocation));
  if (posted === 'forbidden') throw new Refusal(why('unwritable', channel, invocation));
  const done = botText(translator)('announce.posted', { channel });
  if (!posted.canPublish || trigger.kind === 'message') return { content: done };
  const label = botText(translator)('announce.publish');
  const values = [channelId, posted.messageId];
  return {
    content: `${done}\n${botText(translator)('announce.canPublish')}`,
    buttons: [{ name: 'publish', label, style: 'primary', values }],
  };
}

/** Returns the form for the text, with the text so far; the reply explains the alternative for a message. */
function formReply(invocation: Invocation, text = ''): Reply & { readonly form: Form } {
  const t = botText(invocation.translator);
  const path = ['announce'] as const;
  const [usage, command] = [usageOf(invocation, path, OPTIONS), slashNameOf(invocation, path)];
  return {
    content: t('announce.noText', { usage, command }),
    form: {
      title: t('announce.form'),
      fields: [
        {
          label: invocation.translator.commandTexts(path).options?.text?.description ?? '',
          component: {
            type: ComponentType.TextInput,
            custom_id: FIELD,
            style: TextInputStyle.Paragraph,
            required: true,
            max_length: MAX_FORM_LENGTH,
            ...(text !== '' && { value: text }),
          },
        },
      ],
      values: [],
    },
  };
}

function why(state: ChannelState, channel: string, invocation: Invocation): string {
  const t = botText(invocation.translator);
  const command = setChannel(invocation);
  switch (state) {
    case 'unknown':
      return t('announce.unknown', { channel, command });
    case 'unwritable':
    case 'writable':
      return t('channel.unwritable', { channel });
  }
}

function setChannel(invocation: Invocation): string {
  return nameOf(invocation, ['settings', 'set'], 'announcement_channel');
}

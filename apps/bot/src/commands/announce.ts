import { ComponentType, TextInputStyle } from 'discord.js';
import { type ChannelState, channelIdOf } from '../discord/channels.ts';
import { action, type Command, type Services } from '../framework/command.ts';
import { nameOf, slashNameOf, textsOf, usageOf } from '../framework/command-texts.ts';
import { requirePermission } from '../framework/guards.ts';
import type { Invocation, Reply } from '../framework/invocation.ts';
import { anyRest } from '../framework/options.ts';
import { code, Refusal } from '../i18n/text.ts';

/** Discord's limit for a message, in code points. */
const MAX_LENGTH = 2_000;

const OPTIONS = { text: anyRest(MAX_LENGTH) };

/** Posts in the guild's announcement channel, from a form where no text was given. Other channels may follow it: a button publishes. */
export const announce: Command = {
  name: 'announce',
  forManagers: true,
  action: action({
    options: OPTIONS,
    guard: requirePermission,
    async run({ invocation, options: { text = '' }, services }) {
      const channelId = await writableChannel(invocation, services);
      return text.trim() === '' ? formReply(invocation) : post(channelId, text, invocation, services);
    },
    async submit({ invocation, filledIn, services }) {
      const text = String(filledIn);
      try {
        return await post(await writableChannel(invocation, services), text, invocation, services);
      } catch (error) {
        // The text that was written is not lost.
        throw error instanceof Refusal ? new Refusal(`${error.message}\n\n${text}`) : error;
      }
    },
    buttons: {
      async publish({ invocation, values: [channelId = '', messageId = ''], services: { channels } }) {
        const { t } = invocation.translator;
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
  if (setting === '') throw new Refusal(translator.t('announce.unset', { command: setChannel(invocation) }));
  const channelId = channelIdOf(setting);
  if (channelId === undefined) throw new Refusal(why('unknown', code(setting), invocation));
  const state = await channels.stateOf(guildId, channelId);
  if (state !== 'writable') throw new Refusal(why(state, `<#${channelId}>`, invocation));
  return channelId;
}

async function post(
  channelId: string,
  content: string,
  invocation: Invocation,
  { channels }: Pick<Services, 'channels'>,
): Promise<Reply> {
  const { id, userId, trigger, translator } = invocation;
  const parse = await channels.mentionsOf(channelId, userId);
  // Discord discards a second post with this nonce.
  const posted = await channels.announce(channelId, { content, nonce: id, mentions: { parse } });
  const channel = `<#${channelId}>`;
  if (posted === 'gone') throw new Refusal(why('unknown', channel, invocation));
  if (posted === 'forbidden') throw new Refusal(why('unwritable', channel, invocation));
  const done = translator.t('announce.posted', { channel });
  if (!posted.canPublish || trigger.kind === 'message') return { content: done };
  const label = translator.t('announce.publish');
  const values = [channelId, posted.messageId];
  return {
    content: `${done}\n${translator.t('announce.canPublish')}`,
    buttons: [{ name: 'publish', label, style: 'primary', values }],
  };
}

/** Returns the form for the text; what a message can do instead is said in the reply. */
function formReply(invocation: Invocation): Reply {
  const { t, language } = invocation.translator;
  const path = ['announce'] as const;
  const [usage, command] = [usageOf(invocation, path, OPTIONS), slashNameOf(invocation, path)];
  return {
    content: t('announce.noText', { usage, command }),
    form: {
      title: t('announce.form'),
      label: textsOf(language, path).options?.text?.description ?? '',
      component: {
        type: ComponentType.TextInput,
        custom_id: 'value',
        style: TextInputStyle.Paragraph,
        required: true,
        max_length: MAX_LENGTH,
      },
      values: [],
    },
  };
}

function why(state: ChannelState, channel: string, invocation: Invocation): string {
  const { t } = invocation.translator;
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

import { type ChannelState, channelIdOf } from '../discord/channels.ts';
import { action, type Command } from '../framework/command.ts';
import { nameOf } from '../framework/command-texts.ts';
import { requirePermission } from '../framework/guards.ts';
import type { Invocation } from '../framework/invocation.ts';
import { rest } from '../framework/options.ts';
import { code, Refusal } from '../i18n/text.ts';

/** Discord's limit for a message, in code points. */
const MAX_LENGTH = 2_000;

/** Posts in the guild's announcement channel. */
export const announce: Command = {
  name: 'announce',
  forManagers: true,
  action: action({
    options: { text: rest(MAX_LENGTH) },
    guard: requirePermission,
    async run({ invocation, options, services: { channels } }) {
      const { id, guildId, userId, settings, translator } = invocation;
      const { announcement_channel: setting } = settings;
      if (setting === '') throw new Refusal(translator.t('announce.unset', { command: setChannel(invocation) }));
      const channelId = channelIdOf(setting);
      const state = channelId === undefined ? 'unknown' : await channels.stateOf(guildId, channelId);
      const channel = channelId === undefined ? code(setting) : `<#${channelId}>`;
      if (channelId === undefined || state !== 'writable') throw new Refusal(why(state, channel, invocation));
      const parse = await channels.mentionsOf(channelId, userId);
      // Discord discards a second post with this nonce.
      const post = { content: options.text, nonce: id, mentions: { parse } };
      const outcome = await channels.post(channelId, post);
      if (outcome !== 'posted') {
        throw new Refusal(why(outcome === 'gone' ? 'unknown' : 'unwritable', channel, invocation));
      }
      return translator.t('announce.posted', { channel });
    },
  }),
};

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

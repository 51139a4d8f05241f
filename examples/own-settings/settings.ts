import { defineSettings } from '@guild-settings/contract/settings';

/** The settings of a bot for music and moderation. */
export const settings = defineSettings({
  groups: {
    welcome: { label: { 'en-US': 'Welcome', ja: 'ようこそ' }, enabledBy: 'welcomeOn' },
    moderation: { label: { 'en-US': 'Moderation', ja: 'モデレーション' } },
    music: { label: { 'en-US': 'Music', ja: '音楽' } },
  },
  settings: {
    welcomeOn: { kind: 'switch', group: 'welcome', label: { 'en-US': 'Welcome new members' } },
    welcomeChannel: { kind: 'channel', types: ['text'], group: 'welcome', label: { 'en-US': 'Channel of welcomes' } },
    welcomeMessage: {
      kind: 'text',
      lines: 'many',
      max: 1_000,
      default: 'Welcome, {user}!',
      group: 'welcome',
      label: { 'en-US': 'Message', ja: 'メッセージ' },
      description: { 'en-US': '{user} is replaced by a mention of the new member.' },
    },
    autoRoles: { kind: 'role', many: { max: 10 }, label: { 'en-US': 'Roles of new members' } },
    modLogChannel: {
      kind: 'channel',
      types: ['text', 'announcement'],
      group: 'moderation',
      label: { 'en-US': 'Log channel', ja: 'ログチャンネル' },
      description: { 'en-US': 'Where the bot posts what moderators did, and each change of a setting.' },
    },
    spam: {
      kind: 'choice',
      choices: { off: { 'en-US': 'Allow' }, warn: { 'en-US': 'Warn' }, delete: { 'en-US': 'Delete and warn' } },
      default: 'warn',
      group: 'moderation',
      label: { 'en-US': 'Spam' },
    },
    blockedWords: {
      kind: 'text',
      max: 50,
      many: { max: 25 },
      group: 'moderation',
      label: { 'en-US': 'Blocked words' },
    },
    timeout: {
      kind: 'duration',
      min: 60,
      max: 2_419_200,
      default: 600,
      group: 'moderation',
      label: { 'en-US': 'Timeout after three warnings' },
    },
    volume: {
      kind: 'integer',
      min: 0,
      max: 200,
      default: 50,
      unit: '%',
      group: 'music',
      label: { 'en-US': 'Volume', ja: '音量' },
    },
    djRole: { kind: 'role', group: 'music', label: { 'en-US': 'Role that controls the music' } },
    musicChannels: {
      kind: 'channel',
      types: ['voice', 'stage'],
      many: { max: 25 },
      group: 'music',
      label: { 'en-US': 'Channels with music' },
      description: { 'en-US': 'All voice channels where none is chosen.' },
    },
    premium: { kind: 'switch', setBy: 'application', label: { 'en-US': 'Premium' } },
  },
  features: {
    music: { label: { 'en-US': 'Music', ja: '音楽' }, description: { 'en-US': 'Plays music in voice channels.' } },
    lyrics: { label: { 'en-US': 'Lyrics', ja: '歌詞' } },
  },
  defaults: { prefix: '?' },
});

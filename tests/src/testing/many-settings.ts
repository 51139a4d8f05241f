import { type Declaration, defineSettings, type SettingDeclaration } from '@guild-settings/contract/settings';

const label = (text: string) => ({ 'en-US': text });

/** The groups with their labels in English and Russian, and their switches. */
const GROUPS = [
  ['welcome', 'Welcome', 'Приветствие', true],
  ['levels', 'Levels', 'Уровни', true],
  ['moderation', 'Moderation', 'Модерация', false],
  ['tickets', 'Tickets', 'Обращения', true],
  ['music', 'Music', 'Музыка', false],
  ['games', 'Games', 'Игры', true],
  ['birthdays', 'Birthdays and other anniversaries', 'Дни рождения и другие годовщины', true],
  ['logs', 'Logs', 'Журналы', false],
] as const;

type Group = (typeof GROUPS)[number][0];

/** The settings of each group besides its switch. */
const SETTINGS: Readonly<Record<Group, Readonly<Record<string, SettingDeclaration>>>> = {
  welcome: {
    welcomeMessage: {
      kind: 'text',
      lines: 'many',
      max: 1_000,
      default: 'Welcome, {user}!',
      label: { 'en-US': 'Message', ru: 'Сообщение' },
      description: label('Posted when a member joins. {user} is a mention of the member.'),
    },
    welcomeChannel: { kind: 'channel', types: ['text'], label: label('Channel') },
    autoRoles: { kind: 'role', many: { max: 10 }, label: label('Auto roles') },
    goodbye: { kind: 'text', max: 200, default: '', label: label('Goodbye') },
  },
  levels: {
    xpRate: {
      kind: 'integer',
      min: 0,
      max: 100,
      default: 5,
      unit: '%',
      label: label('XP rate'),
      description: label('How fast members rise.'),
    },
    levelUp: { kind: 'text', max: 200, default: '{user} is level {level} now', label: label('Level-up message') },
    levelWait: { kind: 'duration', min: 0, max: 86_400, default: 60, label: label('Time between messages that count') },
    rewards: { kind: 'role', many: { max: 10 }, label: label('Rewards') },
  },
  moderation: {
    modLog: { kind: 'channel', types: ['text', 'announcement'], label: label('Mod log') },
    spam: {
      kind: 'choice',
      choices: { off: label('Allow'), warn: label('Warn'), delete: label('Delete and warn') },
      default: 'warn',
      label: label('Spam'),
    },
    blockedWords: { kind: 'text', max: 50, many: { max: 25 }, label: label('Blocked words') },
    timeout: { kind: 'duration', min: 60, max: 2_419_200, default: 600, label: label('Timeout after three warnings') },
    muteRole: { kind: 'role', label: label('Mute role') },
  },
  tickets: {
    ticketCategory: { kind: 'channel', types: ['category'], label: label('Ticket category') },
    staffRole: { kind: 'role', label: label('Staff role') },
    maxTickets: { kind: 'integer', min: 1, max: 20, default: 3, label: label('Open tickets per member') },
  },
  music: {
    volume: { kind: 'integer', min: 0, max: 200, default: 50, unit: '%', label: label('Volume') },
    djRole: { kind: 'role', label: label('DJ role') },
    maxSong: { kind: 'duration', min: 60, max: 36_000, default: 900, label: label('Longest song') },
    queueChannels: { kind: 'channel', many: { max: 5 }, label: label('Request channels') },
    announceSongs: { kind: 'switch', default: true, label: label('Announce songs') },
  },
  games: {
    dailyCoins: { kind: 'integer', min: 0, max: 10_000, default: 100, label: label('Daily coins') },
    currency: { kind: 'text', max: 20, default: 'coins', label: label('Currency') },
    gameChannels: { kind: 'channel', many: { max: 5 }, label: label('Game channels') },
  },
  birthdays: {
    birthdayMessage: { kind: 'text', lines: 'many', max: 500, default: '', label: label('Birthday message') },
    birthdayRole: { kind: 'role', label: label('Birthday role') },
    birthdayChannel: { kind: 'channel', label: label('Birthday channel') },
  },
  logs: {
    messageLog: { kind: 'channel', label: label('Deleted messages') },
    memberLog: { kind: 'channel', label: label('Members who join and leave') },
    voiceLog: { kind: 'channel', label: label('Voice channels') },
    logBots: { kind: 'switch', default: false, label: label('Log what bots do') },
    ignoredChannels: { kind: 'channel', many: { max: 10 }, label: label('Ignored channels') },
  },
};

/** A declaration of 40 settings in eight groups, five of which have a switch, and three settings without a group. */
export const MANY_SETTINGS: Declaration = defineSettings({
  groups: Object.fromEntries(
    GROUPS.map(([name, en, ru, hasSwitch]) => [
      name,
      { label: { 'en-US': en, ru }, ...(hasSwitch && { enabledBy: `${name}On` }) },
    ]),
  ),
  features: { polls: { label: label('Polls') } },
  settings: {
    embedTitle: { kind: 'text', max: 50, default: 'Melody', label: label('Embed title') },
    ownerRole: { kind: 'role', label: label('Helper role') },
    premium: { kind: 'switch', default: false, setBy: 'application', label: label('Premium') },
    ...Object.fromEntries(
      GROUPS.flatMap(([group, en, , hasSwitch]) =>
        Object.entries({
          ...(hasSwitch && {
            [`${group}On`]: { kind: 'switch', default: group === 'levels', label: label(`${en} on`) } as const,
          }),
          ...SETTINGS[group],
        }).map(([name, declared]) => [name, { ...declared, group }]),
      ),
    ),
  } as Readonly<Record<string, SettingDeclaration>>,
});

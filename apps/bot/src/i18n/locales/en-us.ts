import type { Translated } from '@guild-settings/i18n';

/**
 * The English texts, which say what the other languages have to have. `{{…}}` is filled in; a text that depends on a
 * number stands in a form for each plural category of its language (`_one`, `_few`, `_many`, `_other`).
 *
 * Names under `commands` are what people type: one word, in lower case.
 */
export const enUS = {
  commands: {
    help: {
      name: 'help',
      description: 'Lists the commands, or explains one',
      options: { command: { name: 'command', description: 'The command to explain' } },
    },
    ping: { name: 'ping', description: 'Measures how quickly the bot answers' },
    about: { name: 'about', description: 'Shows which bot this is and how fresh its settings are' },
    settings: {
      name: 'settings',
      description: "Shows and changes this server's settings",
      subcommands: {
        show: { name: 'show', description: 'Shows the settings' },
        set: {
          name: 'set',
          description: 'Changes a setting',
          options: {
            setting: { name: 'setting', description: 'Which setting' },
            value: { name: 'value', description: 'Its new value, or "none"; without it, a form opens' },
          },
        },
        add: {
          name: 'add',
          description: 'Adds a value to a list',
          options: {
            setting: { name: 'setting', description: 'Which list' },
            item: { name: 'item', description: 'What to add' },
          },
        },
        remove: {
          name: 'remove',
          description: 'Removes a value from a list',
          options: {
            setting: { name: 'setting', description: 'Which list' },
            item: { name: 'item', description: 'What to remove' },
          },
        },
        enable: {
          name: 'enable',
          description: 'Switches a feature on',
          options: { feature: { name: 'feature', description: 'Which feature' } },
        },
        disable: {
          name: 'disable',
          description: 'Switches a feature off',
          options: { feature: { name: 'feature', description: 'Which feature' } },
        },
        reset: {
          name: 'reset',
          description: 'Puts a setting back to its default',
          options: { setting: { name: 'setting', description: 'Which setting, or all of them' } },
        },
        history: {
          name: 'history',
          description: 'Shows who changed which settings, and when',
          options: { setting: { name: 'setting', description: 'Only changes of this setting' } },
        },
        undo: {
          name: 'undo',
          description: 'Undoes a change to the settings, after a confirmation',
          options: {
            change: { name: 'change', description: 'Its number in the history; otherwise the newest change' },
          },
        },
        access: { name: 'access', description: 'Shows who else has access to the settings' },
      },
    },
    announce: {
      name: 'announce',
      description: 'Posts in the announcement channel',
      options: { text: { name: 'text', description: 'What to announce' } },
    },
    remind: {
      name: 'remind',
      description: 'Reminds you of things',
      subcommands: {
        add: {
          name: 'add',
          description: 'Reminds you once, in this channel',
          options: {
            when: { name: 'when', description: 'in 10m, at 18:00, tomorrow 9:00 or 2026-12-24 18:00' },
            text: { name: 'text', description: 'What to remind you of' },
            timezone: { name: 'timezone', description: 'Your time zone, such as Europe/Berlin; otherwise UTC' },
          },
        },
        every: {
          name: 'every',
          description: 'Reminds you repeatedly, in this channel (beta)',
          options: {
            interval: { name: 'interval', description: 'How often: 2h, 1d, or every day at a time such as 09:00' },
            text: { name: 'text', description: 'What to remind you of' },
            timezone: { name: 'timezone', description: 'Your time zone, such as Europe/Berlin; otherwise UTC' },
          },
        },
        list: { name: 'list', description: 'Lists your reminders on this server' },
        cancel: {
          name: 'cancel',
          description: 'Cancels a reminder of yours',
          options: { number: { name: 'number', description: 'Its number in the list' } },
        },
      },
    },
  },
  words: {
    prefix: 'prefix',
    announcement_channel: 'channel',
    beta: 'beta',
    language: 'language',
    enabledFeatures: 'features',
    all: 'all',
  },
  help: {
    title: '**Commands** (prefix: {{prefix}}; {{mention}} always works)',
    titleWithoutPrefix: '**Commands** (by slash, or after {{mention}})',
    titleSlashOnly: '**Commands** (by slash only)',
    beta: 'beta',
    usage: 'Usage: {{usage}}',
    unknown: 'There is no command {{name}}. {{help}} lists them all.',
  },
  mentioned: {
    withPrefix: 'My prefix here is {{prefix}}. {{help}} lists my commands.',
    withoutPrefix: 'Prefix commands are switched off here. {{help}} lists my commands.',
  },
  ping: { pong: 'Pong! {{duration}}' },
  about: {
    bot: 'guild-settings bot {{version}}',
    shard: 'Shard ID: {{shard}}, shards in total: {{shards}}',
    servers_one: 'On {{count}} server',
    servers_other: 'On {{count}} servers',
    live: 'The settings are up to date (revision {{revision}}).',
    stale: 'The settings are as of {{since}}: the settings service cannot be reached.',
    arrival: 'Changes are live here after {{ms}} ms.',
    syncing: 'The settings are loading. Until then, the defaults apply.',
    slashOnly: 'Only slash commands work: this bot does not read messages.',
  },
  settings: {
    title: '**Settings of this server**',
    unchanged: '**{{setting}}** is already {{value}}. Nothing was changed.',
    noFeature: 'There is no feature {{name}}.',
    noSuch: 'There is no setting {{name}}. {{command}} lists them all.',
    noValue: 'The new value is missing: {{usage}}. As a slash command, {{command}} opens a form for it.',
    tooLongForForm:
      '{{setting}} has more values than fit into a form. Change one at a time with {{add}} and {{remove}}.',
    onPage: 'Settings page: {{url}}',
    reserved: "**{{setting}}** is set by the bot's team. It cannot be changed here.",
    notList: '**{{setting}}** is not a list. Change it with {{command}}.',
    notInList: '{{item}} is not in **{{setting}}**: {{value}}.',
    severalInList: 'Several values of **{{setting}}** match {{item}}: {{values}}. Enter one of them exactly as it is.',
    now: '{{value}} (now)',
    byDefault: '{{value}} (default)',
    pages: { previous: 'Back', next: 'Next', more: 'More with the slash command: {{command}}' },
    form: { title: 'Change a setting', lines: 'One value per line, at most {{max}}' },
    notLive: 'Saved. It is not live everywhere yet.',
    prefixOff: 'Prefix commands are off now. Slash commands and {{mention}} go on working.',
    prefixSlash:
      'Discord opens its own command menu when a message starts with {{prefix}}, so your commands may not reach me. Slash commands and {{mention}} work.',
    expected: {
      language: 'The language is one of these: {{choices}}.',
      enabledFeatures:
        'Enter at most {{max}} names of at most {{length}} characters, separated by commas, or {{none}}.',
      switch: 'Enter {{on}} or {{off}}.',
      channel: 'Enter a channel of this server, such as {{channel}}, or {{none}}.',
      role: 'Enter a role of this server, or {{none}}.',
      choice: 'Enter one of these: {{choices}}.',
      integer: 'Enter a whole number from {{min}} to {{max}}.',
      duration: 'Enter a duration from {{min}} to {{max}}, such as {{example}}.',
      list: 'Separate several values with commas: at most {{max}}, or {{none}}.',
    },
    hint: {
      prefix: '{{none}} switches prefix commands off.',
    },
  },
  history: {
    title: '**Changes to the settings of this server**',
    none: 'No changes to the settings are on record.',
    newest: 'Newest',
    older: 'Older',
  },
  undo: {
    question: '**Undo this change?** {{change}}',
    bySlash: 'To undo it, use the slash command: {{command}}',
    until: 'The buttons work until {{until}}.',
    confirm: 'Undo',
    cancel: 'Cancel',
    cancelled: 'Nothing was undone.',
    laterFirst: 'To go back further, undo the later change first: {{command}}',
    unknown: 'There is no change #{{id}} of this server on record. {{command}} lists the changes.',
    unreachable: 'The settings service cannot be reached. Nothing was undone. Please try again later.',
  },
  access: {
    title: '**Who else has access to the settings of this server**',
    nobody: 'Only the managers of the server.',
    onPage: 'You can change the list on the settings page.',
  },
  buttons: {
    notYours: 'These buttons are for someone else. Please use {{command}} yourself.',
    expired: 'These buttons have expired. Please use {{command}} again.',
    formExpired: 'This form has expired. Please use {{command}} again.',
  },
  channel: {
    deleted: 'The channel of {{settings}} was deleted. Choose another one: {{command}}',
    lost: 'I can no longer write in {{channel}}, the channel of {{settings}}. Let me view the channel and send messages there, or choose another one: {{command}}',
    notYours: 'You cannot write in {{channel}} yourself.',
    unwritable:
      'I cannot write in {{channel}}. It must be a text channel, an announcement channel, a thread or a forum post where I can view the channel and send messages.',
  },
  announce: {
    canPublish: 'Servers that follow this channel get it when you publish it.',
    publish: 'Publish',
    published: 'Posted and published in {{channel}}.',
    notPublished: 'It is posted in {{channel}}, but Discord did not let me publish it. Publish it there yourself.',
    noText: 'Add a text: {{usage}}. The slash command {{command}} opens a form for it.',
    form: 'New announcement',
    preview: 'Preview for {{channel}}. Nothing is posted yet.',
    post: 'Post',
    edit: 'Edit',
    cancel: 'Cancel',
    cancelled: 'Nothing was posted.',
    posted: 'Posted in {{channel}}.',
    unset: 'No announcement channel is set. Set one with {{command}}.',
    unknown: 'The announcement channel {{channel}} is not a channel of this server. Set another with {{command}}.',
  },
  remind: {
    added: '#{{id}}: I will remind you {{relative}} ({{moment}}).',
    addedEvery: '#{{id}}: I will remind you repeatedly, first {{relative}} ({{moment}}).',
    unreadable: 'I do not understand the time {{input}}. Try {{examples}}.',
    past: '{{moment}} is in the past.',
    tooFar_one: 'That is more than {{count}} year away.',
    tooFar_other: 'That is more than {{count}} years away.',
    badZone: 'I do not know the time zone {{zone}}. Try {{examples}}.',
    badInterval: 'I do not understand how often {{input}} is. Try {{examples}}; at least {{minimum}} apart.',
    tooMany_one: 'You have {{count}} reminder on this server, which is the maximum. Cancel it first: {{command}}.',
    tooMany_other: 'You have {{count}} reminders on this server, which is the maximum. Cancel one first: {{command}}.',
    title_one: '**You have {{count}} reminder on this server**',
    title_other: '**You have {{count}} reminders on this server**',
    none: 'You have no reminders on this server.',
    repeats: 'repeats',
    channelGone: 'could not be delivered: the channel was deleted',
    forbidden: 'could not be delivered: I cannot write there',
    cancelled: 'Reminder #{{id}} is cancelled.',
    unknown: 'You have no reminder #{{id}} on this server. {{command}} lists those you have.',
    due: '⏰ {{user}}, you asked me to remind you (#{{id}}):',
    late: '(This was due {{moment}}, while I was away.)',
  },
  guard: {
    manager: 'Only members with the permission “Manage Server” can do that.',
    taken: 'You can no longer use this command on this server.',
    beta: '{{command}} is a beta feature, and beta features are off here. A manager of the server can switch them on: {{enable}}',
    feature: 'The feature “{{feature}}” is off here. A manager of the server can switch it on: {{enable}}',
  },
  errors: {
    didYouMean: 'Did you mean {{suggestion}}?',
    missing: 'Please add {{option}}. Usage: {{usage}}',
    tooLong_one: 'Use at most {{count}} character for {{option}}.',
    tooLong_other: 'Use at most {{count}} characters for {{option}}.',
    notNumber: 'Enter a whole number for {{option}}.',
    tooMany: 'Leave out {{extra}}, or put words that belong together in quotes. Usage: {{usage}}',
    unknownSubcommand: 'Add one of these after {{command}}: {{subcommands}}.',
    unreachable: 'The settings service cannot be reached. Nothing was changed. Please try again later.',
    unconfirmed:
      'The settings service did not respond, so the change may or may not have been made. Check with {{command}}.',
    refused: 'The settings service rejected the change: {{reason}}',
    tooOften: '{{command}} was used too often. You can use it again {{relative}}.',
    unexpected: 'Something went wrong on my side. It was logged as {{reference}}.',
  },
  /** Reasons why the service rejected a change. */
  problem: {
    value: '**{{setting}}** does not take this value.',
    botAbsent: 'It does not know yet that I am on this server. Please try again in a minute.',
    noAccess: 'You do not have access to these settings.',
    tooLarge: 'It is too large. Shorten the value, or remove others first.',
    busy: 'Others are changing the settings at the same time. Please try again.',
    full: 'The settings of this server were changed too much today. Please try again tomorrow.',
  },
} as const;

export type Locale = Translated<typeof enUS>;

/** The English texts that the bot and the dashboard share: the model of the other languages. */
export const texts = {
  /** Names of fields, as labels. */
  field: {
    prefix: 'Prefix',
    announcement_channel: 'Announcement channel',
    beta: 'Beta features',
    language: 'Language',
    enabledFeatures: 'Features',
    name: 'Server name',
    icon: 'Server icon',
    presence: 'Bot on this server',
    access: 'Access list',
  },
  /** Names of fields in a list within a sentence. */
  object: {
    prefix: 'the prefix',
    announcement_channel: 'the announcement channel',
    beta: 'beta features',
    language: 'the language',
    enabledFeatures: 'the features',
    name: 'the server name',
    icon: 'the server icon',
    presence: 'whether the bot is here',
    access: 'who has access',
  },
  value: {
    none: 'none',
    on: 'on',
    off: 'off',
    present: 'yes',
    left: 'no',
    unknown: 'unknown',
    editor: 'editor',
    viewer: 'viewer',
  },
  changed: '{{field}}: {{from}} → {{to}}',
  more_one: '{{count}} more',
  more_other: '{{count}} more',
  person: {
    user: 'User {{id}}',
    erased: 'A user whose data was erased',
    application: 'The bot',
    platform: 'Discord',
  },
  sentence: {
    field: '{{who}} changed {{field}} from {{from}} to {{to}}',
    fields: '{{who}} changed {{fields}}',
    undo: '{{who}} undid change {{change}}',
    restore: '{{who}} restored the settings of change {{change}}',
    restoreDefaults: '{{who}} restored the default settings',
    import: '{{who}} imported settings',
    joined: 'The bot was added to this server',
    left: 'The bot was removed from this server',
    platform: 'Discord reported a change: {{fields}}',
    nothing: '{{who}} saved without changes',
  },
  /** Sentences of a change of one field, by what became of its value. A field without one has `sentence.field`. */
  change: {
    prefix: {
      changed: '{{who}} changed the prefix from {{from}} to {{to}}',
      none: '{{who}} switched prefix commands off (prefix before: {{from}})',
      set: '{{who}} switched prefix commands on, with the prefix {{to}}',
    },
    announcement_channel: {
      changed: '{{who}} moved announcements from {{from}} to {{to}}',
      set: '{{who}} chose {{to}} for announcements',
      none: '{{who}} switched announcements off (channel before: {{from}})',
    },
    beta: {
      on: '{{who}} switched beta features on',
      off: '{{who}} switched beta features off',
    },
    language: {
      changed: '{{who}} changed the language from {{from}} to {{to}}',
    },
    enabledFeatures: {
      added: '{{who}} enabled {{added}}',
      removed: '{{who}} disabled {{removed}}',
      both: '{{who}} enabled {{added}} and disabled {{removed}}',
      order: '{{who}} changed the order of the features',
    },
    name: {
      changed: 'The server was renamed from {{from}} to {{to}}',
    },
    icon: {
      changed: 'The server has a new icon',
      none: 'The server no longer has an icon',
    },
  },
  undoneBy: 'Undone by change {{change}}',
  undo: {
    done: 'Change {{change}} was undone.',
    same: 'The settings are already as they were before change {{change}}. There is nothing to undo.',
    meanwhile: 'The settings have changed in the meantime. Nothing has been done yet.',
    later: 'Change {{change}} cannot be undone, because later changes set the same settings:',
    notUndoable: 'Change {{change}} was made by Discord. Only changes to settings can be undone.',
  },
  /** What is wrong with a value. */
  flaw: {
    tooLong_one: 'At most {{count}} character',
    tooLong_other: 'At most {{count}} characters',
    leadingSpace: 'No space at the start',
    unprintable: 'No invisible control characters',
    invisible: 'No invisible characters ({{codePoint}})',
    tooMany_one: 'At most {{count}} value',
    tooMany_other: 'At most {{count}} values',
    tooShort_one: 'At least {{count}} character',
    tooShort_other: 'At least {{count}} characters',
    tooSmall: 'At least {{count}}',
    tooLarge: 'At most {{count}}',
    notChoice: 'Not one of the choices',
    notId: 'Not a Discord ID (17 to 20 digits)',
  },
  /** What is wrong with a value of a field, in better words. */
  flawIn: {
    enabledFeatures: { tooMany: 'At most {{count}} features at once' },
  },
  live: 'Live on this server after {{ms}} ms.',
};

export const LANGUAGES = ['en-US', 'hi', 'ru', 'ja', 'es-ES'] as const;
export type Language = (typeof LANGUAGES)[number];

/**
 * The languages of Discord, in which a team can write the labels of its settings. The service's own texts are in
 * `LANGUAGES`.
 * @see https://docs.discord.com/developers/reference#locales
 */
export const LABEL_LANGUAGES = [
  ...LANGUAGES,
  ...([
    'bg',
    'cs',
    'da',
    'de',
    'el',
    'en-GB',
    'es-419',
    'fi',
    'fr',
    'hr',
    'hu',
    'id',
    'it',
    'ko',
    'lt',
    'nl',
    'no',
    'pl',
  ] as const),
  ...(['pt-BR', 'ro', 'sv-SE', 'th', 'tr', 'uk', 'vi', 'zh-CN', 'zh-TW'] as const),
] as const;
export type LabelLanguage = (typeof LABEL_LANGUAGES)[number];

/** The languages of a guild. */
export const LANGUAGES = ['en-US', 'hi', 'ru', 'ja', 'es-ES'] as const;
/** A language that settings may have. */
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGES = ['en-US', 'hi', 'ru', 'ja', 'es-ES'] as const;
export type Language = (typeof LANGUAGES)[number];

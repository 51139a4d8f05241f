/** The namespace of the shared texts in i18next. */
export const SHARED = 'shared';

/** The name of the document's security scheme. */
export const SECURITY_SCHEME = 'discord';

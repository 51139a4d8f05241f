export const SECURITY_SCHEME = 'discord';

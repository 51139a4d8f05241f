export const SHARED = 'shared';

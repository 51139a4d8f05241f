/**
 * The oldest supported browsers: those with the attribute `popover`. docs/dashboard.md lists them, the build targets
 * them, and a test searches the built page for features that they lack.
 */
export const OLDEST_BROWSERS = { chrome: '114', edge: '114', firefox: '125', safari: '17' } as const;

/**
 * The oldest versions of browsers that run the page: those with the attribute `popover`. docs/dashboard.md names them, the build
 * targets them, and a test searches the built page for what they do not have.
 */
export const OLDEST_BROWSERS = { chrome: '114', edge: '114', firefox: '125', safari: '17' } as const;

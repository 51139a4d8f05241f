/** The router with the pages that it opens. */
export type LoadedPages = typeof import('./pages.tsx');

/** Loads the router, which the list of guilds does without. */
export function loadPages(): Promise<LoadedPages> {
  return import('./pages.tsx');
}

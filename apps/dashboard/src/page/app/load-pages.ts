export type LoadedPages = typeof import('./pages.tsx');

/** Loads the router, which the list of guilds does without, and the page of the address. */
export async function loadPages(): Promise<LoadedPages> {
  const loaded: Promise<LoadedPages> = import('./pages.tsx');
  await (await loaded).firstPage;
  return loaded;
}

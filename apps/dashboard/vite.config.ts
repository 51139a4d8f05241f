import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { OLDEST_BROWSERS } from './src/page/browsers.ts';

type Modules = Pick<Rolldown.PluginContext, 'getModuleInfo'>;

const LANGUAGES = /\/(?:en-US|es-ES|ja-JP|ru-RU)\.mjs$/;

/** Excludes React Aria's texts in the other thirty languages. */
const ownLanguages: Plugin = {
  name: 'own-languages',
  enforce: 'pre',
  resolveId(source, importer) {
    const isText = importer?.endsWith('/intlStrings.mjs') && /\/[a-z]{2}-[A-Z]{2}\.mjs$/.test(source);
    return isText && !LANGUAGES.test(source) ? '\0no-texts' : null;
  },
  load: (id) => (id === '\0no-texts' ? 'export default {};' : null),
};

/** The modules with which the steps of the page after the login start to load: docs/decisions/0047-a-small-page.md. */
const STEPS = {
  app: ['app/app.tsx'],
  pages: ['app/router.tsx'],
  guild: [
    'guilds/guild-frame.tsx',
    'service/follow-guild.ts',
    'service/served-settings.ts',
    'settings/features.ts',
    'design/dialog.tsx',
    'design/inputs.tsx',
    'i18n/time.ts',
    'people/names.ts',
    'settings/use-arrival-text.ts',
    // Shared by several pages, and too small for files of their own.
    'design/relative-time.tsx',
    'people/member-search.ts',
    'people/roles.ts',
    'people/use-channels.ts',
    'settings/leave-question.tsx',
  ],
  form: ['settings/settings-page.tsx'],
};

/** Parts of libraries that `app.tsx` imports through their index files, but only pages of guilds use. */
const OF_GUILDS = /\/(?:useBlocker|useQueries|queriesObserver)\.js$/;

/**
 * Modules that steps import through index files, but only later chunks use: parts of the history, mutations of other pages, and the
 * readers of what people type, which `settings/typed-values.ts` loads.
 */
const ON_DEMAND =
  /\/i18n\/src\/(?:changes\.ts$|typed\/)|\/parse-typed\.ts$|\/(?:useMutation|mutationObserver|useInfiniteQuery|infiniteQueryObserver)\.js$/;

/**
 * Makes each step of the page one file, which compresses better than many, and takes one round trip. Modules of other
 * pages have their own chunks. A module with a top-level await would add a file that re-exports each, because the
 * bundler only optimizes chunks without one.
 */
function groupsOfSteps(): Rolldown.CodeSplittingGroup[] {
  const login: Rolldown.CodeSplittingGroup = { name: 'login', tags: ['$initial'], priority: 9 };
  const others = Object.entries(STEPS).map(([step, entries], index): Rolldown.CodeSplittingGroup => {
    let reached: Set<string> | undefined;
    return {
      debugName: step,
      priority: 8 - index,
      includeDependenciesRecursively: false,
      name(id, modules) {
        reached ??= reachable(entries, modules);
        if (!reached.has(id) || ON_DEMAND.test(id)) return null;
        return step === 'app' && OF_GUILDS.test(id) ? null : step;
      },
    };
  });
  return [login, ...others];
}

function reachable(entries: readonly string[], modules: Modules): Set<string> {
  const reached = new Set<string>();
  const waiting = entries.map((entry) => fileURLToPath(new URL(`src/page/${entry}`, import.meta.url)));
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return reached;
}

/** The page: `dist/page` from `src/page`. The api reads it from there. */
export default defineConfig({
  root: 'src/page',
  plugins: [react(), ownLanguages],
  resolve: { conditions: ['@guild-settings/source', 'module', 'browser', 'production'] },
  build: {
    outDir: '../../dist/page',
    emptyOutDir: true,
    target: Object.entries(OLDEST_BROWSERS).map((browser) => browser.join('')),
    // Data URLs would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All styles together are smaller than separate requests for them.
    cssCodeSplit: false,
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { groups: groupsOfSteps() } } },
  },
});

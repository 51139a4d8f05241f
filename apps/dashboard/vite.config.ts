import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The languages of the page that React Aria has. */
const LANGUAGES = /\/(?:en-US|es-ES|ja-JP|ru-RU)\.mjs$/;

/** Leaves out React Aria's texts in the other thirty languages. */
const ownLanguages: Plugin = {
  name: 'own-languages',
  enforce: 'pre',
  resolveId(source, importer) {
    const isText = importer?.endsWith('/intlStrings.mjs') && /\/[a-z]{2}-[A-Z]{2}\.mjs$/.test(source);
    return isText && !LANGUAGES.test(source) ? '\0no-texts' : null;
  },
  load: (id) => (id === '\0no-texts' ? 'export default {};' : null),
};

/** The page: `dist/page` from `src/page`. The server reads it from there. */
export default defineConfig({
  root: 'src/page',
  plugins: [react(), ownLanguages],
  resolve: { conditions: ['@guild-settings/source', 'module', 'browser', 'production'] },
  build: {
    outDir: '../../dist/page',
    emptyOutDir: true,
    target: 'es2023',
    // Data URLs would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
  },
});

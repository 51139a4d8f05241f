import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The page: `dist/page` from `src/page`. The server reads it from there. */
export default defineConfig({
  root: 'src/page',
  plugins: [react()],
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

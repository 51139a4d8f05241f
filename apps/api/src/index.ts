export { type App, createApp } from './app.ts';
export { type Config, readConfig } from './config.ts';
export type { AppRouter } from './router.ts';
export { StoreUnavailableError } from './store/store.ts';

export { type App, type AppOptions, createApp } from './app.ts';
export { API_VARIABLES, type Config, readConfig } from './config.ts';
export { readFileOrModule } from './declaration/read-module.ts';
export { createMetrics } from './observability/metrics.ts';
export { ErasureCipher } from './store/erasure/erasure-rows.ts';
export { StoreUnavailableError } from './store/store.ts';

/** The type of the service's tRPC router. In the built package it is written out: the api is not published. */
export type { AppRouter } from '@guild-settings/api';

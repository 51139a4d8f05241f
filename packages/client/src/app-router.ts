/** The type of the service's tRPC router. The built package has it written out in full, because the api is not published. */
export type { AppRouter } from '@guild-settings/api';

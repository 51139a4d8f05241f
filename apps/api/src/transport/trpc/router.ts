import { operations } from '../../operations/operations.ts';
import { proceduresOf, router, withoutContext } from './procedures.ts';

export const appRouter = withoutContext(router(proceduresOf(operations)));

/** The type of the router, from which the typed client infers the procedures. */
export type AppRouter = typeof appRouter;

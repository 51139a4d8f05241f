import { operations } from '../../operations/operations.ts';
import { proceduresOf, router } from './procedures.ts';

/** Every operation as a tRPC procedure. */
export const appRouter = router(proceduresOf(operations));

export type AppRouter = typeof appRouter;

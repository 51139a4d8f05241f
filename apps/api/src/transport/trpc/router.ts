import { operations } from '@guild-settings/contract/operations';
import { type AnyTRPCProcedure, initTRPC, tracked } from '@trpc/server';
import type { Exchange } from '../../operations/call.ts';
import type { Events, ServedOperation } from '../../operations/handler.ts';
import { OPERATIONS_BY_PATH } from '../../operations/handlers.ts';
import { run } from '../../operations/run.ts';
import { trpcErrorOf } from './error-shape.ts';

export type CallContext = Omit<Exchange, 'input' | 'body' | 'signal'>;

const t = initTRPC.context<CallContext>().create({
  isDev: false,
  errorFormatter: ({ error, ctx, path = '' }) => trpcErrorOf(error, path, ctx?.request.url ?? `/trpc/${path}`),
});

/** The runner validates inputs and authorizes, so a procedure only has middleware for its raw input. */
const procedure = t.procedure.use(({ getRawInput, next }) => next({ ctx: { input: getRawInput } }));

function procedureOf(operation: ServedOperation): AnyTRPCProcedure {
  switch (operation.type) {
    case 'query':
      return procedure.query(({ ctx }) => run(operation, ctx));
    case 'mutation':
      return procedure.mutation(({ ctx }) => run(operation, ctx));
    case 'subscription':
      return procedure.subscription(async function* ({ ctx, signal }) {
        const events = (await run(operation, { ...ctx, signal })) as Events<unknown>;
        for await (const { id, event } of events) yield tracked(id, event);
      });
  }
}

/** The router of all operations. Its procedures are derived from them, and its type is the same as in clients. */
export const appRouter = t.router(
  Object.fromEntries(
    Object.keys(operations).map((group) => {
      const members = [...OPERATIONS_BY_PATH].filter(([path]) => path.startsWith(`${group}.`));
      return [
        group,
        Object.fromEntries(members.map(([path, one]) => [path.slice(group.length + 1), procedureOf(one)])),
      ];
    }),
  ),
);

import {
  type AnyTRPCProcedure,
  initTRPC,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
  type TRPCSubscriptionProcedure,
  type TrackedEnvelope,
  tracked,
} from '@trpc/server';
import type { z } from 'zod';
import type { Call } from '../../operations/call.ts';
import type { AnyOperation, IdentifiedEvent, Operation } from '../../operations/operation.ts';
import { run } from '../../operations/run.ts';
import { trpcErrorOf } from './error-shape.ts';

/** The context of a tRPC request: everything of a call but its input. */
export type CallContext = Omit<Call, 'input' | 'body' | 'signal'>;

const t = initTRPC.context<CallContext>().create({
  isDev: false,
  errorFormatter: ({ error, ctx, path = '' }) => trpcErrorOf(error, path, ctx?.request.url ?? `/trpc/${path}`),
});

export const { router } = t;

/** The runner validates inputs and authorizes, so a procedure has neither parsers nor middleware beyond its raw input. */
const procedure = t.procedure.use(({ getRawInput, next }) => next({ ctx: { input: getRawInput } }));

/** Returns an operation as a tRPC procedure. */
function procedureOf(operation: AnyOperation): AnyTRPCProcedure {
  switch (operation.type) {
    case 'query':
      return procedure.query(({ ctx }) => run(operation, ctx));
    case 'mutation':
      return procedure.mutation(({ ctx }) => run(operation, ctx));
    case 'subscription':
      return procedure.subscription(async function* ({ ctx, signal }) {
        const events = (await run(operation, { ...ctx, signal })) as AsyncIterable<IdentifiedEvent<unknown>>;
        for await (const { id, event } of events) yield tracked(id, event);
      });
  }
}

/** Returns operations, in nested records, as the record of a tRPC router. */
export function proceduresOf<Operations extends object>(operations: Operations): ProceduresOf<Operations> {
  const procedures = Object.entries(operations).map(([name, value]) => [
    name,
    'handle' in value ? procedureOf(value) : proceduresOf(value),
  ]);
  // The types below say of each operation what the procedure above does with it.
  return Object.fromEntries(procedures) as ProceduresOf<Operations>;
}

export type ProceduresOf<Operations> = {
  [Name in keyof Operations]: Operations[Name] extends AnyOperation
    ? ProcedureOf<Operations[Name]>
    : ProceduresOf<Operations[Name]>;
};

type ProcedureOf<One> =
  // biome-ignore lint/suspicious/noExplicitAny: the granted type is of no concern to clients
  One extends Operation<infer Type, any, infer Input, infer Result> ? Procedures<z.input<Input>, Result>[Type] : never;

interface Definition<Input, Output> {
  input: Input;
  output: Output;
  meta: unknown;
}
type Procedures<Input, Result> = {
  query: TRPCQueryProcedure<Definition<Input, Result>>;
  mutation: TRPCMutationProcedure<Definition<Input, Result>>;
  subscription: Result extends AsyncIterable<IdentifiedEvent<infer Event>>
    ? TRPCSubscriptionProcedure<Definition<Input, AsyncIterable<TrackedEnvelope<Event>, void, void>>>
    : never;
};

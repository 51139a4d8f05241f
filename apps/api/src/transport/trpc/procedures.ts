import {
  type AnyTRPCProcedure,
  initTRPC,
  type TRPCBuiltRouter,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
  type TRPCRouterRecord,
  type TRPCSubscriptionProcedure,
  type TrackedEnvelope,
  tracked,
} from '@trpc/server';
import type { z } from 'zod';
import type { IdentifiedEvent } from '../../feed/feed-event.ts';
import type { Call } from '../../operations/call.ts';
import type { AnyOperation, Operation } from '../../operations/operation.ts';
import { run } from '../../operations/run.ts';
import { trpcErrorOf } from './error-shape.ts';

export type CallContext = Omit<Call, 'input' | 'body' | 'signal'>;

const t = initTRPC.context<CallContext>().create({
  isDev: false,
  errorFormatter: ({ error, ctx, path = '' }) => trpcErrorOf(error, path, ctx?.request.url ?? `/trpc/${path}`),
});

export const { router } = t;

/** The runner validates inputs and authorizes, so a procedure has neither parsers nor middleware beyond its raw input. */
const procedure = t.procedure.use(({ getRawInput, next }) => next({ ctx: { input: getRawInput } }));

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

type Operations = Readonly<Record<string, Readonly<Record<string, AnyOperation>>>>;

/**
 * Returns operations as the record of a tRPC router. Its type has no names for its parts, so that the compiler writes it
 * out in full in the declarations, which the client publishes without this package.
 */
export function proceduresOf<All extends Operations>(
  operations: All,
): { [Group in keyof All]: { [Name in keyof All[Group]]: ProcedureOf<All[Group][Name]> } } {
  const groups = Object.entries(operations).map(([group, members]) => [
    group,
    Object.fromEntries(Object.entries(members).map(([name, operation]) => [name, procedureOf(operation)])),
  ]);
  // The types below describe the procedures that are created above.
  return Object.fromEntries(groups);
}

type ProcedureOf<One> =
  One extends Operation<infer Type, infer _Granted, infer Input, infer Result>
    ? Procedures<z.input<Input>, Result>[Type]
    : never;

type Procedures<Input, Result> = {
  query: TRPCQueryProcedure<{ input: Input; output: Result; meta: unknown }>;
  mutation: TRPCMutationProcedure<{ input: Input; output: Result; meta: unknown }>;
  subscription: Result extends AsyncIterable<IdentifiedEvent<infer Event>>
    ? TRPCSubscriptionProcedure<{
        input: Input;
        output: AsyncIterable<TrackedEnvelope<Event>, void, void>;
        meta: unknown;
      }>
    : never;
};

/** Returns a router with the type that its clients need: without the context, which is the server's. */
export function withoutContext<ErrorShape, Procedures extends TRPCRouterRecord>(
  serverRouter: TRPCBuiltRouter<
    { ctx: CallContext; meta: object; errorShape: ErrorShape; transformer: false },
    Procedures
  >,
): TRPCBuiltRouter<{ ctx: object; meta: object; errorShape: ErrorShape; transformer: false }, Procedures> {
  // tRPC's types are invariant in the context, which clients do not have. The route creates a complete one.
  return serverRouter as object as ReturnType<typeof withoutContext<ErrorShape, Procedures>>;
}

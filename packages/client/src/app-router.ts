import type { PROBLEMS, Problem, ProblemSlug } from '@guild-settings/contract';
import type { Operation, Operations } from '@guild-settings/contract/operations';
import type {
  TRPCBuiltRouter,
  TRPCMutationProcedure,
  TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
  TrackedEnvelope,
} from '@trpc/server';
import type { TRPC_ERROR_CODE_NUMBER } from '@trpc/server/rpc';

/** The type of the service's tRPC router, derived from the operations of the contract. */
export type AppRouter = RouterOf<Operations>;

type RouterOf<Groups> = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  { [Group in keyof Groups]: { [Name in keyof Groups[Group]]: ProcedureOf<Groups[Group][Name]> } }
>;

type ProcedureOf<One> =
  One extends Operation<infer Type, infer _Access, infer Types>
    ? Procedures<Types['sent'], Types['result']>[Type]
    : never;

type Procedures<Input, Output> = {
  query: TRPCQueryProcedure<{ input: Input; output: Output; meta: unknown }>;
  mutation: TRPCMutationProcedure<{ input: Input; output: Output; meta: unknown }>;
  subscription: TRPCSubscriptionProcedure<{
    input: Input;
    output: AsyncIterable<TrackedEnvelope<Output>, void, void>;
    meta: unknown;
  }>;
};

/** An error in tRPC's form, with the problem document. Conflicts and the bot's invitation are beside it. */
interface ErrorShape {
  code: TRPC_ERROR_CODE_NUMBER;
  message: string;
  data: {
    code: (typeof PROBLEMS)[ProblemSlug]['code'];
    httpStatus: (typeof PROBLEMS)[ProblemSlug]['status'];
    path: string;
    problem: Problem;
    conflicts?: NonNullable<Problem['conflicts']>;
    inviteUrl?: string;
  };
}

import {
  Acknowledgement,
  ArrivalInput,
  ChangeInput,
  ExportInput,
  FeatureInput,
  FollowEvent,
  FollowInput,
  GuildAtInput,
  GuildInput,
  GuildPatchInput,
  HistoryInput,
  ImportGuildsInput,
  ImportInput,
  LIMITS,
  MembersInput,
  NoInput,
  PresenceReport,
  Problem,
  RestoreInput,
  UndoInput,
  WatchEvent,
  WatchInput,
} from '@guild-settings/contract';
import { type ZodType, z } from 'zod';
import { OPERATIONS_BY_PATH } from '../operations/operations.ts';

const OUTPUTS = new Set(
  [...OPERATIONS_BY_PATH.values()].filter(({ type }) => type !== 'subscription').map(({ output }) => output),
);

const TrpcResult = z
  .strictObject({ result: z.strictObject({ data: z.union([...OUTPUTS]) }) })
  .meta({ id: 'TrpcResult', description: 'The result of a call.' });

const TrpcError = z
  .strictObject({
    error: z.strictObject({
      message: z.string().meta({ maxLength: 4_096, description: "The problem's `detail`." }),
      code: z.int().meta({ description: 'The JSON-RPC code of the tRPC error code.' }),
      data: z.strictObject({
        code: z.string().meta({ maxLength: 64, description: 'The tRPC error code.' }),
        httpStatus: z.int().min(400).max(599),
        path: z.string().meta({ maxLength: 2_000, description: 'The name of the procedure.' }),
        problem: Problem,
        conflicts: Problem.shape.conflicts,
        inviteUrl: Problem.shape.inviteUrl,
      }),
    }),
  })
  .meta({ id: 'TrpcError', description: 'The failure of a call.' });

const TrpcResponse = z
  .union([
    TrpcResult,
    TrpcError,
    z
      .array(z.union([TrpcResult, TrpcError]))
      .min(1)
      .max(LIMITS.batchCalls),
  ])
  .meta({ id: 'TrpcResponse', description: 'One result or failure, and for a batch a list of them.' });

/** The schemas of tRPC requests and responses, by their names in the document. */
export const TRPC_SCHEMAS = {
  Acknowledgement,
  ArrivalInput,
  ChangeInput,
  ExportInput,
  FeatureInput,
  FollowEvent,
  FollowInput,
  GuildAtInput,
  GuildInput,
  GuildPatchInput,
  HistoryInput,
  ImportGuildsInput,
  ImportInput,
  MembersInput,
  NoInput,
  PresenceReport,
  RestoreInput,
  UndoInput,
  TrpcResponse,
  WatchEvent,
  WatchInput,
};

/** Returns the name of the schema of an input in the document. */
export function inputName(schema: ZodType): string {
  const named = Object.entries<ZodType>(TRPC_SCHEMAS).find(([, one]) => one === schema);
  if (named === undefined) throw new Error('Expected every input of an operation among TRPC_SCHEMAS');
  return named[0];
}

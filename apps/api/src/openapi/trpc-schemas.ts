import {
  Guild,
  GuildInput,
  GuildPatchInput,
  LIMITS,
  PresenceReceipt,
  PresenceReport,
  Problem,
  WatchEvent,
  WatchInput,
} from '@guild-settings/contract';
import { z } from 'zod';

const TrpcResult = z.object({ result: z.object({ data: z.union([Guild, PresenceReceipt]) }) });

const TrpcError = z.object({
  error: z.object({
    message: z.string().meta({ maxLength: 4_096, description: "The problem's `detail`." }),
    code: z.int().meta({ description: 'The JSON-RPC code of the tRPC error code.' }),
    data: z.object({
      code: z.string().meta({ maxLength: 64, description: 'The tRPC error code.' }),
      httpStatus: z.int().min(400).max(599),
      path: z.string().meta({ maxLength: 2_000, description: 'The name of the procedure.' }),
      problem: Problem,
    }),
  }),
});

const TrpcResponse = z.union([
  TrpcResult,
  TrpcError,
  z.array(z.union([TrpcResult, TrpcError])).min(1).max(LIMITS.batchCalls),
]);

/** The schemas of tRPC requests and responses, by their names in the document. */
export const TRPC_SCHEMAS = {
  GuildInput,
  GuildPatchInput,
  PresenceReceipt,
  PresenceReport,
  TrpcError,
  TrpcResponse,
  TrpcResult,
  WatchEvent,
  WatchInput,
};

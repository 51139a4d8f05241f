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

/** The receipt as it is sent: without other fields. */
const Receipt = PresenceReceipt.strict();

const TrpcResult = z
  .strictObject({ result: z.strictObject({ data: z.union([Guild, Receipt]) }) })
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
  GuildInput,
  GuildPatchInput,
  PresenceReceipt: Receipt,
  PresenceReport,
  TrpcResponse,
  WatchEvent,
  WatchInput,
};

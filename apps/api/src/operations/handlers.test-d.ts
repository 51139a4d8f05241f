import { operations } from '@guild-settings/contract/operations';
import { expectTypeOf } from 'vitest';
import type { Handler, HandlersOf } from './handler.ts';

const { get, erase } = operations.guilds;
declare const handleGet: Handler<typeof get>;
declare const handleErase: Handler<typeof erase>;

expectTypeOf({ guilds: { get: handleGet, erase: handleErase } }).toExtend<
  HandlersOf<{ guilds: { get: typeof get } }>
>();

// @ts-expect-error an operation without a handler
({ guilds: { get: handleGet } }) satisfies HandlersOf<{ guilds: { get: typeof get; erase: typeof erase } }>;
// @ts-expect-error a handler without an operation
({ guilds: { get: handleGet, erase: handleErase } }) satisfies HandlersOf<{ guilds: { get: typeof get } }>;
// @ts-expect-error a handler that relies on more than the access of its operation grants
({ guilds: { get: handleErase } }) satisfies HandlersOf<{ guilds: { get: typeof get } }>;

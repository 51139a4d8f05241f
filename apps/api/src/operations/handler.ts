import type { DeclaredSettings } from '@guild-settings/contract';
import type { AnyOperation, Operation } from '@guild-settings/contract/operations';
import type { IdentifiedEvent } from '../feed/events.ts';
import type { Grants } from './access.ts';
import type { Call, Facts } from './call.ts';

/** The service's implementation of an operation, for a caller with permission and a valid input. */
export type Handler<One> =
  One extends Operation<infer Type, infer Access, infer Types>
    ? (
        handled: Grants[Access] & { readonly input: Types['checked']; readonly call: Call },
      ) => Promise<Returned<Type extends 'subscription' ? Events<Types['result']> : Types['result']>>
    : never;

export type Events<Event> = AsyncIterableIterator<IdentifiedEvent<Event>, void>;

export interface Returned<Body> extends Facts {
  readonly body: Body;
}

/** Returns the result of a public operation, which is constant while the process runs. */
export type DocumentOf = (settings: DeclaredSettings) => unknown;

/** Handles an operation whose result depends only on the declaration: it is serialised and compressed once. */
export function documentHandler<Body>(documentOf: (settings: DeclaredSettings) => Body) {
  const handle = async ({ call }: { readonly call: Call }) => ({ body: documentOf(call.services.records.settings) });
  return Object.assign(handle, { documentOf });
}

export type HandlersOf<Groups> = {
  readonly [Group in keyof Groups]: { readonly [Name in keyof Groups[Group]]: Handler<Groups[Group][Name]> };
};

export interface ServedOperation extends AnyOperation {
  readonly handle: (handled: { readonly input: unknown; readonly call: Call }) => Promise<Returned<unknown>>;
  /** The result, if it is the same for every caller. */
  readonly documentOf?: DocumentOf;
}

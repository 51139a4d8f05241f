import type { DeclaredSettings } from '@guild-settings/contract';
import type { ServedOperation } from '../operations/handler.ts';
import { OPERATIONS_BY_PATH } from '../operations/handlers.ts';
import { CACHING, once, type StaticContent, staticContent } from './static-content.ts';

/** An operation whose result is the same for every caller. */
type DocumentOperation = ServedOperation & Required<Pick<ServedOperation, 'documentOf'>>;

export function isDocument(operation: ServedOperation | undefined): operation is DocumentOperation {
  return operation?.documentOf !== undefined;
}

/** The results of public operations, serialised and compressed at the first request. */
export class PublicDocuments {
  readonly #settings: DeclaredSettings;
  readonly #texts = new Map<DocumentOperation, string>();
  /** By request path. Each operation occurs once, so there are few. */
  readonly #contents = new Map<string, () => Promise<StaticContent>>();

  constructor(settings: DeclaredSettings) {
    this.#settings = settings;
  }

  rest(operation: DocumentOperation): Promise<StaticContent> {
    return this.#content(operation.rest?.path ?? '', [operation], (texts) => texts.join());
  }

  /** Returns the results of a tRPC request that only calls documents. @param path the names of the calls */
  trpc(path: string, operations: readonly DocumentOperation[], isBatch: boolean): Promise<StaticContent> {
    const body = (texts: readonly string[]) => texts.map(trpcResultOf).join();
    const key = isBatch ? `batch ${path}` : path;
    return this.#content(key, operations, (texts) => (isBatch ? `[${body(texts)}]` : body(texts)));
  }

  textOf(operation: DocumentOperation): string {
    const known = this.#texts.get(operation) ?? JSON.stringify(operation.documentOf(this.#settings));
    this.#texts.set(operation, known);
    return known;
  }

  #content(
    key: string,
    operations: readonly DocumentOperation[],
    bodyOf: (texts: readonly string[]) => string,
  ): Promise<StaticContent> {
    const [first, ...others] = operations;
    const maxAgeSeconds = others.length === 0 ? first?.publicSeconds : undefined;
    const make = () =>
      staticContent(bodyOf(operations.map((operation) => this.textOf(operation))), {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': maxAgeSeconds === undefined ? CACHING.revalidated : `public, max-age=${maxAgeSeconds}`,
      });
    const content = this.#contents.get(key) ?? once(make);
    this.#contents.set(key, content);
    return content();
  }
}

export function trpcResultOf(text: string): string {
  return `{"result":{"data":${text}}}`;
}

/** Returns the operations in a tRPC path, one per call; undefined: an unknown name. */
export function operationsOf(path: string, isBatch: boolean): readonly (ServedOperation | undefined)[] {
  return (isBatch ? path.split(',') : [path]).map((name) => OPERATIONS_BY_PATH.get(name));
}

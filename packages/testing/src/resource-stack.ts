/** A stack of resources that are disposed of in reverse order: Node 22 has no AsyncDisposableStack. */
export class ResourceStack implements AsyncDisposable {
  #resources: (AsyncDisposable | Disposable)[] = [];
  readonly #signal: AbortSignal | undefined;
  #stopping = Promise.resolve();

  /** @param signal disposes of all resources when it is aborted, and of later ones at the end of the scope */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
    signal?.addEventListener('abort', this.#stop);
  }

  /**
   * Adds a resource and returns it.
   * @throws the signal's reason after it was aborted
   */
  use<T extends AsyncDisposable | Disposable>(resource: T): T {
    this.#resources.push(resource);
    this.#signal?.throwIfAborted();
    return resource;
  }

  /** Moves all resources to a new stack, so that the end of this scope does not dispose of them. */
  move(): ResourceStack {
    const target = new ResourceStack();
    target.#resources = this.#resources;
    this.#resources = [];
    return target;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#stop);
    await this.#stopping;
    await this.#disposeAll();
  }

  readonly #stop = (): void => {
    this.#stopping = this.#disposeAll();
    this.#stopping.catch(() => {});
  };

  async #disposeAll(): Promise<void> {
    for (let last = this.#resources.pop(); last !== undefined; last = this.#resources.pop()) {
      if (Symbol.asyncDispose in last) await last[Symbol.asyncDispose]();
      else last[Symbol.dispose]();
    }
  }
}

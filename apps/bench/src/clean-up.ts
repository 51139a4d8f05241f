/** Things to dispose of, the last one first: Node 20 has no AsyncDisposableStack. */
export class CleanUp implements AsyncDisposable {
  readonly #all: AsyncDisposable[] = [];
  readonly #signal: AbortSignal | undefined;
  #stopping = Promise.resolve();

  /** @param signal disposes of everything as soon as it is aborted, and of what comes later at the end */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
    signal?.addEventListener('abort', this.#stop);
  }

  /** @throws the signal's reason once it is aborted: what uses a thing then comes to its end */
  use<T extends AsyncDisposable>(one: T): T {
    this.#all.push(one);
    this.#signal?.throwIfAborted();
    return one;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal?.removeEventListener('abort', this.#stop);
    await this.#stopping;
    await this.#disposeOfAll();
  }

  readonly #stop = (): void => {
    this.#stopping = this.#disposeOfAll();
    this.#stopping.catch(() => {});
  };

  async #disposeOfAll(): Promise<void> {
    for (let one = this.#all.pop(); one !== undefined; one = this.#all.pop()) await one[Symbol.asyncDispose]();
  }
}

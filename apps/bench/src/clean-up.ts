/** Things to dispose of, the last one first: Node 20 has no AsyncDisposableStack. */
export class CleanUp implements AsyncDisposable {
  readonly #all: AsyncDisposable[] = [];

  use<T extends AsyncDisposable>(one: T): T {
    this.#all.push(one);
    return one;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (let one = this.#all.pop(); one !== undefined; one = this.#all.pop()) await one[Symbol.asyncDispose]();
  }
}

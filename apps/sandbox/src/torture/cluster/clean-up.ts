/** Things to dispose of, the last one first: Node 20 has no AsyncDisposableStack. */
export class CleanUp implements AsyncDisposable {
  #all: AsyncDisposable[] = [];

  use<T extends AsyncDisposable>(one: T): T {
    this.#all.push(one);
    return one;
  }

  /** Hands everything over to another, so that the end of this one's scope leaves it alone. */
  move(): CleanUp {
    const other = new CleanUp();
    other.#all = this.#all;
    this.#all = [];
    return other;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (let one = this.#all.pop(); one !== undefined; one = this.#all.pop()) await one[Symbol.asyncDispose]();
  }
}

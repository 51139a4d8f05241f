interface InProgressOptions {
  readonly perPerson: number;
  /** The most that the application may have; as much as all unless given. */
  readonly ofApplication?: number;
  /** The most that all of them may have together; no limit unless given. */
  readonly ofAll?: number;
  /** Returns why more are refused. */
  readonly refusal: () => Error;
}

export class InProgress {
  readonly #options: InProgressOptions;
  readonly #counts = new Map<string | undefined, number>();
  #sum = 0;

  constructor(options: InProgressOptions) {
    this.#options = options;
  }

  /**
   * Counts more of a caller.
   * @param person undefined: the application
   * @param amount one unless given
   * @returns a function to be called when it has ended
   * @throws the refusal
   */
  begin(person: string | undefined, amount = 1): () => void {
    const { perPerson, ofApplication = Number.POSITIVE_INFINITY, ofAll = Number.POSITIVE_INFINITY } = this.#options;
    const count = (this.#counts.get(person) ?? 0) + amount;
    const isTooMuch = count > (person === undefined ? ofApplication : perPerson) || this.#sum + amount > ofAll;
    if (isTooMuch) throw this.#options.refusal();
    this.#add(person, amount);
    let isOver = false;
    return () => {
      if (!isOver) this.#add(person, -amount);
      isOver = true;
    };
  }

  #add(person: string | undefined, amount: number): void {
    const count = (this.#counts.get(person) ?? 0) + amount;
    if (count > 0) this.#counts.set(person, count);
    else this.#counts.delete(person);
    this.#sum += amount;
  }
}

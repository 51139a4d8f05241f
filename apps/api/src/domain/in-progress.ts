import type { ProblemError } from '@guild-settings/contract';

interface InProgressOptions {
  /** The most that one person may have in progress at a time. */
  readonly perPerson: number;
  /** The most that the application may have. */
  readonly ofApplication: number;
  /** Returns why more are refused. */
  readonly refusal: () => ProblemError;
}

/** Counts what each caller has in progress, of one kind of work. */
export class InProgress {
  readonly #options: InProgressOptions;
  readonly #counts = new Map<string, number>();

  constructor(options: InProgressOptions) {
    this.#options = options;
  }

  /**
   * Counts one more of a caller.
   * @param userId undefined: the application
   * @returns a function to be called when it has ended
   * @throws ProblemError the refusal
   */
  begin(userId: string | undefined): () => void {
    const { perPerson, ofApplication, refusal } = this.#options;
    const key = userId ?? '';
    const count = this.#counts.get(key) ?? 0;
    if (count >= (userId === undefined ? ofApplication : perPerson)) throw refusal();
    this.#counts.set(key, count + 1);
    let isOver = false;
    return () => {
      if (!isOver) this.#end(key);
      isOver = true;
    };
  }

  #end(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}

import type { Fault, FaultScope } from './fault.ts';

/** Planned faults, at most one per path prefix. The longest matching prefix of a call wins. */
export class FaultPlan {
  readonly #planned = new Map<string, { readonly fault: Fault; remaining: number }>();

  /** Plans a fault, replacing that of the same prefix; `null` removes it. */
  set(fault: Fault | null, { path = '', times = Number.POSITIVE_INFINITY }: FaultScope = {}): void {
    if (fault && times > 0) this.#planned.set(path, { fault, remaining: times });
    else this.#planned.delete(path);
  }

  /** Removes all faults. Hanging calls stay open. */
  clear(): void {
    this.#planned.clear();
  }

  /**
   * Returns the fault for a call to this path, and counts the call.
   *
   * @internal
   */
  take(path: string): Fault | null {
    const prefix = [...this.#planned.keys()]
      .filter((candidate) => path.startsWith(candidate))
      .reduce<string | null>(
        (longest, next) => (longest !== null && longest.length > next.length ? longest : next),
        null,
      );
    const planned = prefix === null ? undefined : this.#planned.get(prefix);
    if (prefix === null || !planned) return null;
    planned.remaining -= 1;
    if (planned.remaining <= 0) this.#planned.delete(prefix);
    return planned.fault;
  }
}

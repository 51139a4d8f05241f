import type { Fault, FaultScope } from './fault.ts';

/** Faults on demand, at most one per path prefix. Of several that match a call, the longest prefix decides. */
export class FaultPlan {
  readonly #planned = new Map<string, { readonly fault: Fault; remaining: number }>();

  /** Plans a fault in place of the one planned for the same prefix; `null` takes that one back. */
  set(fault: Fault | null, { path = '', times = Number.POSITIVE_INFINITY }: FaultScope = {}): void {
    if (fault && times > 0) this.#planned.set(path, { fault, remaining: times });
    else this.#planned.delete(path);
  }

  /** Takes every fault back. Calls left hanging stay so. */
  clear(): void {
    this.#planned.clear();
  }

  /**
   * The fault for a call to this path, which uses up one of its times.
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

import { setFlagsFromString } from 'node:v8';

/**
 * How much the old objects of the heap may grow, in percent of those that the last collection has left, before V8 collects
 * them again.
 */
const GROWTH_PERCENT = 100;

/**
 * Has the old objects of the heap at most double between two collections, in the whole process. By itself V8 lets a small heap
 * grow to up to four times what is in use when its collections are quick, and keeps that memory: a million requests of one kind
 * took up to half as much again.
 * @see `node --v8-options`: `--heap-growing-percent`
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

import type { TypedWords } from '@guild-settings/contract/settings';

/** Words of typed numbers and texts: the page has buttons for what other words mean. */
export const NO_WORDS: TypedWords = {
  wordOf: () => undefined,
  idOf: () => undefined,
  namesOf: () => [],
};

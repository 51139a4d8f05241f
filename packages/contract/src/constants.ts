/** The constants and rules of the contract, without zod, for programs that must stay small, such as a web page. */

export { revisionOf, tagWithoutCoding } from './entity-tag.ts';
export { invisibleIn } from './invisible.ts';
export { LANGUAGES, type Language } from './languages.ts';
export { LIMITS } from './limits.ts';
export { CHANGED_FIELDS } from './settings/specified.ts';

/** What a program needs that must stay small, such as a web page: constants and rules of the contract, without zod. */
export { CHANGED_FIELDS } from './changed-fields.ts';
export { revisionOf } from './entity-tag.ts';
export { invisibleIn } from './invisible.ts';
export { LANGUAGES, type Language } from './languages.ts';
export { LIMITS } from './limits.ts';

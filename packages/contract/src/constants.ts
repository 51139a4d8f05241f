/** What a program needs that must stay small, such as a web page: the constants of the contract, without zod. */
export { LANGUAGES, type Language } from './languages.ts';
export { LIMITS } from './limits.ts';

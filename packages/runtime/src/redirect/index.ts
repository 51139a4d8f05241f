export { type ConfiguredAddress, redirectText } from './redirect-text.ts';

export { type LogOutput, openLogOutput } from './log-output.ts';

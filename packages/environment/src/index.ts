export { EnvironmentError, type EnvironmentIssue } from './environment-error.ts';
export { type ReadEnvironmentOptions, readEnvironment } from './read-environment.ts';
export { filePathOf, HttpUrl, integer, LogLevel } from './variables.ts';

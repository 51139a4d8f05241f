export { type DatabaseConfig, DatabaseUrl, databaseName } from './database-url.ts';
export { describeVariables, type VariableDescription } from './describe-variables.ts';
export { EnvironmentError, type EnvironmentIssue } from './environment-error.ts';
export { environmentSecrets } from './environment-secrets.ts';
export { type ReadEnvironmentOptions, readEnvironment } from './read-environment.ts';
export { fileKeyOf } from './secret-files.ts';
export { TrustProxy } from './trust-proxy.ts';
export { filePathOf, Host, HttpUrl, integer, LogLevel, Secret } from './variables.ts';

export { errorFields } from './error-fields.ts';
export { exitOnCrash } from './exit-on-crash.ts';
export { type LogOutput, openLogOutput } from './log-output.ts';
export { type LogRedaction, logRedaction } from './log-redaction.ts';
export { createRedactor, type Redactor, type RedactorOptions } from './redactor.ts';
export { urlSecrets } from './url-secrets.ts';

export { readSandboxConfig, type SandboxConfig } from './config.ts';
export { apiUrlOf, healthUrlOf, startService } from './service-process.ts';
export { type Sandbox, type SandboxOptions, startSandbox } from './start-sandbox.ts';

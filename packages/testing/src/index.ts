export { keepPage, keepServiceErrors } from './failure-context.ts';
export { openSmallDisk, type SmallDisk, type TemporaryFolder, temporaryFile, temporaryFolder } from './files.ts';
export {
  type HttpServer,
  type LossOptions,
  type RequestMatch,
  sentUntilAvailable,
  serveHttp,
  startTcpProxy,
  type TcpProxy,
} from './network.ts';
export { HAS_IPV6, HAS_NGINX, type Nginx, prepareNginx } from './nginx.ts';
export {
  killIfRunning,
  type PostgresServer,
  queryPostgres,
  startPostgresServer,
  startTestPostgres,
  type TestPostgres,
  withPostgresClient,
} from './postgres.ts';
export {
  type Exit,
  type Finished,
  fetchNode,
  freePort,
  hasCommand,
  type Program,
  type ProgramOptions,
  runProgramToEnd,
  startProgram,
  unreachableUrl,
} from './programs.ts';
export { printedSeed, repetitions, seededRandom } from './random.ts';
export { ResourceStack } from './resource-stack.ts';
export {
  minCpuTimeMs,
  minTimeMs,
  rejectionOf,
  type SteppedClock,
  steppedClock,
  type WaitOptions,
  waitUntil,
} from './time.ts';

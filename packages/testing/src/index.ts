export { executedFiles, listedFiles } from './executed-files.ts';
export { keepPage, keepServiceErrors } from './failure-context.ts';
export { freePort, unreachableUrl } from './free-port.ts';
export { hasCommand } from './has-command.ts';
export { type HttpServer, serveHttp } from './http-server.ts';
export { minCpuTimeMs, minTimeMs } from './least-time.ts';
export { HAS_IPV6, HAS_NGINX, type Nginx, prepareNginx } from './nginx.ts';
export { fetchNode } from './other-node.ts';
export { killIfRunning, type PostgresServer, startPostgresServer } from './postgres-server.ts';
export {
  type Exit,
  type Finished,
  type Program,
  type ProgramOptions,
  runProgramToEnd,
  startProgram,
} from './program.ts';
export { queryPostgres, withPostgresClient } from './query-postgres.ts';
export { rejectionOf } from './rejection.ts';
export { ResourceStack } from './resource-stack.ts';
export { printedSeed, repetitions } from './seed.ts';
export { seededRandom } from './seeded-random.ts';
export { sentUntilAvailable } from './sent-until-available.ts';
export { openSmallDisk, type SmallDisk } from './small-disk.ts';
export { type SteppedClock, steppedClock } from './stepped-clock.ts';
export { type LossOptions, type RequestMatch, startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { type TemporaryFolder, temporaryFile, temporaryFolder } from './temporary-folder.ts';
export { startTestPostgres, type TestPostgres } from './test-postgres.ts';
export { type WaitOptions, waitUntil } from './wait-until.ts';

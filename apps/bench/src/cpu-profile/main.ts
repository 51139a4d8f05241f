import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { choice, optional, runProgram, text, withDefault } from '@guild-settings/command-line';
import { ResourceStack, temporaryFolder } from '@guild-settings/testing';
import { PROFILES } from '../context.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { type LoadTask, sendLoad } from '../loads.ts';
import { startApi } from '../servers/api.ts';
import type { HttpJob, HttpLoad, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';
import type { TrpcJob } from '../tasks/trpc-load.ts';
import { type CpuProfile, type Share, summarize } from './summary.ts';

const KINDS = ['read', 'wide-read', 'conditional', 'change', 'lone-change', 'call'] as const;

const PROGRAM = {
  summary: 'Profiles the api under load for ten seconds, and prints where the processor time was spent.',
  usage: ['npx --yes pnpm@12 --filter @guild-settings/bench run cpu-profile [--load read] [--out FILE]'],
  options: {
    load: withDefault(choice(...KINDS), 'read', 'the requests'),
    out: optional(text('FILE'), 'write the profile itself, for the tools that open a *.cpuprofile'),
  },
};

const UNBUNDLED = fileURLToPath(new URL('./unbundled-api.js', import.meta.url));
const GUILDS = 1_000;

/** Requests of each kind over HTTP. */
const LOADS = {
  read: { kind: 'read' },
  'wide-read': { kind: 'read', caller: 'application' },
  conditional: { kind: 'conditional' },
  change: { kind: 'change' },
  'lone-change': { kind: 'change', connections: 1 },
} as const satisfies Record<Exclude<(typeof KINDS)[number], 'call'>, Partial<HttpLoad>>;

const CONNECTIONS = 64;

/** Guilds of the first owner. */
const CALLED_GUILDS = 100;
const BATCHES = { batch: 10, connections: 16 };
const SECONDS = 10;

// pnpm runs this in the package's folder, and passes the folder of the call.
await runProgram(PROGRAM, ({ load, out }) =>
  profile(load, out === undefined ? undefined : resolve(process.env.INIT_CWD ?? '', out)),
);

async function profile(kind: (typeof KINDS)[number], kept: string | undefined): Promise<void> {
  await using resources = new ResourceStack();
  const folder = resources.use(temporaryFolder()).path;
  const progress = (line: string) => console.error(line);
  const guilds = kind === 'wide-read' ? PROFILES.full.wideGuilds : GUILDS;
  const file = await seedSqlite({ profile: PROFILES.quick, folder, resources, progress }, 'guilds', guilds);
  const discord = resources.use(await startDiscord(kind === 'wide-read' ? [] : file.ids));
  const execArgv = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
  const api = await startApi({
    databaseUrl: `file:${file.path}`,
    discordUrl: discord.apiUrl,
    execArgv,
    file: UNBUNDLED,
  });
  const perSecond =
    kind === 'call'
      ? await resources.use(startTask<TrpcJob, number>('trpc-load'))({
          ...BATCHES,
          ids: file.ids.slice(0, CALLED_GUILDS),
          token: TOKENS.user,
          origin: api.url,
          seconds: SECONDS,
        })
      : await requestsPerSecond(resources.use(startTask<HttpJob, LoadReport[]>('http-load')), {
          caller: 'owners',
          connections: CONNECTIONS,
          ...LOADS[kind],
          origin: api.url,
          guilds: { first: 0, count: guilds },
        });
  await api.program.end('SIGTERM');
  const [name = ''] = (await readdir(folder)).filter((one) => one.endsWith('.cpuprofile'));
  const written = await readFile(join(folder, name), 'utf8');
  if (kept !== undefined) await writeFile(kept, written);
  const { parts, functions } = summarize(JSON.parse(written) as CpuProfile);
  console.log(
    `${kind}: ${Math.round(perSecond).toLocaleString('en')} ${kind === 'call' ? 'calls' : 'requests'}/s under the profiler`,
  );
  console.log(
    ['', 'by part', ...lines(parts.slice(0, 20)), '', 'by function', ...lines(functions.slice(0, 25))].join('\n'),
  );
}

async function requestsPerSecond(task: LoadTask, load: HttpLoad): Promise<number> {
  return (await sendLoad(task, load, SECONDS)).perSecond;
}

function lines(shares: readonly Share[]): string[] {
  return shares.map(({ name, share }) => `${(share * 100).toFixed(1).padStart(6)} %  ${name}`);
}

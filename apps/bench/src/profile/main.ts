import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CleanUp } from '../clean-up.ts';
import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord, TOKENS } from '../data/world.ts';
import { EFFORT } from '../lab.ts';
import type { HttpJob } from '../load/jobs.ts';
import { startLoad } from '../load/load.ts';
import { startApi } from '../servers/api.ts';
import { type CpuProfile, type Share, summarize } from './summary.ts';

const HELP = `Says where the api's time goes under load, by a CPU profile.

  npx --yes pnpm@12 --filter @guild-settings/bench profile [read|conditional|change]`;

const UNBUNDLED = fileURLToPath(new URL('./unbundled-api.js', import.meta.url));
const CONNECTIONS = 64;
const SECONDS = 10;

const [kind = 'read'] = process.argv.slice(2).filter((one) => one !== '--');
if (kind === 'read' || kind === 'conditional' || kind === 'change') await profile(kind);
else console.log(HELP);

async function profile(kind: HttpJob['kind']): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'guild-settings-profile-'));
  try {
    await using cleanUp = new CleanUp();
    const progress = (line: string) => console.error(line);
    const file = await seedSqlite({ effort: EFFORT.quick, folder, cleanUp, progress }, 'guilds', 1_000);
    const ids = file.ids.slice(0, 2 * CONNECTIONS);
    const discord = cleanUp.use(await startDiscord(ids));
    const execArgv = ['--cpu-prof', `--cpu-prof-dir=${folder}`];
    const api = await startApi({
      databaseUrl: `file:${file.path}`,
      discordUrl: discord.apiUrl,
      execArgv,
      file: UNBUNDLED,
    });
    const load = cleanUp.use(startLoad<HttpJob>('http-load'));
    const job = { kind, ids, token: TOKENS.person, origin: api.url, connections: CONNECTIONS, firstRevision: 1 };
    const perSecond = await load({ ...job, seconds: SECONDS });
    api.program.child.kill('SIGTERM');
    await api.program.ended;
    const [name = ''] = (await readdir(folder)).filter((one) => one.endsWith('.cpuprofile'));
    const { parts, functions } = summarize(JSON.parse(await readFile(join(folder, name), 'utf8')) as CpuProfile);
    console.log(`${kind}: ${Math.round(perSecond).toLocaleString('en')} requests/s while it was profiled`);
    console.log(
      ['', 'by part', ...lines(parts.slice(0, 20)), '', 'by function', ...lines(functions.slice(0, 25))].join('\n'),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function lines(shares: readonly Share[]): string[] {
  return shares.map(({ name, share }) => `${(share * 100).toFixed(1).padStart(6)} %  ${name}`);
}

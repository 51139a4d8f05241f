import { fileURLToPath } from 'node:url';
import type { DiscordSim } from '@guild-settings/discord-sim';
import { GUILDS } from '@guild-settings/sandbox/world';
import type { Row } from '../row.ts';
import { startDashboard } from '../servers/dashboard.ts';
import { logIn } from '../servers/dashboard-login.ts';
import type { FollowJob } from '../tasks/follow-guilds.ts';
import { runJobs, startTask } from '../tasks/task.ts';

const PAGES = 500;

/** The service allows a person five streams. */
const PAGES_PER_PERSON = 5;

/** Pages before the measurement: until code that streams need is loaded and compiled. */
const FIRST_PAGES = 100;

const MANAGE_GUILD = 1n << 5n;

const MEMORY = fileURLToPath(new URL('../../dist/tasks/report-memory.js', import.meta.url));

/** Memory of the dashboard's server. */
export const memoryOfDashboard: Row = {
  id: 'dashboard-memory',
  what: `the dashboard's resident memory for each of ${PAGES} open settings pages`,
  unit: 'KB',
  goal: { is: 'at most', ratio: 60 },
  async measure(context) {
    const { resources, progress } = context;
    const [{ id: guild }] = GUILDS;
    const { dashboard, discord } = await startDashboard(context, { execArgv: ['--expose-gc', '--import', MEMORY] });
    const cookies: string[] = [];
    for (let person = 0; person < (FIRST_PAGES + PAGES) / PAGES_PER_PERSON; person++) {
      const { name, value } = await logIn(dashboard.url, discord, addManager(discord, guild, person));
      cookies.push(...Array.from({ length: PAGES_PER_PERSON }, () => `${name}=${value}`));
    }
    const readMemory = runJobs<object, number>(dashboard.program, 'the dashboard');
    const follow = resources.use(startTask<FollowJob, number>('follow-guilds'));
    progress(`opening ${PAGES} streams`);
    await follow({ url: dashboard.url, guild, cookies: cookies.slice(0, FIRST_PAGES) });
    const before = await readMemory({});
    await follow({ url: dashboard.url, guild, cookies: cookies.slice(FIRST_PAGES) });
    const ours = ((await readMemory({})) - before) / PAGES / 1_000;
    const open = await follow({ url: dashboard.url, guild, cookies: [] });
    if (open !== cookies.length) throw new Error(`Expected ${cookies.length} open streams, found ${open}`);
    return { ours, peers: {}, ratio: ours, notes: [`${Math.round(before / 1e6)} MB with ${FIRST_PAGES} pages`] };
  },
};

/** Adds a person who may change the guild. Returns their id. */
function addManager({ world }: DiscordSim, guild: string, index: number): string {
  const id = String(1_100_000_000_000_000_000n + BigInt(index));
  world.addUser({ id, username: `manager-${index}` });
  world.addMember(guild, id, { permissions: MANAGE_GUILD });
  return id;
}

import { seedSqlite } from '../data/sqlite-file.ts';
import { startDiscord } from '../data/world.ts';
import { short } from '../report/numbers.ts';
import type { Point, Row } from '../row.ts';
import { startApi } from '../servers/api.ts';
import { residentMegabytes } from '../servers/usage.ts';
import { median } from '../statistics.ts';
import type { HttpJob, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

const GUILDS = 100_000;
const CHANGES_PER_SECOND = 300;
const MAX_MEGABYTES = 250;

/** The memory of the last quarter of the requests, as a multiple of that of the second one. */
const MAX_GROWTH = 1.1;

/** Between two samples. */
const SAMPLE_SECONDS = 1;

/** Samples at least, however slow the machine is. */
const MIN_SAMPLES = 8;

/** Memory of the api while all guilds are in use. */
export const memoryWide: Row = {
  id: 'memory-wide',
  what: `the api's resident memory while ${GUILDS.toLocaleString('en')} guilds are read and changed`,
  unit: 'MB',
  goal: { is: 'at most', ratio: MAX_MEGABYTES },
  also: `the last quarter <= ${MAX_GROWTH} x the second`,
  async measure(context) {
    const { resources, profile, progress } = context;
    const guilds = { first: 0, count: GUILDS };
    const { path } = await seedSqlite(context, 'guilds', guilds.count);
    const discord = resources.use(await startDiscord([]));
    const { url, program } = resources.use(await startApi({ databaseUrl: `file:${path}`, discordUrl: discord.apiUrl }));
    const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
    const requests = { origin: url, caller: 'application', guilds, connections: 64 } as const;
    const loads = [
      { ...requests, kind: 'read' },
      { ...requests, kind: 'change', perSecond: CHANGES_PER_SECOND },
    ] as const;
    const samples: Point[] = [];
    const deadline = performance.now() + profile.soakSeconds * 1_000;
    let sent = 0;
    while (samples.length < MIN_SAMPLES || (sent < profile.soakRequests && performance.now() < deadline)) {
      const reports = await task({ loads, seconds: SAMPLE_SECONDS });
      sent += reports.reduce((sum, report) => sum + report.requests, 0);
      samples.push({ name: 'resident memory', size: sent, value: await residentMegabytes([program.pid]) });
      progress(`${short(sent)} of ${short(profile.soakRequests)} requests`);
    }
    const quarter = (which: number) => {
      const values = samples.filter(({ size }) => Math.ceil((4 * size) / sent) === which).map(({ value }) => value);
      return median(values);
    };
    const ours = Math.max(...samples.map(({ value }) => value));
    const growth = quarter(4) / quarter(2);
    return {
      ours,
      peers: {},
      ratio: ours,
      alsoMet: growth <= MAX_GROWTH,
      curve: samples,
      axes: { size: 'requests', value: 'MB' },
      notes: [
        `${short(sent)} requests; the most of ${samples.length} samples; the last quarter ${short(growth)} x the second`,
      ],
    };
  },
};

import { seedSqlite } from '../data/sqlite-file.ts';
import { short } from '../report/report.ts';
import type { Row } from '../row.ts';
import { serveFile } from '../servers/api.ts';
import { residentMegabytes } from '../servers/usage.ts';
import { median } from '../statistics.ts';
import type { HttpJob, LoadReport } from '../tasks/http-load.ts';
import { startTask } from '../tasks/task.ts';

/** The memory of the last quarter of the requests, as a multiple of that of the second one. */
const MAX_GROWTH = 1.1;

const SAMPLE_SECONDS = 1;

/** Samples at least, however slow the machine is. */
const MIN_SAMPLES = 8;

/** Resident memory of the api while many guilds are read, and changed some 300 times a second. */
export const memoryWide: Row = {
  id: 'memory-wide',
  figure: 'Memory of a process that serves 100,000 guilds',
  unit: 'MB',
  goal: { is: 'at most', ratio: 250 },
  also: `the last quarter of the requests <= ${MAX_GROWTH} x the second`,
  async measure(context) {
    const { resources, profile, progress } = context;
    const guilds = { first: 0, count: profile.manyGuilds };
    const { path } = await seedSqlite(context, 'guilds', guilds.count);
    const { url, pid } = await serveFile(context, path);
    const task = resources.use(startTask<HttpJob, LoadReport[]>('http-load'));
    const requests = { origin: url, caller: 'application', guilds } as const;
    const loads = [
      { ...requests, kind: 'read', connections: 64 },
      { ...requests, kind: 'change', connections: 6, pauseMs: 20 },
    ] as const;
    const samples: { readonly sent: number; readonly megabytes: number }[] = [];
    const deadline = performance.now() + profile.soakSeconds * 1_000;
    let sent = 0;
    while (samples.length < MIN_SAMPLES || (sent < profile.soakRequests && performance.now() < deadline)) {
      const reports = await task({ loads, seconds: SAMPLE_SECONDS });
      sent += reports.reduce((sum, { requests }) => sum + requests, 0);
      samples.push({ sent, megabytes: await residentMegabytes([pid]) });
      progress(`${short(sent)} of ${short(profile.soakRequests)} requests`);
    }
    const quarter = (which: number) =>
      median(samples.filter((one) => Math.ceil((4 * one.sent) / sent) === which).map(({ megabytes }) => megabytes));
    const growth = quarter(4) / quarter(2);
    return {
      ours: Math.max(...samples.map(({ megabytes }) => megabytes)),
      peers: {},
      also: { found: short(growth), isMet: growth <= MAX_GROWTH },
      notes: [`${short(guilds.count)} guilds, ${short(sent)} requests; the most of ${samples.length} samples`],
    };
  },
};

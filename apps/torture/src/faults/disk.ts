import { type Fault, randomDelay } from './fault.ts';

export const diskFull: Fault = {
  name: 'disk full',
  target: 'disk',
  async inject({ disk, database }, random) {
    await disk.fill();
    await randomDelay(random, 300, 1_500);
    await disk.free();
    // PostgreSQL exits when it cannot write its log.
    await database.ensureUp(15_000);
  },
};

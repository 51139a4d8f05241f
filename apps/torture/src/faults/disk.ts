import { type Fault, some } from './fault.ts';

export const diskFull: Fault = {
  name: 'disk full',
  target: 'disk',
  async inflict({ disk, database }, random) {
    await disk.fill();
    await some(random, 300, 1_500);
    await disk.free();
    // PostgreSQL gives up when it cannot write its log.
    await database.ensureUp(15_000);
  },
};

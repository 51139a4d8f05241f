import { bench } from './bench.ts';
import { EFFORT } from './lab.ts';
import { ROWS } from './rows/all-rows.ts';

const only = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const rows = only.length === 0 ? ROWS : ROWS.filter(({ id }) => only.includes(id));
const effort = process.argv.includes('--quick') ? EFFORT.quick : EFFORT.full;
for (const result of await bench({ rows, effort, onProgress: (line) => console.error(line) })) console.log(result);

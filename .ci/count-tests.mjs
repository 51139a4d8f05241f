// Adds up the tests of every package from what Vitest wrote; fails when a package ran none.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const packages = ['packages', 'apps']
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .concat('tests');

const total = { passed: 0, failed: 0, skipped: 0 };
let broken = false;
for (const name of packages) {
  const file = join(root, name, 'test-results', 'vitest.json');
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  const passed = results?.numPassedTests ?? 0;
  if (passed === 0) {
    console.error(`${name}: no test passed`);
    broken = true;
  }
  total.passed += passed;
  total.failed += results?.numFailedTests ?? 0;
  total.skipped += (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0);
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
process.exitCode = broken || total.failed > 0 ? 1 : 0;

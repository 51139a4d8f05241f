import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { PROGRAMS, renderExample, renderReference } from './testing/render-reference.ts';

const REPOSITORY = new URL('../../../', import.meta.url);

/** Compares a file of the repository with the text that it should have; UPDATE_REFERENCE=1 writes it. */
function expectFile(path: string, text: string): void {
  const url = new URL(path, REPOSITORY);
  if (process.env.UPDATE_REFERENCE) {
    mkdirSync(fileURLToPath(new URL('.', url)), { recursive: true });
    writeFileSync(url, text);
  }
  expect(readFileSync(url, 'utf8')).toBe(text);
}

test('docs/reference.md is that of the configurations and metrics (UPDATE_REFERENCE=1 rewrites it)', () => {
  expectFile('docs/reference.md', renderReference());
});

test.each(PROGRAMS.map((program) => [program.name, program] as const))(
  'deploy/env/%s.env.example has the variables of the program (UPDATE_REFERENCE=1 rewrites it)',
  (name, program) => {
    expectFile(`deploy/env/${name}.env.example`, renderExample(program));
  },
);

test('each variable and each metric is described', () => {
  const undescribed = PROGRAMS.flatMap(({ name, variables, metrics }) => [
    ...variables.filter(({ description }) => description === '').map(({ key }) => `${name} ${key}`),
    ...metrics.filter(({ help }) => help === '').map((metric) => `${name} ${metric.name}`),
  ]);
  expect(undescribed).toStrictEqual([]);
});

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasCommand, runProgramToEnd, startTestPostgres } from '@guild-settings/testing';
import { describe, expect, test } from 'vitest';
import { startPrograms } from './testing/running-programs.ts';

const run = promisify(execFile);
const DEPLOY = new URL('../../deploy/', import.meta.url);
const read = (path: string) => readFile(new URL(path, DEPLOY), 'utf8');
const MIGRATE = fileURLToPath(new URL('../../apps/api/dist/migrate.js', import.meta.url));

const ALERTS = await read('prometheus/alerts.yaml');
const BOARD = JSON.parse(await read('grafana/guild-settings.json'));

/** Metrics of Prometheus and of its exporters, which deploy-walk.thorough.test.ts asks for. */
const OF_OTHERS = /^(?:up$|node_|probe_)/;

/** A series of an expression: its metric, and the labels that it selects. */
const SELECTOR = /\b([a-z][a-z0-9_]*)(?:\{([^}]*)\})?(?![a-z0-9_]*\s*\()/g;
const KEYWORDS = new Set(['and', 'or', 'unless', 'offset', 'by']);

/** Returns the metrics of an expression, with the labels that it selects or groups by. */
function seriesOf(expression: string) {
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '));
  const series = expression.replace(/by \([^)]*\)|\[[^\]]*\]|offset \w+/g, ' ').matchAll(SELECTOR);
  return [...series]
    .filter(([, metric = '']) => !KEYWORDS.has(metric))
    .map(([, metric = '', matchers = '']) => ({
      metric,
      labels: [...matchers.matchAll(/(\w+)(=~?)"([^"]*)"/g)].map(([, name, kind, value]) => ({ name, kind, value })),
      grouped: grouped.filter((label) => !['job', 'instance', 'le'].includes(label)),
    }));
}

test('each expression of the alerts and of the board names metrics and labels that a running service exposes', async () => {
  await using postgres = await startTestPostgres();
  const DATABASE_URL = await postgres.createDatabase();
  await runProgramToEnd({ args: [MIGRATE], env: { DATABASE_URL } });
  await using programs = await startPrograms(undefined, { api: { DATABASE_URL } });
  const pages = await Promise.all(
    Object.values(programs.urls).map(async (url) => (await fetch(`${url}/metrics`)).text()),
  );
  const exposed = pages.join('\n');
  const expressions = [
    ...[...ALERTS.matchAll(/^ +expr: (.*)$/gm)].map(([, expression = '']) => expression),
    ...BOARD.panels.flatMap(({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr)),
  ];
  expect(expressions.length).toBeGreaterThan(25);
  for (const expression of expressions) {
    const series = seriesOf(expression);
    expect(series.length, expression).toBeGreaterThan(0);
    for (const { metric, labels, grouped } of series.filter((one) => !OF_OTHERS.test(one.metric))) {
      const lines = exposed.split('\n').filter((line) => new RegExp(`^${metric}[{ ]`).test(line));
      expect(lines, `${metric} of ${expression}`).not.toStrictEqual([]);
      for (const { name, kind, value } of labels.filter((label) => label.name !== 'job')) {
        const pair = kind === '=' ? `${name}="${value}"` : `${name}="`;
        expect(lines.join('\n'), expression).toContain(pair);
      }
      for (const label of grouped) expect(lines.join('\n'), expression).toContain(`${label}="`);
    }
  }
});

test('each alert has a summary and a severity, and its section in docs/operate.md', async () => {
  const page = await readFile(new URL('../../docs/operate.md', import.meta.url), 'utf8');
  const anchors = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) => title.toLowerCase());
  const [, ...alerts] = ALERTS.split(/^ +- alert: /m);
  expect(alerts.length).toBeGreaterThan(15);
  for (const alert of alerts) {
    const [, name = ''] = /^GuildSettings(\w+)$/m.exec(alert) ?? [];
    expect(alert).toMatch(/^ +summary: "[A-Z{].+"$/m);
    expect(alert).toMatch(/severity: (?:critical|warning) /);
    expect(alert).toContain(`runbook: docs/operate.md#${name.toLowerCase()}\n`);
    expect(anchors, name).toContain(name.toLowerCase());
  }
});

describe.skipIf(!hasCommand('promtool'))('promtool', () => {
  test.each([
    ['rules', 'alerts.yaml'],
    ['config', 'prometheus.yaml'],
  ])('finds no mistake in the %s', async (kind, file) => {
    const { stdout } = await run('promtool', ['check', kind, fileURLToPath(new URL(`prometheus/${file}`, DEPLOY))]);
    expect(stdout).toContain('SUCCESS');
  });

  test('fires the alerts about backups, the disk, the certificate and the public address, and not before', async () => {
    await run('promtool', ['test', 'rules', 'alerts.test.yaml'], { cwd: fileURLToPath(new URL('prometheus', DEPLOY)) });
  });
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { API_VARIABLES, createMetrics as apiMetrics } from '@guild-settings/api';
import { BOT_VARIABLES, botMetrics } from '@guild-settings/bot';
import { describeVariables, fileKeyOf, type VariableDescription } from '@guild-settings/runtime/environment';
import type { MetricDescription } from '@guild-settings/runtime/metrics';
import { expect, test } from 'vitest';

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

interface ProgramReference {
  readonly name: 'api' | 'bot';
  readonly variables: readonly VariableDescription[];
  readonly metrics: readonly MetricDescription[];
}

const UNUSED = { ageMs: 0, arrivalMs: 0, revision: 0, guilds: 0, rejected: 0, reads: 0, reconnects: 0 };

const PROGRAMS: readonly ProgramReference[] = [
  { name: 'api', variables: describeVariables(API_VARIABLES), metrics: apiMetrics().describe() },
  {
    name: 'bot',
    variables: describeVariables(BOT_VARIABLES),
    metrics: botMetrics({
      replica: { metrics: UNUSED },
      pendingReminders: () => 0,
      gatewayPing: () => 0,
      guilds: () => 0,
      lastBackup: () => 0,
    }).describe(),
  },
];

/**
 * Returns the example of a program's environment: each variable with its default, commented out unless it is required.
 */
function renderExample({ name, variables }: ProgramReference): string {
  const blocks = variables.map(({ key, description, defaultValue, isRequired, isSecret }) => {
    const notes = [
      description,
      ...(isRequired ? ['Required.'] : []),
      ...(isSecret ? [`Secret: or ${fileKeyOf(key)} with the path of a file that holds it.`] : []),
    ];
    return [...wrapped(notes.join(' ')), `${isRequired ? '' : '#'}${key}=${defaultValue ?? ''}`].join('\n');
  });
  const head = `# Environment of the ${name}. Variables behind # have the value shown, or none. Reference: docs/reference.md`;
  return `${[head, ...blocks].join('\n\n')}\n`;
}

function renderReference(): string {
  const variables = PROGRAMS.map((program) => {
    const rows = program.variables.map(({ key, description, defaultValue, isRequired, isSecret }) => [
      `\`${key}\`${isSecret ? ' *' : ''}`,
      isRequired ? 'required' : defaultValue === undefined ? '' : `\`${defaultValue}\``,
      escaped(description),
    ]);
    return [`### Variables of the ${program.name}`, table(['variable', 'default', 'meaning'], rows)].join('\n\n');
  });
  const metrics = PROGRAMS.map((program) => {
    const rows = program.metrics.map(({ name, type, labels, help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      escaped(help),
    ]);
    return [`### Metrics of the ${program.name}`, table(['metric', 'type', 'labels', 'meaning'], rows)].join('\n\n');
  });
  return `${[INTRODUCTION, ...variables, METRICS, ...metrics].join('\n\n')}\n`;
}

const INTRODUCTION = `# Reference

Made from the schemas of the configuration and the registries of the metrics, and compared by a test: \`CONTRIBUTING.md\` says how to
write it anew.

## Variables

Each program reads them once, at its start. A start with an invalid variable fails and lists all of them. An empty variable counts as
absent. A variable with * is a secret: \`<variable>_FILE\` may name a file that holds it instead, of at most 64 KiB.
[deploy/env](../deploy/env) has an example for each program.`;

const METRICS = `## Metrics

\`/metrics\` of each program has these, and \`process_*\` and \`nodejs_*\` of Node, in the text format of Prometheus. The durations are in
seconds.`;

const MAX_WIDTH = 100;

/** Returns a text as lines of a comment. */
function wrapped(text: string): string[] {
  const lines: string[] = [];
  let line = '#';
  for (const word of text.split(' ')) {
    if (line.length + word.length >= MAX_WIDTH) {
      lines.push(line);
      line = '#';
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

/** Returns a text in which parts that Markdown would interpret as HTML, or as the end of a cell, are code. */
function escaped(text: string): string {
  return text.replace(/\S*[<|]\S*[^\s.,;]/g, '`$&`');
}

/** Returns a table of Markdown whose columns are aligned. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
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

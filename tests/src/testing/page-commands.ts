import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Commands of a page that is walked through. */
export interface PageCommands {
  /** Returns the lines of the one block of commands that contains a text, without those that are not run here. */
  block(text: string): string;
  /** Files that the page shows, by their paths. */
  files(): [path: string, content: string][];
  /** Commands that no test has taken. */
  remaining(): string[];
}

/**
 * Reads the commands of a page in docs.
 * @param notRun lines that need what no test has: a package mirror, a container engine, a reboot
 */
export function pageCommands(name: string, notRun: readonly string[]): PageCommands {
  const page = readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block.trim().split('\n'));
  for (const line of notRun) expect(blocks.flat(), name).toContain(line);
  const runnable = blocks.map((block) => block.filter((line) => !notRun.includes(line)).join('\n'));
  const left = new Set(runnable.filter((block) => block !== ''));
  return {
    block(text) {
      const found = [...left].filter((block) => block.includes(text));
      expect(found, text).toHaveLength(1);
      const [block = ''] = found;
      left.delete(block);
      return block;
    },
    files: () =>
      [...page.matchAll(/```ini\n# (\/\S+)\n([\s\S]*?)```/g)].map(([, path = '', content = '']) => [path, content]),
    remaining: () => [...left],
  };
}

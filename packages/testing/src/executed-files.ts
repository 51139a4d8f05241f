import { Session } from 'node:inspector/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** Vite adds such a function for each export, which other modules read it by. */
const EXPORT_GETTER = /^\(\) => \{ try \{ return [^{}]+ \} catch \{\} \}$/;

/**
 * Returns the names of the files with a function that is executed during some work, by V8's precise coverage.
 * @param nameOf returns the name of the file at a URL; undefined: the file is left out
 */
export async function executedFiles(
  nameOf: (url: string) => string | undefined,
  work: () => Promise<void>,
): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    // Earlier work ends before the count begins.
    await delay(100);
    await session.post('Profiler.takePreciseCoverage');
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    await session.post('Debugger.enable');
    const files: string[] = [];
    for (const { url, scriptId, functions } of result) {
      const file = nameOf(url);
      if (file === undefined) continue;
      const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
      const executed = functions
        .flatMap(({ ranges }) => ranges.slice(0, 1))
        .filter(({ count }) => count > 0)
        .map(({ startOffset, endOffset }) => scriptSource.slice(startOffset, endOffset));
      if (executed.some((source) => !EXPORT_GETTER.test(source))) files.push(file);
    }
    return files.toSorted();
  } finally {
    session.disconnect();
  }
}

/** Returns the files that a section of a Markdown document lists: the paths in backticks before the colon of each item. */
export function listedFiles(document: string, heading: string): string[] {
  const [, section = ''] = document.split(`\n${heading}\n`);
  const [body = ''] = section.split(/\n#+ /);
  const items = body.split('\n').filter((line) => /^(?:\d+\.|-) `/.test(line));
  return items.flatMap((item) =>
    [...(item.split(':', 1)[0] ?? '').matchAll(/`([^`]+\.tsx?)`/g)].map(([, file = '']) => file),
  );
}

/** The used part of a CPU profile in V8's format. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
}

/** A share of the samples. */
export interface Share {
  readonly name: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** Computes the shares of CPU time by package or module, and by function. Excludes idle time. */
export function summarize({ nodes, samples }: CpuProfile): {
  readonly parts: readonly Share[];
  readonly functions: readonly Share[];
} {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const parts = new Map<string, number>();
  const functions = new Map<string, number>();
  let busy = 0;
  for (const id of samples) {
    const frame = frames.get(id);
    if (frame === undefined || ['(idle)', '(root)', '(program)'].includes(frame.functionName)) continue;
    busy += 1;
    const part = frame.functionName === '(garbage collector)' ? 'garbage collector' : partOf(frame.url);
    const name = `${frame.functionName || '(anonymous)'} ${part}:${frame.lineNumber + 1}`;
    parts.set(part, (parts.get(part) ?? 0) + 1);
    functions.set(name, (functions.get(name) ?? 0) + 1);
  }
  const shares = (counts: ReadonlyMap<string, number>): Share[] =>
    [...counts]
      .map(([name, count]) => ({ name, share: count / busy }))
      .toSorted((one, other) => other.share - one.share);
  return { parts: shares(parts), functions: shares(functions) };
}

/** Returns the package of a file, the module for our own and Node's files. */
function partOf(url: string): string {
  const packages = url.split('/node_modules/').slice(1);
  const last = packages.at(-1);
  if (last !== undefined) return /^(@[^/]+\/[^/]+|[^/]+)/.exec(last)?.[0] ?? last;
  if (url.startsWith('node:')) return url.split('/').slice(0, 2).join('/');
  const ours = /(?:apps|packages)\/([^/]+)\/dist\/(.+)\.js$/.exec(url);
  return ours ? `${ours[1]}/${ours[2]}` : url === '' ? 'V8 and C++' : url;
}

/** A string, or a character of the structure. Numbers and words are skipped. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

interface Level {
  readonly keys: Set<string> | undefined;
  at: string | number;
}

/**
 * Returns the paths of keys that an object of a JSON text has before: `JSON.parse` keeps the last of them silently.
 * @param json a text that `JSON.parse` accepts
 */
export function duplicateKeys(json: string): (string | number)[][] {
  const duplicates: (string | number)[][] = [];
  const levels: Level[] = [];
  let isKey = false;
  for (const [token] of json.matchAll(TOKENS)) {
    const level = levels.at(-1);
    if (token === '{' || token === '[') levels.push({ keys: token === '{' ? new Set() : undefined, at: 0 });
    else if (token === '}' || token === ']') levels.pop();
    else if (token === ',' && typeof level?.at === 'number') level.at += 1;
    else if (isKey && level?.keys !== undefined && token.startsWith('"')) {
      level.at = String(JSON.parse(token));
      if (level.keys.has(level.at)) duplicates.push(levels.map(({ at }) => at));
      level.keys.add(level.at);
    }
    isKey = token === '{' || token === ',';
  }
  return duplicates;
}

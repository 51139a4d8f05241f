import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Checks the first word of every comment in the repository's folder: a noun with its article, or a verb. An editor
 * shows a comment without the code around it, so a first word that refers to something else leaves it unclear.
 */

/** Folders that are built or installed, and files written by tools. */
const IGNORED = /^(?:node_modules|dist|golden|test-results|migrations|published|\..*)$/;

/** Sources without `.d.ts`, because the build writes declarations into an example. */
const SOURCE = /(?<!\.d)\.(?:[mc]?[jt]s|tsx)$/;

const QUESTION = 'name it with a noun: "The reason …", "The time …", "The caller …"';
const REFERENCE = 'name the thing that it stands for, with its article';

/** Advice by words with which a comment must not begin. */
const ADVICE = new Map([
  ['Whether', 'write "True: …" for a value, "Returns true if …" for a function'],
  ...['How', 'What', 'Which', 'Who', 'Whoever', 'Whom', 'Whose', 'Why'].map((word) => [word, QUESTION]),
  ...['It', 'Its', 'One', 'That', 'The same', 'These', 'They', 'This', 'Those'].map((word) => [word, REFERENCE]),
  ...['Nobody', 'Nothing', 'Somebody', 'Someone'].map((word) => [word, 'name the subject, and say "not" or "without"']),
]);

/** The first word of a comment: of a block, of the first of several lines, or after code. */
const FIRST_WORD = new RegExp(
  String.raw`(?:(?<!^ *//.*\n)^ *//|[;,{] //|^ *\{?/\*+(?:\n *\*)?) (?<word>${[...ADVICE.keys()].join('|')})\b`,
  'gm',
);

function* sourcesIn(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (IGNORED.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesIn(path);
    else if (SOURCE.test(path)) yield path;
  }
}

for (const file of sourcesIn('.')) {
  const source = readFileSync(file, 'utf8');
  for (const { index, 0: text, groups } of source.matchAll(FIRST_WORD)) {
    const line = source.slice(0, index + text.length).split('\n').length;
    const { word } = groups;
    console.error(`${file}:${line}: error: a comment begins with "${word}": ${ADVICE.get(word)}.`);
    process.exitCode = 1;
  }
}

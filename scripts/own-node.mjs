import { readFileSync } from 'node:fs';

/** The supported versions of Node: the `engines` of package.json. */
const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Returns true if a version is in a range such as `^22.19 || >=26`. */
function isIn(range, version) {
  const [major, minor] = version.split('.').map(Number);
  return range.split(' || ').some((part) => {
    const [, operator, from, least = '0'] = /^(\^|>=)(\d+)(?:\.(\d+))?$/.exec(part);
    if (major === Number(from)) return minor >= Number(least);
    return operator === '>=' && major > Number(from);
  });
}

/** The supported versions in words: `22.19, 24.11, or 26 and newer`. */
const WORDS = `${engines.node.replaceAll('^', '').replaceAll(' ||', ',').replace('>=', 'or ')} and newer`;

/** The first statement of a built program: ends it with exit code 2 on an unsupported Node. */
export const NODE_CHECK = `if (!(${isIn})(${JSON.stringify(engines.node)}, process.versions.node)) {
  console.error('Expected Node ${WORDS}, found ' + process.versions.node + '. Install one of them, and start again.');
  process.exit(2);
}`;

/**
 * Ends the process with an error message on an unsupported Node. Scripts run on the Node added by the installation, or
 * on that of the machine if there is none for its system.
 */
export function requireNode() {
  if (isIn(engines.node, process.versions.node)) return;
  console.error(
    `Expected Node ${engines.node}, received ${process.versions.node}: run the command by "npx --yes pnpm@12", which brings its own Node, or install Node 26 where there is none for the system (here ${process.platform} ${process.arch}).`,
  );
  process.exit(1);
}

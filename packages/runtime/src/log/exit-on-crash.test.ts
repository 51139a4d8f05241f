import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Built: Node 20 runs no TypeScript. */
const MODULE = new URL('../../dist/log/index.js', import.meta.url).href;

/** Runs a program that fails with a secret on its error. */
function crash(statement: string) {
  const program = `
    const { createRedactor, exitOnCrash } = await import(${JSON.stringify(MODULE)});
    exitOnCrash(createRedactor({ secrets: ['secret-of-the-run'] }));
    const error = Object.assign(new Error('failed with secret-of-the-run'), {
      url: 'http://127.0.0.1/interactions/1/abcdefghij/callback', requestBody: 'what-a-person-wrote', code: 'E_FAILED' });
    ${statement}
    setTimeout(() => console.log('still there'), 200);`;
  const args = ['--input-type=module', '--eval', program];
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

test.each(['setImmediate(() => { throw error; });', 'Promise.reject(error);'])(
  'a crash ends the process with code 1 and shows no secret: %s',
  (statement) => {
    const { status, stdout, stderr } = crash(statement);
    expect(stderr).toMatch(/E_FAILED/);
    expect(stderr).toMatch(/interactions\/1\/\[redacted\]\/callback/);
    expect(stderr).not.toMatch(/secret-of-the-run|what-a-person-wrote|abcdefghij/);
    expect({ status, stdout }).toStrictEqual({ status: 1, stdout: '' });
  },
);

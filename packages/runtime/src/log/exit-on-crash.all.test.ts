import { startProgram } from '@guild-settings/testing';
import { expect, test } from 'vitest';

const MODULE = new URL('index.ts', import.meta.url).href;

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
  return startProgram({ args }).finished();
}

test.each(['setImmediate(() => { throw error; });', 'Promise.reject(error);'])(
  'a crash ends the process with code 1 and shows no secret: %s',
  async (statement) => {
    const { code, stdout, stderr } = await crash(statement);
    expect(stderr).toMatch(/E_FAILED/);
    expect(stderr).toMatch(/interactions\/1\/\[redacted\]\/callback/);
    expect(stderr).not.toMatch(/secret-of-the-run|what-a-person-wrote|abcdefghij/);
    expect({ code, stdout }).toStrictEqual({ code: 1, stdout: '' });
  },
);

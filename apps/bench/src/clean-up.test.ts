import { expect, test } from 'vitest';
import { CleanUp } from './clean-up.ts';

test('the last one goes first', async () => {
  const gone: string[] = [];
  {
    await using cleanUp = new CleanUp();
    cleanUp.use(thing('server', gone));
    cleanUp.use(thing('load', gone));
  }
  expect(gone).toEqual(['load', 'server']);
});

test('an interruption stops everything at once, and what is started meanwhile at the end', async () => {
  const gone: string[] = [];
  const interrupted = new AbortController();
  const cleanUp = new CleanUp(interrupted.signal);
  cleanUp.use(thing('server', gone));
  interrupted.abort(new Error('enough'));
  expect(gone).toEqual(['server']);
  expect(() => cleanUp.use(thing('load', gone))).toThrow('enough');
  await cleanUp[Symbol.asyncDispose]();
  expect(gone).toEqual(['server', 'load']);
});

function thing(name: string, gone: string[]): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      gone.push(name);
    },
  };
}

import { expect, test } from 'vitest';
import { ResourceStack } from './resource-stack.ts';

test('disposes of the last resource first', async () => {
  const disposed: string[] = [];
  {
    await using resources = new ResourceStack();
    resources.use(resource('server', disposed));
    resources.use(resource('load', disposed));
  }
  expect(disposed).toEqual(['load', 'server']);
});

test('disposes of everything at an abort, and of resources added meanwhile at the end', async () => {
  const disposed: string[] = [];
  const interrupted = new AbortController();
  const resources = new ResourceStack(interrupted.signal);
  resources.use(resource('server', disposed));
  interrupted.abort(new Error('enough'));
  expect(disposed).toEqual(['server']);
  expect(() => resources.use(resource('load', disposed))).toThrow('enough');
  await resources[Symbol.asyncDispose]();
  expect(disposed).toEqual(['server', 'load']);
});

function resource(name: string, disposed: string[]): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      disposed.push(name);
    },
  };
}

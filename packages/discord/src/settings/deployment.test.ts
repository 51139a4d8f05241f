import { DeclaredSettings } from '@guild-settings/contract/settings';
import { expect, test } from 'vitest';
import { followDeployment } from './deployment.ts';

test('a declaration that is none is an error, and the settings of the replica are those in use', async () => {
  const errors: unknown[] = [];
  const failed = Promise.withResolvers<void>();
  const declared = followDeployment({
    replica: { declared: new DeclaredSettings(), on: () => () => {} },
    read: async () => null as never,
    clock: () => 0,
    onError(error) {
      errors.push(error);
      failed.resolve();
    },
  });
  await failed.promise;
  expect(errors).toMatchObject([{ name: 'TypeError' }]);
  expect(declared().all.map(({ name }) => name)).toContain('prefix');
});

import { defineConfig, mergeConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { withBuiltPackages } from '../vitest.built.ts';

/** The files that take longest. */
const FIRST = /dashboard-(?:accessible|refusals|failures)|thorough/;

/** Begins with the longest tests, so that they do not run alone at the end. Vitest knows the sizes of files only. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted].sort((a, b) => Number(FIRST.test(b.moduleId)) - Number(FIRST.test(a.moduleId)));
  }
}

export default mergeConfig(
  withBuiltPackages,
  defineConfig({
    // The tests wait for browsers, processes and limits more than they compute.
    test: { maxWorkers: 3, maxConcurrency: 2, sequence: { sequencer: LongestFirst } },
  }),
);

import { defineConfig, mergeConfig } from 'vitest/config';
import { base } from '../vitest.base.ts';

const { resolve, ssr, ...shared } = base;

/** Workspace packages come from what was built, as in the processes that these tests start, and are loaded by Node. */
export default mergeConfig(shared, defineConfig({ test: { server: { deps: { external: [/\/dist\//] } } } }));

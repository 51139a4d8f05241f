export { withBuiltPackages as default } from '../../vitest.built.ts';

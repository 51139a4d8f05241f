import { readFile, writeFile } from 'node:fs/promises';

/**
 * Writes the type of the api's router into the built client, run in the client's folder. tsc writes the router's type out in
 * full, so the file needs nothing but tRPC and the contract; it replaces the import of the api, which is not published.
 */

const ROUTER = '../../apps/api/dist/transport/trpc/router.d.ts';

const declarations = await readFile(ROUTER, 'utf8');
const imports = new Set([...declarations.matchAll(/(?:import\(|from )["']([^"']+)["']/g)].map(([, name]) => name));
for (const dependency of ['@trpc/server', '@guild-settings/contract']) imports.delete(dependency);
if (imports.size > 0) throw new Error(`The router's type needs ${[...imports].join(', ')}, which clients do not have`);
await writeFile('dist/app-router.d.ts', declarations.replace(/^\/\/# sourceMappingURL.*$/m, ''));

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

/**
 * Makes a tarball of each package for other projects, after they were built: `node scripts/pack.mjs [folder]`. A
 * tarball includes the modules that its package imports from the other packages, so that it can be installed without
 * them, and without a registry.
 */
const PACKAGES = ['contract', 'client', 'replica', 'discord', 'discord-sim'];

/** Packages whose modules are only in the tarballs of others. */
const PARTS = ['i18n', 'runtime'];

const SCOPE = '@guild-settings/';

/** An import or export of a module, in code and in type declarations. */
const IMPORT = /(\b(?:from|import)\s*\(?\s*)(["'])([^"']+)\2/g;

/** Lines that are not comments, because comments may contain example imports. */
const CODE = /^(?!\s*(?:\/?\*|\/\/)).*$/gm;

const [folder = 'tarballs'] = process.argv.slice(2);

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const destination = resolve(folder);
const temporary = await mkdtemp(join(tmpdir(), 'guild-settings-tarballs-'));

/** Returns the folder and the package.json of an unpacked tarball, by the package's name without its scope. */
async function readUnpacked(name) {
  const path = join(temporary, name, 'package');
  return { folder: path, manifest: JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) };
}

try {
  // Replaces workspace-specific fields in each package.json, and adds the licence.
  const filters = [...PACKAGES, ...PARTS].flatMap((name) => ['--filter', `@guild-settings/${name}`]);
  await run('npx', ['--yes', 'pnpm@12', ...filters, 'pack', '--pack-destination', temporary], { cwd: root });
  for (const file of await readdir(temporary)) {
    const [, name] = /^guild-settings-(.+)-\d[^-]*\.tgz$/.exec(file) ?? [];
    await mkdir(join(temporary, name));
    await run('tar', ['-xzf', join(temporary, file), '-C', join(temporary, name)]);
  }
  await mkdir(destination, { recursive: true });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', destination];
  for (const name of PACKAGES) {
    const cwd = join(temporary, 'bundled', name);
    await cp((await readUnpacked(name)).folder, cwd, { recursive: true });
    await bundleWorkspacePackages(name, cwd);
    const { stdout } = await run('npm', pack, { cwd });
    console.log(relative('.', join(destination, JSON.parse(stdout)[0].filename)));
  }
} finally {
  await rm(temporary, { recursive: true });
}

/**
 * Copies the modules that a package imports from other packages of this workspace into its `dist/bundled`, with their
 * types, and redirects every import to them. In its package.json, the dependencies of those modules replace the
 * packages of this workspace. The result needs no feature of a package manager: npm, pnpm, Yarn and Bun treat
 * `bundledDependencies` differently.
 * @param folder a copy of the package's unpacked tarball, which is changed
 */
async function bundleWorkspacePackages(name, folder) {
  const { manifest } = await readUnpacked(name);
  const { dependencies = {}, devDependencies: _, scripts: __, ...rest } = manifest;
  const external = Object.entries(dependencies).filter(([one]) => !one.startsWith(SCOPE));
  const own = (await readdir(join(folder, 'dist'), { recursive: true })).filter((file) => /\.(js|d\.ts)$/.test(file));
  const files = new Set(own.map((file) => file.replaceAll('\\', '/')));
  for (const file of files) {
    const [, other, path = file] = /^bundled\/([^/]+)\/(.+)$/.exec(file) ?? [];
    const source = await readUnpacked(other ?? name);
    const text = await readFile(join(source.folder, 'dist', path), 'utf8');
    const specifiers = new Map();
    for (const [line] of file.endsWith('.json') ? [] : text.matchAll(CODE)) {
      for (const [, , , specifier] of line.matchAll(IMPORT)) {
        if (specifier.startsWith('.')) files.add(moduleAt(file, specifier));
        else if (specifier.startsWith(SCOPE)) specifiers.set(specifier, await bundled(file, specifier));
        else if (other !== undefined) external.push(...dependencyOf(specifier, source.manifest));
      }
    }
    for (const target of specifiers.values()) files.add(target);
    const rewritten = text.replace(CODE, (line) =>
      line.replace(IMPORT, (all, keyword, quote, specifier) => {
        const target = specifiers.get(specifier);
        return target === undefined ? all : `${keyword}${quote}${relativePath(file, target)}${quote}`;
      }),
    );
    await mkdir(dirname(join(folder, 'dist', file)), { recursive: true });
    await writeFile(join(folder, 'dist', file), rewritten);
  }
  const sorted = Object.fromEntries(external.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...rest, dependencies: sorted }, null, 2)}\n`);
}

function isDeclaration(file) {
  return file.endsWith('.d.ts');
}

/** Returns the file of a relative import. Declarations refer to sources of modules, or to their builds. */
function moduleAt(file, specifier) {
  const path = posix.join(posix.dirname(file), specifier);
  return isDeclaration(file) ? path.replace(/(?:\.d)?\.[jt]s$/, '.d.ts') : path;
}

/** Returns the location of another package's export in `dist`. */
async function bundled(file, specifier) {
  const [name, ...subpath] = specifier.slice(SCOPE.length).split('/');
  const { manifest } = await readUnpacked(name);
  const exported = manifest.exports?.[['.', ...subpath].join('/')];
  const path = isDeclaration(file) ? exported?.types : exported?.default;
  if (path === undefined) throw new Error(`Expected an export ${specifier}, which ${file} imports`);
  return path.replace('./dist', `bundled/${name}`);
}

/** Returns the name and version of a bundled module's import, and those of its types. */
function dependencyOf(specifier, { dependencies = {} }) {
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  return Object.entries(dependencies).filter(([one]) => one === name || one === `@types/${name}`);
}

/** Returns the path of an import. Declarations are imported by the name of their module. */
function relativePath(file, target) {
  const path = posix.relative(posix.dirname(file), target).replace(/\.d\.ts$/, '.js');
  return path.startsWith('.') ? path : `./${path}`;
}

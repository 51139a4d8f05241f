/**
 * Completes what the packages of Node say about the systems that they run on: pnpm expects lists, and they have texts, so that
 * every system would install them all. docs/decisions/0059-own-node.md
 */
function readPackage(manifest) {
  if (!/^node-(?:bin-)?(?:darwin|linux|win)-/.test(manifest.name)) return manifest;
  const { os, cpu } = manifest;
  return { ...manifest, os: [os].flat(), cpu: [cpu].flat(), ...(os === 'linux' && { libc: ['glibc'] }) };
}

module.exports = { hooks: { readPackage } };

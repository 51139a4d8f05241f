/** The package's folder: the parent of src, of dist and of dist/main.js. */
export const PACKAGE_FOLDER = new URL('..', import.meta.url);

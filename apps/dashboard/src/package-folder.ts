/** The package's own folder: one up, whether this runs from src, from dist or as part of dist/main.js. */
export const PACKAGE_FOLDER = new URL('..', import.meta.url);

/**
 * States that a page has no icon. Without it browsers request /favicon.ico, and log an error for the 404. A content security
 * policy must permit `img-src data:`.
 */
export const NO_ICON = '<link rel="icon" href="data:,">';

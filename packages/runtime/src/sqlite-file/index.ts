export { EarlierDatabaseError, firstMigrationOf, requireFirstMigration } from './earlier-database.ts';
export { FileInUseError, lockFile } from './file-lock.ts';
export { createPrivateFile, makePrivate, makePrivateFolder } from './private-file.ts';
export { resolveFile } from './resolve-file.ts';
export { syncFile, syncFolder } from './sync.ts';

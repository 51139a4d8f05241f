/** Cause and remedy by error code. */
type Hints = Readonly<Record<string, string>>;

/** @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const POSTGRES: Hints = {
  '28P01': 'PostgreSQL refused the password. Check the user and the password in the database URL.',
  '28000':
    'PostgreSQL refused the user. Check the user and the database in the database URL, and the server in pg_hba.conf.',
  '3D000': 'PostgreSQL has no database of this name. Create it, or check the name at the end of the database URL.',
  '3F000': 'PostgreSQL has no schema for the tables. Check the search_path of the user.',
  '42P07': 'The PostgreSQL database has tables of another service. Use an empty database.',
  '42501':
    'The PostgreSQL user lacks a permission. Make it the owner of the database, or grant it the rights on schema public, or on the function that is named.',
  '08P01':
    'A pooler such as PgBouncer refuses the connection. Use the URL of PostgreSQL itself, or of a pool in session mode that ignores the startup parameters statement_timeout and idle_in_transaction_session_timeout.',
  '25006': 'PostgreSQL is read-only here. Use the URL of the primary.',
  '53100': 'The disk of the PostgreSQL server is full. Free some space, and try again.',
  '53300': 'PostgreSQL has no connection left. Raise max_connections, or stop another client.',
  '57P03': 'PostgreSQL is starting or stopping. Try again in a moment.',
};

const NETWORK: Hints = {
  ECONNREFUSED: 'Nothing listens at this host and port. Check the URL, and whether the server runs.',
  ENOTFOUND: 'The host of the URL is unknown. Check its name.',
  EAI_AGAIN: 'The host of the URL could not be looked up. Check its name, and the name server.',
  ETIMEDOUT: 'The server did not reply. Check the URL and the firewall.',
  EHOSTUNREACH: 'The host of the URL cannot be reached. Check the URL and the network.',
  ENETUNREACH: 'The host of the URL cannot be reached. Check the URL and the network.',
  ECONNRESET: 'The server closed the connection. Check the port: another service may listen there.',
  EPIPE: 'The server closed the connection. Check the port: another service may listen there.',
};

const UNKNOWN_AUTHORITY =
  "The certificate of the server is from an unknown authority. Add sslmode=verify-full&sslrootcert=<path of the authority's certificate> to the query of the database URL: docs/deploy.md.";

/** Errors of certificates. @see https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const TLS: Hints = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID:
    'The certificate of the server is for another host. Use a host name of the certificate in the database URL.',
  CERT_HAS_EXPIRED: 'The certificate of the server, or that of its authority, has expired. Renew it.',
  CERT_NOT_YET_VALID: 'The certificate of the server is not valid yet. Check the clocks of both machines.',
};

const NO_TLS = 'The server does not support SSL connections';

const FILE: Hints = {
  EACCES: 'The user of this process lacks a permission. Check the owner and the permissions of the path.',
  EPERM: 'The user of this process lacks a permission. Check the owner and the permissions of the path.',
  ENOENT: 'There is no such file or folder. Check the path.',
  ENOTDIR: 'A part of the path is a file. Check the path.',
  EISDIR: 'The path is a folder. Name a file.',
  EEXIST: 'A file or folder exists at the path already. Choose another path.',
  EROFS: 'The file system is read-only. Choose another path.',
  ENOSPC: 'The disk is full. Free some space, and try again.',
  EDQUOT: 'The disk quota is used up. Free some space, and try again.',
};

/** Primary result codes of SQLite. @see https://www.sqlite.org/rescode.html */
const SQLITE: Hints = {
  SQLITE_NOTADB: 'The file is not a SQLite database. Check the path.',
  SQLITE_CORRUPT: 'The database is damaged. Restore a backup.',
  SQLITE_CANTOPEN: 'The file cannot be opened. Check the path, and that the user may write the folder.',
  SQLITE_READONLY: 'The file cannot be written. Check the owner and the permissions of the file and its folder.',
  SQLITE_PERM: 'The file cannot be opened. Check its owner and permissions.',
  SQLITE_FULL: 'The disk is full. Free some space, and try again.',
  SQLITE_IOERR: 'The disk failed to read or write. Check the disk and its free space.',
  SQLITE_BUSY: 'Another process has locked the database. Stop it, or try again.',
};

const MAX_CAUSES = 5;

/**
 * Returns the remedy for an error from outside the program: of a database, a file or the network.
 * @returns the code of the error or cause with a known remedy, empty if it has no code; undefined: unknown
 */
export function failureHint(error: unknown): { readonly code: string; readonly hint: string } | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth++) {
    const code = 'code' in cause ? String(cause.code) : '';
    const hint = hintOf(code);
    if (hint !== undefined) return { code, hint };
    if (cause.message === NO_TLS)
      return { code: '', hint: 'Remove sslmode from the database URL, or enable TLS in the server.' };
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return undefined;
}

function hintOf(code: string): string | undefined {
  for (const hints of [POSTGRES, NETWORK, TLS, FILE]) if (Object.hasOwn(hints, code)) return hints[code];
  // Extended result codes begin with the primary one, such as SQLITE_IOERR_WRITE.
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? '';
  return Object.hasOwn(SQLITE, primary) ? SQLITE[primary] : undefined;
}

const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Returns the remedy for a failure to listen at `HOST` and `PORT`; undefined: another failure. */
export function listenRemedy(error: Error): string | undefined {
  if (!('syscall' in error && 'code' in error)) return undefined;
  // Errors of name look-ups for the database are causes of other errors.
  if (error.syscall === 'getaddrinfo') return 'Set HOST to a name or an IP address of this machine.';
  if (error.syscall !== 'listen') return undefined;
  if (error.code === 'EADDRINUSE') return 'Stop what listens there, or set PORT to another port.';
  if (error.code === 'EACCES') return 'Set PORT to a port above 1023, or HOST to an IP address of this machine.';
  return ABSENT.includes(String(error.code)) ? 'Set HOST to an IP address of this machine.' : undefined;
}

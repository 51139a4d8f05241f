/** Errors of addresses that the machine does not have. */
const ABSENT = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Returns what to do about a failure to listen at `HOST` and `PORT`; undefined: it is another failure. */
export function listenRemedy(error: Error): string | undefined {
  if (!('syscall' in error && 'code' in error)) return undefined;
  // Errors of look-ups for the database are causes of other errors.
  if (error.syscall === 'getaddrinfo') return 'Set HOST to a name or an IP address of this machine.';
  if (error.syscall !== 'listen') return undefined;
  if (error.code === 'EADDRINUSE') return 'Stop what listens there, or set PORT to another port.';
  if (error.code === 'EACCES') return 'Set PORT to a port above 1023, or HOST to an IP address of this machine.';
  return ABSENT.includes(String(error.code)) ? 'Set HOST to an IP address of this machine.' : undefined;
}

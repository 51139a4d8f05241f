import { writeFileSync } from 'node:fs';

// pnpm, which installs silently (`loglevel`), hides what scripts print, but the first start should not look like a program that hangs.
try {
  writeFileSync('/dev/tty', 'Installing the dependencies, which takes some seconds the first time.\n');
} catch {
  // There is no terminal.
}

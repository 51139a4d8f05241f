import { writeFileSync } from 'node:fs';

// pnpm, configured to install silently (`loglevel`), hides the output of scripts, but the first start should not look
// like a hanging program.
try {
  writeFileSync('/dev/tty', 'Installing the dependencies, which takes some seconds the first time.\n');
} catch {
  // No terminal is available.
}

import { readFileSync } from 'node:fs';

/** Time between two checks of the npx process. */
const INTERVAL_MS = 500;

/** npm sets this variable for every process that it starts, and pnpm passes it on. */
const isStartedByNpm = process.env.npm_config_npm_version !== undefined;

/**
 * Calls back when the npx, or the npm, that started this process has ended, even if it had ended before. npx sends its
 * signals to the shell between it and pnpm. Debian's shell ends without passing them on, so the process started by pnpm
 * would keep running. Other systems' shells are replaced by pnpm, which passes signals on. Does not keep the process
 * running.
 * @param {() => void} callBack
 */
export function onNpxEnd(callBack) {
  if (process.platform !== 'linux' || !isStartedByNpm) return;
  const npx = npxAmongAncestors();
  if (npx === undefined) {
    callBack();
    return;
  }
  const timer = setInterval(() => {
    if (processOf(npx) !== undefined) return;
    clearInterval(timer);
    callBack();
  }, INTERVAL_MS);
  timer.unref();
}

function npxAmongAncestors() {
  let pid = process.ppid;
  while (pid > 0) {
    const ancestor = processOf(pid);
    if (ancestor === undefined) return undefined;
    if (/^(npm|npx)\b/.test(ancestor.title)) return pid;
    pid = ancestor.parent;
  }
  return undefined;
}

/**
 * Returns a process that has not ended.
 * @param {number} pid
 * @see https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
 */
function processOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before it may contain spaces and parentheses.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return state === 'Z' ? undefined : { title, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a curl command of a report in a shell, as a user who pastes it. */
export async function runCurl(line: string): Promise<{ status: number; body: unknown }> {
  const { stdout } = await promisify(execFile)('bash', ['-c', line]);
  const [head = '', body = ''] = stdout.split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

/** Returns the curl commands of a report in text form. */
export function curlLines(report: string): string[] {
  return report
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('curl '));
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { waitUntil } from '@guild-settings/testing';
import { expect } from 'vitest';
import type { Machine, PageCommands } from './machine.ts';

const SIMULATOR = fileURLToPath(new URL('../../../packages/discord-sim/dist/main.js', import.meta.url));
const WORLD = JSON.parse(readFileSync(new URL('../../../packages/discord-sim/world.json', import.meta.url), 'utf8'));
export const [APPLICATION] = WORLD.applications;
export const [, MANAGER] = WORLD.people;
export const GUILD: string = WORLD.guilds[0].id;

const SECRETS: Readonly<Record<string, string>> = {
  '<application id>': APPLICATION.id,
  '<bot token>': APPLICATION.botToken,
  '<client secret>': APPLICATION.clientSecret,
  '<session key>': Buffer.alloc(32, 7).toString('base64'),
};

/** The variable that the simulated Discord needs beside those of the page. */
const DISCORD_API_URL = 'http://127.0.0.1:3999/api/v10';

/** The programs on a machine, installed by the commands of docs/deploy.md, with a simulated Discord. */
export type Installation = ReturnType<typeof installationOn>;

/** @param url where the service is called */
export function installationOn(machine: Machine, url: string) {
  /** Runs lines, which must succeed, and returns their output. */
  async function succeed(lines: string): Promise<string> {
    const { code, stdout, stderr } = await machine.run(`set -e\n${lines}`);
    const logs = code === 0 ? '' : (await machine.run('tail -n 5 /var/log/guild-settings*')).stdout;
    expect(code, `${lines}\n${stdout}${stderr}${logs}`).toBe(0);
    return stdout;
  }

  return {
    succeed,
    /** Writes the files of variables of the page, and starts Discord and the programs. */
    async start(page: PageCommands): Promise<void> {
      await succeed(page.block('umask 077'));
      const files = page.files().filter(([path]) => path.startsWith('/etc/'));
      expect(files).toHaveLength(2);
      for (const [path, content] of files) {
        const written = content.replaceAll(/<[^>]+>/g, (name) => SECRETS[name] ?? name);
        await succeed(`cat > ${path} <<'end'\n${written}DISCORD_API_URL=${DISCORD_API_URL}\nend`);
      }
      const redirect = '--redirect-uri https://settings.example/callback';
      await succeed(`setsid node ${SIMULATOR} --port 3999 ${redirect} > /var/log/simulator.log 2>&1 &`);
      await succeed(page.block('/etc/systemd/system/'));
      await succeed(page.block('http://127.0.0.1:3002/readyz'));
    },
    async ready(port: number): Promise<void> {
      const isReady = async () =>
        (await machine.run(`curl --fail --silent http://127.0.0.1:${port}/readyz`)).code === 0;
      await waitUntil(isReady, { message: `port ${port}`, timeoutMs: 60_000 }).catch(async (error: Error) => {
        const { stdout } = await machine.run(
          `tail -n 3 /var/log/guild-settings*; curl -s http://127.0.0.1:${port}/readyz`,
        );
        throw new Error(`${error.message}\n${stdout}`);
      });
    },
    record: (change?: Readonly<Record<string, unknown>>) => call('', change),
    arrival: () => call('/arrival'),
  };

  /** Sends a request about the guild with a token of the application. */
  async function call(path: string, change?: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const scope = 'grant_type=client_credentials&scope=applications.commands.update';
    const token = `curl -fsS -u ${APPLICATION.id}:${APPLICATION.clientSecret} -d '${scope}' ${DISCORD_API_URL}/oauth2/token`;
    const { access_token } = JSON.parse(await succeed(token));
    const body = change === undefined ? '' : `--request PATCH --json '${JSON.stringify(change)}'`;
    const request = `curl -fsS ${body} --header 'Authorization: Bearer ${access_token}'`;
    return JSON.parse(await succeed(`${request} ${url}/guilds/${GUILD}${path}`));
  }
}

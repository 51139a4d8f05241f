#!/usr/bin/env node
import { inspect } from 'node:util';
import { CommandError, type CommandOptions, HELP, readOptions } from './cli/options.ts';
import { fillWorld, jsonReport, readWorldFile, textReport } from './cli/world-file.ts';
import { type DiscordSim, startDiscordSim } from './sim.ts';

try {
  const options = readOptions(process.argv.slice(2));
  if (options) await run(options);
  else process.stdout.write(HELP);
} catch (error) {
  const isExpected = error instanceof CommandError;
  process.stderr.write(`${isExpected ? error.message : inspect(error)}\n`);
  process.exitCode = isExpected ? error.exitCode : 1;
}

/** Runs the simulator until the process receives SIGINT or SIGTERM; then it ends with exit code 0. */
async function run({ host, port, worldPath, redirectUris, isJson }: CommandOptions): Promise<void> {
  const file = await readWorldFile(worldPath);
  const applications = file.applications.map((application) => {
    return { ...application, redirectUris: [...application.redirectUris, ...redirectUris] };
  });
  const filled = { ...file, applications };
  const discord = await start(host, port);
  const stop = () => void discord.close();
  // Package managers may pass on a signal that the terminal has already sent.
  process.on('SIGINT', stop).on('SIGTERM', stop);
  try {
    fillWorld(discord.world, filled);
  } catch (error) {
    await discord.close();
    throw error;
  }
  process.stdout.write(`${isJson ? jsonReport(discord, filled) : textReport(discord, filled)}\n`);
}

async function start(host: string, port: number): Promise<DiscordSim> {
  try {
    return await startDiscordSim({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'EADDRINUSE') throw new CommandError(`Port ${port} is taken: choose another with --port.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') throw new CommandError(`There is no address ${host} here.`);
    throw error;
  }
}

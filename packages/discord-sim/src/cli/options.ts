import { parseArgs } from 'node:util';

export const HELP = `Starts a simulated Discord on this machine, to test a bot or a dashboard with any library: OAuth2 with the authorization
page, the REST API, the gateway, and a chat page to talk to the bot. Nothing is stored: it starts anew each time.

  discord-sim [--port N] [--world FILE] [--redirect-uri URI]... [--json]

Options
  --port N            the port to listen on; 0: any free one (3001)
  --host ADDRESS      the address to listen on (127.0.0.1)
  --world FILE        a JSON file with the people, applications and guilds; its form is that of world.json in this package
  --redirect-uri URI  registers a redirect URI for every application; may be repeated
  --json              print one line of JSON instead
  -h, --help          print this
`;

const DEFAULT_PORT = 3001;
const MAX_PORT = 65_535;

export interface CommandOptions {
  readonly host: string;
  readonly port: number;
  /** `null`: the world file of the package. */
  readonly worldPath: string | null;
  readonly redirectUris: readonly string[];
  readonly isJson: boolean;
}

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  world: { type: 'string' },
  'redirect-uri': { type: 'string', multiple: true },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * Parses arguments. A leading `--`, which some package managers pass on, is skipped.
 *
 * @returns `null` for `--help`
 * @throws {CommandError} with exit code 2
 */
export function readOptions(args: readonly string[]): CommandOptions | null {
  const { help, host, port, world = null, json, 'redirect-uri': redirectUris = [] } = parse(args);
  if (help) return null;
  // An IPv6 address has brackets in URLs.
  const address = /^\[(.+)\]$/.exec(host)?.[1] ?? host;
  return { host: address, port: portOf(port), worldPath: world, redirectUris, isJson: json };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: args.slice(args[0] === '--' ? 1 : 0), options: OPTIONS }).values;
  } catch (error) {
    throw wrongArguments(error instanceof Error ? error.message : String(error));
  }
}

function portOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_PORT;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= MAX_PORT) return port;
  throw wrongArguments(`Expected a port from 0 to ${MAX_PORT} for --port, received ${JSON.stringify(text)}.`);
}

function wrongArguments(message: string): CommandError {
  return new CommandError(`${message}\n--help lists the options.`, 2);
}

/** An error whose message is complete for the caller of the command. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: 1 | 2;

  /** @param exitCode 2 for invalid arguments, otherwise 1 */
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

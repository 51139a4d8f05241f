import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Browser, type Visit } from './browser.ts';
import { IDS, type TestDashboard } from './dashboard-world.ts';
import type { SharedDashboard } from './shared-dashboard.ts';

/** A request that the service received. */
interface Received {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server in the place of the service, behind a dashboard at which a person is logged in. */
export interface StubService {
  readonly dashboard: TestDashboard;
  readonly browser: Browser;
  readonly port: number;
  /** The requests of the test. */
  readonly received: readonly Received[];
  /** Their methods with their addresses. */
  lines(): string[];
  /** Responds to the requests of the test; by default with a result. */
  answer: (response: ServerResponse, request: IncomingMessage) => void;
  /** Reads the guild as its page does. */
  read(visit?: Visit): Promise<Response>;
  /** Changes the guild as its page does. */
  update(visit?: Visit): Promise<Response>;
}

/** The address of a query. */
export const READ = `/trpc/guilds.get?input=${encodeURIComponent(JSON.stringify({ guild: IDS.guild }))}`;

/** Responds with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  body = '{"result":{"data":{"prefix":"!"}}}',
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** Starts a server in the place of the service for the tests of a file. */
export function stubService(here: SharedDashboard): StubService {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.url === '/healthz') return void response.end();
    const { method, url, headers } = request;
    received.push({ line: `${method} ${url}`, headers, body });
    stub.answer(response, request);
  });
  const started: { dashboard?: TestDashboard } = {};
  const browser = new Browser();
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const dashboard = await here.world.start({ API_URL: `http://127.0.0.1:${stub.port}`, PORT: '0' });
    await dashboard.login(browser);
    started.dashboard = dashboard;
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => {
    received.length = 0;
    stub.answer = (response) => sendJson(response, 200);
  });
  const stub: StubService = {
    get dashboard() {
      if (started.dashboard === undefined) throw new Error('Expected a use in a test');
      return started.dashboard;
    },
    get port() {
      return (server.address() as AddressInfo).port;
    },
    browser,
    received,
    lines: () => received.map(({ line }) => line),
    answer: () => {},
    read: (visit) => stub.dashboard.visit(browser, READ, visit),
    update: (visit) =>
      stub.dashboard.visit(browser, '/trpc/guilds.update', { method: 'POST', body: { guild: IDS.guild }, ...visit }),
  };
  return stub;
}

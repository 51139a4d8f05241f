import { type ConfiguredAddress, redirectText } from '@guild-settings/runtime/redirect';
import { Agent, type Dispatcher, request } from 'undici';

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

export interface ServiceRequests {
  /**
   * Sends a request with the token of a session; without one for what is public. Resolves when the headers of the response have
   * arrived.
   * @throws RedirectError
   */
  send(request: ServiceRequest, token: string | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** Thrown when API_URL redirects: the service has not received the request. The message names the address to write there. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
}

/** Returns the address of the service for messages. */
export function serviceAt(apiUrl: string): ConfiguredAddress {
  return { of: 'the settings service', baseUrl: apiUrl, variable: 'API_URL' };
}

/**
 * Connects to the service with undici, on which `fetch` is built, without the streams of the web, which take longer than the rest of a
 * call. Connections are kept, and are as many as requests run at a time. Redirects are not followed.
 */
export function createServiceRequests(apiUrl: string): ServiceRequests {
  const dispatcher = new Agent();
  return {
    async send({ method, target, headers, body = null }, token, signal) {
      const url = `${apiUrl}${target}`;
      const response = await request(url, {
        dispatcher,
        method,
        // A coded body would be passed on without the name of its coding.
        headers: {
          ...headers,
          'accept-encoding': 'identity',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body,
        signal,
      });
      const [location] = [response.headers.location].flat();
      const redirect = redirectText(serviceAt(apiUrl), url, { status: response.statusCode, location });
      if (redirect === undefined) return response;
      await response.body.dump();
      throw new RedirectError(redirect);
    },
    close: () => dispatcher.destroy(),
  };
}

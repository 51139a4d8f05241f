import { Agent, type Dispatcher, interceptors, request } from 'undici';

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
   */
  send(request: ServiceRequest, token: string | undefined, signal: AbortSignal): Promise<Dispatcher.ResponseData>;
  close(): Promise<void>;
}

/** Redirects that are followed: a proxy responds so, and the service has not received the request. */
const MAX_REDIRECTIONS = 5;

/**
 * Connects to the service with undici, on which `fetch` is built, without the streams of the web, which take longer than the rest of a
 * call. Connections are kept, and are as many as requests run at a time.
 */
export function createServiceRequests(apiUrl: string): ServiceRequests {
  const dispatcher = new Agent().compose(interceptors.redirect({ maxRedirections: MAX_REDIRECTIONS }));
  return {
    send: ({ method, target, headers, body = null }, token, signal) =>
      request(`${apiUrl}${target}`, {
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
      }),
    close: () => dispatcher.destroy(),
  };
}

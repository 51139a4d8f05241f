import type { ConfiguredAddress } from '@guild-settings/runtime/redirect';

/** Returns the base URL of the service, without slashes at the end. @throws TypeError when it is not absolute */
export function baseUrlOf(url: string | URL): string {
  return new URL(url).href.replace(/\/+$/, '');
}

/** Returns the address of the service for messages: programs have it in API_URL. */
export function serviceAt(baseUrl: string): ConfiguredAddress {
  return { of: 'the settings service', baseUrl, variable: 'API_URL' };
}

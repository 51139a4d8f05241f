export { clientNetwork } from './client-network.ts';
export { drainOnClose } from './drain-on-close.ts';
export { trustProxyOption } from './trust-proxy.ts';

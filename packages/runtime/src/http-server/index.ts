export { acceptedCoding } from './accepted-coding.ts';
export { clientNetwork } from './client-network.ts';
export { drainOnClose } from './drain-on-close.ts';
export { type RequestLabels, requestDurations } from './request-durations.ts';
export { type Around, pendingResponse, serverInTurns } from './request-turns.ts';
export { trustProxyOption } from './trust-proxy.ts';
export { closeAfterUnreadBodies, hasBody } from './unread-body.ts';

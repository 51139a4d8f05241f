import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';
import { requireFreshCaller } from './write.ts';

export const reportPresence: Handler<Operations['presence']['report']> = async ({
  caller,
  application,
  input,
  call,
}) => {
  await requireFreshCaller(call, caller);
  return { body: await call.services.presence.report(input, application.applicationId) };
};

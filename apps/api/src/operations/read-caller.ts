import type { Operations } from '@guild-settings/contract/operations';
import type { Handler } from './handler.ts';

export const readCaller: Handler<Operations['users']['me']> = async ({ caller, call }) => {
  const { principal, facts } = caller;
  const isUser = principal.kind === 'user';
  const body = {
    kind: principal.kind,
    id: isUser ? principal.userId : principal.applicationId,
    name: (isUser ? facts.name : (await call.services.application.get()).name) ?? null,
    avatar: facts.avatar,
    scopes: facts.scope.split(' '),
    expiresAt: new Date(facts.expiresAt).toISOString(),
  };
  return { body };
};

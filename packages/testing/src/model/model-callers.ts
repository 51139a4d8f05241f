import type { TestApi } from '../api.ts';
import type { HistoryStep, ModelCallerName, WriteStep } from './history-steps.ts';
import type { ModelAuthor } from './model-log.ts';
import { IDS } from '../people.ts';

const CENTURY_SECONDS = 3_000_000_000;

/** The caller of a step. */
export interface ModelCaller {
  readonly type: HistoryStep['type'];
  readonly by: ModelCallerName;
}

/** Access tokens of the callers. */
export type ModelTokens = Readonly<Record<ModelCallerName, string>>;

/** The people that callers are, or act for. */
const PEOPLE = { manager: IDS.manager, admin: IDS.admin, onBehalf: IDS.owner, application: undefined } as const;

/** Returns the id of the person that a caller is, or acts for; undefined: the application acts for itself. */
export function personOf({ by }: Pick<ModelCaller, 'by'>): string | undefined {
  return PEOPLE[by];
}

/** Returns how a change is recorded. */
export function authorOf({ by, reason }: Pick<WriteStep, 'by' | 'reason'>): ModelAuthor {
  const person = PEOPLE[by];
  if (person === undefined) return { actor: { kind: 'application', id: IDS.application }, origin: 'rest', reason };
  return { actor: { kind: 'user', id: person }, origin: by === 'onBehalf' ? 'bot' : 'rest', reason };
}

/** Returns the headers of a request for the person that the application acts for. */
export function onBehalf({ by }: Pick<ModelCaller, 'by'>): Record<string, string> {
  return by === 'onBehalf' ? { 'x-on-behalf-of': PEOPLE.onBehalf } : {};
}

/** Issues tokens that do not expire: the clock of a test goes through years. */
export function issueTokens({ discord: { world } }: TestApi): ModelTokens {
  const common = { applicationId: IDS.application, expiresInSeconds: CENTURY_SECONDS };
  const user = (userId: string) =>
    world.issueUserToken({ ...common, userId, scopes: ['identify', 'guilds'] }).accessToken;
  const application = world.issueClientCredentialsToken({ ...common, scopes: ['applications.commands.update'] });
  return {
    manager: user(IDS.manager),
    admin: user(IDS.admin),
    application: application.accessToken,
    onBehalf: application.accessToken,
  };
}

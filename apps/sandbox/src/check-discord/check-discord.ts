import { checkApplication } from './check-application.ts';
import { checkOwnToken } from './check-own-token.ts';
import type { CheckConfig } from './config.ts';
import { DiscordUnavailableError } from './discord-request.ts';
import { type Finding, wrong } from './finding.ts';

/** The report of a check. */
export interface Report {
  readonly isRight: boolean;
  /** A line for each finding. Contains no secrets. */
  readonly text: string;
}

/** Compares the configuration with the application in Discord's developer portal. */
export async function checkDiscord(config: CheckConfig): Promise<Report> {
  const findings: Finding[] = [];
  try {
    findings.push(...(await checkApplication(config)), ...(await checkOwnToken(config)));
  } catch (error) {
    if (!(error instanceof DiscordUnavailableError)) throw error;
    findings.push(wrong(error.message));
  }
  const lines = findings.map(({ kind, text }) => `${kind.padEnd(11)} ${text}`);
  const isRight = findings.every(({ kind }) => kind !== 'wrong');
  const portal = `Developer Portal: https://discord.com/developers/applications/${config.applicationId}`;
  return { isRight, text: [...lines, ...(isRight ? [] : [portal])].join('\n') };
}

import {
  type DeclaredSettings,
  fits,
  flawMessage,
  flawsOf,
  type GuildId,
  ProblemError,
  type ProblemIssue,
  pointerTo,
  type Setting,
} from '@guild-settings/contract';
import type { UpdateSettings } from './command.ts';
import { kindOf } from './serve-declaration.ts';

export function pathOf({ place, name }: Setting): readonly string[] {
  return place === 'record' ? [name] : ['custom', name];
}

export function isReserved({ declared }: Setting): boolean {
  return declared.setBy === 'application';
}

/**
 * Requires that declared settings may be changed to these values. The limits of the specified settings are those of requests. What is
 * computed from the log was stored before, and may have the role @everyone.
 * @throws ProblemError reserved-setting, invalid-request
 */
export function requireAllowed(
  values: Readonly<Record<string, unknown>>,
  { mayReserved, settingsAt = [], computedAt }: Pick<UpdateSettings, 'mayReserved' | 'settingsAt' | 'computedAt'>,
  { guildId, settings }: { readonly guildId: GuildId; readonly settings: DeclaredSettings },
): void {
  const changed = Object.keys(values).flatMap((field) => settings.byField.get(field) ?? []);
  const custom = changed.filter(({ place }) => place === 'custom');
  const reserved = mayReserved ? [] : custom.filter(isReserved);
  if (reserved.length > 0) {
    throw new ProblemError('reserved-setting', {
      issues: reserved.map((setting) =>
        issueAt([...settingsAt, ...pathOf(setting)], 'only the application can change this setting'),
      ),
    });
  }
  const issues = custom.flatMap((setting) => {
    const path = [...settingsAt, ...pathOf(setting)];
    const value = values[setting.field];
    // The log has values of the kind that a setting had before.
    if (!fits(setting, value)) return [issueAt(path, `expected a value of the kind "${kindOf(setting)}"`)];
    return flawsOf(setting, value, computedAt === undefined ? guildId : undefined).map((flaw) =>
      issueAt([...path, ...(flaw.at === undefined ? [] : [flaw.at])], flawMessage(flaw)),
    );
  });
  if (issues.length > 0) throw new ProblemError('invalid-request', { issues });
}

function issueAt(path: readonly (string | number)[], message: string): ProblemIssue {
  return { path: [...path], pointer: pointerTo(path), message };
}

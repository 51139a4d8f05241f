import { featureNamed, type KnownFeature } from '@guild-settings/contract';
import { textIn } from '@guild-settings/contract/settings';
import { type Invocation, nameOf, Refusal } from '@guild-settings/discord/framework';
import { botText } from '../i18n/bot-text.ts';

export function requireBeta(invocation: Invocation, command: string): void {
  const { settings, translator } = invocation;
  if (settings.beta) return;
  const enable = nameOf(invocation, ['settings', 'set'], 'beta', 'on');
  throw new Refusal(botText(translator)('guard.beta', { command, enable }));
}

export function requireFeature(invocation: Invocation, name: KnownFeature): void {
  const { settings, translator } = invocation;
  if (settings.enabledFeatures.includes(name)) return;
  const enable = nameOf(invocation, ['settings', 'enable'], name);
  const feature = textIn(featureNamed(name).names, translator.language);
  throw new Refusal(botText(translator)('guard.feature', { feature, enable }));
}

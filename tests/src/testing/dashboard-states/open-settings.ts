import { SettingsPage } from '../settings-page.ts';
import { FIRST, hold, type Stage } from './stage.ts';

/** The settings of a guild. */
export const PATH = `/guilds/${FIRST.id}`;
const DEFAULTS = { prefix: '!', language: 'en-US', announcement_channel: '', beta: false, enabledFeatures: [] };

/** Opens the settings of a guild with the values that it has by default, and with others. */
export async function open(stage: Stage, values: object = {}): Promise<SettingsPage> {
  await stage.change(FIRST, { ...DEFAULTS, ...values });
  const settings = new SettingsPage(await stage.open('manager', PATH));
  await settings.prefix.waitFor();
  return settings;
}

/** Opens the settings, and waits until changes of others arrive. */
export async function openLive(stage: Stage, values: object = {}): Promise<SettingsPage> {
  const settings = await open(stage, values);
  await settings.live();
  return settings;
}

/** Opens the settings without the stream of events, which would say later what the response of a save does not. */
export async function openDeaf(stage: Stage): Promise<SettingsPage> {
  await hold(await stage.page('manager'), 'guilds.follow');
  return open(stage);
}

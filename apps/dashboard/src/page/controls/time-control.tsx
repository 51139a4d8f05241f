import type { Setting } from '@guild-settings/contract/settings';
import { sentences } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import { TextField } from '../design/inputs.tsx';
import { useNow } from '../design/relative-time.tsx';
import { shownValue } from '../draft/draft.ts';
import { timeIn, untilNextMinuteMs } from '../i18n/time.ts';
import { useDraftPart, useSettings } from '../settings/settings-context.ts';
import { ListControl } from './list-control.tsx';
import { type ControlProps, useTypedField } from './text-controls.tsx';

/** A time of day, which is typed: the browser's own control uses the format of the device's language. */
export function TimeControl({ setting }: ControlProps): ReactNode {
  const field = useTypedField(setting);
  return (
    <TextField
      {...field}
      description={sentences(field.description, useZoneText(setting))}
      placeholder="00:00"
      // Number keyboards of phones have no colon.
      inputMode="text"
      spellCheck={false}
    />
  );
}

export function TimesControl({ setting }: ControlProps): ReactNode {
  const zone = useZoneText(setting);
  return <ListControl setting={setting} {...(zone !== undefined && { help: zone })} />;
}

/**
 * Returns the time zone that applies to a time, as set by the person, and the current time there; undefined: none is
 * declared.
 */
function useZoneText({ declared }: Setting): string | undefined {
  const { store, words } = useSettings();
  const zone = words.settings.byField.get(`custom.${declared.kind === 'time' ? declared.zone : ''}`);
  const name = useDraftPart(store, (draft) => zone && (shownValue(draft, zone.shownField) ?? zone.default));
  const time = timeIn(String(name), useNow(untilNextMinuteMs));
  if (name === undefined) return undefined;
  return time === undefined ? words.t('time.zone', { zone: name }) : words.t('time.zoneNow', { zone: name, time });
}

import { lengthOf } from '@guild-settings/i18n';
import type { ReactNode } from 'react';
import { TextField } from '../design/inputs.tsx';
import { Notice } from '../design/panels.tsx';
import { TextArea } from '../design/text-area.tsx';
import { SettingFrame } from '../settings/setting.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { useField } from '../settings/use-field.ts';
import type { ControlProps } from './control-props.ts';
import { joinedTexts } from './joined-texts.ts';

/** The part of a length from which on it is shown. */
const NEAR_LIMIT = 0.8;

/** A text of one line, or of many, with its length near the limit. */
export function TextControl({ setting }: ControlProps): ReactNode {
  const { t } = useSettings().words;
  const { set, value, description, ...texts } = useField(setting);
  const { declared, place } = setting;
  const used = lengthOf(String(value));
  const max = declared.kind === 'text' ? declared.max : used;
  const length = used >= max * NEAR_LIMIT ? t('length', { used, max }) : undefined;
  const Input = declared.kind === 'text' && declared.lines === 'many' ? TextArea : TextField;
  return (
    <SettingFrame setting={setting}>
      <Input
        {...texts}
        description={joinedTexts(description, length)}
        value={String(value)}
        onChange={set}
        spellCheck={place === 'custom'}
      />
      {setting.declared.noLeadingSpace && value === '/' && (
        <Notice tone="warning" role="status">
          <p>{t('prefixSlash')}</p>
        </Notice>
      )}
    </SettingFrame>
  );
}

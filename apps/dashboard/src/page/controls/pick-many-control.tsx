import type { ReactNode } from 'react';
import { Tokens } from '../design/tokens.tsx';
import { SettingFrame } from '../settings/setting.tsx';
import { useSettings } from '../settings/settings-context.ts';
import { useField } from '../settings/use-field.ts';
import type { ControlProps } from './control-props.ts';
import { joinedTexts } from './joined-texts.ts';
import { ListControl } from './list-control.tsx';
import { PickField } from './pick-field.tsx';
import { PickNotice } from './pick-notice.tsx';
import { usePickable } from './use-pickable.tsx';

export function PickManyControl({ setting }: ControlProps): ReactNode {
  const { guild, words } = useSettings();
  const { t } = words;
  const { set, value, description, ...texts } = useField(setting);
  const ids = value as readonly string[];
  const pickable = usePickable(setting, ids);
  // Ids are typed where the list cannot be read.
  if (pickable.isMissing)
    return (
      <ListControl
        setting={setting}
        help={t(pickable.isConfigured ? `${pickable.kind}.byId` : `${pickable.kind}.notHere`)}
      />
    );
  const isFull = setting.many !== undefined && ids.length >= setting.many.max;
  const hint = isFull ? t('list.full', { count: ids.length }) : undefined;
  return (
    <SettingFrame setting={setting}>
      <PickField
        {...texts}
        description={joinedTexts(description, hint)}
        pickable={pickable}
        without={ids}
        value={null}
        isFull={isFull}
        onPick={(id) => !ids.includes(id) && set([...ids, id])}
      />
      <Tokens
        label={texts.label}
        tokens={ids.map((id) => ({ id, text: pickable.textOf(id), start: pickable.startOf(id) }))}
        removeLabel={(text) => t('list.remove', { item: text })}
        onRemove={(id) => set(ids.filter((one) => one !== id))}
      />
      <PickNotice guild={guild} setting={setting} ids={ids} words={words} />
    </SettingFrame>
  );
}

import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { Popover } from 'react-aria-components/Popover';
import { Select as AriaSelect, type SelectProps as AriaSelectProps, SelectValue } from 'react-aria-components/Select';
import styles from './field.module.css';
import { FieldNotes, type FieldTexts } from './field-parts.tsx';
import { Icon } from './icons.tsx';
import list from './list-box.module.css';
import { Options } from './list-box.tsx';

export interface SelectProps
  extends Omit<AriaSelectProps<object, 'single'>, 'className' | 'style' | 'children'>,
    FieldTexts {
  /** `Option` and `OptionGroup` elements. */
  readonly children: ReactNode;
}

/** One of a few values. */
export function Select({ label, description, error, children, ...props }: SelectProps): ReactNode {
  return (
    <AriaSelect {...props} isInvalid={error !== undefined} className={styles.field ?? ''}>
      <Label className={styles.label}>{label}</Label>
      <Button className={styles.trigger ?? ''}>
        <SelectValue />
        <Icon name="chevron" />
      </Button>
      <FieldNotes description={description} error={error} />
      <Popover className={list.popover ?? ''}>
        <Options>{children}</Options>
      </Popover>
    </AriaSelect>
  );
}

import { type ReactNode, useContext, useEffect } from 'react';
import { Button } from 'react-aria-components/Button';
import {
  ComboBox as AriaComboBox,
  type ComboBoxProps as AriaComboBoxProps,
  ComboBoxStateContext,
} from 'react-aria-components/ComboBox';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import styles from './field.module.css';
import type { FieldTexts } from './field-parts.tsx';
import { Icon } from './icons.tsx';
import list from './list-box.module.css';
import { Options } from './list-box.tsx';

export interface ComboBoxProps<T extends object>
  extends Omit<AriaComboBoxProps<T, 'single'>, 'className' | 'style' | 'children'>,
    FieldTexts {
  readonly placeholder?: string;
  /** The name of the button that opens the list. React Aria has one in some of the page's languages alone. */
  readonly openLabel: string;
  readonly listLabel: string;
  /** In place of options when none fits what was typed. */
  readonly empty?: string;
  readonly children: ReactNode;
}

/**
 * A choice among many values, found by typing. React Aria's, which is larger than a whole page: load the module when it
 * is used.
 */
export function ComboBox<T extends object>(props: ComboBoxProps<T>): ReactNode {
  const { label, description, error, placeholder, openLabel, listLabel, empty, children, ...rest } = props;
  return (
    <AriaComboBox {...rest} isInvalid={error !== undefined} className={styles.field ?? ''}>
      <Label className={styles.label}>{label}</Label>
      <div className={styles.control}>
        <div className={styles.group}>
          <SearchInput placeholder={placeholder} />
          <Button aria-label={openLabel} className={styles.open ?? ''}>
            <Icon name="chevron" />
          </Button>
        </div>
        {error !== undefined && (
          <FieldError className={styles.error ?? ''}>
            <Icon name="warning" />
            <span>{error}</span>
          </FieldError>
        )}
      </div>
      {description !== undefined && (
        <Text slot="description" className={styles.description}>
          {description}
        </Text>
      )}
      <Popover className={list.popover ?? ''}>
        <Options aria-label={listLabel} renderEmptyState={() => <p className={list.empty}>{empty}</p>}>
          {children}
        </Options>
      </Popover>
    </AriaComboBox>
  );
}

/** The input of the search. The first result is active, so that Enter takes it. */
function SearchInput({ placeholder }: { readonly placeholder: string | undefined }): ReactNode {
  const state = useContext(ComboBoxStateContext);
  // After each change, because the list forgets its active value with each key.
  useEffect(() => {
    if (state === null || !state.isOpen) return;
    const { collection, inputValue, selectedItem, selectionManager } = state;
    const isSearching = inputValue.trim() !== '' && inputValue !== selectedItem?.textValue;
    if (!isSearching || selectionManager.focusedKey !== null) return;
    let key = collection.getFirstKey();
    while (key !== null && collection.getItem(key)?.type !== 'item') key = collection.getKeyAfter(key);
    selectionManager.setFocusedKey(key);
  });
  return (
    <Input
      className={styles.input ?? ''}
      {...(placeholder !== undefined && { placeholder })}
      // The list opens again after a value was taken, while the focus is still here.
      onClick={() => state?.open(null, 'manual')}
    />
  );
}

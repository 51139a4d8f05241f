import type { ReactNode } from 'react';
import {
  ListBox as AriaListBox,
  type ListBoxProps as AriaListBoxProps,
  Header,
  ListBoxItem,
  ListBoxSection,
} from 'react-aria-components/ListBox';
import { Text } from 'react-aria-components/Text';
import { Icon } from './icons.tsx';
import styles from './list-box.module.css';

export function Options<T extends object>(props: Omit<AriaListBoxProps<T>, 'className' | 'style'>): ReactNode {
  return <AriaListBox {...props} className={styles.list ?? ''} />;
}

interface OptionProps {
  readonly id: string;
  readonly text: string;
  /** A second line, read out as the description. */
  readonly note?: string | undefined;
  readonly start?: ReactNode;
}

export function Option({ id, text, note, start }: OptionProps): ReactNode {
  return (
    <ListBoxItem id={id} textValue={text} className={styles.item ?? ''}>
      {({ isSelected }) => (
        <>
          {start}
          <span className={styles.text}>
            <Text slot="label">{text}</Text>
            {note !== undefined && (
              <Text slot="description" className={styles.note}>
                {note}
              </Text>
            )}
          </span>
          {isSelected && <Icon name="check" />}
        </>
      )}
    </ListBoxItem>
  );
}

export function OptionGroup({
  heading,
  children,
}: {
  readonly heading: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <ListBoxSection>
      <Header className={styles.header}>{heading}</Header>
      {children}
    </ListBoxSection>
  );
}

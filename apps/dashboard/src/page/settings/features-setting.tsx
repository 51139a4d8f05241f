import { valueIn } from '@guild-settings/contract/settings';
import { fieldLabel, sentences } from '@guild-settings/i18n';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Switch } from '../design/inputs.tsx';
import { Loading, Notice } from '../design/panels.tsx';
import { edit } from '../draft/draft.ts';
import { FEATURES, featureField, featuresIn, fieldOf } from '../draft/fields.ts';
import { featuresQuery, type ListedFeature, listedFeatures } from './features.ts';
import { FeatureConflict, SettingFrame } from './setting.tsx';
import styles from './settings.module.css';
import { descriptionOf, useSettings, useWholeDraft, valueError } from './settings-context.ts';

export function FeaturesSetting(): ReactNode {
  const { guild, issues, words } = useSettings();
  const draft = useWholeDraft();
  const { t, language } = words;
  const { data, isError } = useQuery(featuresQuery);
  const { field } = FEATURES;
  const changed = valueIn(draft.changes, FEATURES);
  const error =
    (changed && valueError(FEATURES, changed, { guild, words })) ??
    issues.find(({ path }) => fieldOf(path) === field)?.message;
  const enabled = featuresIn(draft.settings);
  const theirs = featuresIn(draft.theirs.settings);
  // A feature that was switched off remains in the list.
  const [atFirst] = useState(theirs);
  const names = [...atFirst, ...theirs, ...enabled];
  const features = listedFeatures(data ?? [], names, language);
  return (
    <SettingFrame setting={FEATURES}>
      {words.settings.custom === undefined && <h2>{fieldLabel(field, words)}</h2>}
      <p className={styles.featureHelp}>{descriptionOf(FEATURES, words)}</p>
      {error !== undefined && (
        <Notice tone="danger" role="alert">
          {error}
        </Notice>
      )}
      {isError && <Notice tone="warning">{t('feature.failed')}</Notice>}
      {data === undefined && !isError && <Loading />}
      {data !== undefined && features.length === 0 && <p>{t('feature.none')}</p>}
      {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers. */}
      <ul role="list" className={styles.list}>
        {features.map((feature) => (
          <li key={feature.name}>
            <FeatureSwitch
              feature={feature}
              isOn={enabled.includes(feature.name)}
              isCatalogueKnown={data !== undefined}
              isBetaOn={draft.settings.beta}
            />
            {draft.conflicts.includes(featureField(feature.name)) && (
              <FeatureConflict name={feature.name} label={feature.label} />
            )}
          </li>
        ))}
      </ul>
    </SettingFrame>
  );
}

interface FeatureSwitchProps {
  readonly feature: ListedFeature;
  readonly isOn: boolean;
  readonly isCatalogueKnown: boolean;
  readonly isBetaOn: boolean;
}

function FeatureSwitch({ feature, isOn, isCatalogueKnown, isBetaOn }: FeatureSwitchProps): ReactNode {
  const { store, saver, words } = useSettings();
  const { t } = words;
  const { name, label, description, isBeta, isKnown } = feature;
  const notes = sentences(
    isKnown || !isCatalogueKnown ? description : t('feature.unknown'),
    isBeta && !isBetaOn && t('feature.needsBeta'),
  );
  return (
    <Switch
      label={
        <>
          {label} {isBeta && <span className={styles.badge}>{t('feature.beta')}</span>}
        </>
      }
      description={notes}
      isSelected={isOn}
      onChange={(on) => {
        store.update(edit, featureField(name), on);
        saver.clearIssues(FEATURES.field);
      }}
    />
  );
}

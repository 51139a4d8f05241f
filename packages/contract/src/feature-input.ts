import { z } from 'zod';
import { featureName } from './guild.ts';
import { GuildInput } from './guild-patch.ts';
import { LANGUAGES, type Language } from './languages.ts';

export const EnableFeatureInput = featureInput({ noInvisible: true });

export const FeatureInput = featureInput({ noInvisible: false });

/** The state of an enabled feature of a guild. A disabled feature has no state. */
export const FeatureState = z
  .strictObject({
    name: z.string().meta({ maxLength: 64, description: 'The name in `enabledFeatures`.', examples: ['reminders'] }),
    enabled: z.literal(true).meta({ description: 'The feature is enabled.' }),
  })
  .meta({ id: 'FeatureState', title: 'FeatureState', description: 'The state of an enabled feature.' });
export type FeatureState = z.infer<typeof FeatureState>;

export const FeatureCatalogue = z
  .array(
    z
      .strictObject({
        name: z
          .string()
          .meta({ maxLength: 64, description: 'The name in `enabledFeatures`.', examples: ['reminders'] }),
        beta: z.boolean().meta({ description: 'Whether it requires beta features to be on.' }),
        names: texts('The display name, by language.', 64),
        descriptions: texts('The description, by language.', 512),
      })
      .meta({ id: 'Feature', title: 'Feature', description: 'A feature that the bot has.' }),
  )
  .meta({ description: 'The features of the bot.' });

function featureInput(rules: { readonly noInvisible: boolean }) {
  const description =
    'The name of the feature; in a path as percent-encoded UTF-8. Names outside the catalogue are kept.';
  return z.strictObject({
    ...GuildInput.shape,
    feature: featureName({ ...rules, description }).meta({ examples: ['reminders'] }),
  });
}

function texts(description: string, maxLength: number) {
  const byLanguage = Object.fromEntries(LANGUAGES.map((language) => [language, z.string().meta({ maxLength })]));
  return z.strictObject(byLanguage as Record<Language, z.ZodString>).meta({ description });
}

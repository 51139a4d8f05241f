/** The limits of a declaration. Lengths are in code points. */
export const DECLARATION_LIMITS = {
  settings: 200,
  groups: 25,
  /** Names for `enabledFeatures`: as many as a guild can have enabled. */
  features: 64,
  /** Choices of one setting. */
  choices: 25,
  /** Length of the name of a choice. */
  choiceName: 64,
  /** Length of a label: the most that Discord shows above a control. */
  label: 45,
  description: 300,
  unit: 10,
  /** Length of a text. */
  text: 2_000,
  /** Length of a text in a list. */
  listedText: 100,
  /** Items of a list. */
  items: 25,
  /** Bytes of the largest possible record as JSON. */
  recordBytes: 64 * 1_024,
} as const;

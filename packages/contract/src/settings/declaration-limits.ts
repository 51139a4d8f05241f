/** The limits of a declaration. Lengths are in code points. */
export const DECLARATION_LIMITS = {
  settings: 200,
  groups: 25,
  features: 64,
  choices: 25,
  choiceName: 64,
  /** Length of a label: the most that Discord shows above a control. */
  label: 45,
  description: 300,
  unit: 10,
  /** Length of a text. */
  text: 2_000,
  listedText: 100,
  items: 25,
  /** Bytes of the largest possible record as JSON. */
  recordBytes: 64 * 1_024,
} as const;

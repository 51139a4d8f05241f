/** Texts of the sessions of a person in English: the model of the other languages. */
export const texts = {
  title: 'Sessions',
  intro: 'Where you are logged in. End sessions you do not recognize.',
  current: 'This browser',
  unknownDevice: 'Unknown device',
  started: 'Logged in {{time}}',
  used: 'Last used {{time}}',
  end: 'End',
  endName: 'End the session: {{device}}',
  ended: 'The session was ended: {{device}}',
  endAll: 'End all sessions',
  allHeading: 'End all sessions?',
  allText: 'You will be logged out everywhere, including here. Saved changes stay.',
  allUnsaved: 'Unsaved changes are discarded.',
  cancel: 'Cancel',
  failed: 'The session could not be ended. Please try again.',
};

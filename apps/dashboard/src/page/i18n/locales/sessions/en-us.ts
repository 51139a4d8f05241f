/** Texts of the sessions of a person in English: the model of the other languages. */
export const texts = {
  title: 'Sessions',
  intro: 'Where you are logged in. End what you do not recognise.',
  current: 'This browser',
  unknownDevice: 'Unknown device',
  started: 'Logged in {{time}}',
  used: 'Last used {{time}}',
  end: 'End',
  endName: 'End the session: {{device}}',
  ended: 'The session was ended: {{device}}',
  endAll: 'End all sessions',
  allHeading: 'End all sessions?',
  allText: 'You are logged out everywhere, here as well. Nothing that was saved is lost.',
  allUnsaved: 'Changes that are not saved are discarded.',
  cancel: 'Cancel',
  failed: 'The session could not be ended. Please try again.',
};

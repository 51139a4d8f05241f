import { request } from './request.js';
import { settings } from './settings.js';

export const people = () => call('/people').then((answer) => answer.people);

export const guilds = () => call(`/people/${settings.person}/guilds`).then((answer) => answer.guilds);

export const earlier = (before) => call(`${here()}/messages?${new URLSearchParams({ before })}`);

export const say = (content) => call(`${here()}/messages`, { content });

export const commands = () => call(`${here()}/commands?${language()}`).then((answer) => answer.commands);

export const slash = (command, values) => call(`${here()}/commands`, { command, values, locale: settings.locale });

/** Returns the suggestions of a bot for the option that is being typed. */
export const choices = (command, values, focused) =>
  call(`${here()}/choices`, { command, values, focused, locale: settings.locale });

export const press = (messageId, customId) =>
  call(`${here()}/messages/${messageId}/press`, { customId, locale: settings.locale });

export const stream = () => new EventSource(`/chat${here()}/stream`);

export function interaction({ interactionId }) {
  const path = `${here()}/interactions/${interactionId}`;
  return {
    /** Resolves with the response of the bot and the modal that it opened, as soon as they are known. */
    answer: () => call(path),
    submit: (values) => call(`${path}/submit`, { values, locale: settings.locale }),
  };
}

function here() {
  return `/people/${settings.person}/channels/${settings.channel}`;
}

function language() {
  return new URLSearchParams({ locale: settings.locale });
}

function call(path, body) {
  return request(`/chat${path}`, body);
}

import { request } from './request.js';
import { settings } from './settings.js';

export const people = () => call('/people').then((answer) => answer.people);

export const guilds = () => call(`/people/${settings.person}/guilds`).then((answer) => answer.guilds);

export const earlier = (before) => call(`${here()}/messages?${new URLSearchParams({ before })}`);

export const say = (content) => call(`${here()}/messages`, { content });

export const commands = () => call(`${here()}/commands?${language()}`).then((answer) => answer.commands);

export const slash = (command, values) => call(`${here()}/commands`, { command, values, locale: settings.locale });

export const press = (messageId, customId) =>
  call(`${here()}/messages/${messageId}/press`, { customId, locale: settings.locale });

/** Opens the stream of a channel, which begins with its newest messages. */
export const stream = () => new EventSource(`/chat${here()}/stream`);

/** Returns whether the bot has responded to an interaction, by the channel where it was used. */
export function answeredLater(milliseconds) {
  const place = here();
  return async ({ interactionId }) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return (await call(`${place}/interactions/${interactionId}`)).answered;
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

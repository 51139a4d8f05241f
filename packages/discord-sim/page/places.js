import * as api from './api.js';
import { byId, el, fillPeople, fillSelect, keepingFocus } from './dom.js';
import { choose, settings } from './settings.js';

const [personSelect, guildSelect, channelList] = ['person', 'guild', 'channels'].map(byId);
let people = [];
let guilds = [];
let asked = 0;

/**
 * Fetches the users and their guilds, and keeps the selection as far as it still exists. Returns false when it
 * was called again meanwhile.
 */
export async function loadPlaces() {
  asked += 1;
  const turn = asked;
  const everybody = await api.people();
  if (turn !== asked) return false;
  people = everybody;
  const person = people.find(({ id }) => id === settings.person) ?? people[0];
  choose({ person: person?.id });
  const theirs = person ? await api.guilds() : [];
  if (turn !== asked) return false;
  guilds = theirs;
  fillPeople(personSelect, people, settings.person);
  settle();
  return true;
}

/** Replaces an invalid selection and shows it. */
export function settle() {
  const guild = guilds.find(({ id }) => id === settings.guild) ?? guilds[0];
  const channel = guild?.channels.find(({ id }) => id === settings.channel) ?? guild?.channels[0];
  choose({ guild: guild?.id, channel: channel?.id });
  const entries = guilds.map(({ id, name }) => ({ value: id, label: name }));
  fillSelect(guildSelect, entries, settings.guild);
  const items = inOrder(guild?.channels ?? []).map(channelItem);
  keepingFocus(channelList, () => channelList.replaceChildren(...items));
}

export const currentPerson = () => people.find(({ id }) => id === settings.person);

export const currentGuild = () => guilds.find(({ id }) => id === settings.guild);

export const currentChannel = () => currentGuild()?.channels.find(({ id }) => id === settings.channel);

export function personName(id) {
  return currentGuild()?.members.find((member) => member.id === id)?.name;
}

export function roleName(id) {
  return currentGuild()?.roles.find((role) => role.id === id)?.name;
}

export function channelName(id) {
  return guilds.flatMap(({ channels }) => channels).find((channel) => channel.id === id)?.name;
}

/** Returns input with `@name` and `#name` replaced by mentions, as Discord's client does. */
export function withMentions(text) {
  const { members = [], channels = [] } = currentGuild() ?? {};
  const names = [
    ...members.map(({ id, name }) => [`@${name}`, `<@${id}>`]),
    ...channels.map(({ id, name }) => [`#${name}`, `<#${id}>`]),
  ].sort(([a], [b]) => b.length - a.length);
  return names.reduce((result, [typed, mention]) => result.replaceAll(typed, mention), text);
}

function inOrder(channels) {
  const threadsOf = (parent) => channels.filter(({ parentId }) => parentId === parent.id);
  return channels.filter(({ parentId }) => parentId === null).flatMap((channel) => [channel, ...threadsOf(channel)]);
}

function channelItem({ id, name, type }) {
  const current = id === settings.channel;
  const mark = el('span', { 'aria-hidden': 'true', class: 'mark' }, type === 'thread' ? '↳' : '#');
  const attributes = { type: 'button', 'data-channel': id, class: type, lang: '', 'aria-current': current && 'true' };
  return el('li', {}, el('button', attributes, mark, name));
}

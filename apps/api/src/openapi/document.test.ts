import { LANGUAGES } from '@guild-settings/contract';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from './document.ts';
import { REST_OPERATIONS } from './operation-paths.ts';

const METHODS = ['get', 'patch', 'post', 'put', 'delete'] as const;

const operations = Object.entries(openApiDocument().paths ?? {}).flatMap(([path, item]) =>
  METHODS.flatMap((method) => (item[method] ? [{ name: `${method} ${path}`, operation: item[method] }] : [])),
);

describe('the OpenAPI document', () => {
  test('lists the responses to a request that is malformed, too slow or too large, for every operation', () => {
    expect(operations.length).toBeGreaterThan(25);
    const incomplete = operations.filter(({ operation }) =>
      ['400', '408', '431', '500'].some((status) => !(status in (operation.responses ?? {}))),
    );
    expect(incomplete.map(({ name }) => name)).toEqual([]);
  });

  test('states for every operation whether it needs credentials', () => {
    const open = operations.filter(({ operation }) => operation.security?.length === 0).map(({ name }) => name);
    const closed = operations.filter(({ operation }) => operation.security?.length).map(({ name }) => name);
    expect(closed.every((name) => /^(?:get|patch|post|put|delete) \/(?:guilds\/|imports$|users\/@me)/.test(name))).toBe(
      true,
    );
    expect([...open, ...closed].sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  test('closes requests and opens responses: unknown fields, and values of lists', () => {
    const schemas = JSON.parse(JSON.stringify(openApiDocument().components?.schemas));
    const { FollowEvent, Guild, GuildPatch, HistoryEntry } = schemas;
    expect(GuildPatch).toMatchObject({ additionalProperties: false, properties: { language: { enum: LANGUAGES } } });
    const query = openApiDocument().paths?.['/guilds/{guild}/history']?.get?.parameters;
    expect(query).toContainEqual(
      expect.objectContaining({ name: 'kind', schema: { type: 'string', enum: ['settings', 'access', 'platform'] } }),
    );
    expect(Guild.properties.language).toMatchObject({ type: 'string', 'x-extensible-enum': LANGUAGES });
    const { kind, origin, actor } = HistoryEntry.properties;
    for (const open of [kind, origin, actor.properties.kind]) expect(open).toHaveProperty('x-extensible-enum');
    expect(FollowEvent.description).toMatch(
      /Later versions may add types: skip an event whose `type` you do not know\./,
    );
    const responses = operations.map(({ operation }) => operation.responses);
    const text = JSON.stringify([responses, Guild, HistoryEntry, schemas.Problem, FollowEvent]);
    expect(text).not.toMatch(/"additionalProperties":false|"enum":/);
  });

  test('lists for every operation that writes that the write may be unconfirmed', () => {
    // The outcomes of an import into several guilds are in its rows.
    const writing = REST_OPERATIONS.filter(({ type, rest }) => type === 'mutation' && rest.path !== '/imports');
    expect(writing.length).toBeGreaterThan(7);
    const unlisted = writing.filter(({ rest }) => !rest.problems.includes('write-unconfirmed'));
    expect(unlisted.map(({ rest }) => rest.operationId)).toEqual([]);
  });

  test('has fields that a caller may send back, which are read-only in the record alone', () => {
    const schemas = JSON.parse(JSON.stringify(openApiDocument().components?.schemas));
    const readOnlyOf = (name: string) =>
      Object.entries<{ readOnly?: boolean }>(schemas[name].properties).filter(([, { readOnly }]) => readOnly);
    expect(readOnlyOf('Guild').map(([name]) => name)).toEqual(['name', 'icon']);
    expect(readOnlyOf('GuildPatch')).toEqual([]);
  });
});

import {
  DeclaredSettings,
  declaredSchemas,
  fits,
  recordSchema,
  type Setting,
  SPECIFIED_SETTINGS,
} from '@guild-settings/contract';
import type { OpenAPIObject } from 'trpc-openapi';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** Returns the OpenAPI document of a deployment, with the declared settings in requests, responses and examples. */
export function withDeclared(document: OpenAPIObject, settings: DeclaredSettings): OpenAPIObject {
  if (settings.tag === undefined) return withoutDeclaration(document);
  const shown = withoutFormerNames(settings);
  const declared = structuredClone(document) as unknown as Json;
  at(declared, 'components', 'headers', 'ETag', 'schema').pattern = '^"[0-9]+(-[0-9a-z]{8,18})?"$';
  at(declared, 'components', 'headers', 'ETag').example = `"7-0k3x9w2a5q${settings.tag}"`;
  addNull(at(declared, 'components', 'schemas'), shown);
  return shown.custom === undefined
    ? (declared as unknown as OpenAPIObject)
    : withCustom(declared, shown, shown.custom);
}

/**
 * Returns the settings by their current names only. Requests with former names come from programs that have not been
 * updated.
 */
function withoutFormerNames({ declaration, tag }: DeclaredSettings): DeclaredSettings {
  const entries = Object.entries(declaration?.settings ?? {}).map(([name, { was: _, ...declared }]) => [
    name,
    declared,
  ]);
  return new DeclaredSettings({ ...declaration, settings: Object.fromEntries(entries) }, tag);
}

/** Adds null to the specified settings in requests. */
function addNull(schemas: Json, settings: DeclaredSettings): void {
  const { GuildPatch, ImportDocument, ImportRow } = declaredSchemas(settings);
  const bodies = [
    [at(schemas, 'GuildPatch'), GuildPatch],
    [at(schemas, 'ImportDocument', 'properties', 'settings'), ImportDocument.shape.settings],
    [at(schemas, 'ImportRow', 'properties', 'settings'), ImportRow.shape.settings],
  ] as const;
  for (const [documented, { shape }] of bodies) {
    documented.description = `${documented.description} null resets to the default.`;
    for (const { name } of SPECIFIED_SETTINGS.all) {
      at(documented, 'properties')[name] = toJson(shape[name as keyof typeof shape]);
    }
  }
}

function withoutDeclaration(document: OpenAPIObject): OpenAPIObject {
  const events = at(document, 'components', 'schemas', 'FollowEvent');
  const oneOf = (events.oneOf as Json[]).filter((event) => at(event, 'properties', 'type').const !== 'declaration');
  const schemas = { ...document.components?.schemas, FollowEvent: { ...events, oneOf } };
  return { ...document, components: { ...document.components, schemas } };
}

function withCustom(declared: Json, settings: DeclaredSettings, custom: readonly Setting[]): OpenAPIObject {
  const schemas = at(declared, 'components', 'schemas');
  const record = toJson(z.object(Object.fromEntries(custom.map((setting) => [setting.name, recordSchema(setting)]))));
  const { GuildPatch, ImportDocument, ImportRow, HistoryInput } = declaredSchemas(settings);
  add(at(schemas, 'Guild'), { ...record, description: 'The declared settings: the values in effect.' });
  const body = { ...toJson(GuildPatch.shape.custom), description: 'Declared settings to change; null: the default.' };
  add(at(schemas, 'GuildPatch'), body, { isOptional: true });
  const inDocument = toJson(ImportDocument.shape.settings.shape.custom);
  add(at(schemas, 'ImportDocument', 'properties', 'settings'), inDocument, { isOptional: true });
  const inRow = toJson(ImportRow.shape.settings.shape.custom);
  add(at(schemas, 'ImportRow', 'properties', 'settings'), inRow, { isOptional: true });
  const skipped = { type: 'array', items: { $ref: '#/components/schemas/SkippedField' } };
  const reason = at(schemas, 'SkippedField', 'properties', 'reason');
  reason.description = `${reason.description} \`reserved\`: only the application can change it. \`invalid\`: it is no longer valid.`;
  for (const operation of operationsOf(declared)) {
    const { operationId = '', parameters = [], responses = {} } = operation as Operation;
    if (operationId === 'exportGuild') {
      const schema = at(responses, '200', 'content', 'application/json', 'schema');
      add(at(schema, 'properties', 'settings'), record);
    }
    if (operationId === 'importGuilds') {
      const outcomes = at(responses, '200', 'content', 'application/json', 'schema', 'properties', 'guilds', 'items');
      const [changed] = outcomes.anyOf as readonly Json[];
      at(changed, 'properties').skipped = {
        ...skipped,
        description: 'The settings that were skipped; absent: none.',
      };
    }
    if (operationId === 'readHistory') {
      const field = parameters.find(({ name }) => name === 'field');
      if (field) Object.assign(at(field, 'schema'), toJson(HistoryInput.shape.field));
    }
  }
  return withExamples(declared, settings.effective({}).custom) as OpenAPIObject;
}

interface Operation {
  readonly operationId?: string;
  readonly parameters?: Json[];
  readonly responses?: Json;
}

function operationsOf(document: Json): readonly unknown[] {
  return Object.values(at(document, 'paths')).flatMap((item) => Object.values(item as Json));
}

function add(schema: Json, custom: Json, { isOptional = false } = {}): void {
  at(schema, 'properties').custom = custom;
  if (!isOptional && Array.isArray(schema.required)) schema.required.push('custom');
}

function withExamples(value: unknown, custom: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withExamples(item, custom));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    name === 'defaults' ? inner : withExamples(inner, custom),
  ]);
  const isRecord = SPECIFIED_SETTINGS.all.every((setting) => fits(setting, (value as Json)[setting.name]));
  return Object.fromEntries(isRecord ? [...entries, ['custom', custom]] : entries);
}

function toJson(schema: z.ZodType): Json {
  const { $schema: _, ...keywords } = z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) as Json;
  return keywords;
}

function at(value: unknown, ...names: readonly string[]): Json {
  return names.reduce((inner, name) => inner[name] as Json, value as Json);
}

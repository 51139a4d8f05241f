/** A place where Discord's published document contradicts Discord's documentation. */
export interface Erratum {
  /** JSON pointer into the document. */
  readonly pointer: string;
  /** The text to be replaced. A document with another text no longer needs the erratum. */
  readonly published: unknown;
  readonly corrected: unknown;
  readonly reason: string;
}

const PERMISSIONS = {
  published: { type: ['integer', 'null'], minimum: 0, maximum: 2 ** 54 },
  corrected: { type: ['string', 'integer', 'null'] },
  reason:
    'Permissions are bit sets beyond 2^53, sent as strings: https://discord.com/developers/docs/topics/permissions',
};

/** The known errors of the document. */
export const ERRATA: readonly Erratum[] = [
  {
    pointer: '/components/schemas/InnerErrors/properties/_errors/items',
    published: { $ref: '#/components/schemas/Error' },
    corrected: {
      type: 'object',
      properties: { code: { type: 'string' }, message: { type: 'string' } },
      required: ['code', 'message'],
    },
    reason:
      'The codes of single fields are names such as BASE_TYPE_REQUIRED: https://discord.com/developers/docs/reference#error-messages',
  },
  {
    pointer: '/components/schemas/ApplicationCommandUpdateRequest/properties/default_member_permissions',
    ...PERMISSIONS,
  },
  {
    pointer: '/components/schemas/ApplicationCommandCreateRequest/properties/default_member_permissions',
    ...PERMISSIONS,
  },
  {
    pointer: '/components/schemas/ApplicationCommandPatchRequestPartial/properties/default_member_permissions',
    ...PERMISSIONS,
  },
];

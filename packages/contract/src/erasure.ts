import { z } from 'zod';

/** The input of an operation about the caller alone: none. */
export const NoInput = z.strictObject({}).default({});

/** The result of an operation without one. */
export const NoResult = z.null().meta({ description: 'No result: the call succeeded.' });

import { z } from 'zod';

export const NoInput = z.strictObject({}).default({});

export const NoResult = z.null().meta({ description: 'No result: the call succeeded.' });

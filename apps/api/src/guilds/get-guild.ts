import { Guild, ProblemError } from '@guild-settings/contract';
import { evaluatePrecondition } from '../domain/precondition.ts';
import { giving, guildManager } from '../trpc.ts';
import { preconditionOf } from './request-preconditions.ts';

/** Reads a guild's record. */
export const getGuild = giving(
  Guild,
  guildManager
    .meta({
      openapi: {
        method: 'GET',
        path: '/guilds/{guild}',
        operationId: 'getGuild',
        tags: ['guilds'],
        errorResponses: [],
        summary: 'Get guild information',
        description: "Reads a guild's record. A guild that nobody has changed yet has the defaults.",
      },
    })
    .query(async ({ ctx }) => {
      const precondition = preconditionOf(ctx);
      const { guild, revision } = await ctx.services.guilds.read(ctx.guild, ctx.stamp);
      const verdict = evaluatePrecondition(precondition, revision);
      if (verdict === 'failed') throw new ProblemError('revision-mismatch', { current: guild });
      ctx.reply.revision = revision;
      ctx.reply.notModified = verdict === 'not-modified';
      return guild;
    }),
);

import type { Snowflake } from 'discord-api-types/v10';
import type { Bot } from './entities.ts';

/** The bots, by application. */
export class Bots {
  readonly #bots = new Map<Snowflake, Bot>();

  add(bot: Bot): void {
    this.#bots.set(bot.applicationId, bot);
  }

  /**
   * Returns the bot of an application, by default the only bot.
   *
   * @throws {Error} when there is none, or several and none was named
   */
  bot(applicationId?: Snowflake): Bot {
    const [only, ...others] = this.#bots.values();
    const found = applicationId === undefined ? only : this.#bots.get(applicationId);
    if (!found) throw new Error(`Application ${applicationId ?? ''} has no bot`);
    if (applicationId === undefined && others.length > 0) throw new Error('Several bots: name one by applicationId');
    return found;
  }

  findByToken(token: string): Bot | null {
    for (const bot of this.#bots.values()) if (bot.token === token) return bot;
    return null;
  }

  /** Returns all bots. */
  all(): Bot[] {
    return [...this.#bots.values()];
  }
}

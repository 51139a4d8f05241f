import { type Message, openEvents } from './streams.ts';
import { waitUntil } from './index.ts';
import { revisionTagIn } from './api.ts';

const escaped = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Writes down answers, without what differs between runs: times and epochs. */
export class Transcript {
  readonly #lines: string[] = [];
  readonly #starts: string[] = [];

  note(what: string, ...lines: readonly string[]): void {
    this.#lines.push(`# ${what}`, ...lines, '');
  }

  async answer(what: unknown, response: Response): Promise<void> {
    const title = typeof what === 'string' ? what : JSON.stringify(what);
    this.note(
      title.replaceAll(/\p{C}/gu, escaped),
      `${response.status} ${revisionTagIn(response) ?? '-'}`,
      this.#shortened(await response.text()),
    );
  }

  /** Leaves out what is before the issues of a problem where an answer had the same: most of the text. */
  #shortened(body: string): string {
    const issues = body.indexOf('"issues":');
    if (issues === -1) return body;
    const start = body.slice(0, issues);
    const known = this.#starts.indexOf(start);
    if (known !== -1) return `(start ${known}) ${body.slice(issues)}`;
    this.#starts.push(start);
    return body;
  }

  toString(): string {
    return this.#lines
      .join('\n')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
      .replaceAll(/^id: [^:\n]+:/gm, 'id: EPOCH:')
      .replaceAll(/"epoch":"[^"]+"/g, '"epoch":"EPOCH"');
  }
}

/** Opens a stream of events. Returns a function that waits for a number of events of some types, and returns their text. */
export async function openRawStream(url: string, token: string, types: readonly string[]) {
  const parse = ({ data }: Message) => (JSON.parse(data) as { readonly type: string }).type;
  const { events, texts, close } = await openEvents(url, { token, parse });
  const received = () => texts.filter((_text, index) => types.includes(events[index] ?? ''));
  const wait = async (count: number) => {
    await waitUntil(() => received().length >= count);
    return received().join('\n\n');
  };
  return { wait, close };
}

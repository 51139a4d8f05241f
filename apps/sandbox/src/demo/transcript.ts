export type TranscriptLine =
  | { readonly kind: 'chapter'; readonly title: string }
  | { readonly kind: 'said'; readonly who: string; readonly where: string; readonly text: string }
  | {
      readonly kind: 'request';
      readonly role: string;
      readonly method: string;
      readonly path: string;
      readonly body?: unknown;
      readonly status: number;
      readonly arrival?: string;
    }
  /** Milliseconds from the response to a change to the bot's first reply with the new settings. */
  | { readonly kind: 'first-use'; readonly what: string; readonly milliseconds: number }
  | { readonly kind: 'event'; readonly text: string };

export function lineText(line: TranscriptLine): string {
  switch (line.kind) {
    case 'chapter':
      return `\n${line.title}`;
    case 'said': {
      const [first = '', ...others] = line.text.split('\n');
      const indent = ' '.repeat(line.who.length + 4);
      return [`  ${line.who}: ${first}`, ...others.map((text) => `${indent}${text}`)].join('\n');
    }
    case 'request': {
      const body = line.body === undefined ? '' : ` ${shortened(JSON.stringify(line.body))}`;
      return `  ${line.role}: ${line.method} ${line.path}${body} -> ${line.status}${line.arrival === undefined ? '' : `, ${line.arrival}`}`;
    }
    case 'first-use':
      return `  (${line.what}: used by the bot ${line.milliseconds.toFixed(1)} ms after the response)`;
    case 'event':
      return `  * ${line.text}`;
  }
}

const MAX_BODY_CHARACTERS = 120;

function shortened(text: string): string {
  return text.length > MAX_BODY_CHARACTERS ? `${text.slice(0, MAX_BODY_CHARACTERS)}...` : text;
}

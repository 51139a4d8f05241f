/** A part of a text: its own text, or the parts inside a format. */
export interface MarkdownNode {
  readonly type: string;
  readonly text?: string;
  readonly children?: readonly MarkdownNode[];
  readonly id?: string;
  readonly url?: string;
  readonly seconds?: number;
  readonly style?: string;
}

export function parse(text: string): MarkdownNode[];

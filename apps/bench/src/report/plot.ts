import type { KeptResult } from '../history/run.ts';
import { decades, type Scale, ticks } from './log-scale.ts';
import { short } from './numbers.ts';

type Curved = Pick<KeptResult, 'id' | 'unit' | 'curve' | 'axes'>;

const WIDTH = 720;
const HEIGHT = 320;
/** The right margin has room for the lines' names. */
const MARGIN = { top: 44, right: 190, bottom: 48, left: 78 } as const;
const LINE_HEIGHT = 15;

const STYLE = `
text { font: 12px system-ui, sans-serif; fill: #1f2328; }
.title { font-size: 14px; font-weight: 600; }
.paper { fill: #ffffff; }
.grid { stroke: #d1d9e0; }
.line { fill: none; stroke-width: 2; }
.leader { fill: none; stroke-dasharray: 2 2; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; }
.paper { fill: #0d1117; }
.grid { stroke: #3d444d; }
}`;
/** Visible on white and on black, and distinguishable for colour-blind readers. */
const COLOURS = ['#2f81d6', '#d4731c', '#1f9d78', '#b565a7', '#8a8d1a', '#8b949e'];

/** Draws cost against size as SVG: a panel for each row with a curve. Null when there is none. */
export function plot(results: readonly Curved[]): string | null {
  const panels = results.map(panel).filter((one) => one !== null);
  if (panels.length === 0) return null;
  const height = panels.length * HEIGHT;
  const placed = panels.map((one, index) => `<g transform="translate(0 ${index * HEIGHT})">\n${one}\n</g>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>Cost against size</title>
<style>${STYLE}
</style>
<rect class="paper" width="${WIDTH}" height="${height}"/>
${placed.join('\n')}
</svg>
`;
}

interface Dot {
  readonly name: string;
  readonly size: number;
  readonly value: number;
}

function panel({ id, unit, curve = [], axes }: Curved): string | null {
  const dots = curve.filter((point): point is Dot => point.size > 0 && point.value !== null && point.value > 0);
  if (dots.length === 0) return null;
  const { size: across, value: upwards } = axes ?? { size: 'size', value: unit };
  const bottom = HEIGHT - MARGIN.bottom;
  const right = WIDTH - MARGIN.right;
  const x = decades(
    dots.map(({ size }) => size),
    [MARGIN.left, right],
  );
  const y = decades(
    dots.map(({ value }) => value),
    [bottom, MARGIN.top],
  );
  const names = [...new Set(dots.map(({ name }) => name))];
  const series = names.map((name, index) => ({
    name,
    colour: COLOURS[index % COLOURS.length] ?? '',
    dots: dots.filter((dot) => dot.name === name).toSorted((one, other) => one.size - other.size),
  }));
  const middle = (MARGIN.top + bottom) / 2;
  return [
    text({ x: MARGIN.left, y: 24, className: 'title' }, `${id}: ${upwards} against ${across}`),
    ...ticks(x).map(
      (tick) =>
        `<path class="grid" d="M${at(x(tick))} ${MARGIN.top}V${bottom}"/>${text({ x: x(tick), y: bottom + 18, anchor: 'middle' }, short(tick))}`,
    ),
    ...ticks(y).map(
      (tick) =>
        `<path class="grid" d="M${MARGIN.left} ${at(y(tick))}H${right}"/>${text({ x: MARGIN.left - 8, y: y(tick) + 4, anchor: 'end' }, short(tick))}`,
    ),
    text({ x: (MARGIN.left + right) / 2, y: bottom + 38, anchor: 'middle' }, across),
    `<g transform="translate(18 ${middle}) rotate(-90)">${text({ x: 0, y: 0, anchor: 'middle' }, upwards)}</g>`,
    ...series.map((one) => line(one, x, y)),
    ...labels(series, y).flatMap(({ name, colour, end, height }) => [
      `<path class="leader" stroke="${colour}" d="M${at(x(end.size))} ${at(y(end.value))}L${right + 8} ${at(height)}h10"/>`,
      text({ x: right + 22, y: height + 4 }, name),
    ]),
  ].join('\n');
}

interface Series {
  readonly name: string;
  readonly colour: string;
  readonly dots: readonly Dot[];
}

function line({ colour, dots }: Series, x: Scale, y: Scale): string {
  const path = dots.map(({ size, value }) => `${at(x(size))} ${at(y(value))}`).join('L');
  const circles = dots.map(
    ({ size, value }) => `<circle cx="${at(x(size))}" cy="${at(y(value))}" r="3.5" fill="${colour}"/>`,
  );
  return `<path class="line" stroke="${colour}" d="M${path}"/>${circles.join('')}`;
}

/** Places the names at the ends of their lines without overlaps. */
function labels(series: readonly Series[], y: Scale) {
  let lowest = Number.NEGATIVE_INFINITY;
  return series
    .flatMap(({ dots, ...rest }) => {
      const end = dots.at(-1);
      return end === undefined ? [] : [{ ...rest, end, height: y(end.value) }];
    })
    .toSorted((one, other) => one.height - other.height)
    .map((label) => {
      lowest = Math.max(label.height, lowest + LINE_HEIGHT);
      return { ...label, height: lowest };
    });
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly anchor?: 'middle' | 'end';
  readonly className?: string;
}

function text({ x, y, anchor, className }: Place, content: string): string {
  const attributes = `${anchor ? ` text-anchor="${anchor}"` : ''}${className ? ` class="${className}"` : ''}`;
  return `<text x="${at(x)}" y="${at(y)}"${attributes}>${escaped(content)}</text>`;
}

function at(position: number): string {
  return String(Math.round(position * 10) / 10);
}

function escaped(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

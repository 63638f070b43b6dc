import { escapeHtml, shortened } from '../text/index.ts';
import type { GameGraph, Transition } from './game-graph.ts';
import { type Box, layersOf } from './layers.ts';

const characterWidth = 7.3;
const lineHeight = 17;
const padding = 8;
const margin = 24;
const lineLengthMax = 48;

/** A box with lines of text. */
interface TextBox extends Box {
  readonly kind: 'state' | 'initial' | 'cause' | 'start' | 'script';
  readonly lines: readonly string[];
}

interface Link {
  readonly from: TextBox | undefined;
  readonly to: TextBox;
  /** A box in the middle of the link. */
  readonly label?: TextBox;
}

/** Draws a graph: the states of its switches, then its scripts. The colours follow the colour scheme of the reader. */
export function graphSvg(graph: GameGraph): string {
  let [width, height] = [0, margin];
  const parts = [...statesOf(graph), flowOf(graph)].flatMap(([boxes, links]) => {
    if (boxes.length === 0) return [];
    const part = drawn(boxes, links);
    const svg = `<g transform="translate(${margin} ${height})">${part.svg}</g>`;
    width = Math.max(width, part.width + 2 * margin);
    height += part.height + 2 * margin;
    return svg;
  });
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}><title>${escapeHtml(graph.title ?? '')}</title><style>${style}</style>${arrow}<rect class="page" ${size}/>${parts.join('')}</svg>\n`;
}

type Diagram = readonly [boxes: readonly TextBox[], links: readonly Link[]];

/** The states of each switch, with the scripts that lead from one to the next. */
function statesOf({ switches, scripts }: GameGraph): Diagram[] {
  const names = new Map(scripts.map(({ script, name }) => [script, name]));
  return switches.map(({ variable, values, transitions }) => {
    const states = new Map<Transition['from'], TextBox>(
      values.map(({ value, isInitial, constants }) => {
        const kind = isInitial ? 'initial' : 'state';
        return [value, textBox(kind, [`${variable} = ${String(value) || '""'}`, ...constants])];
      }),
    );
    const links = transitions.map(({ from, to, script, conditions }): Link => {
      const lines = [names.get(script)!, ...(conditions.length > 0 ? [`if ${conditions.join(', ')}`] : [])];
      const label = textBox('cause', from === undefined ? ['from any other:', ...lines] : lines);
      return { from: states.get(from), to: states.get(to)!, label };
    });
    return [[...states.values()], links];
  });
}

/** What starts scripts, which others they start, and what they set. */
function flowOf({ scripts }: GameGraph): Diagram {
  const starts = new Map(scripts.flatMap((script) => script.starts.map((start) => [start, textBox('start', [start])])));
  const boxes = new Map(
    scripts.map(({ script, name, runs, writes }) => {
      const sets = writes.length === 0 ? [] : [`sets ${writes.join(', ')}`];
      return [script, textBox('script', [runs.includes(script) ? `${name} ↻` : name, ...sets])];
    }),
  );
  const links = scripts.flatMap(({ script, starts: by, runs }) => [
    ...by.map((start) => ({ from: starts.get(start), to: boxes.get(script)! })),
    ...runs.flatMap((run) => (run === script ? [] : { from: boxes.get(script), to: boxes.get(run)! })),
  ]);
  return [[...starts.values(), ...boxes.values()], links];
}

function textBox(kind: TextBox['kind'], lines: readonly string[]): TextBox {
  const longest = Math.max(...lines.map((line) => Math.min(line.length, lineLengthMax)));
  return {
    kind,
    lines,
    width: Math.ceil(longest * characterWidth) + 2 * padding,
    height: lines.length * lineHeight + padding,
  };
}

function drawn(boxes: readonly TextBox[], links: readonly Link[]) {
  const order = topological(boxes, links);
  const steps = links.flatMap(({ from, to, label }) => {
    const isBack = from !== undefined && order.indexOf(from) > order.indexOf(to);
    const route = [from ?? [], label ?? [], to].flat();
    return route.slice(1).map((end, i) => ({ ends: [route[i]!, end], isBack, isLast: end === to }));
  });
  const { placed, routes } = layersOf(
    [...boxes, ...links.flatMap(({ label }) => label ?? [])],
    steps.map(({ ends: [from, to], isBack }) => (isBack ? [to!, from!] : [from!, to!])),
  );
  const top = Math.min(...placed.map(({ middle, height }) => middle - height / 2));
  const lines = routes.map(([first, ...rest], i) => {
    const { isBack, isLast } = steps[i]!;
    const head = isLast ? ` marker-${isBack ? 'start' : 'end'}="url(#arrow)"` : '';
    let last = first!;
    const curves = rest.map((next) => {
      const x = (last.right + next.left) / 2;
      const curve = `C${x} ${last.middle - top} ${x} ${next.middle - top} ${next.left} ${next.middle - top}`;
      last = next;
      return next.box === undefined ? `${curve}H${next.right}` : curve;
    });
    return `<path class="link"${head} d="M${first!.right} ${first!.middle - top}${curves.join('')}"/>`;
  });
  const shapes = placed.map(({ box, left, middle }) =>
    box === undefined ? '' : boxDrawing(box, left, middle - top - box.height / 2),
  );
  return {
    svg: [...lines, ...shapes].join(''),
    width: Math.max(...placed.map(({ right }) => right)),
    height: Math.max(...placed.map(({ middle, height }) => middle + height / 2)) - top,
  };
}

/** Orders boxes so that each is before those to which it leads, as far as they do not form cycles. */
function topological(boxes: readonly TextBox[], links: readonly Link[]): TextBox[] {
  const done: TextBox[] = [];
  const seen = new Set<TextBox>();
  const visit = (box: TextBox): void => {
    if (seen.has(box)) return;
    seen.add(box);
    for (const { from, to } of links) if (from === box) visit(to);
    done.unshift(box);
  };
  for (const box of boxes) visit(box);
  return done;
}

function boxDrawing({ kind, lines, width, height }: TextBox, x: number, y: number): string {
  const texts = lines.map((line, i) => {
    const text = `${escapeHtml(shortened(line, lineLengthMax))}<title>${escapeHtml(line)}</title>`;
    return `<text${i === 0 ? '' : ' class="more"'} x="${padding}" y="${(i + 1) * lineHeight - 1}">${text}</text>`;
  });
  return `<g class="${kind}" transform="translate(${x} ${y})"><rect width="${width}" height="${height}" rx="5"/>${texts.join('')}</g>`;
}

const arrow =
  '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="arrow" d="M0 0L10 5L0 10z"/></marker></defs>';

const style = `
text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1c2430 }
.more { fill: #5b6675 }
.page { fill: #fff; stroke: none }
.link { fill: none; stroke: #8a95a5; stroke-width: 1.3 }
.arrow { fill: #8a95a5 }
rect { stroke: #b7c0cc; fill: #f6f8fa }
.state rect, .initial rect { fill: #dcebff; stroke: #4a86d8; rx: 12px }
.initial rect { stroke-width: 3 }
.cause rect { fill: #fff; stroke: none }
.start rect { fill: #fff0d2; stroke: #c98a1b }
@media (prefers-color-scheme: dark) {
text { fill: #e6ebf2 }
.more { fill: #9aa6b5 }
.page, .cause rect { fill: #14181f }
.link { stroke: #75808f }
.arrow { fill: #75808f }
rect { stroke: #465160; fill: #1f262f }
.state rect, .initial rect { fill: #1b3557; stroke: #5c9bf0 }
.start rect { fill: #45340f; stroke: #d79c31 }
}`;

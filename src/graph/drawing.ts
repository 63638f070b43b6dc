import type { Graph } from '@viz-js/viz';
import { shortened } from '../text/index.ts';
import type { GameGraph, Transition } from './game-graph.ts';

const lengthMax = 60;
/** How many of the scripts that lead from one state to another are named. */
const shownMax = 4;

/** The colours of the reader's system, light or dark. */
const style =
  '<style>svg { color-scheme: light dark } text { fill: CanvasText } .graph > polygon { fill: Canvas } .node path, .cluster path { stroke: GrayText } .edge path, .edge polygon { stroke: CanvasText } .edge polygon { fill: CanvasText } .initial path { stroke: CanvasText; stroke-width: 2.5 }</style>';

const plain = { shape: 'plain' };
const font = { fontname: 'Arial', fontsize: 12 };

/**
 * A graph as an SVG, or in the language of Graphviz. With `ran`, the paths of the actions that have run, transitions
 * that did not happen are dashed.
 */
export async function drawn(graph: GameGraph, format: 'svg' | 'dot', ran?: ReadonlySet<string>): Promise<string> {
  // Imported only here, because the module loads a megabyte of WebAssembly.
  const { instance } = await import('@viz-js/viz');
  const text = (await instance()).renderString(drawingOf(graph, ran), { format: format === 'dot' ? 'canon' : format });
  return format === 'dot' ? text : text.slice(text.indexOf('<svg')).replace('>', `>${style}`);
}

/** A cluster for each switch, and boxes for scripts. */
function drawingOf({ switches, scripts }: GameGraph, ran: ReadonlySet<string> | undefined): Graph {
  // Without a text, the picture would be an empty square.
  const legend = ran === undefined ? '' : 'dashed: did not happen';
  const label = switches.length + scripts.length > 0 ? legend : 'No variable of the game has states.';
  return {
    graphAttributes: { ...font, rankdir: 'LR', style: 'rounded', label },
    nodeAttributes: { ...font, shape: 'box', style: 'rounded' },
    edgeAttributes: { ...font, label: '' },
    nodes: [
      ...scripts.map(({ script, name, writes }) => box(script, [name, ...writes.map((key) => `sets ${key}`)])),
      ...scripts.flatMap(({ starts }) => starts).map((start) => box(start, [start], plain)),
    ],
    edges: scripts.flatMap(({ script, starts, runs }) => [
      ...starts.map((tail) => ({ tail, head: script })),
      ...runs.map((head) => ({ tail: script, head })),
    ]),
    subgraphs: switches.map(({ variable, values, transitions }) => {
      const idOf = (value: unknown) => `${variable} = ${value}`;
      return {
        name: `cluster ${variable}`,
        graphAttributes: { label: variable },
        nodes: [
          ...transitions.flatMap(({ from }) => (from === undefined ? box(idOf(from), ['any other'], plain) : [])),
          ...values.map(({ value, isInitial, constants }) =>
            box(idOf(value), [String(value), ...constants], isInitial ? { class: 'initial' } : {}),
          ),
        ],
        edges: transitions
          .filter((each) => each === transitions.find((other) => isAlike(each, other)))
          .map((first) => {
            const alike = transitions.filter((each) => isAlike(each, first));
            const style = ran && !alike.some(({ action }) => ran.has(action)) ? 'dashed' : 'solid';
            return { tail: idOf(first.from), head: idOf(first.to), attributes: { label: labelOf(alike), style } };
          }),
      };
    }),
  };
}

function isAlike(one: Transition, other: Transition) {
  return one.from === other.from && one.to === other.to;
}

function labelOf(transitions: readonly Transition[]) {
  const texts = [...new Set(transitions.map((each) => lines([causeOf(each)])))];
  const more = texts.length > shownMax ? [`and ${texts.length - shownMax} more`] : [];
  return [...texts.slice(0, shownMax), ...more].join('\n');
}

function causeOf({ name, conditions }: Transition) {
  return [name, ...conditions].join(', if ');
}

/** A transition as text: `state: lobby → round by start, if players >= 2`. */
export function transitionText(variable: string, transition: Transition): string {
  const { from = 'any other', to } = transition;
  return `${variable}: ${from} → ${to} by ${causeOf(transition)}`;
}

function box(name: string, texts: readonly string[], attributes: Readonly<Record<string, string>> = {}) {
  return { name, attributes: { label: lines(texts), ...attributes } };
}

/**
 * The lines of a label. Backslashes are escaped, because Graphviz would take them for the start of an escape sequence.
 */
function lines(texts: readonly string[]) {
  return texts.map((text) => shortened(text, lengthMax).replaceAll('\\', '\\\\')).join('\n');
}

import { ExpressionError } from '../../expression/index.ts';
import {
  type Answer,
  type Cause,
  isFirstValue,
  type Read,
  type Series,
  type SeriesValue,
  type Write,
} from '../../why/index.ts';
import { type Markup, markup } from '../parts/element.ts';
import type { History } from '../time/history.ts';
import { boundsOf, sparkline } from '../time/sparkline.ts';
import { heading, note, numberText, soft } from './details.ts';
import { scriptLink, smallButton, tickButton, watchButton } from './links.ts';

/** The number of writes listed after the current tick, and before it. */
const laterShown = 4;
const earlierShown = 40;

interface ValueView {
  readonly history: History;
  readonly expression: string | undefined;
  readonly tick: number;
  /** Whether the play is running. If so, only content that is available immediately is shown. */
  readonly isMoving: boolean;
  /** The expressions that are plotted; undefined if the page has no plots. */
  readonly watched: readonly string[] | undefined;
  /** The values that writes read and whose explanations the user has opened. */
  readonly opened: ReadonlySet<string>;
}

/** The parts of the view that explanations need. */
type Explained = Pick<ValueView, 'history' | 'opened'>;

/** A value over the whole play, the explanation of its current value, and all its writes. */
export function valueContent(view: ValueView): readonly Markup[] {
  const { history, expression, tick, isMoving, watched } = view;
  if (expression === undefined)
    return note('Choose an attribute or variable in one of the lists, or enter an expression above and press “Why”.');
  try {
    const series = history.series(expression);
    const span = history.span;
    return [
      markup('h2', markup('code', expression), ...watchButton(expression, watched)),
      sparkline(series, span, tick, true),
      ...(series === undefined ? note('Reading the play …') : [rangeLine(series), stepper(series, tick, 'change')]),
      ...(isMoving
        ? note('Pause to see why.')
        : [markup('h3', 'Why'), ...answerContent(view, history.why(expression, tick), true)]),
      ...(series === undefined ? [] : writesContent(view, expression, series)),
    ];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [markup('h2', markup('code', expression)), markup('pre.bad', [error.message, ...error.place].join('\n'))];
  }
}

/** Buttons that go to the previous and the next occurrence, and the number of occurrences. */
export function stepper(series: Series, tick: number, word: string): Markup {
  const { before, after } = series.around(tick);
  const count = series.ticks.length;
  const number = series.indexAt(tick) + 1;
  const go = (at: number | undefined, text: string): Markup =>
    smallButton(text, { 'data-tick': at, disabled: at === undefined });
  return markup(
    'p.stepper',
    go(before, `‹ previous ${word}`),
    soft(` ${number} of ${count} `),
    go(after, `next ${word} ›`),
  );
}

function rangeLine(series: Series): Markup {
  if (!series.isNumeric) return markup('p.range.soft', '');
  const { low, high } = boundsOf(series);
  return markup('p.range.soft', low === high ? `always ${shown(low)}` : `from ${shown(low)} to ${shown(high)}`);
}

/**
 * Explanations of expressions at a tick. Leaves out invalid expressions, for example with names that only the scenario
 * knows.
 */
export function whyAt(view: Explained, expressions: readonly string[], tick: number): Markup[] {
  return expressions.flatMap((expression) => {
    try {
      return answerContent(view, view.history.why(expression, tick), false);
    } catch (error) {
      if (error instanceof ExpressionError) return [];
      throw error;
    }
  });
}

/**
 * If the answer is about a part of a condition, `told` is the write of the whole condition. If the part has the same
 * write, its causes are not shown again.
 */
function answerContent(view: Explained, answer: Answer, isFirst: boolean, told?: Write): Markup[] {
  const { question, text, write, notes = [], parts = [], tick } = answer;
  const noted = notes.map((line) => markup('p.note', ...withScripts(view.history, line)));
  const isPart = parts.length > 0;
  // If a part of the condition still has its first value, the notes, which say what would have made the condition true,
  // come first. The first value of a whole condition is not explained, only those of its parts.
  const isUnchanged = parts.some(isFirstValue);
  return [
    markup('p.answer', isFirst ? markup('code', question) : valueButton(question, tick), ' is ', markup('b', text)),
    ...(isUnchanged ? noted : []),
    ...(write === undefined
      ? isPart
        ? []
        : [markup('p.soft', 'The value has not changed since the play began.')]
      : isFirstValue(answer)
        ? isPart
          ? []
          : firstContent(view, write)
        : write.tick === told?.tick && write.step === told.step
          ? [writeHead(write, '; the cause is the same as above')]
          : writeContent(view, write)),
    ...(isUnchanged ? [] : noted),
    ...parts.map((part) => markup('div.part', ...answerContent(view, part, false, write))),
  ];
}

/** The write with which an entity got its first value; its causes are collapsed. */
function firstContent(view: Explained, write: Write): Markup[] {
  return [
    writeHead(write),
    markup('details', markup('summary', 'Where the first value came from'), causesContent(view, write)),
  ];
}

/** A text with links for the names of scripts, which are in quotes. */
export function withScripts(history: History, text: string): Markup[] {
  return text.split(/("[^"]+")/).map((piece) => {
    const place = piece.startsWith('"') ? history.placeOf(piece.slice(1, -1)) : undefined;
    return place === undefined ? piece : scriptLink(place, piece);
  });
}

function writeContent(view: Explained, write: Write): Markup[] {
  const { posted = [], earlier = [] } = write;
  return [
    ...earlier.map((each) => writeHead(each, ` by ${causeText(each)}`)),
    writeHead(write),
    ...posted.map((text) => markup('p.mono', text)),
    causesContent(view, write),
  ];
}

function writeHead({ tick, seconds, beforeText, afterText }: Write, by = ''): Markup {
  return markup(
    'p.write',
    tickButton(tick),
    soft(` ${seconds.toFixed(2)} s `),
    afterText !== undefined && markup('span.mono', `${beforeText} → ${afterText}`),
    by,
  );
}

function causesContent(view: Explained, { causes }: Write): Markup {
  return markup('ul.causes', ...causes.map((cause, i) => markup('li', causeContent(view, cause, i === 0))));
}

const words: Readonly<Partial<Record<Cause['kind'], string>>> = {
  condition: 'inside',
  action: 'called by',
  script: 'in',
};

function causeContent(view: Explained, cause: Cause, isFirst: boolean): Markup {
  const { kind, text, script, path, reads = [], started } = cause;
  return markup(
    'span',
    soft(`${isFirst ? 'by' : (words[kind] ?? 'from')} `),
    script === undefined ? text : scriptLink(script, text, path),
    ...reads.map((read) => readContent(view, read)),
    ...(started === undefined ? [] : writeContent(view, started)),
  );
}

function readContent(view: Explained, read: Read): Markup {
  const { text, valueText, expression, tick, step } = read;
  const key = `${expression} ${tick} ${step}`;
  const isOpen = view.opened.has(key);
  if (expression === undefined) return markup('span.read', `${text} was `, markup('b', valueText));
  const why = isOpen ? view.history.whyRead(read) : undefined;
  return markup(
    'span.read',
    valueButton(expression, tick),
    ' was ',
    markup('b', valueText),
    ' ',
    smallButton(isOpen ? 'close' : 'why?', { 'data-open': key, 'aria-expanded': String(isOpen) }),
    why !== undefined && markup('div.part', ...answerContent(view, why, false)),
  );
}

function valueButton(expression: string, tick?: number): Markup {
  return markup(
    'button.link',
    { type: 'button', 'data-value': expression, 'data-tick': tick },
    markup('code', expression),
  );
}

function writesContent({ history, tick }: ValueView, expression: string, series: Series): Markup[] {
  const { ticks, values } = series;
  const at = series.indexAt(tick);
  const [from, to] = [Math.min(ticks.length - 1, at + laterShown), Math.max(0, at - earlierShown)];
  const rows: Markup[] = [];
  for (let i = from; i >= to; i--) {
    const write = i === 0 ? null : history.write(expression, ticks[i]!);
    const change = i === 0 ? shown(values[0]!) : `${shown(values[i - 1]!)} → ${shown(values[i]!)}`;
    rows.push(
      markup(
        'p',
        { class: i === at ? 'event current' : i > at ? 'event later' : 'event' },
        tickButton(ticks[i]!),
        ' ',
        markup('span.mono', change),
        markup(
          'small',
          i === 0 ? 'its first value' : write === undefined ? '…' : write === null ? '' : `by ${causeText(write)}`,
        ),
      ),
    );
  }
  return [heading('Writes', Math.max(0, ticks.length - 1)), ...rows];
}

function causeText({ causes }: Write): string {
  const script = causes.find(({ kind }) => kind === 'script');
  const [cause] = causes;
  return `${cause?.text ?? 'the game'}${script === undefined || script === cause ? '' : ` in ${script.text}`}`;
}

function shown(value: SeriesValue) {
  return value === null ? 'nothing' : numberText(value);
}

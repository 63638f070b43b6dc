import {
  type Action,
  type Block,
  type Condition,
  literalText,
  type ScriptNode,
  scriptsIn,
} from '../../../engine/index.ts';
import type { CompiledScript } from '../../../engine/tools.ts';
import { nameText } from '../../expression/index.ts';
import { actionText, conditionText, type FalseCondition } from '../../run/index.ts';
import type { StepPosition } from '../../why/index.ts';
import { type Markup, markup } from '../parts/element.ts';
import type { History } from '../time/history.ts';
import { sparkline } from '../time/sparkline.ts';
import type { Watch } from '../time/watch.ts';
import { note, soft } from './details.ts';
import { smallButton, tickButton, valueLink, watchButton } from './links.ts';
import { stepper } from './value-panel.ts';

interface ScriptView {
  readonly watch: Watch;
  /** The record of the whole play; undefined if only a part of the play is known. */
  readonly history: History | undefined;
  /** The script, as `scripts/KEY`, and the path of the chosen action. */
  readonly place: string;
  readonly line: string | undefined;
  readonly isMoving: boolean;
  /** The expressions that are plotted; undefined if the page has no plots. */
  readonly watched: readonly string[] | undefined;
  /** The action of this tick at which stepping stopped. */
  readonly step: StepPosition | undefined;
}

/**
 * The text of a script, annotated with the actions that ran in this tick, how often, and which conditions were false,
 * with the values of their operands.
 */
export function scriptContent(view: ScriptView): readonly Markup[] {
  const { watch, history, place, isMoving, watched, step } = view;
  const { tick } = watch;
  const script = scriptsIn(watch.sim).scripts.find((each) => each.place === place);
  const back = smallButton('‹ all scripts', { 'data-script': '' });
  if (script === undefined) return [back, ...note(`This game has no script ${place}.`)];
  const question = `runs ${nameText(script.name)}`;
  const series = history?.script(script.index);
  const span = history?.span;
  const runs = watch.scripts().find((each) => each.place === place)?.count ?? 0;
  return [
    markup(
      'p.stepper',
      back,
      ...(history === undefined
        ? []
        : [
            smallButton('◂ action', { 'data-step': -1, title: 'The previous action, even in an earlier tick (,)' }),
            smallButton('action ▸', { 'data-step': 1, title: 'The next action, even in a later tick (.)' }),
          ]),
    ),
    markup('h2', script.name),
    markup('small', place),
    ...(history === undefined || span === undefined
      ? []
      : [
          sparkline(series, span, tick),
          ...(series === undefined
            ? note('The script did not run in the part of the play that was read so far.')
            : [stepper(series, tick, 'run')]),
          markup(
            'p',
            smallButton(series === undefined ? 'Why not?' : 'Why?', { 'data-value': question }),
            ...watchButton(question, watched),
          ),
        ]),
    markup(
      'p',
      { class: isMoving || runs === 0 ? 'soft' : '' },
      isMoving
        ? ''
        : runs === 0
          ? `The script did not run in tick ${tick}.`
          : `The script ran ${runs}× in tick ${tick}.`,
    ),
    ...(step === undefined ? [] : stepContent(step)),
    markup('div.code', ...linesOf(script, view)),
    ...chosenContent(view, script),
  ];
}

function stepContent({ index, steps }: StepPosition): Markup[] {
  return [
    markup('p.answer', `Action ${index + 1} of ${steps.length} in this tick`),
    ...steps[index]!.reads.map(({ text, value }) => markup('p.event.mono', text, ' is ', markup('b', value))),
  ];
}

function linesOf(script: CompiledScript, view: ScriptView): Markup[] {
  const { node } = script;
  const lines: Markup[] = [];
  for (const trigger of node.source.triggers)
    lines.push(
      row(0, [
        markup('span.word', 'when '),
        view.history === undefined ? trigger : valueLink(`fired ${trigger}`, trigger),
      ]),
    );
  if (!node.conditions.isEmpty && !node.conditions.isDefaultGuard)
    lines.push(
      row(0, [markup('span.word', 'only if '), conditionText(node.conditions)]),
      ...falseLines(node.conditions, 1, view),
    );
  blockLines(node.actions, 0, view, lines);
  if (node.actions.elements.length === 0) lines.push(row(0, [soft('no actions')]));
  return lines;
}

const lengthMax = 400;

function blockLines(block: Block, depth: number, view: ScriptView, lines: Markup[]) {
  for (const action of block.elements) {
    if (action.kind !== 'action') continue;
    const count = view.watch.countAt(action.location);
    const isOff = action.location < 0;
    const text =
      action.type === 'comment' ? `// ${literalText(action.member('comment')) ?? ''}` : actionText(action, lengthMax);
    const { path } = action;
    const isStep = view.step?.steps[view.step.index]?.action === action;
    const marks = [isOff && 'off', isStep && 'step', view.line === path && 'chosen'].filter(Boolean).join(' ');
    lines.push(row(depth, [text], marks, path, view.isMoving ? 0 : count));
    const condition = action.operands.find((each): each is Condition => each.kind === 'condition');
    if (condition !== undefined) lines.push(...falseLines(condition, depth + 1, view));
    for (const inner of action.blocks) {
      if (inner.elements.length === 0) continue;
      if (inner.key === 'else') lines.push(row(depth, [markup('span.word', 'else')]));
      blockLines(inner, depth + 1, view, lines);
    }
  }
}

/**
 * The comparisons of a condition that were false, with the values of their operands; red if they were false in the
 * current tick.
 */
function falseLines(condition: Condition, depth: number, { watch }: ScriptView): Markup[] {
  return watch.falseIn(condition).map((each) => {
    const isNow = each.tick === watch.tick;
    return row(depth, [falseText(each, isNow)], isNow ? 'false note' : 'note');
  });
}

function falseText({ text, sides, tick }: FalseCondition, isNow: boolean): string {
  const values = sides.length === 0 ? text : sides.join(', ');
  return `✗ false${isNow ? '' : ` in tick ${tick}`}: ${values}`;
}

/** A line of the text. `marks`: its classes, besides `ran`. An action has a path. `count`: how often it ran. */
function row(depth: number, content: readonly Markup[], marks = '', path?: string, count = 0): Markup {
  const text = markup('span', { style: `padding-left:${depth * 0.9}rem` }, ...content);
  const isOff = /\boff\b/.test(marks);
  const times = markup('small', isOff ? 'off' : count > 1 ? `${count}×` : count === 1 ? '●' : '');
  const line = { class: ['line', count > 0 && 'ran', marks].filter(Boolean).join(' ') };
  if (path === undefined) return markup('div', line, times, text);
  const isStep = /\bstep\b/.test(marks);
  const action = { type: 'button', ...line, 'data-line': path, 'aria-current': isStep ? 'step' : undefined };
  return markup('button', action, times, text);
}

/** Links to the ticks in which the chosen action ran. */
function chosenContent({ watch, history, line }: ScriptView, script: CompiledScript): Markup[] {
  if (line === undefined || history === undefined) return [];
  const action = actionAtPath(script.node, line);
  if (action === undefined) return [];
  const series = history.line(action.location);
  return [
    markup('h3', 'The chosen line'),
    markup('p.mono', actionText(action, lengthMax)),
    ...(series === undefined
      ? note('This line never ran in the play.')
      : [
          stepper(series, watch.tick, 'run'),
          markup('p.list', 'First ', tickButton(series.ticks[0]!), 'last ', tickButton(series.ticks.at(-1)!)),
        ]),
  ];
}

function actionAtPath({ actions }: ScriptNode, path: string): Action | undefined {
  let block: Block | undefined = actions;
  let action: Action | undefined;
  const keys = path.split('/');
  for (let i = 0; i < keys.length && block !== undefined; i += 2) {
    const found: Block['elements'][number] | undefined = block.elements[Number(keys[i])];
    if (found?.kind !== 'action') return undefined;
    action = found;
    block = action.blocks.find(({ key }) => String(key) === keys[i + 1]);
  }
  return action;
}

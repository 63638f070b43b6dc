import { type Simulation, type StateView, scriptsIn, type ValueView } from '../../../engine/index.ts';
import { nameText } from '../../expression/index.ts';
import type { FalseCondition, LoggedEvent, ShownFailure } from '../../run/index.ts';
import { amount } from '../../text/index.ts';
import type { StepPosition } from '../../why/index.ts';
import { type Markup, markup } from '../parts/element.ts';
import type { History } from '../time/history.ts';
import { sparkline } from '../time/sparkline.ts';
import { clockText } from '../time/timeline.ts';
import type { ScriptRun, Watch } from '../time/watch.ts';
import {
  attributeText,
  entityList,
  heading,
  idButton,
  idNode,
  note,
  section,
  soft,
  tableRow,
  valueNode,
} from './details.ts';
import { failureContent } from './failure-panel.ts';
import type { JournalTab } from './journal-tabs.ts';
import { scriptLink, tickButton, valueLink } from './links.ts';
import { scriptContent } from './script-panel.ts';
import { valueContent, whyAt } from './value-panel.ts';

const listedMax = 200;

/** The play, and the selections of the user, from which the lists are made. */
interface ListView {
  readonly watch: Watch;
  readonly selected: string | undefined;
  readonly isMoving: boolean;
  readonly failure?: ShownFailure | undefined;
  /** An SVG of the game's states; '' if there is none. */
  readonly states?: string | undefined;
  /**
   * The record of the whole play. Undefined for a play that is still running; values and scripts are then not shown as
   * links.
   */
  readonly history?: History | undefined;
  /**
   * `value` is the expression that the tab “Value” shows. `opened` contains the values that its writes have read and
   * whose explanations the user has opened.
   */
  readonly value?: string | undefined;
  readonly opened?: ReadonlySet<string>;
  /**
   * `script` is the script whose text is shown, `line` the path of the chosen action in it, and `step` the action at
   * which stepping stopped.
   */
  readonly script?: string | undefined;
  readonly line?: string | undefined;
  readonly step?: StepPosition | undefined;
  /** The expressions that are plotted on the time line; undefined if the page has no plots. */
  readonly watched?: readonly string[];
}

/** Keeps only the rows that contain a text. */
export function filtered(content: readonly Markup[], text: string): readonly Markup[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return content;
  const kept = content.flatMap((node): Markup[] => {
    if (typeof node === 'string') return [node];
    const isRow = node.name === 'li' || node.name === 'tr' || node.attributes['class'] === 'event';
    if (isRow) return textOf(node).toLowerCase().includes(wanted) ? [node] : [];
    return [{ ...node, children: filtered(node.children, wanted) }];
  });
  // Keeps the heading of a tick only if events of that tick follow it.
  return kept.filter((node, i) => !isTickHeading(node) || (kept[i + 1] !== undefined && !isTickHeading(kept[i + 1]!)));
}

function isTickHeading(node: Markup): boolean {
  return typeof node !== 'string' && node.attributes['class'] === 'tick';
}

function textOf(node: Markup): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}

const nothingOpened: ReadonlySet<string> = new Set();

/**
 * The content of one of the lists next to the stage: selected entity, all entities, a value, scripts, triggers that
 * fired, outputs, faults.
 */
export function journalContent(tab: JournalTab, view: ListView): readonly Markup[] {
  const { watch, selected, isMoving, failure, history, value, script, line, step } = view;
  const { watched, opened = nothingOpened, states = '' } = view;
  const drawing =
    states === ''
      ? []
      : [
          markup('h3', 'States'),
          markup(
            'p.drawing',
            markup('img', { src: `data:image/svg+xml,${encodeURIComponent(states)}`, alt: 'A diagram of states' }),
          ),
        ];
  switch (tab) {
    case 'failure':
      return failure === undefined
        ? []
        : failureContent(failure, failureWhy(failure, history, opened), drawing, history);
    case 'entity':
      return entityContent(watch.sim, selected, history);
    case 'all':
      return [...allContent(watch.sim, selected, history), ...drawing];
    case 'value':
      return history === undefined
        ? note(isMoving ? 'Pause to see why.' : 'Reading the play …')
        : valueContent({ history, expression: value, tick: watch.tick, isMoving, watched, opened });
    case 'scripts':
      return script === undefined
        ? scriptsContent(watch, isMoving, history)
        : scriptContent({ watch, history, place: script, line, isMoving, watched, step });
    case 'triggers':
      return eventsContent(watch.events('trigger', listedMax), 'No trigger fired in the last ticks.', 'fired', view);
    case 'outputs':
      return eventsContent(
        watch.events('output', listedMax),
        'There were no output events in the last ticks.',
        'outputs',
        view,
      );
    case 'faults':
      return faultsContent(watch.sim);
  }
}

function failureWhy({ report }: ShownFailure, history: History | undefined, opened: ReadonlySet<string>): Markup[] {
  const { questions, expressions, tick } = report;
  return history === undefined ? [] : whyAt({ history, opened }, questions ?? expressions, tick);
}

/** The name of a value, as a link with a plot if the whole play is known. */
function valueRow(history: History | undefined, expression: string, name: string, tick: number): Markup[] {
  if (history === undefined) return [markup('th', { scope: 'row' }, name)];
  const series = history.known(expression);
  const span = history.span;
  const isFlat = series === undefined || series.ticks.length < 2;
  return [markup('th', { scope: 'row' }, valueLink(expression, name), !isFlat && sparkline(series, span, tick))];
}

/** Values in a table, each a link to its history. `prefix`: `u12.`, or '' for global variables. */
function valueSection(
  title: string,
  values: ValueView | undefined,
  {
    prefix,
    history,
    tick,
    show,
  }: {
    readonly prefix: string;
    readonly history: History | undefined;
    readonly tick: number;
    readonly show?: (key: string, value: ValueView) => Markup;
  },
): Markup[] {
  const entries = Object.entries((values ?? {}) as Record<string, ValueView>);
  const rowOf = ([key, value]: [string, ValueView]): Markup =>
    markup(
      'tr',
      ...valueRow(isValue(history, prefix + nameText(key)) ? history : undefined, prefix + nameText(key), key, tick),
      markup('td', show?.(key, value) ?? valueNode(value)),
    );
  const [own, engine] = [
    entries.filter(([key]) => !key.startsWith('@')),
    entries.filter(([key]) => key.startsWith('@')),
  ];
  if (entries.length === 0) return [];
  return [
    markup('h3', title),
    ...(own.length === 0 ? [] : [markup('table', ...own.map(rowOf))]),
    ...(engine.length === 0
      ? []
      : [
          markup(
            'details',
            markup('summary', `${engine.length} with names that start with @`),
            markup('table', ...engine.map(rowOf)),
          ),
        ]),
  ];
}

/**
 * Expressions for properties of entities, such as `u12.x`. The history does not record these values, but can evaluate
 * them when the user opens one.
 */
const asked = /^[a-z]+\d+\.(x|y|angle|owner|holding|quantity|hidden|moving|name|coins)$/;

function isValue(history: History | undefined, expression: string): boolean {
  return history?.known(expression) !== undefined || asked.test(expression);
}

function entityContent(sim: Simulation, id: string | undefined, history: History | undefined): readonly Markup[] {
  if (id === undefined) return note('Select an entity on the map or in the list “All”.');
  const view = sim.view();
  const shown = viewOf(view, id);
  if (shown === undefined) return note(`${id} is not in the game at this tick.`);
  const unit = view.units.find((each) => each.id === id);
  const { attributes, bounds, variables, id: _id, ...others } = shown as Record<string, ValueView>;
  const of = { prefix: `${id}.`, history, tick: sim.tick };
  const rest = unit === undefined ? others : withoutMembers(others, [...inventoryMembers, ...mindMembers]);
  const name = rest['name'];
  return [
    markup('h2', typeof name === 'string' && name !== '' ? `${name} ` : '', markup('code', id)),
    ...(history === undefined ? [] : [markup('p', valueLink(id, `What made ${id}?`))]),
    ...valueSection('Attributes', attributes, {
      ...of,
      show: (key, value) => attributeText(value, (bounds as Record<string, ValueView>)?.[key]),
    }),
    ...(unit === undefined ? [] : unitSections(view, unit)),
    ...valueSection('Variables', variables, of),
    ...valueSection('State', rest, of),
  ];
}

/** Members of a unit that are shown in their own section. */
const inventoryMembers = ['slots', 'tradeSlots', 'slot', 'holding'] as const;
const mindMembers = ['ai', 'aiTarget', 'buffs'] as const;

function withoutMembers(values: Record<string, ValueView>, names: readonly string[]): Record<string, ValueView> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function unitSections(
  view: StateView,
  { slots, tradeSlots, slot, ai, aiTarget, buffs }: StateView['units'][number],
): Markup[] {
  const nodes: Markup[] = [];
  const carried = [
    ...slots.map((item, i) => [`Slot ${i + 1}${i === slot ? ' (selected)' : ''}`, item] as const),
    ...tradeSlots.map((item, i) => [`Offered ${i + 1}`, item] as const),
  ];
  if (carried.some(([, item]) => item !== null)) {
    const rows = carried.map(([name, id]) => {
      const item = view.items.find((each) => each.id === id);
      const amount = item === undefined || item.quantity === null ? '' : ` ×${item.quantity}`;
      const about = item === undefined ? '–' : markup('span.list', idButton(item.id), `${item.name}${amount}`);
      return tableRow(name, about);
    });
    nodes.push(markup('h3', 'Inventory'), markup('table', ...rows));
  }
  const timed = buffs.map(({ attribute, amount, endsAtMs }): [string, ValueView] => {
    return [attribute, `${amount > 0 ? '+' : ''}${amount}, for ${((endsAtMs - view.timeMs) / 1000).toFixed(1)} s more`];
  });
  nodes.push(...section('Buffs', Object.fromEntries(timed)));
  if (ai !== null) nodes.push(...section('AI', { mode: ai, target: aiTarget }));
  return nodes;
}

function viewOf({ units, items, projectiles, players, debris, regions }: StateView, id: string): object | undefined {
  for (const list of [units, items, projectiles, players, debris, regions]) {
    const found = (list as readonly { readonly id: string }[]).find((each) => each.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function allContent(sim: Simulation, selected: string | undefined, history: History | undefined): readonly Markup[] {
  const groups: [string, readonly [id: string, about: string][]][] = [
    [
      'Players',
      sim
        .players()
        .filter(({ controlledBy }) => controlledBy === 'human')
        .map(({ id, name, typeName }) => [id, `${name}${typeName === undefined ? '' : ` · ${typeName}`}`]),
    ],
    [
      'Units',
      sim.units().map(({ id, name, typeName, state }) => [id, [name, typeName, state].filter(Boolean).join(' · ')]),
    ],
    ['Items', sim.items().map(({ id, name, owner }) => [id, owner === undefined ? name : `${name} · of ${owner.id}`])],
    ['Projectiles', sim.projectiles().map(({ id, typeName }) => [id, typeName ?? ''])],
    ['Regions', sim.regions().map(({ id, name }) => [id, name])],
    ['Debris', sim.debris().map(({ id, name }) => [id, name])],
  ];
  const variables = sim.view().variables;
  return [
    ...valueSection('Global variables', variables, { prefix: '', history, tick: sim.tick }),
    ...groups.flatMap(([title, list]) => entityList(title, list, selected)),
  ];
}

/**
 * The scripts that ran in this tick, and those that ran recently. During playback, a list per tick would change too
 * fast to be read, so there is only one list, sorted by name. False conditions are assigned to scripts by name.
 */
function scriptsContent(watch: Watch, isMoving: boolean, history: History | undefined): readonly Markup[] {
  const { tick } = watch;
  const conditions = watch.falseConditions(listedMax);
  const now = isMoving ? [] : watch.scripts();
  const recent = watch.recentScripts();
  const ofNow = new Set(now.map(({ place }) => place));
  const isNow = (each: FalseCondition) => !isMoving && each.tick === tick;
  const before = recent.filter(({ place }) => !ofNow.has(place));
  const falseBefore = conditions.filter((each) => !isNow(each));
  const earlier = scriptRows(before, falseBefore, tick);
  if (isMoving) return earlier;
  return [
    markup('h3', `In tick ${tick}`),
    ...scriptRows(now, conditions.filter(isNow), tick),
    markup('h3', 'Earlier'),
    ...earlier,
    ...otherScripts(watch.sim, new Set([...now, ...recent].map(({ place }) => place)), history),
  ];
}

/** The scripts that did not run recently. */
function otherScripts(sim: Simulation, shown: ReadonlySet<string>, history: History | undefined): readonly Markup[] {
  const others = scriptsIn(sim).scripts.filter(({ place }) => !shown.has(place));
  if (others.length === 0) return [];
  const rows = others.map(({ name, place, index }) => {
    const runs = history?.script(index)?.ticks.length ?? 0;
    const about = history === undefined ? '' : runs === 0 ? ' never ran' : ` ran in ${amount(runs, 'tick')}`;
    return markup('div.event', scriptLink(place, name), soft(about));
  });
  return [heading('Other scripts', others.length), ...rows];
}

function scriptRows(runs: readonly ScriptRun[], conditions: readonly FalseCondition[], now: number): readonly Markup[] {
  const names = new Set(runs.map(({ script }) => script));
  const others = new Set(conditions.map(({ script }) => script).filter((script) => !names.has(script)));
  const linesOf = (script: string) =>
    conditions.filter((each) => each.script === script).map((each) => conditionLine(each, now));
  if (runs.length + others.size === 0) return note('No script ran.');
  return [
    ...runs.map(({ script, place, count, tick }) =>
      markup(
        'div.event',
        scriptLink(place, script),
        soft(
          ` ${[count > 1 ? `${count}×` : '', tick === now ? '' : `last in tick ${tick}`].filter(Boolean).join(' · ')}`,
        ),
        markup('small', place),
        ...linesOf(script),
      ),
    ),
    ...Array.from(others, (script) => markup('div.event', markup('b', script), ...linesOf(script))),
  ];
}

function conditionLine({ text, sides, count, tick }: FalseCondition, now: number): Markup {
  const about = [
    sides.join(', '),
    count > 1 ? `${count} times recently` : '',
    tick === now ? '' : `last in tick ${tick}`,
  ];
  return markup(
    'div.condition',
    markup('span.bad', '✗ '),
    markup('code', text),
    markup('small', about.filter(Boolean).join(' · ')),
  );
}

function eventsContent(
  events: readonly LoggedEvent[],
  none: string,
  word: 'fired' | 'outputs',
  { history, watch }: ListView,
): readonly Markup[] {
  if (events.length === 0) return note(none);
  let tick = -1;
  const rows: Markup[] = [];
  for (const event of events) {
    if (event.tick !== tick) {
      tick = event.tick;
      rows.push(markup('h3.tick', tickButton(tick), soft(` ${clockText(event.time)}`)));
    }
    const { name, on, to, scriptId, actionType, details } = event;
    const line: Markup[] = [history === undefined ? markup('b', name) : valueLink(`${word} ${name}`, name)];
    if (on !== undefined) line.push(' ', idNode(on));
    if (to !== undefined) line.push(' to ', to === 'everyone' ? to : idNode(to));
    for (const [key, value] of Object.entries(details)) line.push(' ', soft(key), ' ', valueNode(value));
    if (scriptId !== undefined) {
      const action = actionType === undefined ? '' : `, ${actionType}`;
      line.push(markup('small', placeLink(watch.sim, scriptId), action));
    }
    rows.push(markup('p.event', ...line));
  }
  return rows;
}

/** A source location as a link to the line in its script. */
function placeLink(sim: Simulation, at: string): Markup {
  const script = scriptsIn(sim).scripts.find(({ place }) => at === place || at.startsWith(`${place}/actions/`));
  if (script === undefined) return at;
  const line = at.slice(`${script.place}/actions/`.length);
  return scriptLink(script.place, at, line === '' ? undefined : line);
}

function faultsContent(sim: Simulation): readonly Markup[] {
  const faults = sim.faults();
  if (faults.length === 0) return note('There were no faults up to this tick.');
  return faults.map(({ code, at, message, count, firstTick }) =>
    markup(
      'p.event',
      markup('b.bad', code),
      ` ${message}`,
      markup('small', placeLink(sim, at), ` · ${amount(count, 'time')}, first in `, tickButton(firstTick)),
    ),
  );
}

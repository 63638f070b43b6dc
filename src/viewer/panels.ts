import type { Simulation, StateView, ValueView } from '../../engine/index.ts';
import type { LoggedEvent } from '../run/events.ts';
import { element } from './element.ts';
import type { Playback } from './playback.ts';
import { clockText } from './timeline.ts';

const tabs = { entity: 'Entity', all: 'All', triggers: 'Triggers', outputs: 'Outputs', faults: 'Faults' } as const;
export type Tab = keyof typeof tabs;

const listedMax = 200;
const textMax = 400;

/** Lists beside the stage: the chosen entity, everything there is, what fired, what was told, what went wrong. */
export class Panels {
  readonly root: HTMLElement;
  private tab: Tab = 'all';
  private readonly buttons = new Map<Tab, HTMLButtonElement>();
  private readonly body = element('div', { class: 'body', role: 'tabpanel', id: 'panel', tabindex: 0 });
  private readonly choose: (id: string) => void;
  private readonly refresh: () => void;

  constructor(ports: { readonly choose: (id: string) => void; readonly refresh: () => void }) {
    this.choose = ports.choose;
    this.refresh = ports.refresh;
    const list = element('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Lists' });
    for (const tab of Object.keys(tabs) as Tab[]) {
      const made = element(
        'button',
        { type: 'button', role: 'tab', id: `tab-${tab}`, 'aria-controls': 'panel' },
        tabs[tab],
      );
      made.addEventListener('click', () => this.open(tab));
      list.append(made);
      this.buttons.set(tab, made);
    }
    list.addEventListener('keydown', (event) => this.walk(event));
    this.root = element('aside', { class: 'panels', 'aria-label': 'Details' }, list, this.body);
    this.mark();
    this.body.addEventListener('click', ({ target }) => {
      const id = (target as HTMLElement).closest<HTMLElement>('[data-id]')?.dataset['id'];
      if (id !== undefined) this.choose(id);
    });
  }

  open(tab: Tab): void {
    this.tab = tab;
    this.mark();
    this.body.scrollTop = 0;
    this.refresh();
  }

  show(playback: Playback, chosen: string | undefined): void {
    // A list that is drawn anew would otherwise take away what the keyboard is on.
    const focused = this.body.contains(document.activeElement) ? document.activeElement : undefined;
    const focusedId = focused instanceof HTMLElement ? focused.dataset['id'] : undefined;
    this.body.replaceChildren(...this.content(playback, chosen));
    if (focusedId !== undefined) this.body.querySelector<HTMLElement>(`[data-id="${CSS.escape(focusedId)}"]`)?.focus();
  }

  private content(playback: Playback, chosen: string | undefined): readonly Node[] {
    switch (this.tab) {
      case 'entity':
        return entityContent(playback.sim, chosen);
      case 'all':
        return allContent(playback.sim, chosen);
      case 'triggers':
        return eventsContent(playback.events('trigger', listedMax), 'No trigger fired in the last ticks.');
      case 'outputs':
        return eventsContent(
          playback.events('output', listedMax),
          'Nothing was told to the outside in the last ticks.',
        );
      case 'faults':
        return faultsContent(playback.sim);
    }
  }

  private mark(): void {
    for (const [tab, made] of this.buttons) {
      made.setAttribute('aria-selected', String(tab === this.tab));
      made.tabIndex = tab === this.tab ? 0 : -1;
    }
    this.body.setAttribute('aria-labelledby', `tab-${this.tab}`);
  }

  private walk(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...this.buttons.keys()];
    const next = all[(all.indexOf(this.tab) + step + all.length) % all.length]!;
    this.open(next);
    this.buttons.get(next)!.focus();
  }
}

function note(text: string): Node[] {
  return [element('p', { class: 'soft' }, text)];
}

function entityContent(sim: Simulation, id: string | undefined): readonly Node[] {
  if (id === undefined) return note('Click something on the map, or choose it in the list “All”.');
  const view = sim.view();
  const shown = viewOf(view, id);
  if (shown === undefined) return note(`${id} is not in the game at this tick.`);
  const { attributes, bounds, variables, id: _id, ...rest } = shown as Record<string, ValueView>;
  const name = rest['name'];
  return [
    element('h2', {}, typeof name === 'string' && name !== '' ? `${name} ` : '', element('code', {}, id)),
    ...section('Attributes', attributes, (key, value) =>
      attributeText(value, (bounds as Record<string, ValueView>)?.[key]),
    ),
    ...section('Variables', variables),
    ...section('State', rest),
  ];
}

function viewOf({ units, items, projectiles, players, debris, regions }: StateView, id: string): object | undefined {
  for (const list of [units, items, projectiles, players, debris, regions]) {
    const found = (list as readonly { readonly id: string }[]).find((each) => each.id === id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function section(
  title: string,
  values: ValueView | undefined,
  show: (key: string, value: ValueView) => Node = (_key, value) => valueNode(value),
): Node[] {
  const entries =
    typeof values === 'object' && values !== null ? Object.entries(values as Record<string, ValueView>) : [];
  if (entries.length === 0) return [];
  const rows = entries.map(([key, value]) =>
    element('tr', {}, element('th', { scope: 'row' }, key), element('td', {}, show(key, value))),
  );
  return [element('h3', {}, title), element('table', {}, ...rows)];
}

function attributeText(value: ValueView, bounds: ValueView | undefined): Node {
  const [min, max] = Array.isArray(bounds) ? (bounds as readonly ValueView[]) : [];
  const isBounded = typeof value === 'number' && typeof min === 'number' && typeof max === 'number' && max > min;
  const text = element(
    'span',
    { class: 'mono' },
    numberText(value),
    isBounded ? element('span', { class: 'soft' }, ` of ${numberText(max)}`) : '',
  );
  if (!isBounded) return text;
  const meter = element('span', { class: 'meter' }, element('i'));
  const share = Math.min(1, Math.max(0, ((value as number) - (min as number)) / ((max as number) - (min as number))));
  (meter.firstChild as HTMLElement).style.width = `${(share * 100).toFixed(1)}%`;
  return element('span', { class: 'attribute' }, text, meter);
}

function numberText(value: ValueView | undefined): string {
  return typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : JSON.stringify(value);
}

const entityId = /^@?([uibpcd]\d+|r:.+)$/;

/** Ids are buttons that choose the entity. */
function valueNode(value: ValueView): Node {
  if (value === null) return element('span', { class: 'soft' }, 'none');
  if (typeof value === 'string') {
    const id = entityId.exec(value)?.[1];
    return id === undefined ? element('span', {}, clipped(value)) : idButton(id);
  }
  if (typeof value === 'number') return element('span', { class: 'mono' }, numberText(value));
  if (Array.isArray(value) && value.length > 0 && value.length <= 60) {
    return element('span', { class: 'list' }, ...value.map((each: ValueView) => valueNode(each)));
  }
  return element('span', { class: 'mono' }, clipped(JSON.stringify(value)));
}

function idButton(id: string, text = id, isChosen = false): HTMLElement {
  return element('button', { type: 'button', class: isChosen ? 'id chosen' : 'id', 'data-id': id }, text);
}

/** An event can be about an entity that was gone when it was told. */
function idNode(id: string): HTMLElement {
  return id === 'gone' ? element('span', { class: 'soft' }, id) : idButton(id);
}

function clipped(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}

function allContent(sim: Simulation, chosen: string | undefined): readonly Node[] {
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
    ...groups.flatMap(([title, list]) =>
      list.length === 0
        ? []
        : [
            element('h3', {}, title, element('span', { class: 'count' }, String(list.length))),
            element(
              'ul',
              {},
              ...list
                .slice(0, listedMax)
                .map(([id, about]) => element('li', {}, idButton(id, id, id === chosen), element('span', {}, about))),
            ),
            ...(list.length > listedMax ? note(`and ${list.length - listedMax} more`) : []),
          ],
    ),
    ...section('Variables of the game', variables),
  ];
}

function eventsContent(events: readonly LoggedEvent[], none: string): readonly Node[] {
  if (events.length === 0) return note(none);
  let tick = -1;
  const rows: Node[] = [];
  for (const event of events) {
    if (event.tick !== tick) {
      tick = event.tick;
      rows.push(element('h4', {}, `tick ${tick}`, element('span', { class: 'soft' }, ` ${clockText(event.time)}`)));
    }
    const { name, on, to, scriptId, actionType, details } = event;
    const line = element('p', { class: 'event' }, element('b', {}, name));
    if (on !== undefined) line.append(' ', idNode(on));
    if (to !== undefined) line.append(' to ', to === 'everyone' ? to : idNode(to));
    for (const [key, value] of Object.entries(details))
      line.append(' ', element('span', { class: 'soft' }, key), ' ', valueNode(value));
    if (scriptId !== undefined)
      line.append(element('small', {}, `${scriptId}${actionType === undefined ? '' : `, ${actionType}`}`));
    rows.push(line);
  }
  return rows;
}

function faultsContent(sim: Simulation): readonly Node[] {
  const faults = sim.faults();
  if (faults.length === 0) return note('Nothing has gone wrong in the game up to this tick.');
  return faults.map(({ code, at, message, count, firstTick }) =>
    element(
      'p',
      { class: 'event' },
      element('b', { class: 'bad' }, code),
      ` ${message}`,
      element('small', {}, `${at} · ${count} times, first in tick ${firstTick}`),
    ),
  );
}

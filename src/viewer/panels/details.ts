import type { ValueView } from '../../../engine/index.ts';
import { shareOf } from '../drawing/looks.ts';
import { type Markup, markup } from '../parts/element.ts';

/*
 * Renders values of a game in lists: ids become buttons, numbers are rounded, attributes get a meter.
 */

const textMax = 400;

export function soft(text: string): Markup {
  return markup('span.soft', text);
}

/** A heading with a count. */
export function heading(title: string, count: number): Markup {
  return markup('h3', title, markup('span.count', String(count)));
}

const listedMax = 200;

/** A list of entities: ids, each with a text about it. Empty if there are none. */
export function entityList(
  title: string,
  rows: readonly (readonly [id: string, about: string])[],
  selected: string | undefined,
): Markup[] {
  if (rows.length === 0) return [];
  const items = rows.map(([id, about]) => markup('li', idButton(id, id, id === selected), markup('span', about)));
  const hidden = rows.length - listedMax;
  return [
    heading(title, rows.length),
    markup('ul', ...items.slice(0, listedMax)),
    ...(hidden > 0 ? note(`and ${hidden} more`) : []),
  ];
}

export function tableRow(name: string, content: Markup): Markup {
  return markup('tr', markup('th', { scope: 'row' }, name), markup('td', content));
}

export function note(text: string): Markup[] {
  return [markup('p.soft', text)];
}

export function section(title: string, values: ValueView): Markup[] {
  const rows = Object.entries(values as Record<string, ValueView>).map(([key, value]) =>
    tableRow(key, valueNode(value)),
  );
  if (rows.length === 0) return [];
  return [markup('h3', title), markup('table', ...rows)];
}

export function attributeText(value: ValueView, bounds: ValueView | undefined): Markup {
  const [min, max] = Array.isArray(bounds) ? (bounds as readonly ValueView[]) : [];
  const textOf = (of: Markup): Markup => markup('span.mono', numberText(value), of);
  if (typeof value !== 'number' || typeof min !== 'number' || typeof max !== 'number' || max <= min) return textOf('');
  const share = shareOf(value, min, max) * 100;
  const meter = markup('span.meter', markup('i', { style: `width:${share.toFixed(1)}%` }));
  return markup('span.attribute', textOf(soft(` of ${numberText(max)}`)), meter);
}

export function numberText(value: ValueView | undefined): string {
  return typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : JSON.stringify(value);
}

/**
 * Matches the id of an entity. In state views, ids have an `@` in front, because the ids of players may be any string.
 */
const entityId = /^(?:@([^\s@]+)|([uibpcd]\d+|r:.+))$/;

/** Renders a value; ids become buttons that select the entity. */
export function valueNode(value: ValueView): Markup {
  if (value === null || value === '$undefined') return soft('nothing');
  if (typeof value === 'string') {
    const [, reference, id = reference] = entityId.exec(value) ?? [];
    return id === undefined ? markup('span', clipped(value)) : idButton(id);
  }
  if (typeof value === 'number') return markup('span.mono', numberText(value));
  if (Array.isArray(value) && value.length > 0 && value.length <= 60) {
    return markup('span.list', ...value.map((each: ValueView) => valueNode(each)));
  }
  return markup('span.mono.json', clipped(JSON.stringify(value)));
}

export function idButton(id: string, text = id, isSelected = false): Markup {
  return markup('button', { type: 'button', class: isSelected ? 'id chosen' : 'id', 'data-id': id }, text);
}

/** An event may refer to an entity that no longer existed when the event was sent. */
export function idNode(id: string): Markup {
  return id === 'gone' ? soft(id) : idButton(id);
}

function clipped(text: string) {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}

import type { ValueView } from '../../engine/index.ts';
import { element } from './element.ts';

/*
 * Renders values of a game in lists: ids become buttons, numbers are rounded, attributes get a meter.
 */

const textMax = 400;

export function note(text: string): Node[] {
  return [element('p', { class: 'soft' }, text)];
}

export function section(
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

export function attributeText(value: ValueView, bounds: ValueView | undefined): Node {
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

/** Renders a value; ids become buttons that select the entity. */
export function valueNode(value: ValueView): Node {
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

export function idButton(id: string, text = id, isSelected = false): HTMLElement {
  return element('button', { type: 'button', class: isSelected ? 'id chosen' : 'id', 'data-id': id }, text);
}

/** An event may refer to an entity that no longer existed when it was sent. */
export function idNode(id: string): HTMLElement {
  return id === 'gone' ? element('span', { class: 'soft' }, id) : idButton(id);
}

function clipped(text: string): string {
  return text.length > textMax ? `${text.slice(0, textMax)}…` : text;
}

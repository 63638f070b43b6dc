import { isObject } from '../../engine/core/index.ts';
import { Page, printable } from '../text/index.ts';
import type { Inspection } from './inspection.ts';

/**
 * Formats the contents of a game for one screen: the first entries of each section, with the first words of their
 * details.
 */
export function inspectionText({ title, ...sections }: Inspection, width: number): string {
  const page = new Page(width);
  page.line(printable(title ?? 'A game without a title'));
  for (const [label, section = {}] of Object.entries(sections)) {
    const parts = Array.isArray(section) ? section.map(thingText) : detailsOf(section);
    page.section(label, parts.length === 0 ? ['none'] : firstOf(parts, 10));
  }
  return page.text();
}

function thingText({ key, name, ...details }: Inspection['units'][number]): string {
  const keyParts = name && name !== key ? [printable(key)] : [];
  const parts = [...keyParts, ...detailsOf(details)];
  const label = printable(name || key);
  return parts.length === 0 ? label : `${label} (${parts.join(', ')})`;
}

function detailsOf(record: object): string[] {
  return Object.entries(record).flatMap(([label, value]) => {
    const words = wordsOf(value);
    return words.length === 0 ? [] : `${label} ${firstOf(words, 3).join(' / ')}`;
  });
}

function wordsOf(value: unknown): string[] {
  if (isObject(value)) return Object.values(value).flatMap(wordsOf);
  return value === undefined || value === null || value === '' ? [] : [printable(String(value))];
}

function firstOf(list: readonly string[], most: number): readonly string[] {
  return list.length > most ? [...list.slice(0, most), `… ${list.length - most} more`] : list;
}

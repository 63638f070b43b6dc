import { type Attributes, type Markup, markup } from '../parts/element.ts';

/*
 * Links inside the page: buttons whose `data-` attributes say where they lead. The page puts each step into the
 * address.
 */

export function tickButton(tick: number, text = `tick ${tick}`): Markup {
  return markup('button', { type: 'button', class: 'id', 'data-tick': tick }, text);
}

/** A link to a value: its history, and why it is what it is. */
export function valueLink(expression: string, text = expression): Markup {
  return markup('button', { type: 'button', class: 'link', 'data-value': expression }, text);
}

/** A link to the text of a script. `place`: as `scripts/KEY`; `line`: the path of an action in it. */
export function scriptLink(place: string, text: string, line?: string): Markup {
  return markup('button', { type: 'button', class: 'link', 'data-script': place, 'data-line': line }, text);
}

export function smallButton(text: string, attributes: Attributes): Markup {
  return markup('button', { type: 'button', class: 'small', ...attributes }, text);
}

/** Adds a value to the plots over the time line, or removes it; empty if nothing is plotted. */
export function watchButton(expression: string, watched: readonly string[] | undefined): Markup[] {
  if (watched === undefined) return [];
  const isWatched = watched.includes(expression);
  const text = isWatched ? '✓ on the time line' : 'Watch';
  return [smallButton(text, { 'data-watch': expression, 'aria-pressed': String(isWatched) })];
}

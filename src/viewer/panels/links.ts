import { type Attributes, type Markup, markup } from '../parts/element.ts';

/*
 * Links inside the page: buttons whose `data-` attributes hold their targets. The page adds each followed link to the
 * browser's history.
 */

export function tickButton(tick: number, text = `tick ${tick}`): Markup {
  return markup('button.id', { type: 'button', 'data-tick': tick }, text);
}

/** A link to a value, which shows its history and explains it. */
export function valueLink(expression: string, text = expression): Markup {
  return markup('button.link', { type: 'button', 'data-value': expression }, text);
}

/** A link to the text of a script. `place` is the script as `scripts/KEY`; `line` is the path of an action in it. */
export function scriptLink(place: string, text: string, line?: string): Markup {
  return markup('button.link', { type: 'button', 'data-script': place, 'data-line': line }, text);
}

export function smallButton(text: string, attributes: Attributes): Markup {
  return markup('button.small', { type: 'button', ...attributes }, text);
}

/** A button that adds a value to the plots on the time line, or removes it. Empty if the page has no plots. */
export function watchButton(expression: string, watched: readonly string[] | undefined): Markup[] {
  if (watched === undefined) return [];
  const isWatched = watched.includes(expression);
  const text = isWatched ? '✓ on the time line' : 'Watch';
  return [smallButton(text, { 'data-watch': expression, 'aria-pressed': String(isWatched) })];
}

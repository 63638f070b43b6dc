import { type Markup, markup } from '../parts/element.ts';

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

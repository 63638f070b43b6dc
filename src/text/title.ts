import type { Definition } from '../../engine/index.ts';
import { fileTitle } from './words.ts';

/** The title of a game, which its definition may have at the top or in `defaultData`; undefined if it has none. */
export function gameTitle({ title, defaultData }: Pick<Definition, 'title' | 'defaultData'>): string | undefined {
  return title || defaultData.title || undefined;
}

/** A title for a game that has none, from its file name: `The last stand` for `games/the-last_stand.json`. */
export function titleOfFile(path: string): string {
  const words = fileTitle(path)
    .replaceAll(/[-_\s]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import type { Definition } from '../../engine/index.ts';
import { fileTitle } from './words.ts';

/** The title of a game, wherever its definition has it; undefined where it has none. */
export function gameTitle({ title, defaultData }: Pick<Definition, 'title' | 'defaultData'>): string | undefined {
  return title || defaultData.title || undefined;
}

/** `The last stand`, for a game without a title whose file is `games/the-last_stand.json`. */
export function titleOfFile(path: string): string {
  const words = fileTitle(path)
    .replaceAll(/[-_\s]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import type { Dictionary } from '../../engine/core/index.ts';

/** A table of words and their meanings, with one line for each: `word: meaning`. */
export function wordTable(text: string): Dictionary<string> {
  return Object.fromEntries(
    text
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/).slice(0, 2)),
  );
}

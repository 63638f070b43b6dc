import { suggest } from '../../engine/core/index.ts';
import type { Issue } from '../../engine/index.ts';

/**
 * The known word that was probably meant; undefined if none is similar. Words of up to five letters also match with
 * their letters in another order.
 */
export function closestWord(word: string, words: Iterable<string>): string | undefined {
  const known = [...words];
  const letters = sorted(word);
  return suggest(word, known) ?? (word.length <= 5 ? known.find((each) => sorted(each) === letters) : undefined);
}

/** The question whether the closest known word was meant; `otherwise` if none is similar. Both begin with a space. */
export function closestHint(word: string, words: Iterable<string>, otherwise = ''): string {
  const meant = closestWord(word, words);
  return meant === undefined ? otherwise : questionFor(meant);
}

/** The message of an issue, followed by its suggestion if the message does not contain it. */
export function withSuggestion({ message, suggestion = '' }: Pick<Issue, 'message' | 'suggestion'>): string {
  return message.includes(suggestion) ? message : message + questionFor(suggestion);
}

function questionFor(word: string) {
  return ` Did you mean "${word}"?`;
}

function sorted(word: string) {
  return [...word.toLowerCase()].sort().join('');
}

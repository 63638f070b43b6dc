import { commentsOf, lineAt, type Sources } from './source.ts';

/** Private words for standard terms, and the terms. */
const terms: readonly (readonly [RegExp, string])[] = [
  [/\bverbs?\b/i, 'rule'],
  [/\b(?:hears?|heard)\b/i, 'a trigger fires, a script runs, a rule listens'],
  [/\b(?:tells?|told|news)\b/i, 'emit, fire, publish, payload'],
  [/\bnobody\b/i, 'say what there is not: no owner, no carrier, no script'],
  [/\bwho(?:m?ever)\b/i, 'name the subject'],
  [/\bthe departed\b/i, 'tombstone, destroyed'],
  [/\bprops?\b/i, 'debris'],
  [/\b(?:who|what) [^.;:]* shall\b/i, 'subject, verb, condition'],
];

const wordsMax = 25;

/** Comments with a private word, a sentence that begins with what or who as its subject, or one with too many words. Citations do not count. */
export function commentFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const [path, text] of sources) {
    for (const { offset, text: comment } of commentsOf(text)) {
      const place = `${path}:${lineAt(text, offset)}`;
      for (const sentence of sentencesOf(comment)) {
        const count = sentence.split(/\s+/).length;
        if (count > wordsMax) faults.push(`${place} has a sentence of ${count} words: ${sentence}`);
        if (/^(?:What|Who|Whom|Whose)\b/.test(sentence)) faults.push(`${place} begins with a clause: ${sentence}`);
        for (const [word, term] of terms) {
          const found = word.exec(sentence)?.[0];
          if (found !== undefined) faults.push(`${place} says "${found}" (${term}): ${sentence}`);
        }
      }
    }
  }
  return faults;
}

/** Code in backticks is one word each; parentheses and blocks of code are left out. */
function sentencesOf(comment: string): string[] {
  const lines = comment.replace(/^\/\*+|\*\/$/g, '').split('\n');
  const paragraphs = lines
    .map((line) => line.replace(/^\s*(?:\*|\/\/)?\s?/, '').trim())
    .join('\n')
    .replace(/```.*?```/gs, '')
    .split(/\n\n+/);
  return paragraphs.flatMap((paragraph) =>
    paragraph
      .replaceAll('\n', ' ')
      .replace(/\([^()]*\)/g, '')
      .replace(/`[^`]*`/g, '`x`')
      .split(/(?<=[.;:?!]) +(?=[A-Z`\d-])/)
      .map((sentence) => sentence.trim())
      .filter((sentence) => sentence !== ''),
  );
}

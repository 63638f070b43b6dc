import type { Sources } from './source.ts';

const wordsMax = 25;

/** Sentences with too many words, and sentences that begin with what or who as their subject. Code, addresses and parentheses do not count. */
export function documentFaults(sources: Sources): string[] {
  const faults: string[] = [];
  for (const [path, text] of sources) {
    for (const sentence of sentencesOf(text)) {
      const count = sentence.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length;
      if (count > wordsMax) faults.push(`${path} has a sentence of ${count} words: ${sentence}`);
      if (/^(?:What|Who|Whom|Whose)\b.*[^?]$/.test(sentence)) faults.push(`${path} begins with a clause: ${sentence}`);
    }
  }
  return faults;
}

/** Paragraphs, list items and cells of tables, sentence by sentence; what stands behind a colon or a semicolon counts as a sentence. */
function sentencesOf(document: string): string[] {
  return document
    .replace(/```.*?```/gs, '')
    .replace(/<!-- (\w+).*?-->.*?<!-- \/\1 -->/gs, '')
    .replace(/^#.*$/gm, '\n')
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\|/)
    .flatMap((block) =>
      block
        .replaceAll('\n', ' ')
        .replace(/^\s*(?:[-*]|\d+\.) /, '')
        .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/`[^`]*`/g, '`x`')
        .replace(/\([^()]*\)/g, '')
        .split(/(?<=[.?!])["”*_]* +(?=\S)|(?<=[:;])[*_]* +/)
        .map((sentence) => sentence.trim())
        .filter((sentence) => sentence !== ''),
    );
}

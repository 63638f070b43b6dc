import { describe, expect, test } from 'vitest';
import { documentFaults } from './documents.ts';
import { readSources } from './source.ts';

/** The pages that people read first. */
const pages = new Set([
  'README.md',
  'ARCHITECTURE.md',
  ...[
    'determinism',
    'expressions',
    'library',
    'mcp',
    'scenarios',
    'semantics',
    'sweeps',
    'viewer',
    'writing-a-game',
  ].map((name) => `docs/${name}.md`),
]);

describe('the pages that people read first have short sentences', () => {
  test('in this project', () => {
    const sources = readSources([''], (path) => pages.has(path));
    expect(sources.size).toBe(pages.size);
    expect(documentFaults(sources), 'Subject, verb, condition; at most 25 words.').toEqual([]);
  });

  const faults = (text: string): string[] => documentFaults(new Map([['a.md', text]]));
  const words = (count: number): string => new Array(count).fill('word').join(' ');

  test.each([
    [`${words(26)}.`, '26 words'],
    [`- ${words(20)}\n  ${words(6)}.`, '26 words'],
    [`| a | ${words(26)} |`, '26 words'],
    ['What a unit carries is destroyed with it.', 'begins with a clause'],
    ['It is so. Who comes late waits.', 'begins with a clause'],
  ])('%j has not', (text, why) => {
    expect(faults(text)).toEqual([expect.stringContaining(why)]);
  });

  test.each([
    [`${words(25)}. ${words(25)}; ${words(25)}: ${words(25)}`],
    [`${words(20)}\n- ${words(20)}\n1. ${words(20)}`],
    [`${words(24)} (${words(9)}) [word](https://a.example/b).`],
    [`\`\`\`\n${words(26)}\n\`\`\``],
    ['What does it cost?'],
    [`<!-- start -->\n${words(26)}\n<!-- /start -->`],
  ])('%j has', (text) => {
    expect(faults(text)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { commentFaults } from './comments.ts';
import { readTypeScript } from './source.ts';

describe('comments are plain technical English', () => {
  test('in this project', () => {
    expect(
      commentFaults(readTypeScript('engine', 'src', 'test', 'bench')),
      'Subject, verb, condition; at most 25 words; standard terms.',
    ).toEqual([]);
  });

  const faults = (text: string): string[] => commentFaults(new Map([['a.ts', text]]));
  const words = (count: number): string => new Array(count).fill('word').join(' ');

  test.each([
    ['/** The scripts hear of it. */', 'says "hear"'],
    ['// Tells everybody.', 'says "Tells"'],
    ['/** An item that nobody carries. */', 'says "nobody"'],
    ['/** Whoever calls announces it. */', 'says "Whoever"'],
    ['/** A prop of the map. */', 'says "prop"'],
    ['/** What a unit carries is destroyed with it. */', 'begins with a clause'],
    [`/** ${words(26)}. */`, '26 words'],
    [`/**\n * ${words(20)}\n * ${words(6)}.\n */`, '26 words'],
  ])('%j is not', (text, why) => {
    expect(faults(text)).toEqual([expect.stringContaining(why)]);
  });

  test.each([
    ["const heard = 'nobody';"],
    [`/** ${words(25)}. ${'W'.concat(words(24))}. */`],
    [`/** ${words(24)} (reference: ${words(9)}). */`],
    [`/**\n * ${words(20)}\n *\n * ${words(20)}\n */`],
    [`/**\n * ${words(20)}.\n *\n * \`\`\`ts\n * ${words(26)}\n * \`\`\`\n */`],
    ['/** Items that a unit carries are destroyed with it. */'],
  ])('%j is fine', (text) => {
    expect(faults(text)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { nameFaults } from './names.ts';
import { readTypeScript } from './source.ts';

describe('names are terms of the field', () => {
  test('in this project', () => {
    expect(
      nameFaults(readTypeScript('engine', 'src', 'bench')),
      'Say emit, publish, send, payload, listener, tombstone, rule.',
    ).toEqual([]);
  });

  const faults = (text: string): string[] => nameFaults(new Map([['a.ts', text]]));

  test.each([
    ['tellRooms();', 'tellRooms'],
    ['const isTold = true;', 'isTold'],
    ['class RoomKeeper {}', 'RoomKeeper'],
  ])('%j is not', (text, name) => {
    expect(faults(text)).toEqual([`a.ts:1 ${name}`]);
  });

  test.each([
    ["const text = 'it was told';"],
    ['// Told to nobody.'],
    ['row.tells'],
    ['intelligence(foretold, newsletter)'],
  ])('%j is fine', (text) => {
    expect(faults(text)).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { Issues } from '../../engine/core/issue.ts';
import { readDefinition } from '../../engine/definition/read-definition.ts';
import { readRealGame, realGames } from '../support/real-games.ts';
import { follow } from './support.ts';

/** Errors that real games make themselves: maps that were resized without their layers, and holes in a layer. */
const theirOwn = new Set(['map-size-mismatch']);
const holes = /\/map\/layers\/\d+\/data\/\d+$/;

describe.skipIf(realGames.length === 0)('real games (skipped where the folder is absent)', () => {
  test.each(realGames)('%s is read without errors', (name) => {
    const document = readRealGame(name);
    const issues = new Issues();
    const definition = readDefinition(document, issues);
    expect(definition?.unitTypes.size).toBeGreaterThan(0);
    expect(definition?.scripts.size).toBeGreaterThan(0);
    expect(definition?.map?.layers.length).toBeGreaterThan(0);
    expect(definition?.defaultData.frameRate).toBeGreaterThan(0);
    const errors = issues.list.filter(({ severity, code, pointer }) => {
      return severity === 'error' && !theirOwn.has(code) && !(code === 'wrong-type' && holes.test(pointer));
    });
    expect(errors).toEqual([]);
    for (const { pointer } of issues.list) follow(document, pointer);
  });

  test.each(realGames)('%s is not modified', (name) => {
    const document = readRealGame(name);
    readDefinition(document, new Issues());
    expect(document).toEqual(readRealGame(name));
    const { map } = ((document as { data?: object }).data ?? document) as { map: { layers: { data?: number[] }[] } };
    expect(Object.isFrozen(map.layers[0]!.data)).toBe(false);
  });
});

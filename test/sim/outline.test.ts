import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { definitionHash, type LoadedGame, loadDefinition, Simulation } from '../../engine/index.ts';
import { loadOutlined, outlineOf, programsOfGame } from '../../engine/internal.ts';
import { Bots } from '../../src/bots/bots.ts';
import { checkGame } from '../../src/check/index.ts';
import { document, joinAs, script, unitType } from '../support/play.ts';
import { sampleOf } from '../support/property.ts';
import { realGamePath, realGames } from '../support/real-games.ts';
import { samplesFolder } from '../support/samples.ts';

const samples = ['infection.json', 'outbreak.json', 'ray-casting.json', 'team-elimination.json'];

function textOf(name: string): string {
  return readFileSync(samples.includes(name) ? `${samplesFolder}${name}` : realGamePath(name), 'utf8');
}

function whole(text: string): LoadedGame {
  return loadDefinition(JSON.parse(text)).game!;
}

/** As in a later process: the outline was stored in a file in between. */
function outlined(text: string): LoadedGame {
  return loadOutlined(text, JSON.parse(JSON.stringify(outlineOf(whole(text).definition, text))));
}

function playedHash(game: LoadedGame, dialect: 'standard' | 'moddio'): string {
  const sim = new Simulation(game, { seed: 'outline', dialect });
  const bots = new Bots(sim, { count: 4, seed: 'outline' });
  for (let tick = 0; tick < 60; tick++) {
    bots.beforeStep();
    sim.step();
  }
  return sim.hash();
}

describe('a game that is read with an outline', () => {
  test.each([...samples, ...sampleOf(realGames, 6)])(
    '%s is the same game, whichever part is asked for first',
    (name) => {
      const text = textOf(name);
      const [expected, game] = [whole(text), outlined(text)];
      for (const map of ['projectileTypes', 'itemTypes', 'unitTypes', 'scripts'] as const) {
        for (const key of [...expected.definition[map].keys()].reverse())
          expect(game.definition[map].get(key)).toEqual(expected.definition[map].get(key));
        expect([...game.definition[map]]).toEqual([...expected.definition[map]]);
      }
      expect(definitionHash(game.definition)).toBe(definitionHash(expected.definition));
      expect(definitionHash(outlined(text).definition)).toBe(definitionHash(expected.definition));
    },
  );

  test.each(samples)('%s plays the same in both dialects', (name) => {
    const text = textOf(name);
    for (const dialect of ['standard', 'moddio'] as const)
      expect(playedHash(outlined(text), dialect)).toBe(playedHash(whole(text), dialect));
  });

  test.each(samples)('%s has the same issues and unknown operations', (name) => {
    const text = textOf(name);
    for (const dialect of ['standard', 'moddio'] as const) {
      expect(checkGame(outlined(text), dialect)).toEqual(checkGame(whole(text), dialect));
      const [read, expected] = [outlined(text), whole(text)].map((game) => programsOfGame(game).program(dialect));
      expect(read!.unknown).toEqual(expected!.unknown);
      expect(read!.locationCount).toBe(expected!.locationCount);
      expect(read!.jobCount).toBe(expected!.jobCount);
    }
  });

  test('only what is needed is read', () => {
    const text = JSON.stringify(
      document({
        scripts: { start: script('gameStart', []), never: script([], []) },
        unitTypes: { a: unitType({ name: 'First' }), b: unitType({ name: 'Other' }) },
      }),
    );
    const outline = outlineOf(whole(text).definition, text);
    const { from, to } = outline.unitTypes[1]!;
    const spoilt = text.slice(0, from) + '!'.repeat(to - from) + text.slice(to);
    const game = loadOutlined(spoilt, outline);
    expect(game.definition.unitTypes.size).toBe(2);
    expect(game.definition.unitTypes.get('a')?.name).toBe('First');
    const sim = new Simulation(game, {});
    sim.step();
    expect(() => game.definition.unitTypes.get('b')).toThrow(SyntaxError);
  });

  test('numbers and texts are those of the document', () => {
    const data = document({
      scripts: { start: script('gameStart', []) },
      unitTypes: { a: unitType({ name: 'Ü😀' }) },
    });
    const text = JSON.stringify(data).replace('"name":"Ü😀"', '"name":"Ü😀","unitTypes":[-0,1e999,"\\ud800"]');
    expect(text).toContain('1e999');
    const type = outlined(text).definition.unitTypes.get('a')! as unknown as { unitTypes: unknown[] };
    expect(type.unitTypes).toEqual([-0, Number.POSITIVE_INFINITY, '\ud800']);
    expect(Object.is(type.unitTypes[0], -0)).toBe(true);
  });

  test('an outline of another text is rejected, or only used within that text', () => {
    const text = JSON.stringify(document({ unitTypes: { a: unitType({ name: 'First' }) } }));
    const outline = outlineOf(whole(text).definition, text);
    expect(() => loadOutlined(text.slice(0, -1), outline)).toThrow(SyntaxError);
    expect(() => loadOutlined('[1]', { scripts: [], unitTypes: [], itemTypes: [], projectileTypes: [] })).toThrow(
      'another text',
    );
  });

  test('a joining player can get a unit of a type that was not read before', () => {
    const text = JSON.stringify(
      document({ scripts: { join: joinAs('a') }, unitTypes: { b: unitType({}), a: unitType({ name: 'First' }) } }),
    );
    for (const game of [outlined(text), whole(text)]) {
      const sim = new Simulation(game, {});
      sim.join({ clientId: 'p' });
      sim.step();
      expect(sim.units().map(({ type }) => type)).toEqual(['a']);
    }
  });
});

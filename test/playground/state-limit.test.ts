import { expect, test } from 'vitest';
import { type LoadedGame, loadDefinition } from '../../engine/index.ts';
import { LivePlay } from '../../src/playground/live-play.ts';
import { runScenarios } from '../../src/playground/scenarios.ts';
import { StateTooLarge } from '../../src/playground/state-limit.ts';

const get = (variableName: string) => ({ function: 'getVariable', variableName });
const names = Array.from({ length: 50 }, (_, i) => `text${i}`);

/** A game whose texts double in each tick, up to the limit of a million characters each. */
const growing = {
  settings: {},
  map: { width: 4, height: 4, tilewidth: 64, tileheight: 64, layers: [] },
  variables: Object.fromEntries(names.map((name) => [name, { dataType: 'string', default: name }])),
  scripts: {
    grow: {
      name: 'grow',
      triggers: [{ type: 'frameTick' }],
      actions: names.map((name) => ({
        type: 'setVariable',
        variableName: name,
        value: { function: 'concat', textA: get(name), textB: get(name) },
      })),
    },
  },
};
const game: LoadedGame = loadDefinition(growing).game!;
const message = /state-too-large: at tick \d+ the state of the game had \d+ MB.*largest global variable is "text\d+"/;

test('a game whose state grows without end is stopped with the variable that grew, after a warning', () => {
  const play = new LivePlay(game, { seed: 'a', dialect: 'standard' }, []);
  let thrown: unknown;
  for (let tick = 0; tick < 100 && thrown === undefined; tick++) {
    try {
      play.step();
    } catch (error) {
      thrown = error;
    }
  }
  expect(thrown).toBeInstanceOf(StateTooLarge);
  expect((thrown as Error).message).toMatch(message);
  expect(play.limit.warning).toMatch(/^The state of the game has \d MB/);
});

test('so are its scenarios', () => {
  const scenarios = 'game: a.json\nscenarios:\n  - name: grows\n    steps: [{ wait: 5 s }, { expect: players == 0 }]';
  const progress = (): void => {};
  expect(() => runScenarios({ text: scenarios, game: JSON.stringify(growing) }, progress)).toThrow(
    /"grows" was stopped\. state-too/,
  );
});

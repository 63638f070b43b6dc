import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadDefinition } from '../../engine/index.ts';
import { checkGame } from '../../src/check/check-game.ts';
import { realGamesFolder } from '../support/real-games.ts';

/** Small games with one mistake each. They are not part of the project; without them, the tests are skipped. */
const folder = join(realGamesFolder, '../inputs/check');

test.skipIf(!existsSync(folder)).each([
  ['ai-speed0', 'The AI of "G" cannot move: its `speed` stays at 0.'],
  ['and-range', 'This condition is always false, because one value cannot be both < 0 and > 10. Was `OR` meant?'],
  ['attr-name', '"Health" is the name of the attribute "health", not its key.'],
  ['attr-unknown', 'Unknown attribute "helth".'],
  ['collides-wall', 'Unknown field `wall`.'],
  ['count-neg', 'This condition is always false: a number of entities is never below 0.'],
  ['countdown-wrong-way', 'This condition is always false: "n" is never below 6: nothing that can run makes it less.'],
  ['mod-self', 'This condition is always false: a remainder is never as large as the divisor.'],
  ['move-region', 'moveEntity cannot use a region as `position`.'],
  ['move-wall', 'The unit is moved into a wall: the tile at 96, 32 is solid.'],
  ['nested', 'This condition is always false: the conditions around it require "n" == 1.'],
  [
    'players-over-max',
    'This condition is always false: the number of players is never above 8, because `defaultMaxPlayers` allows no more.',
  ],
  ['repeat-delay-1', '`number` is in milliseconds: a time of 1 ms ends almost immediately.'],
  ['sensor', '`unitEntersSensor` never fires: no unit has a sensor.'],
  [
    'timer-frame',
    '"timer-frame" runs on every `frameTick` and adds a timer of 10000 ms each time, before the previous timer has ended.',
  ],
  ['use-after-destroy', '`moveEntity` does nothing: the preceding `destroyEntity` has destroyed the entity.'],
])('%s is named with its reason', (name, message) => {
  const { game, issues } = loadDefinition(JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')));
  const messages = [...issues, ...checkGame(game!)].map((each) => each.message);
  expect(messages).toContain(message);
});

import { expect, test } from 'vitest';
import { dialects } from '../../engine/definition/dialect.ts';
import { Simulation } from '../../engine/index.ts';
import { connectGame } from '../../engine/sim/build.ts';
import { internalsOf, programsOfGame } from '../../engine/tools.ts';
import { defaultLimits } from '../../engine/world/limits.ts';
import type { OutputEvent } from '../../engine/world/outbox.ts';
import { payloadOf } from '../../engine/world/payloads.ts';
import { triggerIndex } from '../../engine/world/triggers.ts';
import { typeTables } from '../../engine/world/type-tables.ts';
import { GlobalVariables, variableLayout } from '../../engine/world/variable.ts';
import { load, script } from '../support/play.ts';

const greeting = {
  scripts: { hello: script('gameStart', [{ type: 'sendChatMessage', message: 'hello' }]) },
};

function connected(outputs: OutputEvent[], heard: string[]) {
  const game = load(greeting);
  const definition = programsOfGame(game).definitionFor('standard');
  return connectGame(
    {
      definition,
      limits: defaultLimits,
      seed: '1',
      types: typeTables(definition),
      globals: new GlobalVariables(variableLayout(definition.variables)),
      observers: { output: (event) => outputs.push(event), trigger: (trigger) => heard.push(trigger) },
    },
    dialects.standard,
    programsOfGame(game).program('standard'),
  );
}

test('triggers that fire before the world is built are observed, but run no scripts', () => {
  const outputs: OutputEvent[] = [];
  const heard: string[] = [];
  const { game } = connected(outputs, heard);
  const { triggers } = game.world;
  triggers.fireGlobal('gameStart', payloadOf.nothing);
  expect([heard, outputs]).toEqual([['gameStart'], []]);
  expect(triggers.runScript('hello', 0, {})).toBe(false);
  triggers.open();
  triggers.fireGlobal('gameStart', payloadOf.nothing);
  expect(heard).toEqual(['gameStart', 'gameStart']);
  expect(outputs.map(({ kind }) => kind)).toEqual(['chat']);
  expect(triggers.runScript('hello', 0, {})).toBe(true);
});

test('output events during construction are reported', () => {
  const outputs: OutputEvent[] = [];
  const { game } = connected(outputs, []);
  game.world.post('chat', { op: 'system', text: 'early' });
  game.world.fault('exception', 'early');
  expect(outputs.map(({ kind }) => kind)).toEqual(['chat']);
  expect(game.world.faults.list().map(({ at }) => at)).toEqual(['engine']);
});

test('a simulation passes its first output to the listener in its options', () => {
  const outputs: OutputEvent[] = [];
  new Simulation(load(greeting), { onOutput: (event) => outputs.push(event) });
  expect(outputs.map(({ kind, tick }) => [kind, tick])).toEqual([['chat', 0]]);
});

test.each([
  [[], 0],
  [['unitUsesItem'], 1],
])('the payload of a trigger is only built if a script listens: %j', (listened, made) => {
  const sim = new Simulation(load({ scripts: { hello: script([...listened], []) } }));
  const { triggers } = internalsOf(sim).world;
  const number = triggerIndex('unitUsesItem');
  let payloads = 0;
  const payload = (unit: number, item: number) => {
    payloads++;
    return { unit, item };
  };
  triggers.fireGlobal('unitUsesItem', payload, 1, 2);
  expect([payloads, triggers.counts[number]]).toEqual([made, 1]);
});

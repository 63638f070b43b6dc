import { describe, expect, test } from 'vitest';
import { readTypeScript } from './source.ts';
import { stateWrites } from './state-writes.ts';

const [script, sim, rules] = [
  readTypeScript('engine/script'),
  readTypeScript('engine/sim'),
  readTypeScript('engine/rules'),
];

describe('scripts and inputs change no state of the game themselves', () => {
  test('in this project', () => {
    const sources = new Map([...script, ['engine/sim/input.ts', sim.get('engine/sim/input.ts')!]]);
    expect(stateWrites(sources), 'Call a rule, or write one in engine/rules.').toEqual([]);
  });

  test('which the rules do', () => {
    expect(stateWrites(rules).length).toBeGreaterThan(100);
  });

  const found = (text: string): number => stateWrites(new Map([['engine/script/a.ts', text]])).length;

  test.each([
    ['world.server.acceptingPlayers = true;'],
    ['context.game.world.memory.last.attackedUnit = entity;'],
    ['context.game.world.units[rowOf(named)]!.name = name(context);'],
    ['world.components.identity.owner[rowOf(of)] = source;'],
    ['const { values } = world.globals; values[slot] += 1;'],
    ['const { x: across } = game.world.components.movement; across[row] = 1;'],
    ['const state = world.players[rowOf(to)]!; state.realtimeCss = all;'],
    ['const { world } = context.game; const ai = world.units[row]!.ai; ai.path.length = 0;'],
    ['const set = (ai: Mind) => { ai.maxAttackRange = 1; };'],
    ['world.shown.opacity.set(target, 1);'],
    ['world.units[row]!.slots.push(item);'],
    ['world.players[row]?.quests.delete(id);'],
    ['world.server.requestsMade++;'],
    ['delete world.players[row];'],
    ['world.units[rows[x]] ??= made;'],
  ])('%s is found', (text) => {
    expect(found(text)).toBe(1);
  });

  test.each([
    ['const { world } = context.game;'],
    ['const name = world.units[row]!.name;'],
    ['const state = world.units[row]!; if (state.name === name) return;'],
    ['record[name] = thawed(held);'],
    ['context.payload = { ...context.payload, unit };'],
    ['const list = []; list.push(world.ref(entity));'],
    ['// world.clock.tick = 1;'],
    ["world.post('x', { op: 'world.clock.tick = 1' });"],
    ['const heads = world.order.entries; for (const each of heads) ids.add(each);'],
    ['const isSame = world.clock.tick >= 1 || world.clock.tick == 2;'],
  ])('%s is fine', (text) => {
    expect(found(text)).toBe(0);
  });
});

test('no module of the rules keeps anything that two simulations share', () => {
  const kept =
    /^(?:export )?(?:let \w+|const \w+(?:: [^=\n]*\[\])? = (?:new (?:(?:Weak)?(?:Map|Set)|\w+Array)\b|\[\];))/m;
  const faults = [...rules].flatMap(([path, text]) => {
    const found = kept.exec(text)?.[0];
    return found === undefined ? [] : [`${path}: ${found}`];
  });
  expect(faults, 'What outlives a call belongs to the world or the game; a constant table is a ReadonlyMap.').toEqual(
    [],
  );
});

test('outside the engine, columns are read only by programs that draw or send all entities in every tick', () => {
  const readers = ['src/server/protocol/', 'src/server/moddio/', 'src/viewer/simulation-scene.ts'];
  const faults = [...readTypeScript('src')]
    .filter(
      ([path, text]) =>
        /\b(?:world|components)\.(?:components|attributes)\b/.test(text) &&
        !readers.some((each) => path.startsWith(each)),
    )
    .map(([path]) => path);
  expect(faults, 'Use the handles of a simulation, or a function of engine/internal.ts.').toEqual([]);
});

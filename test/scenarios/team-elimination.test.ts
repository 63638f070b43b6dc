import { describe, expect, test } from 'vitest';
import type { Entity, PlayerHandle } from '../../engine/index.ts';
import { insideOf, rowOf } from '../../engine/internal.ts';
import { playSample, type SamplePlay } from '../support/samples.ts';

const game = 'team-elimination.json';
const prepare = 0;
const fight = 1;
const gameOver = 2;

interface Editable {
  readonly variables: Record<string, { default?: unknown }>;
  readonly itemTypes: Record<string, { buffTypes: readonly string[] }>;
}

/** No dogs, no crates and no random items: only the actions of the players. */
function calm({ variables, itemTypes }: Editable): void {
  variables['@dogs']!.default = 0;
  variables['@crateEvery']!.default = 1000;
  for (const type of Object.values(itemTypes)) type.buffTypes = [];
}

function duel(players = 2): { play: SamplePlay; team: PlayerHandle[] } {
  const play = playSample(game, { change: calm });
  const team = play.join(players);
  play.seconds(2.95);
  return { play, team };
}

/** Red at (900, 850), blue at (1050, 850), facing each other, after the fight has begun. */
function faceToFace(): { play: SamplePlay; red: PlayerHandle; blue: PlayerHandle } {
  const { play, team } = duel();
  const [red, blue] = team as [PlayerHandle, PlayerHandle];
  play.edit.move(red.unit!, 900, 850);
  play.edit.move(blue.unit!, 1050, 850);
  red.pointAt(1050, 850);
  blue.pointAt(900, 850);
  play.seconds(0.3);
  return { play, red, blue };
}

function hit(play: SamplePlay, player: PlayerHandle, slot: string, seconds: number): void {
  player.press(slot);
  play.seconds(0.1);
  player.press('button1');
  play.seconds(seconds);
  player.release('button1');
  play.seconds(0.05);
}

/** As if `by` had made the fatal attack. */
function kill(play: SamplePlay, victim: Entity, by: PlayerHandle): void {
  play.edit.setVariable(play.unit(victim), 'attacker', by);
  play.edit.setAttribute(play.unit(victim), 'health', 0);
  play.seconds(0.1);
}

describe('a round', () => {
  test('is 3 s of preparation behind closed gates, 60 s of fight, 12 s of game over, and the next', () => {
    const play = playSample(game, { change: calm });
    play.join(4);
    const states: unknown[][] = [];
    for (let tick = 0; tick < 80 * play.sim.rate; tick++) {
      const state = play.sim.variable('state');
      if (state !== states.at(-1)?.[0])
        states.push([state, Math.round(play.sim.nowMs / 1000), play.sim.variable('round')]);
      play.sim.step();
    }
    expect(states).toEqual([
      [prepare, 0, 1],
      [fight, 3, 1],
      [gameOver, 63, 1],
      [prepare, 75, 2],
      [fight, 78, 2],
    ]);
    expect(play.sim.variable('winner')).toBe('nobody');
  });

  test('the gates open for the fight', () => {
    const { play } = duel();
    expect(insideOf(play.sim).world.map.layers[3]!.tiles[10 * 32 + 7]).toBe(0);
    play.seconds(72);
    expect(play.sim.variable('state')).toBe(prepare);
    expect(insideOf(play.sim).world.map.layers[3]!.tiles[10 * 32 + 7]).toBe(3);
    expect(insideOf(play.sim).world.map.layers[3]!.tiles[16 * 32 + 24]).toBe(3);
    expect(insideOf(play.sim).game.physics.isWall(7 * 64 + 32, 12 * 64)).toBe(true);
  });

  test('needs two players', () => {
    const { play } = duel(1);
    expect(play.sim.variable('state')).toBe(prepare);
    expect(play.sim.variable('timeLeft')).toBe(3);
    play.join(1);
    play.seconds(3);
    expect(play.sim.variable('state')).toBe(fight);
  });

  test('teams are balanced, and late players wait for the next round', () => {
    const { play, team } = duel(5);
    expect(team.map((player) => play.type(player.entity))).toEqual(['red', 'blue', 'red', 'blue', 'red']);
    const [late] = play.join(1) as [PlayerHandle];
    expect(play.type(late.entity)).toBe('audience');
    expect(late.unit).toBeUndefined();
    play.seconds(72);
    expect(play.type(late.entity)).toBe('blue');
    expect(late.unit).toBeDefined();
  });

  test.each([
    { who: 'blue', index: 1, winner: 'red' },
    { who: 'red', index: 0, winner: 'blue' },
  ])('ends at once when $who is gone', ({ index, winner }) => {
    const { play, team } = duel();
    const loser = team[index]!;
    const hero = team[1 - index]!;
    play.edit.setAttribute(loser.unit!, 'health', 0);
    play.seconds(0.1);
    expect(play.sim.variable('state')).toBe(gameOver);
    expect(play.sim.variable('winner')).toBe(winner);
    expect(play.attribute(hero.entity, 'gold')).toBe(75);
    expect(play.attribute(loser.entity, 'gold')).toBe(50);
  });

  test('ends when the last of a team leaves', () => {
    const { play, team } = duel(3);
    team[1]!.leave();
    play.seconds(0.1);
    expect(play.sim.variable('state')).toBe(gameOver);
    expect(play.sim.variable('winner')).toBe('red');
  });

  test('resets combos and removes everything from the field', () => {
    const { play, team } = duel();
    const [red, blue] = team as [PlayerHandle, PlayerHandle];
    kill(play, blue.unit!.entity, red);
    expect(play.items('rifle').map((item) => play.ownerOf(item) === 0)).toContain(true);
    play.seconds(12);
    expect(play.sim.variable('state')).toBe(prepare);
    expect(play.attribute(red.entity, 'killCombo')).toBe(0);
    expect(play.attribute(red.entity, 'kills')).toBe(1);
    expect(play.units('soldier')).toHaveLength(2);
    expect(play.items('rifle').map((item) => play.ownerOf(item))).not.toContain(0);
  });
});

describe('a kill', () => {
  test('is worth ten gold more for each kill in a row', () => {
    const { play, team } = duel(6);
    const red = team[0]!;
    const blues = [team[1]!, team[3]!];
    for (const [i, blue] of blues.entries()) {
      kill(play, blue.unit!.entity, red);
      expect(play.attribute(red.entity, 'kills')).toBe(i + 1);
      expect(play.attribute(red.entity, 'killCombo')).toBe(i + 1);
    }
    expect(play.attribute(red.entity, 'gold')).toBe(50 + 10 + 20);
    expect(play.sim.variable('blueAlive')).toBe(1);
    expect(play.outputs.filter(({ kind, value }) => kind === 'ui.text' && value === 'combo x2')).toHaveLength(1);
    kill(play, red.unit!.entity, team[5]!);
    expect(play.attribute(red.entity, 'killCombo')).toBe(0);
    expect(play.attribute(red.entity, 'deaths')).toBe(1);
  });

  test('of a team member is worth nothing', () => {
    const { play, team } = duel(4);
    kill(play, team[2]!.unit!.entity, team[0]!);
    expect(play.attribute(team[0]!.entity, 'kills')).toBe(0);
  });
});

describe('weapons', () => {
  test.each([
    { weapon: 'rifle (ray)', slot: '1', seconds: 0.3, health: 70 },
    { weapon: 'pistol (projectile)', slot: '2', seconds: 0.2, health: 80 },
  ])('$weapon', ({ slot, seconds, health }) => {
    const { play, red, blue } = faceToFace();
    hit(play, red, slot, seconds);
    play.seconds(0.5);
    expect(play.attribute(blue.unit!.entity, 'health')).toBe(health);
    expect(play.variable(blue.unit!.entity, 'attacker')).toBe(red.entity);
  });

  test('knife', () => {
    const { play, red, blue } = faceToFace();
    play.edit.move(blue.unit!, 945, 850);
    hit(play, red, '3', 0.3);
    expect(play.attribute(blue.unit!.entity, 'health')).toBe(45);
  });

  test('grenades explode after a second and harm enemies only', () => {
    const { play, red, blue } = faceToFace();
    play.edit.move(blue.unit!, 1000, 850);
    hit(play, red, '4', 0.1);
    play.seconds(0.7);
    expect(play.attribute(blue.unit!.entity, 'health')).toBe(100);
    play.seconds(0.4);
    expect(play.attribute(blue.unit!.entity, 'health')).toBe(40);
    expect(play.attribute(red.unit!.entity, 'health')).toBe(100);
  });

  test('reloading takes two seconds, in which nothing fires', () => {
    const { play, red } = faceToFace();
    const rifle = play.items('rifle').find((item) => play.ownerOf(item) === red.unit!.entity)!;
    const quantity = (): number => insideOf(play.sim).world.components.stack.quantity[rowOf(rifle)]!;
    hit(play, red, '1', 0.3);
    expect(quantity()).toBe(7);
    red.press('r');
    play.seconds(0.2);
    red.press('button1');
    play.seconds(1.5);
    expect(quantity()).toBe(7);
    red.release('button1');
    play.seconds(0.5);
    expect(quantity()).toBe(8);
  });

  test('the laser uses up its charge and stops', () => {
    const { play, red } = faceToFace();
    play.edit.giveItem(red.unit!, 'laser');
    hit(play, red, '6', 3);
    expect(play.outputs.filter(({ kind, text }) => kind === 'ui.floatingText' && text === 'laser down')).toHaveLength(
      1,
    );
  });

  test('a mine is planted with C and explodes under an enemy', () => {
    const { play, red, blue } = faceToFace();
    red.press('c');
    play.seconds(0.2);
    const [mine] = play.units('mine') as [Entity];
    const { x, y } = play.place(mine);
    expect(x).toBeCloseTo(950, -1);
    play.edit.move(blue.unit!, x + 30, y);
    play.seconds(0.3);
    expect(play.units('mine')).toEqual([]);
    expect(play.attribute(blue.unit!.entity, 'health')).toBe(30);
    expect(play.variable(blue.unit!.entity, 'attacker')).toBe(red.entity);
  });
});

describe('the arena', () => {
  test('an enemy base does damage while a soldier stays', () => {
    const { play, blue } = faceToFace();
    play.edit.move(blue.unit!, 250, 700);
    play.seconds(0.2);
    expect(play.attribute(blue.unit!.entity, 'health')).toBe(85);
    play.seconds(1);
    expect(play.attribute(blue.unit!.entity, 'health')).toBe(70);
    play.edit.move(blue.unit!, 1000, 300);
    play.seconds(3);
    expect(play.attribute(blue.unit!.entity, 'health')).toBe(70);
  });

  test('dogs bite soldiers, and their kills count for nobody', () => {
    const play = playSample(game, { change: (data) => (data.variables['@crateEvery'].default = 1000) });
    const [red] = play.join(3) as [PlayerHandle];
    play.seconds(2.95);
    expect(play.units('dog')).toHaveLength(2);
    const { x, y } = play.place(play.units('dog')[0]!);
    play.edit.setAttribute(red.unit!, 'health', 15);
    play.edit.move(red.unit!, x + 30, y);
    play.seconds(0.3);
    expect(red.unit).toBeUndefined();
    expect(play.attribute(red.entity, 'deaths')).toBe(1);
    expect(play.runs('scripts/reward')).toBe(0);
  });

  test('the armoury sells in the own base only', () => {
    const { play, red } = faceToFace();
    red.press('b');
    play.seconds(0.1);
    expect(play.outputs.filter(({ kind }) => kind === 'ui.shop')).toEqual([]);
    play.edit.move(red.unit!, 250, 700);
    red.release('b');
    red.press('b');
    play.seconds(0.2);
    play.sim.input({ kind: 'buyItem', player: red.clientId, type: 'vest' });
    play.sim.input({ kind: 'buyItem', player: red.clientId, type: 'boots' });
    play.seconds(0.1);
    expect(play.attribute(red.unit!.entity, 'armor')).toBe(60);
    expect(play.attribute(red.entity, 'gold')).toBe(20);
    expect(play.items('boots')).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import type { Entity, PlayerHandle } from '../../engine/index.ts';
import { insideOf, rowOf } from '../../engine/internal.ts';
import { playSample, type SamplePlay } from '../support/samples.ts';

const game = 'infection.json';

interface Editable {
  readonly variables: Record<string, { default?: unknown }>;
  readonly itemTypes: Record<string, { buffTypes: readonly string[] }>;
  readonly unitTypes: Record<string, { attributes: Record<string, { regenerateSpeed: unknown }> }>;
}

/** A town without rats and without random items. */
function open(change: (data: Editable) => void = () => {}): SamplePlay {
  return playSample(game, {
    change: (data: Editable) => {
      data.variables['@rats']!.default = 0;
      for (const type of Object.values(data.itemTypes)) type.buffTypes = [];
      change(data);
    },
  });
}

/** No player falls asleep, so that players can stand still for a whole round. */
function awake({ unitTypes }: Editable): void {
  for (const type of ['human', 'zombie']) unitTypes[type]!.attributes['awake']!.regenerateSpeed = 0;
}

function sick(play: SamplePlay): number {
  return play.units('human').filter((unit) => play.variable(unit, 'sick') === true).length;
}

/** An outbreak has begun; the second of two players is a zombie at the position of the first. */
function contact(change: (play: SamplePlay, human: PlayerHandle, zombie: PlayerHandle) => void = () => {}) {
  const play = open();
  const [human, zombie] = play.join(2) as [PlayerHandle, PlayerHandle];
  play.sim.step();
  play.edit.setGlobal('state', 'postoutbreak');
  play.edit.setGlobal('timeLeft', 100);
  play.edit.setType(zombie.unit!, 'zombie');
  play.edit.setType(zombie, 'zombies');
  change(play, human, zombie);
  play.edit.move(human.unit!, 1000, 900);
  play.edit.move(zombie.unit!, 1030, 900);
  play.seconds(0.5);
  return { play, human, zombie };
}

describe('a round', () => {
  test('starts with 55 s in which nobody is sick', () => {
    const play = open(awake);
    play.join(20);
    expect(play.sim.variable('timerMessage')).toBe('Outbreak in ');
    while (play.sim.nowMs < 54_999) {
      expect(play.sim.variable('state')).toBe('preoutbreak');
      expect(sick(play)).toBe(0);
      play.sim.step();
    }
    expect(play.sim.nowMs).toBe(55_000);
    expect(play.sim.variable('state')).toBe('postoutbreak');
    expect(play.sim.variable('timeLeft')).toBe(110);
    expect(play.sim.variable('timerMessage')).toBe('Hold out for ');
  });

  test.each([
    { players: 1, victims: 1 },
    { players: 10, victims: 1 },
    { players: 20, victims: 2 },
    { players: 34, victims: 3 },
  ])('makes one in ten sick, and at least one: $victims of $players', ({ players, victims }) => {
    const play = open();
    play.join(players);
    play.seconds(54.95);
    expect(sick(play)).toBe(victims);
    expect(play.sim.variable('patientZero')).toBe(
      play.unit(play.units('human').find((unit) => play.variable(unit, 'sick') === true)!),
    );
  });

  test('ends after 110 s with a bonus for survivors, and everybody is healthy 10 s later', () => {
    const play = open(awake);
    const players = play.join(12);
    // Far apart, because a player that touches a zombie is infected.
    players.forEach((player, i) => {
      play.edit.move(player.unit!, 150 + (i % 6) * 330, 100 + Math.floor(i / 6) * 1340);
    });
    play.seconds(54.95 + 11);
    expect(play.units('zombie')).toHaveLength(1);
    expect(play.units('human')).toHaveLength(11);
    play.seconds(99 - 0.05);
    expect(play.sim.variable('state')).toBe('postoutbreak');
    play.seconds(0.05);
    expect(play.sim.variable('state')).toBe('gameover');
    expect(play.sim.variable('timeLeft')).toBe(10);
    expect(players.map((player) => play.attribute(player.entity, 'score')).sort((a, b) => a - b)).toEqual([
      10,
      ...new Array(11).fill(15),
    ]);
    expect(play.outputs.filter(({ kind, value }) => kind === 'ui.text' && value === '11 survived')).toHaveLength(1);
    play.seconds(10);
    expect(play.sim.variable('state')).toBe('preoutbreak');
    expect(play.sim.variable('round')).toBe(2);
    expect(play.sim.variable('timeLeft')).toBe(55);
    expect(play.units('zombie')).toEqual([]);
    expect(play.units('human')).toHaveLength(12);
    expect(play.items('dartGun')).toHaveLength(12);
    expect(sick(play)).toBe(0);
    expect(players.map((player) => play.type(player.entity))).toEqual(new Array(12).fill('humans'));
  });

  test('ends at once when no human is left', () => {
    const play = open();
    play.join(1);
    play.seconds(54.95 + 9);
    expect(play.sim.variable('state')).toBe('postoutbreak');
    play.seconds(3);
    expect(play.sim.variable('state')).toBe('gameover');
    expect(play.outputs.filter(({ value }) => value === 'Nobody is left')).toHaveLength(1);
  });
});

describe('the sick', () => {
  test('turn into zombies after 10 s, drop their items and change sides', () => {
    const play = open();
    const [player] = play.join(1) as [PlayerHandle];
    play.edit.runScript('fallSick', { on: player.unit! });
    play.seconds(9.9);
    expect(play.type(player.unit!.entity)).toBe('human');
    play.seconds(0.2);
    expect(play.type(player.unit!.entity)).toBe('zombie');
    expect(play.type(player.entity)).toBe('zombies');
    expect(play.items('dartGun').map((item) => play.ownerOf(item))).toEqual([0]);
  });

  test('are cured by an antidote in time', () => {
    const play = open();
    const [player] = play.join(1) as [PlayerHandle];
    play.edit.giveItem(player.unit!, 'antidote');
    play.edit.runScript('fallSick', { on: player.unit! });
    play.seconds(5);
    player.press('2');
    play.seconds(0.1);
    player.press('button1');
    play.seconds(0.5);
    expect(play.variable(player.unit!.entity, 'sick')).toBe(false);
    expect(play.attribute(player.unit!.entity, 'infection')).toBe(0);
    expect(play.items('antidote')).toEqual([]);
    play.seconds(10);
    expect(play.type(player.unit!.entity)).toBe('human');
  });
});

describe('contact (zombie touches human)', () => {
  const score = (play: SamplePlay, player: PlayerHandle): number => play.attribute(player.entity, 'score');

  test('makes the human sick and rewards the zombie', () => {
    const { play, human, zombie } = contact();
    expect(play.variable(human.unit!.entity, 'sick')).toBe(true);
    expect(play.variable(zombie.unit!.entity, 'victims')).toBe(1);
    expect(score(play, zombie)).toBe(11);
  });

  test('rewards a VIP twice', () => {
    const { play, zombie } = contact((play, _human, zombie) => play.edit.setVariable(zombie, 'isVip', true));
    expect(score(play, zombie)).toBe(12);
  });

  test('does not reward contact with a sick human', () => {
    const { play, zombie } = contact((play, human) => play.edit.runScript('fallSick', { on: human.unit! }));
    expect(score(play, zombie)).toBe(10);
  });

  test('has no effect outside an outbreak', () => {
    const { play, human } = contact((play) => play.edit.setGlobal('state', 'gameover'));
    expect(play.variable(human.unit!.entity, 'sick')).toBe(false);
  });

  test('destroys a vest first', () => {
    const { play, human } = contact((play, human) => play.edit.giveItem(human.unit!, 'vest'));
    expect(play.attribute(human.unit!.entity, 'armor')).toBe(25);
    expect(play.variable(human.unit!.entity, 'sick')).toBe(false);
  });

  test('the second victim of a zombie is worth a level', () => {
    const { play, zombie } = contact((play, _human, zombie) => {
      play.edit.setAttribute(zombie.unit!, 'experience', 50);
    });
    expect(play.attribute(zombie.entity, 'level')).toBe(2);
    expect(play.attribute(zombie.unit!.entity, 'experience')).toBe(0);
  });
});

describe('people', () => {
  test('a zombie without health is out for 4 s and returns in the graveyard', () => {
    const play = open();
    const [hunter, zombie] = play.join(2) as [PlayerHandle, PlayerHandle];
    const body: Entity = zombie.unit!.entity;
    play.edit.setType(play.unit(body), 'zombie');
    play.edit.setType(zombie, 'zombies');
    play.edit.giveItem(hunter.unit!, 'rifle');
    play.edit.move(hunter.unit!, 900, 900);
    play.edit.move(play.unit(body), 1100, 900);
    hunter.pointAt(1100, 900);
    hunter.press('2');
    play.seconds(0.5);
    hunter.press('button1');
    play.seconds(0.5);
    expect(play.attribute(hunter.entity, 'score')).toBe(12);
    expect(insideOf(play.sim).world.components.visibility.hidden[rowOf(body)]).toBe(1);
    play.seconds(4);
    expect(insideOf(play.sim).world.components.visibility.hidden[rowOf(body)]).toBe(0);
    expect(play.place(body)).toEqual({ x: 1824, y: 224 });
    expect(play.attribute(body, 'health')).toBe(100);
  });

  test('players who do nothing for two minutes are kicked', () => {
    const play = open();
    const [, walker] = play.join(2) as [PlayerHandle, PlayerHandle];
    walker.press('w');
    play.seconds(119);
    expect(play.outputs.filter(({ kind }) => kind === 'player.kick')).toEqual([]);
    play.seconds(2);
    expect(play.outputs.filter(({ kind }) => kind === 'player.kick').map(({ playerId }) => playerId)).toHaveLength(1);
    expect(walker.entity).not.toBe(0);
  });

  test('commands work for moderators only', () => {
    const play = open();
    const [moderator] = play.join(1, { name: 'Mo', roleIds: ['role2'] }) as [PlayerHandle];
    const [guest] = play.join(1, { name: 'Gus' }) as [PlayerHandle];
    guest.answer('outbreak');
    play.seconds(0.1);
    expect(play.sim.variable('state')).toBe('preoutbreak');
    expect(play.outputs.filter(({ kind }) => kind === 'ui.modal')).toHaveLength(1);
    moderator.answer('VIP gus');
    play.seconds(0.1);
    expect(play.variable(guest.entity, 'isVip')).toBe(true);
    expect(play.variable(moderator.entity, 'isVip')).toBe(false);
    moderator.answer('Outbreak');
    play.seconds(0.1);
    expect(play.sim.variable('state')).toBe('postoutbreak');
    moderator.answer('reset');
    play.seconds(0.1);
    expect(play.sim.variable('state')).toBe('preoutbreak');
    expect(play.sim.variable('round')).toBe(2);
  });

  test('the store sells to players inside it', () => {
    const play = open();
    const [player] = play.join(1) as [PlayerHandle];
    player.press('b');
    play.seconds(0.1);
    expect(play.outputs.filter(({ kind }) => kind === 'ui.shop')).toEqual([]);
    play.edit.move(player.unit!, 1600, 1200);
    play.seconds(0.2);
    expect(play.outputs.filter(({ kind, op }) => kind === 'ui.shop' && op === 'open')).toHaveLength(1);
    play.sim.input({ kind: 'buyItem', player: player.clientId, type: 'axe' });
    play.seconds(0.1);
    expect(play.items('axe')).toHaveLength(1);
    expect(play.attribute(player.entity, 'score')).toBe(2);
    play.sim.input({ kind: 'buyItem', player: player.clientId, type: 'vest' });
    play.seconds(0.1);
    expect(play.items('vest')).toEqual([]);
    play.edit.move(player.unit!, 1000, 800);
    play.seconds(0.2);
    expect(play.outputs.filter(({ kind, op }) => kind === 'ui.shop' && op === 'close')).toHaveLength(1);
  });

  test('players are moved out of the cellar after 6 s', () => {
    const play = open();
    const [player] = play.join(1) as [PlayerHandle];
    play.edit.move(player.unit!, 400, 1250);
    play.seconds(6);
    expect(play.place(player.unit!.entity).x).toBeLessThan(576);
    play.seconds(0.2);
    expect(play.place(player.unit!.entity)).toEqual({ x: 1024, y: 736 });
  });
});

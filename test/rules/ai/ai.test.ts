import { describe, expect, test } from 'vitest';
import { rowOf } from '../../../engine/world/entity.ts';
import { append } from '../../support/actions.ts';
import { computer, create, foe, later, me, mind, remember, scene, teleport, thinker } from '../../support/ai-scene.ts';
import { body, play, script, unitType } from '../../support/play.ts';

/** A rule that the specification leaves open holds in both dialects. */
const dialects = ['standard', 'moddio'] as const;

describe('an idle unit', () => {
  test('stays where it is', () => {
    const game = scene();
    game.seconds(10);
    expect(mind(game)).toMatchObject({ mode: 'idle', walks: false, x: 640, y: 640 });
  });

  test.each(dialects)(
    'that wanders alternates between resting for 2 to 4 s and walking for 1.5 to 3 s, in %s',
    (dialect) => {
      const game = scene({ ai: { idleBehaviour: 'wander' } }, { dialect });
      const changes: { atMs: number; walks: boolean }[] = [];
      let walked = false;
      for (let tick = 0; tick < 20 * 60; tick++) {
        game.ticks(1);
        const { walks } = mind(game);
        if (walks !== walked) changes.push({ atMs: game.sim.nowMs, walks });
        walked = walks;
      }
      expect(changes.length).toBeGreaterThan(8);
      changes.forEach(({ atMs, walks }, i) => {
        const lasted = atMs - (changes[i - 1]?.atMs ?? 0);
        // The start of one activity ends the opposite one. A tick is 50 ms.
        const [least, most] = walks ? [2000, 4050] : [1500, 3050];
        expect(lasted).toBeGreaterThan(least);
        expect(lasted).toBeLessThanOrEqual(most);
      });
      expect(game.of('unitStartsMoving').length + game.of('unitStopsMoving').length).toBe(changes.length);
    },
  );

  test('wanders the same way with the same seed, and differently with another', () => {
    const wander = (seed: string) => {
      const game = scene({ ai: { idleBehaviour: 'wander' } }, { seed });
      game.seconds(20);
      return mind(game);
    };
    expect(wander('a')).toEqual(wander('a'));
    expect(wander('a')).not.toEqual(wander('b'));
  });
});

describe('a unit sent to a place', () => {
  const go = later(100, [{ type: 'aiMoveToPosition', unit: me, position: { x: 900, y: 700 } }]);

  test('walks there in a straight line and becomes idle half a cell before it', () => {
    const game = scene({ scripts: { go }, ai: { enabled: true } });
    game.seconds(0.2);
    expect(mind(game)).toMatchObject({ mode: 'move', walks: true });
    game.sim.runUntil(() => mind(game).mode === 'idle', { seconds: 10 });
    const { x, y, walks } = mind(game);
    expect(walks).toBe(false);
    expect(Math.hypot(900 - x, 700 - y)).toBeLessThan(32);
    expect(Math.hypot(900 - x, 700 - y)).toBeGreaterThan(20);
    expect(game.of('unitStartsMoving').map(({ entity }) => entity)).toEqual(['u1']);
    expect(game.of('unitStopsMoving').map(({ entity }) => entity)).toEqual(['u1']);
  });

  test.each(dialects)('never arrives if its type names no path finding method, in %s', (dialect) => {
    const game = scene({ scripts: { go }, ai: { pathFindingMethod: '' } }, { dialect });
    game.seconds(10);
    expect(mind(game)).toMatchObject({ mode: 'move', walks: true });
  });

  test('moves in the tick after the one that gave it a direction', () => {
    const game = scene({ scripts: { go } });
    // The timer is due at 100 ms; that tick sets the direction, the next one moves the body.
    game.ticks(2);
    expect(mind(game)).toMatchObject({ x: 640, walks: true });
    game.ticks(1);
    expect(game.game.physics.bodyX(game.entity('u1'))).toBeGreaterThan(640);
  });

  test('stops where it is when its AI is switched off', () => {
    const off = later(1000, [{ type: 'disableAI', unit: me }]);
    const game = scene({ scripts: { go, off } });
    game.seconds(1.1);
    expect(mind(game)).toMatchObject({ isOn: false, walks: false });
    const { x } = mind(game);
    game.seconds(2);
    expect(mind(game).x - x).toBeLessThan(20);
  });

  test('ignores a position that is not finite, which is a fault', () => {
    const nowhere = later(100, [
      { type: 'aiMoveToPosition', unit: me, position: { function: 'xyCoordinate', x: { function: 'infinity' }, y: 0 } },
      { type: 'aiMoveToPosition', unit: me, position: { x: Number.POSITIVE_INFINITY, y: 3 } },
    ]);
    const game = scene({ scripts: { nowhere } });
    game.seconds(0.5);
    expect(mind(game).mode).toBe('idle');
    expect(game.faults().map(({ code }) => code)).toContain('not-finite');
  });

  test.each([
    { action: { type: 'aiAttackUnit', unit: foe, targetUnit: me } },
    { action: { type: 'enableAI', unit: foe } },
    { action: { type: 'setMaxAttackRange', unit: foe, number: 3 } },
  ])('without AI in its type cannot be given AI orders, which is a fault: $action.type', ({ action }) => {
    const game = scene({ scripts: { go: later(100, [action]) } });
    game.seconds(0.2);
    expect(game.faults()).toEqual([expect.objectContaining({ code: 'no-such-reference', count: 1 })]);
  });
});

describe('a unit that sees another', () => {
  const near = later(500, [teleport(foe, 800, 640)]);
  const fighter = { sensorResponse: 'fight', sensorRadius: 200 };

  test('fights it, and stops walking within its range without firing that it stops', () => {
    const game = scene({ ai: fighter, scripts: { near } });
    game.seconds(0.7);
    expect(mind(game)).toMatchObject({ mode: 'fight', target: 'u2', walks: true });
    game.seconds(3);
    const { mode, walks, x } = mind(game);
    expect({ mode, walks }).toEqual({ mode: 'fight', walks: false });
    // The distance between their edges is at most 60 px. Each is 40 px wide, so their centres are 40 px farther apart.
    expect(800 - x).toBeLessThan(100);
    expect(game.of('unitStopsMoving')).toEqual([]);
  });

  test('senses itself, and does not attack itself', () => {
    const game = scene({ ai: fighter, scripts: { near } });
    game.seconds(0.3);
    expect(game.of('unitEntersSensor').map(({ payload }) => payload['unit'])).toEqual(['u1']);
    expect(mind(game).mode).toBe('idle');
  });

  test('drops it beyond its let-go distance', () => {
    const away = later(3000, [teleport(foe, 1200, 640)]);
    const game = scene({ ai: { ...fighter, letGoDistance: 250 }, scripts: { near, away } });
    game.seconds(2.9);
    expect(mind(game).mode).toBe('fight');
    game.seconds(0.3);
    expect(mind(game)).toMatchObject({ mode: 'idle', walks: false, target: undefined });
  });

  test('returns to its starting point beyond its maximum travel distance', () => {
    const away = later(1500, [teleport(foe, 1150, 640)]);
    const game = scene({ ai: { ...fighter, maxTravelDistance: 150, maxAttackRange: 10 }, scripts: { near, away } });
    game.sim.runUntil(() => mind(game).mode === 'move', { seconds: 10 });
    expect(mind(game).x).toBeGreaterThan(640 + 150);
    game.sim.runUntil(() => mind(game).mode === 'idle', { seconds: 10 });
    expect(mind(game).x).toBeLessThan(640 + 32);
  });

  test('stays where it is when its target is destroyed', () => {
    const kill = later(1500, [{ type: 'destroyEntity', entity: foe }]);
    const game = scene({ ai: { ...fighter, maxAttackRange: 10 }, scripts: { near, kill } });
    game.seconds(1.4);
    expect(mind(game).x).toBeGreaterThan(650);
    game.seconds(0.2);
    expect(mind(game)).toMatchObject({ mode: 'idle', target: undefined, walks: false });
    const { x } = mind(game);
    game.seconds(3);
    expect(Math.abs(mind(game).x - x)).toBeLessThan(20);
  });

  test.each(dialects)('continues to its earlier destination when its target is destroyed, in %s', (dialect) => {
    const go = later(100, [{ type: 'aiMoveToPosition', unit: me, position: { x: 1200, y: 640 } }]);
    const kill = later(1500, [{ type: 'destroyEntity', entity: foe }]);
    const game = scene({ ai: fighter, scripts: { go, near, kill } }, { dialect });
    game.seconds(1.4);
    expect(mind(game)).toMatchObject({ mode: 'fight', target: 'u2' });
    const { x } = mind(game);
    game.seconds(0.2);
    expect(mind(game)).toMatchObject({ mode: 'move', target: undefined, walks: true });
    game.seconds(2);
    expect(mind(game).x).toBeGreaterThan(x + 60);
    game.sim.runUntil(() => mind(game).mode === 'idle', { seconds: 20 });
    expect(Math.abs(mind(game).x - 1200)).toBeLessThan(32);
  });

  test('drops a target whose health becomes 0, and senses its surroundings anew', () => {
    const order = later(1000, [{ type: 'aiAttackUnit', unit: me, targetUnit: foe }]);
    const fell = later(1500, [{ type: 'setEntityAttribute', attribute: 'health', entity: foe, value: 0 }]);
    const game = scene({ ai: { sensorRadius: 200 }, scripts: { near, order, fell } });
    game.seconds(1.4);
    expect(mind(game).mode).toBe('fight');
    const seen = game.of('unitEntersSensor').length;
    game.seconds(0.2);
    expect(mind(game)).toMatchObject({ mode: 'idle', target: undefined });
    expect(game.of('unitEntersSensor').length).toBe(seen + 2);
  });

  test('stops before the scripts of its target hear that its health became 0', () => {
    const note = (text: string) => append('log', text);
    const order = later(1000, [{ type: 'aiAttackUnit', unit: me, targetUnit: foe }]);
    const fell = later(1500, [{ type: 'setEntityAttribute', attribute: 'health', entity: foe, value: 0 }]);
    const game = scene({
      ai: { sensorRadius: 200 },
      aiType: { scripts: { stopped: script('unitStopsMoving', [note('stopped ')]) } },
      prey: { scripts: { fell: script('entityAttributeBecomesZero', [note('fell ')]) } },
      scripts: { order, fell },
    });
    game.seconds(1.6);
    expect(game.variable('log')).toBe('stopped fell ');
  });

  test('without a sensor, keeps fighting a target whose health is 0', () => {
    const order = later(1000, [{ type: 'aiAttackUnit', unit: me, targetUnit: foe }]);
    const fell = later(1500, [{ type: 'setEntityAttribute', attribute: 'health', entity: foe, value: 0 }]);
    const game = scene({ scripts: { near, order, fell } });
    game.seconds(1.7);
    expect(mind(game)).toMatchObject({ mode: 'fight', target: 'u2' });
  });

  test.each([
    ['standard', [['idle', false]]],
    // The reference turns a fleeing unit round before it notices that there is nothing to flee from.
    [
      'moddio',
      [
        ['flee', true],
        ['idle', false],
      ],
    ],
  ] as const)('drops a pursuer that is hidden at once or after one more turn, in %s', (dialect, states) => {
    const hide = later(1500, [{ type: 'hideEntity', entity: foe }]);
    const coward = { ...fighter, sensorResponse: 'flee' };
    const game = scene({ ai: coward, scripts: { near, hide } }, { dialect });
    game.seconds(1.45);
    const { facing } = mind(game);
    expect(mind(game)).toMatchObject({ mode: 'flee', target: 'u2' });
    game.ticks(1);
    const seen = states.map(([, walks]) => {
      const { mode, target, facing: now } = mind(game);
      game.ticks(1);
      return [mode, walks, target, Math.abs(now - facing) > 1];
    });
    expect(seen).toEqual(states.map(([mode, walks]) => [mode, walks, undefined, mode === 'flee']));
  });

  test('fights a hidden target for one more turn, in moddio', () => {
    const hide = later(1500, [{ type: 'hideEntity', entity: foe }]);
    const modes = (['standard', 'moddio'] as const).map((dialect) => {
      const game = scene({ ai: fighter, scripts: { near, hide } }, { dialect });
      game.seconds(1.5);
      const { mode } = mind(game);
      game.ticks(1);
      return [mode, mind(game).mode];
    });
    expect(modes).toEqual([
      ['idle', 'idle'],
      ['fight', 'idle'],
    ]);
  });

  test('drops a target that is hidden', () => {
    const hide = later(1500, [{ type: 'hideEntity', entity: foe }]);
    const game = scene({ ai: fighter, scripts: { near, hide } });
    game.seconds(1.7);
    expect(mind(game).target).toBeUndefined();
  });

  test.each([
    { case: 'of its own player type that is not hostile', of: { relationships: {} }, fights: false },
    { case: 'it sees as friendly', of: { relationships: { sheep: 'friendly' } }, fights: false },
    { case: 'that is no target', of: { prey: { isUnTargetable: true } }, fights: false },
    { case: 'with its AI off', of: { ai: { ...fighter, enabled: false } }, fights: false },
    { case: 'hostile', of: {}, fights: true },
  ])('$case: fights $fights', ({ of, fights }) => {
    const game = scene({ ai: fighter, scripts: { near }, ...of });
    game.seconds(1);
    expect(game.of('unitEntersSensor').map(({ payload }) => payload['unit'])).toEqual(['u1', 'u2']);
    expect(mind(game).mode).toBe(fights ? 'fight' : 'idle');
  });

  test('drops a target whose player changes to a type that is not hostile to its own', () => {
    const peace = later(1500, [{ type: 'assignPlayerType', entity: computer(2), playerType: 'wolves' }]);
    const game = scene({ ai: fighter, scripts: { near, peace } });
    game.seconds(1.4);
    expect(mind(game).mode).toBe('fight');
    game.seconds(0.2);
    expect(mind(game)).toMatchObject({ mode: 'idle', target: undefined, walks: false });
  });

  test.each([
    // Hostility depends on the player with the new type: wolves do not list wolves, rams list wolves as hostile.
    { type: 'wolves', target: undefined },
    { type: 'sheep', target: undefined },
    { type: 'rams', target: 'u2' },
  ])("when the target's player becomes one of the $type, its target is $target", ({ type, target }) => {
    const change = later(1500, [{ type: 'assignPlayerType', entity: computer(2), playerType: type }]);
    const rams = { name: 'rams', relationships: { wolves: 'hostile' }, attributes: {}, variables: {} };
    const game = scene({ ai: fighter, scripts: { near, change }, playerTypes: { rams } });
    game.seconds(1.6);
    expect(mind(game).target).toBe(target);
  });

  test('uses the item it holds while its target is in range', () => {
    const club = {
      name: 'club',
      type: 'other',
      fireRate: 0,
      quantity: null,
      states: { selected: { name: 'selected', body: 'none' }, dropped: { name: 'dropped', body: 'none' } },
    };
    const game = scene({
      ai: fighter,
      aiType: { defaultItems: [{ key: 'club' }] },
      items: { club },
      preyAt: { x: 730, y: 640 },
    });
    game.seconds(1);
    expect(mind(game)).toMatchObject({ mode: 'fight', walks: false });
    expect(game.of('thisUnitStartsUsingAnItem').length).toBe(1);
    expect(game.of('unitUsesItem').length).toBeGreaterThan(5);
  });

  test('keeps its target while in range, even if another enemy comes near', () => {
    const second = later(1500, [create('prey', computer(2), 740, 700)]);
    const game = scene({ ai: fighter, preyAt: { x: 730, y: 640 }, scripts: { second } });
    game.seconds(2);
    expect(game.of('unitEntersSensor').map(({ payload }) => payload['unit'])).toContain('u3');
    expect(mind(game).target).toBe('u2');
  });

  test.each(dialects)('flees regardless of its maximum travel distance, in %s', (dialect) => {
    const game = scene(
      {
        ai: { sensorResponse: 'flee', sensorRadius: 200, maxTravelDistance: 300 },
        scripts: {
          far: later(300, [teleport(me, 1100, 900)]),
          near: later(500, [teleport(foe, 1000, 900)]),
        },
      },
      { dialect },
    );
    game.seconds(1.5);
    expect(mind(game)).toMatchObject({ mode: 'flee', target: 'u2', walks: true });
    expect(mind(game).x).toBeGreaterThan(1110);
  });

  test('flees for 5 to 10 s', () => {
    const game = scene({
      ai: { sensorResponse: 'flee', sensorRadius: 200 },
      scripts: { near: later(500, [teleport(foe, 740, 700)]) },
      walls: Array.from({ length: 20 }, () => '.'.repeat(60)),
      at: { x: 640, y: 640 },
    });
    game.sim.runUntil(() => mind(game).mode === 'flee', { seconds: 2 });
    const startedMs = game.sim.nowMs;
    game.seconds(1);
    const { x, y } = mind(game);
    expect(x).toBeLessThan(640);
    expect(y).toBeLessThan(640);
    game.sim.runUntil(() => mind(game).mode === 'idle', { seconds: 20 });
    expect(game.sim.nowMs - startedMs).toBeGreaterThanOrEqual(5000);
    expect(game.sim.nowMs - startedMs).toBeLessThanOrEqual(10_050);
  });
});

describe('a unit that scripts order to attack', () => {
  const order = (unit: unknown) => later(100, [{ type: 'aiAttackUnit', unit: me, targetUnit: unit }]);

  test('attacks friendly units as well', () => {
    const game = scene({ relationships: { sheep: 'friendly' }, scripts: { order: order(foe) } });
    game.seconds(0.3);
    expect(mind(game)).toMatchObject({ mode: 'fight', target: 'u2', walks: true });
  });

  test('never attacks itself', () => {
    const game = scene({ scripts: { order: order(me) } });
    game.seconds(0.3);
    expect(mind(game)).toMatchObject({ mode: 'idle', target: undefined });
  });

  test('does not walk if the target is within its range', () => {
    const game = scene({ preyAt: { x: 720, y: 640 }, scripts: { order: order(foe) } });
    game.seconds(0.3);
    expect(mind(game)).toMatchObject({ mode: 'fight', walks: false, x: 640 });
  });

  test('uses the attack range that scripts set', () => {
    const range = later(50, [{ type: 'setMaxAttackRange', unit: me, number: 1000 }]);
    const game = scene({ scripts: { range, order: order(foe) } });
    game.seconds(0.3);
    expect(mind(game)).toMatchObject({ mode: 'fight', walks: false });
  });

  test('drops a target at once that is beyond the let-go distance that scripts set', () => {
    const distance = later(50, [{ type: 'setLetGoDistance', unit: me, number: 100 }]);
    const game = scene({ scripts: { distance, order: order(foe) } });
    game.seconds(0.3);
    expect(mind(game).mode).toBe('idle');
  });

  test('keeps settings of scripts when its AI is switched off and on, but loses them when it changes type', () => {
    const set = later(50, [
      { type: 'setLetGoDistance', unit: me, number: 100 },
      { type: 'disableAI', unit: me },
      { type: 'enableAI', unit: me },
    ]);
    const game = scene({ scripts: { set } });
    game.seconds(0.2);
    const { world } = game;
    const ai = () => world.components.ai[rowOf(game.entity('u1'))];
    expect(ai()!.letGoDistance).toBe(100);
    const change = scene({
      scripts: {
        set,
        change: later(150, [
          { type: 'changeUnitType', entity: me, unitType: 'prey' },
          { type: 'changeUnitType', entity: me, unitType: 'thinker' },
        ]),
      },
    });
    change.seconds(0.3);
    expect(change.world.components.ai[rowOf(change.entity('u1'))]!.letGoDistance).toBe(Number.POSITIVE_INFINITY);
  });
});

test('a unit with the attack response `fight` attacks whoever damages it', () => {
  const gun = {
    name: 'gun',
    type: 'weapon',
    isGun: true,
    bulletType: 'projectile',
    projectileType: 'bullet',
    bulletForce: 20,
    bulletStartPosition: { x: 0, y: 40, rotation: 0 },
    quantity: null,
    fireRate: 0,
    damage: { unitAttributes: { health: 10 } },
    states: { dropped: { name: 'dropped', body: 'none' }, selected: { name: 'selected', body: 'none' } },
  };
  const bullet = {
    name: 'bullet',
    states: { default: { name: 'default', body: 'default' } },
    bodies: { default: body({ width: 10, height: 10 }) },
  };
  const game = play(
    {
      playerTypes: {
        wolves: { name: 'wolves', relationships: { sheep: 'hostile' }, attributes: {}, variables: {} },
        sheep: { name: 'sheep', relationships: { wolves: 'hostile' }, attributes: {}, variables: {} },
      },
      unitTypes: {
        thinker: thinker({ attackResponse: 'fight' }),
        shooter: unitType({ defaultItems: [{ key: 'gun' }] }),
      },
      itemTypes: { gun },
      projectileTypes: { bullet },
      variables: { me: { dataType: 'unit' }, foe: { dataType: 'unit' } },
      scripts: {
        start: script('gameStart', [
          { type: 'assignPlayerType', entity: computer(1), playerType: 'wolves' },
          { type: 'assignPlayerType', entity: computer(2), playerType: 'sheep' },
          create('thinker', computer(1), 640, 300),
          // Angle 0 faces up, towards the other.
          create('shooter', computer(2), 640, 640),
          remember('foe'),
        ]),
        shoot: later(500, [{ type: 'useItemOnce', item: { function: 'getItemCurrentlyHeldByUnit', entity: foe } }]),
      },
    },
    { dialect: 'moddio' },
  );
  game.seconds(0.5);
  expect(mind(game).mode).toBe('idle');
  game.seconds(1.5);
  expect(game.attribute('u1', 'health')).toBe(90);
  expect(mind(game)).toMatchObject({ mode: 'fight', target: 'u2' });
});

test.each([
  // At 20 ticks per second, outer frames are at whole ms.
  { ms: 1025, frame: 1017 },
  // A timer that is due at the time of a frame runs before it.
  { ms: 1000, frame: 983 },
])('an idle order of a timer at $ms ms starts its rest at the outer frame before it', ({ ms, frame }) => {
  const game = scene({ scripts: { rest: later(ms, [{ type: 'aiGoIdle', unit: me }]) } });
  game.seconds(1.1);
  const { nextActionAtMs } = game.world.components.ai[rowOf(game.entity('u1'))]!;
  const rest = nextActionAtMs - frame;
  expect(rest).toBeCloseTo(Math.round(rest), 6);
  expect(rest).toBeGreaterThan(1999);
  expect(rest).toBeLessThan(4000);
});

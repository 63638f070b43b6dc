import { describe, expect, test } from 'vitest';
import { rowOf } from '../../../engine/world/entity.ts';
import { foe, later, me, mind, scene, teleport } from '../../support/ai-scene.ts';
import { attribute, script } from '../../support/play.ts';

describe('a unit with A* path finding', () => {
  const maze = ['##########', '#........#', '#.######.#', '#.#....#.#', '#.#.##.#.#', '#...##...#', '##########'];
  const cell = (column: number, row: number) => ({ x: (column + 0.5) * 64, y: (row + 0.5) * 64 });
  const aStar = { pathFindingMethod: 'a*', maxAttackRange: 10 };
  const fast = { attributes: { health: attribute(100, { max: 100 }), speed: attribute(10) } };

  test('reaches a place behind walls', () => {
    const game = scene({
      ai: aStar,
      aiType: fast,
      walls: maze,
      at: cell(1, 1),
      preyAt: cell(5, 3),
      scripts: { go: later(100, [{ type: 'aiMoveToPosition', unit: me, position: cell(4, 3) }]) },
    });
    game.seconds(0.5);
    expect(game.sim.runUntil(() => mind(game).mode === 'idle', { seconds: 30 })).toBe(true);
    const { x, y } = mind(game);
    expect(Math.hypot(x - cell(4, 3).x, y - cell(4, 3).y)).toBeLessThan(32);
    expect(game.of('unitAStarPathFindingFailed')).toEqual([]);
  });

  test('chases a unit that has moved on', () => {
    const game = scene({
      ai: aStar,
      aiType: fast,
      walls: maze,
      at: cell(1, 1),
      preyAt: cell(1, 5),
      scripts: {
        order: later(100, [{ type: 'aiAttackUnit', unit: me, targetUnit: foe }]),
        flight: later(1000, [teleport(foe, cell(4, 3).x, cell(4, 3).y)]),
      },
    });
    const gap = () => {
      const prey = game.world.components;
      const row = rowOf(game.entity('u2'));
      const { x, y } = mind(game);
      return Math.hypot(prey.transform.x[row]! - x, prey.transform.y[row]! - y);
    };
    game.seconds(1.5);
    expect(game.sim.runUntil(() => gap() < 60, { seconds: 30 })).toBe(true);
    expect(mind(game).mode).toBe('fight');
  });

  test('walks to the place where it fought its target when that is destroyed', () => {
    const game = scene({
      ai: { ...aStar, maxAttackRange: 200 },
      aiType: fast,
      at: cell(1, 1),
      preyAt: cell(3, 1),
      scripts: {
        order: later(100, [{ type: 'aiAttackUnit', unit: me, targetUnit: foe }]),
        flight: later(500, [teleport(foe, cell(1, 3).x, cell(1, 3).y)]),
        kill: later(1000, [{ type: 'destroyEntity', entity: foe }]),
      },
    });
    game.seconds(0.9);
    expect(mind(game)).toMatchObject({ mode: 'fight', target: 'u2', walks: false, ...cell(1, 1) });
    game.seconds(0.3);
    expect(mind(game)).toMatchObject({ mode: 'move', target: undefined, walks: true });
    expect(game.sim.runUntil(() => mind(game).mode === 'idle', { seconds: 10 })).toBe(true);
    const { x, y } = mind(game);
    expect(Math.hypot(x - cell(1, 3).x, y - cell(1, 3).y)).toBeLessThan(32);
  });

  test.each(['standard', 'moddio'] as const)(
    'does not take the body of a destroyed target for a wall, in %s',
    (dialect) => {
      const game = scene(
        {
          ai: { ...aStar, maxAttackRange: 200 },
          aiType: fast,
          at: cell(1, 5),
          preyAt: cell(3, 3),
          scripts: {
            order: later(100, [{ type: 'aiAttackUnit', unit: me, targetUnit: foe }]),
            kill: later(1000, [{ type: 'destroyEntity', entity: foe }]),
          },
        },
        { dialect },
      );
      game.seconds(1.1);
      // Straight to the target's cell, without a cell in between.
      expect(game.world.components.ai[rowOf(game.entity('u1'))]!.path).toEqual([3, 3]);
    },
  );

  test.each(['standard', 'moddio'] as const)(
    'faces a cell of its path throughout the tick in which it reaches it, and the next cell afterwards, in %s',
    (dialect) => {
      const go = later(100, [{ type: 'aiMoveToPosition', unit: me, position: cell(4, 3) }]);
      const of = { ai: aStar, walls: maze, at: cell(1, 1), preyAt: cell(5, 3), scripts: { go } };
      const game = scene(of, { dialect });
      game.seconds(0.2);
      const ai = game.world.components.ai[rowOf(game.entity('u1'))];
      const headings: number[] = [];
      let left = ai!.path.length;
      for (let tick = 0; tick < 20 * 20 && mind(game).mode === 'move'; tick++) {
        const before = mind(game).facing;
        game.ticks(1);
        if (ai!.path.length < left && ai!.path.length > 0) headings.push(Math.abs(mind(game).facing - before));
        left = ai!.path.length;
      }
      expect(headings.length).toBeGreaterThan(3);
      // A turn into the next leg of the maze is a right angle; on the way to a cell the heading drifts by less.
      expect(Math.max(...headings)).toBeLessThan(0.3);
    },
  );

  describe('straight paths', () => {
    const sent = (walls: readonly string[], to: { x: number; y: number }, at = cell(0, 0)) => {
      const game = scene({
        ai: aStar,
        walls,
        at,
        preyAt: cell(0, walls.length - 1),
        scripts: { go: later(100, [{ type: 'aiMoveToPosition', unit: me, position: to }]) },
      });
      game.seconds(0.15);
      return game.world.components.ai[rowOf(game.entity('u1'))]!;
    };

    test.each([
      { case: 'straight past nothing', walls: ['.....', '.....', '.....', '.....'], to: cell(3, 0), direct: true },
      { case: 'through a wall', walls: ['..#..', '.....', '.....', '.....'], to: cell(4, 0), direct: false },
      {
        case: 'close by a wall beside the goal',
        walls: ['.....', '...#.', '.....', '.....'],
        to: cell(3, 0),
        direct: false,
      },
      { case: 'down along a wall', walls: ['.....', '.#...', '.....', '.....'], to: cell(0, 3), direct: false },
      { case: 'right along a wall', walls: ['.....', '.#...', '.....', '.....'], to: cell(3, 0), direct: false },
    ])('$case: the unit walks straight: $direct', ({ walls, to, direct }) => {
      expect(sent(walls, to).path.length === 2).toBe(direct);
    });

    test('the rays that look for one are hidden from scripts in standard, and the last raycast of scripts in moddio', () => {
      const hits = (dialect: 'standard' | 'moddio') => {
        const game = scene(
          {
            ai: aStar,
            walls: ['..#..', '.....', '.....', '.....'],
            at: cell(0, 0),
            preyAt: cell(0, 3),
            scripts: { go: later(100, [{ type: 'aiMoveToPosition', unit: me, position: cell(4, 0) }]) },
          },
          { dialect },
        );
        game.seconds(0.2);
        return game.world.memory.lastRaycast.length;
      };
      expect([hits('standard'), hits('moddio') > 0]).toEqual([0, true]);
    });
  });

  test('a target inside a wall is searched for, and reported as a failure, once in standard and every tick in moddio', () => {
    const failures = (dialect: 'standard' | 'moddio') => {
      const game = scene(
        {
          ai: aStar,
          walls: ['.....', '.....', '....#', '.....'],
          at: cell(0, 0),
          preyAt: cell(0, 3),
          scripts: { go: later(100, [{ type: 'aiMoveToPosition', unit: me, position: cell(4, 2) }]) },
        },
        { dialect },
      );
      game.seconds(0.5);
      return game.of('unitAStarPathFindingFailed').length;
    };
    expect([failures('standard'), failures('moddio') > 3]).toEqual([1, true]);
  });

  test('keeps its path when it is pushed behind a wall', () => {
    const game = scene({
      ai: aStar,
      walls: ['.........', '.#######.', '.........', '.........'],
      at: cell(0, 0),
      preyAt: cell(8, 3),
      scripts: {
        go: later(100, [{ type: 'aiMoveToPosition', unit: me, position: cell(8, 2) }]),
        push: later(1000, [teleport(me, cell(4, 2).x, cell(4, 2).y)]),
      },
    });
    game.seconds(0.9);
    const ai = game.world.components.ai[rowOf(game.entity('u1'))]!;
    const before = [...ai.path];
    game.seconds(0.2);
    expect(ai.path).toEqual(before);
  });

  const island = ['#########', '#...#...#', '#...#...#', '#########'];
  const sentAcross = (scripts: Record<string, unknown> = {}, dialect: 'standard' | 'moddio' = 'standard') =>
    scene(
      {
        ai: aStar,
        walls: island,
        at: cell(1, 1),
        preyAt: cell(2, 1),
        scripts: { go: later(100, [{ type: 'aiMoveToPosition', unit: me, position: cell(6, 1) }]), ...scripts },
      },
      { dialect },
    );

  test('reports that there is no path before it starts moving', () => {
    const game = sentAcross();
    game.seconds(0.2);
    expect(
      game.announced.filter(({ type }) => /Failed|StartsMoving/.test(type)).map(({ type, scope }) => [type, scope]),
    ).toEqual([
      ['unitAStarPathFindingFailed', 'global'],
      ['entityAStarPathFindingFailed', 'entity'],
      ['unitStartsMoving', 'entity'],
    ]);
    expect(mind(game)).toMatchObject({ mode: 'move', walks: true });
  });

  test('told to stay by the script that hears of the failure, never starts moving in standard, and starts and stops in moddio', () => {
    const failed = script('unitAStarPathFindingFailed', [
      { type: 'aiGoIdle', unit: { function: 'getTriggeringUnit' } },
    ]);
    const starts = (dialect: 'standard' | 'moddio') => {
      const game = sentAcross({ failed }, dialect);
      game.seconds(1);
      expect(mind(game)).toMatchObject({ mode: 'idle', walks: false });
      return game.of('unitStartsMoving').length;
    };
    expect([starts('standard'), starts('moddio')]).toEqual([0, 1]);
  });

  test('with a target that no path reaches, reports the failure once and walks towards it anyway', () => {
    const game = scene({
      ai: aStar,
      aiType: fast,
      walls: ['#########', '#...#...#', '#...#...#', '#########'],
      at: cell(1, 1),
      preyAt: cell(6, 1),
      scripts: { order: later(100, [{ type: 'aiAttackUnit', unit: me, targetUnit: foe }]) },
    });
    game.seconds(5);
    expect(game.of('unitAStarPathFindingFailed')).toEqual([
      expect.objectContaining({ scope: 'global', payload: { unit: 'u1' } }),
    ]);
    expect(game.of('entityAStarPathFindingFailed')).toEqual([
      expect.objectContaining({ scope: 'entity', entity: 'u1', payload: { unit: 'u1' } }),
    ]);
    expect(mind(game).x).toBeGreaterThan(cell(2, 1).x);
  });

  test('obeys a script that reacts to a missing path', () => {
    const game = scene({
      ai: aStar,
      aiType: fast,
      walls: ['#########', '#...#...#', '#...#...#', '#########'],
      at: cell(1, 1),
      preyAt: cell(6, 1),
      scripts: {
        order: later(100, [{ type: 'aiMoveToPosition', unit: me, position: cell(6, 2) }]),
        failed: script('unitAStarPathFindingFailed', [{ type: 'aiGoIdle', unit: { function: 'getTriggeringUnit' } }]),
      },
    });
    game.seconds(1);
    expect(mind(game)).toMatchObject({ mode: 'idle', walks: false });
  });
});

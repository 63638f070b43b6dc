import { describe, expect, test } from 'vitest';
import { moveTo } from '../../engine/rules/ai/ai-orders.ts';
import { addBuff } from '../../engine/rules/combat/buff.ts';
import { destroyEntity } from '../../engine/rules/entities/destroy.ts';
import { hideEntity } from '../../engine/rules/entities/visibility.ts';
import { phases } from '../../engine/sim/schedule.ts';
import { rowOf } from '../../engine/world/entity.ts';
import { createUnitAt, delayed, setVariable } from '../support/actions.ts';
import { attribute, body, itemType, play, script, unitType } from '../support/play.ts';
import { note, noting, own, trailOf, trailVariable, variable } from '../support/trail.ts';

type Json = Record<string, unknown>;

/** A game whose scripts log what they do. */
function game(data: Json, options: Parameters<typeof play>[1] = {}) {
  const { variables, ...rest } = data;
  return play({ variables: { ...trailVariable, ...(variables as Json | undefined) }, ...rest }, options);
}

const later = (duration: number, ...actions: unknown[]): Json => delayed(duration, ...actions);
const count = (variableName: string): Json =>
  setVariable(variableName, { function: 'calculate', items: [{ operator: '+' }, variable(variableName), 1] });
const thisEntity: Json = { function: 'thisEntity' };

describe('the parts of a tick', () => {
  test('have an order', () => {
    const s = game({});
    const heard: string[] = [];
    s.sim.observePhases((phase) => heard.push(phase));
    s.ticks(1);
    expect(heard).toEqual(['inputs', 'timers', 'entities', 'physics', 'players', 'scripts', 'idle']);
    expect(heard.slice(0, -1)).toEqual(phases);
  });

  test('are visible to scripts in this order', () => {
    const make = (x: number): Json => createUnitAt('unit', { function: 'getTriggeringPlayer' }, { x, y: 640 });
    const s = game({
      playerTypes: { human: { name: 'human', attributes: { gold: attribute(9, { max: 10, regenerateSpeed: 20 }) } } },
      unitTypes: {
        unit: unitType({
          scripts: {
            second: noting(own('second'), 'secondTick'),
            frame: noting(own('frame'), 'frameTick'),
            touch: noting(own('touch'), 'entityTouchesUnit'),
          },
        }),
      },
      scripts: {
        timer: script('gameStart', [later(999, note('timer'))]),
        answer: script('playerCustomInput', [note('input'), make(600), make(610)]),
        frame: noting('frame', 'frameTick'),
        second: noting('second', 'secondTick'),
        touch: noting('touch', 'unitTouchesUnit'),
        rich: noting('rich', 'playerAttributeBecomesFull'),
        clear: script('htmlUiClick', [setVariable('trail', '')]),
      },
    });
    const ann = s.sim.join({ clientId: 'ann' });
    s.ticks(19);
    s.sim.input({ kind: 'htmlClick', player: 'ann', element: 'clear' });
    s.sim.input({ kind: 'customInput', player: 'ann', text: 'go' });
    s.player(11, 'human');
    expect(ann.entity).toBe(s.player(11));
    s.ticks(1);
    expect(trailOf(s)).toBe(
      'input timer u2:second u2:frame u1:second u1:frame touch u1:touch touch u2:touch second frame rich',
    );
  });
});

describe('inputs', () => {
  const inputs = {
    scripts: {
      join: noting({ function: 'getPlayerName', entity: { function: 'getTriggeringPlayer' } }, 'playerJoinsGame'),
      answer: noting('answer', 'playerCustomInput'),
      click: noting('click', 'htmlUiClick'),
      leave: noting('leave', 'playerLeavesGame'),
    },
  };

  test('take effect in order of arrival, whoever sends them, in the next tick', () => {
    const s = game(inputs);
    s.sim.input({ kind: 'join', clientId: 'bo', name: 'Bo' });
    s.sim.input({ kind: 'join', clientId: 'al', name: 'Al' });
    s.sim.input({ kind: 'customInput', player: 'al', text: '' });
    s.sim.input({ kind: 'htmlClick', player: 'bo', element: '' });
    s.sim.input({ kind: 'leave', player: 'al' });
    s.sim.input({ kind: 'customInput', player: 'al', text: 'too late' });
    s.sim.input({ kind: 'customInput', player: 'bo', text: '' });
    expect(trailOf(s)).toBe('');
    s.ticks(1);
    expect(trailOf(s)).toBe('Bo Al answer click leave answer');
    s.ticks(1);
    expect(trailOf(s)).toBe('Bo Al answer click leave answer');
  });

  test('that arrive during a tick wait for the next one', () => {
    const s = game(inputs);
    s.sim.on('tick', (tick) => {
      if (tick === 1) s.sim.input({ kind: 'join', name: 'Cy' });
    });
    s.ticks(1);
    expect(trailOf(s)).toBe('');
    s.ticks(1);
    expect(trailOf(s)).toBe('Cy');
  });
});

describe('timers', () => {
  const started = (...actions: unknown[]) => game({ scripts: { start: script('gameStart', actions) } });

  test('run by due time, then in the order they were set', () => {
    const s = started(
      later(49, note('49')),
      later(10, note('10')),
      later(49, note('49-later')),
      later(100, note('100')),
      later(51, note('51')),
      later(10, note('10-later')),
    );
    s.ticks(1);
    expect(trailOf(s)).toBe('10 10-later 49 49-later');
    s.ticks(1);
    expect(trailOf(s)).toBe('10 10-later 49 49-later 51 100');
  });

  test('run in the tick of their time, and no earlier', () => {
    const s = started(later(50, note('due')), later(50.001, note('later')));
    s.ticks(1);
    expect(trailOf(s)).toBe('due');
    s.ticks(1);
    expect(trailOf(s)).toBe('due later');
  });

  test('never run within the script that sets them, whatever their delay', () => {
    for (const delay of [0, -5, 0.5, 1]) {
      const s = started(later(delay, note('timer')), note('script'));
      expect(trailOf(s)).toBe('script');
      s.ticks(1);
      expect(trailOf(s)).toBe('script timer');
    }
  });

  test('a timer set by a timer counts from when that one was due, and may be due in the same tick', () => {
    const s = started(later(20, note('a'), later(20, note('b'), later(20, note('c')))), later(30, note('between')));
    s.ticks(1);
    expect(trailOf(s)).toBe('a between b');
    s.ticks(1);
    expect(trailOf(s)).toBe('a between b c');
  });

  test.each([30, 60, 240])(
    'of 100 ms are due at the same number of ticks at %d per second, whenever they are set',
    (rate) => {
      const data = {
        defaultData: { frameRate: rate },
        variables: { set: { dataType: 'number', default: 0 }, due: { dataType: 'number', default: 0 } },
        scripts: { frame: script('frameTick', [count('set'), later(100, count('due'))]) },
      };
      const s = game(data, { dialect: 'standard' });
      const ticks = rate / 10;
      for (let tick = 1; tick <= rate * 2; tick++) {
        s.ticks(1);
        expect([s.variable('set'), s.variable('due')]).toEqual([tick, Math.max(0, tick - ticks)]);
      }
    },
  );

  test('a timer set by a tick counts from the time of the tick', () => {
    const s = game({ scripts: { frame: script('frameTick', [note('f'), later(50, note('t'))]) } });
    s.ticks(3);
    expect(trailOf(s)).toBe('f t f t f');
  });
});

describe('entities', () => {
  const listener = (more: Json = {}): Json =>
    unitType({ scripts: { frame: noting(own('frame'), 'frameTick') }, ...more });

  test('are updated newest first, regardless of kind', () => {
    const own_ = { frame: noting(own('frame'), 'frameTick') };
    const s = game({
      unitTypes: { unit: listener() },
      itemTypes: { crate: itemType({ scripts: own_ }) },
      scripts: { frame: noting('world', 'frameTick') },
    });
    s.unit();
    s.item('crate');
    s.unit({ x: 400 });
    s.ticks(1);
    expect(trailOf(s)).toBe('u2:frame i1:frame u1:frame world');
  });

  test('are updated once each, also if one destroys an older or newer one in its turn', () => {
    const others = { function: 'allUnitsOfUnitType', unitType: 'victim' };
    const kill = {
      type: 'forAllUnits',
      unitGroup: others,
      actions: [{ type: 'destroyEntity', entity: { function: 'selectedUnit' } }],
    };
    const s = game({
      unitTypes: {
        unit: listener(),
        victim: listener(),
        killer: unitType({ scripts: { frame: script('frameTick', [note('killer'), kill]) } }),
      },
    });
    s.unit();
    s.unit({ type: 'victim', x: 300 });
    s.unit({ type: 'killer', x: 400 });
    s.unit({ type: 'victim', x: 500 });
    s.ticks(1);
    expect(trailOf(s)).toBe('u4:frame killer u1:frame');
  });

  test('created by another entity during the pass wait for the next tick', () => {
    const child = listener();
    const bear: Json = createUnitAt('child', { function: 'getOwner', entity: thisEntity }, { x: 100, y: 100 });
    const s = game({
      unitTypes: { unit: unitType({ scripts: { frame: script('frameTick', [note('bears'), bear]) } }), child },
    });
    s.unit();
    s.ticks(1);
    expect(trailOf(s)).toBe('bears');
    s.ticks(1);
    expect(trailOf(s)).toBe('bears u2:frame bears');
  });

  test('one whose life span ends receives no more queued triggers', () => {
    const aged = listener({
      scripts: { frame: noting(own('frame'), 'frameTick'), end: noting(own('end'), 'initEntityDestroy') },
    });
    const s = game({ unitTypes: { unit: aged } });
    s.unit();
    const u2 = s.unit({ x: 300 });
    s.world.components.lifespan.deathTimeMs[rowOf(u2)] = 50;
    s.ticks(1);
    expect(trailOf(s)).toBe('u2:end u1:frame');
  });

  test.each<['standard' | 'moddio', string]>([
    ['standard', 'timer u5:frame u4:end u3:end u2:end u1:end'],
    ['moddio', 'u3:end u1:end timer u2:end u5:frame u4:end'],
  ])('in %s those whose life spans end between two ticks end in the order %s', (dialect, order) => {
    const ages = listener({
      scripts: { frame: noting(own('frame'), 'frameTick'), end: noting(own('end'), 'initEntityDestroy') },
    });
    const s = game(
      { unitTypes: { unit: ages }, scripts: { timer: script('gameStart', [later(120, note('timer'))]) } },
      { dialect },
    );
    s.ticks(2);
    // The frames of the reference between the ticks at 100 and 150 ms are at 116.7 and 133.3 ms.
    for (const endsMs of [110, 130, 105, 140]) {
      const row = rowOf(s.unit({ x: endsMs }));
      s.world.components.lifespan.deathTimeMs[row] = endsMs;
    }
    s.unit();
    s.ticks(1);
    expect(trailOf(s)).toBe(order);
  });

  test.each([
    ['standard', 'input early late u2:id u1:id'],
    ['moddio', 'u1:id early input u2:id late'],
  ] as const)('in %s an input has its turn among timers and the ends of life spans: %s', (dialect, order) => {
    const ages = listener({ scripts: { end: noting(own('id'), 'initEntityDestroy') } });
    const s = game(
      {
        unitTypes: { unit: ages },
        scripts: {
          timers: script('gameStart', [later(120, note('early')), later(145, note('late'))]),
          answer: script('playerCustomInput', [note('input')]),
        },
      },
      { dialect },
    );
    s.sim.join({ name: 'Ann', clientId: 'ann' });
    s.ticks(2);
    // An input of the tick at 150 ms comes at 125 ms. Before that tick the reference has frames at 116.7 and 133.3 ms.
    for (const endsMs of [110, 130]) {
      const row = rowOf(s.unit({ x: endsMs }));
      s.world.components.lifespan.deathTimeMs[row] = endsMs;
    }
    s.sim.input({ kind: 'customInput', player: 'ann', text: '' });
    s.ticks(1);
    expect(trailOf(s)).toBe(order);
  });

  test('a unit hears the queue, casts, begins to move, loses buffs and regenerates, in this order', () => {
    const s = game({
      unitTypes: {
        unit: unitType({
          attributes: {
            health: attribute(99.99, { max: 100, regenerateSpeed: 10 }),
            speed: attribute(5),
            luck: attribute(5, { max: 9 }),
          },
          controls: {
            movementControlScheme: 'wasd',
            movementMethod: 'velocity',
            mouseBehaviour: {},
            abilities: { e: { keyDown: { scriptName: 'cast', cost: {} } } },
          },
          scripts: {
            frame: noting('hears', 'frameTick'),
            cast: noting('casts'),
            move: noting('moves', 'unitStartsMoving'),
            full: script(
              ['entityAttributeBecomesFull', 'entityAttributeBecomesZero'],
              [note({ function: 'getAttributeTypeOfAttribute', entity: { function: 'getTriggeringAttribute' } })],
            ),
          },
        }),
      },
    });
    const ann = s.sim.join();
    s.ticks(1);
    const unit = s.unit({ owner: ann.entity });
    addBuff(s.game, unit, 'luck', 4, 40);
    s.world.attributes.value[s.world.components.attributes.start[rowOf(unit)]! + 2] = 4;
    ann.press('e');
    ann.press('d');
    s.ticks(1);
    expect(trailOf(s)).toBe('luck hears casts moves luck health');
  });

  test('an item follows its carrier in its own turn', () => {
    const s = game({ itemTypes: { sword: itemType() } });
    const unit = s.unit();
    const sword = s.give(unit, 'sword');
    s.ticks(2);
    const { x } = s.world.components.transform;
    s.game.physics.moveTo(unit, 900, 640);
    expect(x[rowOf(sword)]).toBeCloseTo(640, 0);
    s.ticks(1);
    expect(x[rowOf(sword)]).toBeCloseTo(900, 0);
  });

  test('what AI decides moves the unit from the next tick on', () => {
    const s = game({
      unitTypes: {
        unit: unitType({
          ai: {
            enabled: true,
            idleBehaviour: 'stay',
            sensorResponse: 'none',
            attackResponse: 'none',
            pathFindingMethod: 'simple',
          },
        }),
      },
    });
    const unit = s.unit();
    s.ticks(2);
    moveTo(s.game, unit, 900, 640);
    const { moving } = s.world.components.movement;
    const { x: vectorX } = s.world.components.velocity;
    const row = rowOf(unit);
    const seen: string[] = [];
    for (let i = 0; i < 2; i++) {
      s.ticks(1);
      seen.push(`${moving[row]} ${vectorX[row]! > 0}`);
    }
    expect(seen).toEqual(['1 false', '1 true']);
  });

  test('a hidden unit does nothing, but ages', () => {
    const s = game({
      unitTypes: { unit: listener({ attributes: { health: attribute(50, { max: 100, regenerateSpeed: 20 }) } }) },
    });
    const unit = s.unit();
    s.ticks(1);
    hideEntity(s.game, unit);
    const health = s.attribute('u1', 'health');
    s.seconds(1);
    expect(trailOf(s)).toBe('u1:frame');
    expect(s.attribute('u1', 'health')).toBe(health);
    s.world.components.lifespan.deathTimeMs[rowOf(unit)] = s.sim.nowMs + 50;
    s.world.wake(unit);
    s.ticks(1);
    expect(s.world.exists(unit)).toBe(false);
  });
});

describe('triggers that wait', () => {
  /** Reduces the health of the older unit to 0. */
  const harm = (entity: unknown): Json => ({
    type: 'setEntityAttribute',
    entity,
    attribute: 'health',
    value: 0,
  });

  test('reach older entities and global scripts if an entity queues them, but no newer entities', () => {
    const hears = { zero: noting(own('zero'), 'unitAttributeBecomesZero') };
    const s = game({
      unitTypes: {
        unit: unitType({ scripts: hears }),
        victim: unitType({ scripts: { ...hears, frame: script('frameTick', [harm(thisEntity)]) } }),
      },
      scripts: { zero: noting('world', 'unitAttributeBecomesZero') },
    });
    s.unit({ x: 100 });
    s.unit({ x: 300, type: 'victim' });
    s.unit({ x: 500 });
    s.ticks(1);
    // Not the newer one, and not the victim itself, whose turn had begun.
    expect(trailOf(s)).toBe('u1:zero world');
  });

  test('reach only global scripts if a global script queues them, in the same tick', () => {
    const hears = { zero: noting(own('zero'), 'unitAttributeBecomesZero') };
    const s = game({
      variables: { victim: { dataType: 'unit' } },
      unitTypes: {
        unit: unitType({
          scripts: {
            ...hears,
            made: script('entityCreated', [setVariable('victim', thisEntity)]),
          },
        }),
      },
      scripts: {
        frame: script('frameTick', [note('frame'), harm(variable('victim')), note('harmed')]),
        zero: noting('zero', 'unitAttributeBecomesZero'),
      },
    });
    s.unit();
    s.ticks(1);
    expect(trailOf(s)).toBe('frame harmed zero');
    s.ticks(1);
    expect(trailOf(s)).toBe('frame harmed zero frame harmed');
  });

  test('reach all scripts if an input or a timer queues them', () => {
    const s = game({
      variables: { victim: { dataType: 'unit' } },
      unitTypes: {
        unit: unitType({
          scripts: {
            zero: noting(own('zero'), 'unitAttributeBecomesZero'),
            made: script('entityCreated', [setVariable('victim', thisEntity)]),
          },
        }),
      },
      scripts: {
        start: script('gameStart', [later(20, harm(variable('victim')))]),
        zero: noting('world', 'unitAttributeBecomesZero'),
      },
    });
    s.unit({ x: 100 });
    s.unit({ x: 300 });
    s.ticks(1);
    expect(trailOf(s)).toBe('u2:zero u1:zero world');
  });

  test('an endless queue is cut off at the limit', () => {
    const full: Json = {
      type: 'setPlayerAttribute',
      entity: { function: 'getTriggeringPlayer' },
      attribute: 'gold',
      value: 10,
    };
    const s = game(
      {
        playerTypes: { human: { name: 'human', attributes: { gold: attribute(0, { max: 10 }) } } },
        scripts: {
          answer: script('playerCustomInput', [full]),
          rich: script('playerAttributeBecomesFull', [full]),
        },
      },
      { limits: { queuedTriggers: 50 } },
    );
    s.sim.join({ clientId: 'ann' });
    s.ticks(1);
    s.player(11, 'human');
    s.sim.input({ kind: 'customInput', player: 'ann', text: '' });
    s.ticks(1);
    expect(s.faults().map(({ code }) => code)).toEqual(['limit-triggers']);
    expect(s.sim.tick).toBe(2);
    s.ticks(1);
    expect(s.sim.tick).toBe(3);
  });
});

describe('physics', () => {
  test('scripts see a body one step late, and what they move at once', () => {
    const s = game({ unitTypes: { unit: unitType({ bodies: { default: body() } }) } });
    const unit = s.unit({ x: 300 });
    s.ticks(1);
    const row = rowOf(unit);
    s.game.physics.setVelocity(unit, 10, 0);
    const { x } = s.world.components.transform;
    s.ticks(1);
    const seen = x[row]!;
    const bodyX = s.game.physics.bodyX(unit);
    expect(seen).toBeCloseTo(300, 6);
    expect(bodyX).toBeGreaterThan(seen + 1);
    s.ticks(1);
    expect(x[row]).toBeCloseTo(bodyX, 6);
    s.game.physics.moveTo(unit, 700, 640);
    expect(x[row]).toBe(700);
  });

  test('a unit made by a timer has its body at the end of the same tick', () => {
    const make: Json = createUnitAt('unit', { function: 'getPlayerFromId', string: 'c1' }, { x: 300, y: 300 });
    const s = game({ scripts: { start: script('gameStart', [later(20, make)]) } });
    s.ticks(1);
    expect(s.game.physics.hasBody(s.entity('u1'))).toBe(true);
  });

  test('destroyed entities collide until the step, which ends their contacts', () => {
    const region = { dataType: 'region', default: { x: 500, y: 500, width: 300, height: 300 } };
    const s = game({
      variables: { yard: region },
      scripts: { leave: noting('left', 'unitLeavesRegion'), frame: noting('frame', 'frameTick') },
    });
    const unit = s.unit();
    s.ticks(2);
    destroyEntity(s.game, unit);
    expect(trailOf(s)).toBe('frame frame');
    s.ticks(1);
    expect(trailOf(s)).toBe('frame frame left frame');
  });

  test('a second of simulated time is a second whatever the rate', () => {
    for (const frameRate of [7, 20, 60]) {
      const s = game({
        defaultData: { frameRate },
        scripts: { second: noting('s', 'secondTick'), frame: noting('f', 'frameTick') },
      });
      s.seconds(2);
      const words = trailOf(s).split(' ');
      expect(words.filter((word) => word === 's')).toHaveLength(2);
      expect(words.filter((word) => word === 'f')).toHaveLength(2 * frameRate);
      // `secondTick` is queued before the frame in which the second ends.
      expect(words.slice(-2)).toEqual(['s', 'f']);
    }
  });
});

import { describe, expect, test } from 'vitest';
import { rowOf } from '../../../engine/world/entity.ts';
import { foe, later, me, scene, teleport } from '../../support/ai-scene.ts';
import type { Play } from '../../support/play.ts';

describe('a sensor', () => {
  const sensors = (game: Play) => game.sim.entities('sensor').length;

  test('moves with its unit and is removed with it', () => {
    const game = scene({
      ai: { sensorRadius: 100 },
      scripts: {
        move: later(100, [teleport(me, 300, 300)]),
        kill: later(500, [{ type: 'destroyEntity', entity: me }]),
      },
    });
    game.seconds(0.3);
    const { components: c } = game.world;
    const sensor = game.sim.entities('sensor')[0]!;
    expect([c.transform.x[rowOf(sensor)], c.transform.y[rowOf(sensor)]]).toEqual([300, 300]);
    game.seconds(0.3);
    expect(sensors(game)).toBe(0);
  });

  test('exists even while AI is off', () => {
    const game = scene({ ai: { enabled: false, sensorRadius: 100 } });
    expect(sensors(game)).toBe(1);
  });

  const ofMe = { function: 'getSensorOfUnit', unit: me };

  test('is created when a script sets the radius of a unit without a sensor', () => {
    const game = scene({
      preyAt: { x: 740, y: 640 },
      scripts: { grow: later(100, [{ type: 'changeSensorRadius', sensor: ofMe, radius: 150 }]) },
    });
    expect(sensors(game)).toBe(0);
    game.seconds(0.3);
    expect(sensors(game)).toBe(1);
    expect(game.of('unitEntersSensor').map(({ payload }) => payload['unit'])).toEqual(['u1', 'u2']);
  });

  test('detects what is inside again when its radius changes, and nothing with a radius of 0', () => {
    const game = scene({
      ai: { sensorRadius: 100 },
      preyAt: { x: 900, y: 640 },
      scripts: {
        grow: later(500, [{ type: 'changeSensorRadius', sensor: ofMe, radius: 300 }]),
        blind: later(1000, [{ type: 'changeSensorRadius', sensor: ofMe, radius: 0 }]),
        near: later(1500, [teleport(foe, 700, 640)]),
      },
    });
    game.seconds(0.4);
    expect(game.of('unitEntersSensor').map(({ payload }) => payload['unit'])).toEqual(['u1']);
    game.seconds(0.4);
    expect(game.of('unitEntersSensor').map(({ payload }) => payload['unit'])).toEqual(['u1', 'u1', 'u2']);
    game.seconds(0.4);
    expect(game.of('unitLeavesSensor').length).toBe(3);
    game.seconds(0.6);
    expect(game.of('unitEntersSensor').length).toBe(3);
  });
});

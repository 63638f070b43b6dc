import { describe, expect, test } from 'vitest';
import { bodySpec } from '../../engine/physics/body.ts';
import { bodyOf } from '../support/world.ts';
import { box, everything, scene, tick } from './scene.ts';

const area = (40 / 30) ** 2;
const circle = Math.PI * (20 / 30) ** 2;

describe('no body', () => {
  test.each([undefined, { type: 'none' }, { type: 'spriteOnly' }])('%j', (raw) => {
    expect(bodySpec(raw === undefined ? undefined : bodyOf({ ...box(), ...raw }), 'unit')).toBeUndefined();
  });
});

describe('mass', () => {
  test.each<{ what: string; body: Record<string, unknown>; scale?: number; mass: number }>([
    { what: 'a box of density 1', body: box(), mass: area },
    { what: 'density 2.5', body: box({}, { density: 2.5 }), mass: 2.5 * area },
    { what: 'density as text', body: box({}, { density: '2' }), mass: 2 * area },
    { what: 'density 0', body: box({}, { density: 0 }), mass: 1 },
    { what: 'no density', body: box({}, { density: undefined }), mass: 1 },
    { what: 'no fixtures', body: box({ fixtures: undefined }), mass: 1 },
    { what: 'an empty list of fixtures', body: box({ fixtures: [] }), mass: 1 },
    {
      what: 'a circle: the width is its diameter',
      body: box({ height: 7 }, { shape: { type: 'circle' } }),
      mass: circle,
    },
    {
      what: 'a circle of its own radius',
      body: box({}, { shape: { type: 'circle', data: { radius: 10 } } }),
      mass: circle / 4,
    },
    { what: 'a box twice as large', body: box(), scale: 2, mass: 4 * area },
    { what: 'a circle twice as large', body: box({}, { shape: { type: 'circle' } }), scale: 2, mass: 4 * circle },
    { what: 'a size of its own', body: box({}, { size: { width: 20, height: 80 } }), mass: area },
    {
      what: 'a size of its own is not scaled',
      body: box({}, { size: { width: 20, height: 20 } }),
      scale: 3,
      mass: area / 4,
    },
    { what: 'half a size of its own', body: box({}, { size: { width: 20 } }), mass: area / 2 },
    { what: 'only the first fixture counts', body: box({ fixtures: [{ density: 1 }, { density: 5 }] }), mass: area },
    { what: 'a static body has none', body: box({ type: 'static' }), mass: 0 },
    { what: 'a kinematic body has none', body: box({ type: 'kinematic' }), mass: 0 },
    { what: 'no type is dynamic', body: box({ type: undefined }), mass: area },
    { what: 'no size is the smallest', body: box({ width: 0, height: -3 }), mass: 1 / 900 },
  ])('$what', ({ body, scale, mass }) => {
    const { physics, add, update } = scene();
    const unit = add('unit', body, { scale: scale ?? 1 });
    update();
    expect(physics.massOf(unit)).toBeCloseTo(mass, 10);
  });
});

describe('the shape', () => {
  test.each<{ what: string; body: Record<string, unknown>; left: number; right: number; top: number; bottom: number }>([
    { what: 'a box', body: box(), left: 620, right: 660, top: 620, bottom: 660 },
    { what: 'a circle', body: box({}, { shape: { type: 'circle' } }), left: 620, right: 660, top: 620, bottom: 660 },
    {
      what: 'a box aside',
      body: box({}, { offset: { x: 100, y: -50 } }),
      left: 720,
      right: 760,
      top: 570,
      bottom: 610,
    },
    {
      what: 'a circle aside',
      body: box({}, { shape: { type: 'circle' }, offset: { x: 100, y: -50 } }),
      left: 720,
      right: 760,
      top: 570,
      bottom: 610,
    },
  ])('$what', ({ body, left, right, top, bottom }) => {
    const { physics, add, update } = scene();
    const unit = add('unit', body);
    update();
    const middleX = (left + right) / 2;
    const middleY = (top + bottom) / 2;
    const found = (x: number, y: number) => physics.queryArea(x - 0.1, y - 0.1, 0.2, 0.2, []);
    expect([
      found(left + 1, middleY),
      found(right - 1, middleY),
      found(middleX, top + 1),
      found(middleX, bottom - 1),
    ]).toEqual([1, 1, 1, 1]);
    expect([
      found(left - 1, middleY),
      found(right + 1, middleY),
      found(middleX, top - 1),
      found(middleX, bottom + 1),
    ]).toEqual([0, 0, 0, 0]);
    expect(physics.bodyX(unit)).toBeCloseTo(640, 9);
  });

  test('an offset turns with the body, clockwise', () => {
    const { physics, add, update } = scene();
    add('unit', box({}, { offset: { x: 0, y: -100 } }), { angle: Math.PI / 2 });
    update();
    expect(physics.queryArea(735, 635, 10, 10, [])).toBe(1);
    expect(physics.queryArea(635, 535, 10, 10, [])).toBe(0);
  });
});

describe('how a body moves', () => {
  test.each([
    { raw: {}, falls: true },
    { raw: { affectedByGravity: true }, falls: true },
    { raw: { affectedByGravity: false }, falls: false },
    { raw: { affectedByGravity: 0 }, falls: false },
    { raw: { affectedByGravity: 'false' }, falls: false },
    { raw: { type: 'static' }, falls: false },
    { raw: { type: 'kinematic' }, falls: false },
  ])('with $raw falls: $falls', ({ raw, falls }) => {
    const { physics, add, update } = scene({ settings: { gravity: { x: 0, y: 20 } } });
    const unit = add('unit', box(raw));
    update();
    expect(physics.velocityY(unit)).toBe(falls ? 20 * tick : 0);
  });

  test.each([
    { fixedRotation: true, turns: false },
    { fixedRotation: false, turns: true },
  ])('fixedRotation $fixedRotation turns by a torque: $turns', ({ fixedRotation, turns }) => {
    const { physics, add, update } = scene();
    const unit = add('unit', box({ fixedRotation }));
    update();
    physics.applyTorque(unit, 10);
    update();
    expect(physics.angularVelocity(unit) > 0).toBe(turns);
  });

  test('an angle set by a script survives rebuilding a body with fixed rotation', () => {
    const { physics, add, update, of } = scene();
    const unit = add('unit', box({ fixedRotation: true }), { angle: 1 });
    update();
    physics.turnTo(unit, 0.5);
    physics.requestBody(unit, bodySpec(bodyOf(box({ fixedRotation: true })), 'unit'));
    update();
    expect(of(unit, 'angle')).toBe(0.5);
  });

  test('a body of density 0 has no inertia, so an off-centre impulse does not turn it', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box({ fixtures: undefined }), { x: 640, y: 640 });
    add('unit', box({ type: 'static' }), { x: 700, y: 665 });
    update();
    physics.setVelocity(unit, 20, 0);
    update(10);
    expect(physics.bodyX(unit)).toBeLessThan(662);
    expect(physics.bodyAngle(unit)).toBe(0);
  });

  test.each([
    { which: 'linearDamping', damping: 8, at: 10 },
    { which: 'linearDamping', damping: 0, at: 10 },
    { which: 'linearDamping', damping: '4', at: 10 },
  ])('$which $damping slows by 1 / (1 + dt d)', ({ damping, at }) => {
    const { physics, add, update } = scene();
    const unit = add('unit', box({ linearDamping: damping }));
    update();
    physics.setVelocity(unit, at, 0);
    update();
    expect(physics.velocityX(unit)).toBeCloseTo(at / (1 + tick * Number(damping)), 12);
    expect(physics.bodyX(unit)).toBeCloseTo(640 + physics.velocityX(unit) * tick * 30, 9);
  });

  test('angularDamping slows rotation in the same way', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box({ angularDamping: 5 }));
    update();
    physics.setAngularVelocity(unit, 2);
    update();
    expect(physics.angularVelocity(unit)).toBeCloseTo(2 / (1 + tick * 5), 12);
  });

  test('gravity is applied before damping', () => {
    const { physics, add, update } = scene({ settings: { gravity: { x: 0, y: 10 } } });
    const unit = add('unit', box({ linearDamping: 4 }));
    update();
    expect(physics.velocityY(unit)).toBeCloseTo((10 * tick) / (1 + tick * 4), 12);
  });

  test('a force lasts one step and is divided by the mass', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    update();
    physics.applyForce(unit, 100, 0);
    update(3);
    expect(physics.velocityX(unit)).toBeCloseTo((100 / area) * tick, 12);
  });

  test('an impulse takes effect at once', () => {
    const { physics, add, update } = scene();
    const unit = add('unit', box());
    update();
    physics.setVelocity(unit, 1, 0);
    physics.applyImpulse(unit, 10, -10);
    expect(physics.velocityX(unit)).toBeCloseTo(1 + 10 / area, 12);
    expect(physics.velocityY(unit)).toBeCloseTo(-10 / area, 12);
  });

  test('a fast body may move more than 60 px per step', () => {
    const { physics, add, update } = scene({ plan: Array.from({ length: 3 }, () => '.'.repeat(200)) });
    const unit = add('projectile', box(), { x: 100, y: 96 });
    update();
    physics.setVelocity(unit, 200, 0);
    update();
    expect(physics.bodyX(unit)).toBeCloseTo(100 + 200 * tick * 30, 6);
  });

  test.each([
    { continuousPhysics: true, passes: false },
    { continuousPhysics: false, passes: true },
    { continuousPhysics: undefined, passes: true },
  ])('continuousPhysics $continuousPhysics: through a wall $passes', ({ continuousPhysics, passes }) => {
    const { physics, add, update } = scene({
      plan: ['.'.repeat(30), `${'.'.repeat(5)}#${'.'.repeat(24)}`],
      settings: { continuousPhysics },
    });
    physics.buildWalls();
    const bullet = add('projectile', box({ width: 8, height: 8, bullet: true }), { x: 250, y: 96 });
    update();
    physics.setVelocity(bullet, 200, 0);
    update();
    expect(physics.bodyX(bullet) > 400).toBe(passes);
  });

  test('static bodies do not move', () => {
    const { physics, add, update, of } = scene();
    const unit = add('unit', box({ type: 'static', collidesWith: everything }));
    update();
    physics.setVelocity(unit, 5, 5);
    physics.applyForce(unit, 5, 5);
    physics.applyImpulse(unit, 5, 5);
    update(3);
    expect([of(unit, 'x'), of(unit, 'y')]).toEqual([640, 640]);
  });
});

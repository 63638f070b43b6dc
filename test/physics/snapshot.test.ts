import { describe, expect, test } from 'vitest';
import { MalformedBytes } from '../../engine/core/bytes.ts';
import { applyForce, setVelocity } from '../../engine/physics/flat/body.ts';
import { type BodyDefinition, Space } from '../../engine/physics/flat/space.ts';
import { type ShapeSizes, shapeOfSizes } from '../../engine/physics/shape.ts';
import { restoreSpace, saveSpace } from '../../engine/physics/space-save.ts';
import { checkSpace, type SpaceState, spaceState } from '../../engine/physics/space-state.ts';
import { Checker } from '../../engine/schema/index.ts';
import { Mirror, planckState, stateDifference } from './flat/mirror.ts';

const seconds = 1 / 20;

function emptySpace(): Space {
  const options = {
    gravityX: 0,
    gravityY: 10,
    continuous: true,
    order: 'tree',
    contactsMax: 1000,
    pairsMax: 100_000,
  } as const;
  return new Space(options, () => {});
}

const circle = (width: number, middleX = 0): ShapeSizes => ({ circle: true, width, height: 0, middleX, middleY: 0 });
const box = (width: number, height: number, middleY = 0): ShapeSizes => ({
  circle: false,
  width,
  height,
  middleX: 0,
  middleY,
});

function bodyOf(entity: number, sizes: ShapeSizes, more: Partial<BodyDefinition>): BodyDefinition {
  return {
    entity,
    type: 'dynamic',
    x: 0,
    y: 0,
    angle: 0,
    shape: shapeOfSizes(sizes),
    isSensor: false,
    fixedRotation: false,
    bullet: false,
    maySleep: true,
    gravityScale: 1,
    linearDamping: 0,
    angularDamping: 0,
    density: 1,
    friction: 0.3,
    restitution: 0.2,
    category: 2,
    mask: 0xffff,
    ...more,
  };
}

/**
 * Boxes and circles that pile up, roll and sleep, and one so fast that it needs times of impact; with planck beside
 * them.
 */
function pile(): Mirror {
  const mirror = new Mirror(emptySpace());
  const { space } = mirror;
  let entity = 1;
  const make = (sizes: ShapeSizes, more: Partial<BodyDefinition>): number =>
    space.createBody(bodyOf(entity++, sizes, more));
  make(box(20, 1), { type: 'static', y: 12 });
  make(box(1, 6), { type: 'static', x: -8, y: 6, angle: 0.3 });
  make(box(1, 6), { type: 'static', x: 8, y: 6 });
  for (let i = 0; i < 14; i++) {
    const place = { x: (i % 5) - 2 + i * 0.01, y: -i, angle: i * 0.2, linearDamping: i % 2, bullet: i === 3 };
    make(i % 3 === 0 ? circle(0.5, 0.1) : box(0.5, 0.4, 0.1), place);
  }
  make(circle(3), { y: 5, gravityScale: 0, density: 0, isSensor: true });
  const fast = make(circle(0.2), { y: -20, bullet: true });
  setVelocity(space.bodies, fast, 3, 200);
  mirror.bodies.get(fast)!.setLinearVelocity({ x: 3, y: 200 });
  return mirror;
}

function steps(space: Space, count: number): void {
  for (let i = 0; i < count; i++) space.step(seconds);
}

function copyOf(space: Space): Space {
  const copy = emptySpace();
  restoreSpace(copy, saveSpace(space));
  return copy;
}

describe('a physics space restored from its numbers', () => {
  test.each([0, 1, 7, 30, 60, 200])('equals planck after %i steps', (count) => {
    const { space, world } = pile();
    steps(space, count);
    expect(stateDifference(saveSpace(copyOf(space)), planckState(world))).toBeUndefined();
  });

  test('the comparison sees every column', () => {
    const { space } = pile();
    steps(space, 60);
    const state = saveSpace(space);
    for (const table of [state.bodies, state.contacts]) {
      for (const [name, column] of Object.entries(table)) {
        const former = column[0]!;
        column[0] = former + 1;
        expect(stateDifference(state, saveSpace(space)), name).toContain(`${name} of `);
        column[0] = former;
      }
    }
    expect(stateDifference({ ...state, tree: [] }, saveSpace(space))).toContain('tree');
    expect(stateDifference({ ...state, moved: [0] }, saveSpace(space))).toContain('moved');
    expect(stateDifference({ ...state, step: { ...state.step, ratio: 2 } }, saveSpace(space))).toContain('step');
  });

  test('continues like the original and planck, while bodies come and go', () => {
    const { space } = pile();
    const twins = [space];
    for (let i = 0; i < 600; i++) {
      if (i % 25 === 0) twins.splice(1, 1, copyOf(twins.at(-1)!));
      for (const each of twins) {
        const first = each.bodies.newestFirst()[0]!;
        if (i % 40 === 10) applyForce(each.bodies, first, 50, -80);
        if (i % 90 === 20) each.createBody(bodyOf(1000 + i, circle(0.4), { x: 1, y: -3, bullet: true, density: 2 }));
        if (i % 130 === 60) each.destroyBody(first);
        steps(each, 1);
      }
      // A difference stays, so that every fifth step is enough.
      if (i % 5 === 4) expect(stateDifference(saveSpace(twins.at(-1)!), saveSpace(space)), `step ${i}`).toBeUndefined();
    }
  });

  test('never reads what the numbers omit: poisoning it changes nothing', () => {
    const { space } = pile();
    steps(space, 40);
    const poisoned = copyOf(space);
    const { contacts, bodies } = poisoned;
    contacts.impacts.fill(Number.NaN);
    contacts.impactCounts.fill(200);
    contacts.impactsKnown.fill(1);
    bodies.sineCosineCache.fill(Number.NaN);
    for (let i = 0; i < 200; i++) {
      steps(space, 1);
      steps(poisoned, 1);
      if (i % 5 === 4) expect(stateDifference(saveSpace(poisoned), saveSpace(space)), `step ${i}`).toBeUndefined();
    }
  });

  test('needs impulses, tree and rotation: without any of them it diverges', () => {
    const spoil: Record<string, (state: SpaceState) => void> = {
      impulse: ({ contacts }) => contacts.normalImpulse1.fill(0),
      sine: ({ bodies }) => bodies.sine.fill(0.1),
      tree: ({ bodies, tree }) => {
        const [low, high] = [bodies.left.indexOf(Math.min(...bodies.left)), 0];
        const [one, other] = [tree.indexOf(low), tree.indexOf(high)];
        Object.assign(tree, { [one]: high, [other]: low });
      },
    };
    for (const [name, change] of Object.entries(spoil)) {
      const { space } = pile();
      steps(space, 40);
      const state = saveSpace(space);
      change(state);
      const copy = emptySpace();
      restoreSpace(copy, state);
      steps(space, 5);
      steps(copy, 5);
      expect(stateDifference(saveSpace(copy), saveSpace(space)), name).toBeDefined();
    }
  });
});

describe('invalid numbers are refused', () => {
  /** Sets the number in the first row of a column. */
  const put = (column: Float64Array | Uint8Array, value: number): void => {
    column[0] = value;
  };
  const cases: Record<string, (state: Writable<SpaceState>) => unknown> = {
    'NaN as a position': ({ bodies }) => put(bodies.x, Number.NaN),
    'an unknown type': ({ bodies }) => put(bodies.type, 7),
    'a flag that is neither': ({ bodies }) => put(bodies.awake, 2),
    'a body out of the simulation': ({ bodies }) => put(bodies.active, 0),
    'a group': ({ bodies }) => put(bodies.group, 1),
    'a contact to be filtered': ({ contacts }) => put(contacts.toFilter, 1),
    'an entity that is none': ({ bodies }) => put(bodies.entity, 99),
    'a proxy that is none': ({ bodies }) => put(bodies.proxy, 0.5),
    'two bodies with one proxy': ({ bodies }) => bodies.proxy.fill(bodies.proxy[0]!, 1, 2),
    'a contact of nobody': ({ contacts }) => put(contacts.first, 12345),
    'a contact of nothing': ({ contacts }) => put(contacts.first, -1),
    'a contact with itself': ({ contacts }) => put(contacts.second, contacts.first[0]!),
    'two contacts of one pair': ({ contacts: { first, second } }) => {
      put(first, second[1]!);
      put(second, first[1]!);
    },
    'three points': ({ contacts }) => put(contacts.points, 3),
    'a manifold of no known kind': ({ contacts }) => put(contacts.manifold, 3),
    'an endless impulse': ({ contacts }) => put(contacts.normalImpulse2, Number.POSITIVE_INFINITY),
    'a shape that is neither circle nor box': ({ bodies }) => put(bodies.circle, 2),
    'a radius below zero': ({ bodies }) => put(bodies.width, -1),
    'a shape without an end': ({ bodies }) => put(bodies.height, 1e60),
    'a shape nowhere': ({ bodies }) => put(bodies.middleX, Number.NaN),
    'a tree with a leaf twice': ({ tree }) => tree.splice(-1, 1, tree.at(-2)!),
    'a tree of inner nodes': ({ tree }) => tree.fill(-1),
    'a node of no number': ({ tree }) => tree.fill(Number.NaN, -1),
    'a node of no body': ({ tree }) => tree.fill(999, -1),
    'a leaf at no place': ({ bodies }) => put(bodies.left, Number.NaN),
    'a tree of two roots': ({ tree }) => tree.shift(),
    'a proxy after the last': ({ step }) => Object.assign(step, { lastProxy: 1 }),
    'a last proxy after which planck cannot count': ({ step }) => Object.assign(step, { lastProxy: 2 ** 53 - 1 }),
    'a moved leaf that is none': ({ moved }) => moved.fill(4711),
    'columns of several lengths': (state) => Object.assign(state.bodies, { x: new Float64Array(1) }),
  };
  const refuse = (state: SpaceState): void => {
    const sizes: Record<string, number> = { body: state.bodies.entity.length };
    const isEntity = (entity: number): boolean => entity < 50;
    const scope = { sizeOf: (of: string) => sizes[of] ?? 0, isEntity, parts: { isOf: () => false } };
    const { bodies, contacts, step, tree, moved } = state;
    spaceState.check({ bodies, contacts, step, tree, moved }, new Checker(scope));
    checkSpace(state, 1000);
    restoreSpace(emptySpace(), state);
  };
  const made = (): Writable<SpaceState> => {
    const { space } = pile();
    steps(space, 20);
    return { ...saveSpace(space), moved: [0] } as unknown as Writable<SpaceState>;
  };

  test.each(Object.entries(cases))('%s', (_name, spoil) => {
    const state = made();
    spoil(state);
    expect(() => refuse(state)).toThrow(MalformedBytes);
  });

  test('more contacts than the limit allows', () => {
    expect(() => checkSpace(made(), 3)).toThrow('there are more contacts than the limit allows');
  });

  test('valid numbers are accepted', () => {
    expect(() => refuse(made())).not.toThrow();
  });
});

type Writable<T> = T extends readonly (infer E)[]
  ? E[]
  : T extends ArrayBufferView
    ? T
    : T extends object
      ? { -readonly [K in keyof T]: Writable<T[K]> }
      : T;

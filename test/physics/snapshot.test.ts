import { describe, expect, test } from 'vitest';
import { MalformedBytes } from '../../engine/core/bytes.ts';
import { boxStride } from '../../engine/physics/flat/tree.ts';
import { FlatWorld } from '../../engine/physics/flat/world.ts';
import { CircleShape, Vec2, World } from '../../engine/physics/planck/planck.ts';
import { restorePlanck } from '../../engine/physics/planck-restore.ts';
import { savePlanck } from '../../engine/physics/planck-save.ts';
import { checkPlanck, type PlanckState, planckState } from '../../engine/physics/planck-state.ts';
import { Box } from '../../engine/physics/shape.ts';
import { Checker } from '../../engine/schema/index.ts';
import { savedNumbersOf } from './flat/state.ts';

const seconds = 1 / 20;
const definition = { gravity: { x: 0, y: 10 }, continuousPhysics: true };

/** Boxes and circles that pile up, roll, sleep, and one that is fast enough to need times of impact. */
function pile<W extends World = FlatWorld>(Kind: new (definition: object) => W = FlatWorld as never): W {
  const world = new Kind(definition);
  const filter = { filterCategoryBits: 2, filterMaskBits: 0xffff };
  const make = (type: 'static' | 'dynamic', x: number, y: number, shape: Box | CircleShape, more = {}): void => {
    const body = world.createBody({ type, position: { x, y }, userData: entity++, allowSleep: true, ...more });
    body.createFixture({ shape, density: 1, friction: 0.3, restitution: 0.2, ...filter });
  };
  const middle = { x: 0, y: 0 };
  let entity = 1;
  make('static', 0, 12, new Box(20, 1, middle));
  make('static', -8, 6, new Box(1, 6, middle), { angle: 0.3 });
  make('static', 8, 6, new Box(1, 6, middle));
  for (let i = 0; i < 14; i++) {
    const shape = i % 3 === 0 ? new CircleShape(new Vec2(0.1, 0), 0.5) : new Box(0.5, 0.4, new Vec2(0, 0.1));
    make('dynamic', (i % 5) - 2 + i * 0.01, -i, shape, { angle: i * 0.2, linearDamping: i % 2, bullet: i === 3 });
  }
  const sensor = world.createBody({ type: 'dynamic', position: { x: 0, y: 5 }, userData: entity++, gravityScale: 0 });
  sensor.createFixture({ shape: new CircleShape(new Vec2(0, 0), 3), density: 0, isSensor: true, ...filter });
  make('dynamic', 0, -20, new CircleShape(new Vec2(0, 0), 0.2), { bullet: true, linearVelocity: { x: 3, y: 200 } });
  return world;
}

function steps(world: World, count: number): void {
  for (let i = 0; i < count; i++) world.step(seconds, 8, 3);
}

function copyOf(world: FlatWorld): FlatWorld {
  const copy = new FlatWorld(definition);
  restorePlanck(copy, savePlanck(world));
  return copy;
}

/**
 * Members that planck writes anew before it reads them. They may differ after restoring; the poisoned twin below proves that they do not matter.
 */
const scratch = new Set([
  // Flags and times of the step that is over.
  'm_islandFlag',
  'm_toiFlag',
  'm_toi',
  'm_toiCount',
  'm_bulletHitFlag',
  'c_velocity',
  'c_position',
  // Constraints of a contact, made anew when its island is solved.
  'v_points',
  'v_normal',
  'v_normalMass',
  'v_K',
  'v_pointCount',
  'v_tangentSpeed',
  'v_friction',
  'v_restitution',
  'v_invMassA',
  'v_invMassB',
  'v_invIA',
  'v_invIB',
  'p_localPoints',
  'p_localNormal',
  'p_localPoint',
  'p_localCenterA',
  'p_localCenterB',
  'p_type',
  'p_radiusA',
  'p_radiusB',
  'p_pointCount',
  'p_invMassA',
  'p_invMassB',
  'p_invIA',
  'p_invIB',
  'm_impulse',
  // Lists and pools that a step fills for itself.
  'm_solver',
  'inputPool',
  'stackPool',
  'iteratorPool',
  'm_queryProxyId',
  'm_callback',
  'm_step_callback',
  // Given anew at each step.
  'velocityIterations',
  'positionIterations',
  'warmStarting',
  'blockSolve',
  // Compared as trees.
  'm_broadPhase',
  // For drawing, and user's own.
  'style',
  'appData',
  '_listeners',
]);

interface Unequal {
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** Walks a world of planck's own and one over flat memory side by side, by all members of planck's objects. */
function inequalities(left: World, right: FlatWorld): Unequal[] {
  const found: Unequal[] = [];
  const partner = new Map<object, unknown>();
  const waiting: [string, unknown, unknown][] = [['world', left, right]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, a, b] = next;
    if (a === null || typeof a !== 'object' || b === null || typeof b !== 'object') {
      if (!Object.is(a, b) && typeof a !== 'function') found.push({ path, left: a, right: b });
      continue;
    }
    if (partner.has(a)) {
      if (partner.get(a) !== b) found.push({ path, left: 'the same object', right: 'another object' });
      continue;
    }
    partner.set(a, b);
    for (const key of Object.keys(a)) {
      if (!(key in b) && !scratch.has(key)) found.push({ path: `${path}/${key}`, left: 'there', right: 'absent' });
      if (scratch.has(key)) continue;
      // The tight box of a fixture is only ever written; that of a node of the tree counts.
      if (key === 'aabb' && 'fixture' in a) continue;
      // A manifold without points is made anew before it is read, and so are points beyond the count.
      if (key === 'm_manifold' && (a as { m_manifold: { pointCount: number } }).m_manifold.pointCount === 0) continue;
      if (key === '1' && path.endsWith('m_manifold/points') && hasOnePoint(a)) continue;
      waiting.push([`${path}/${key}`, (a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]]);
    }
  }
  return found;
}

const onePointed = new WeakSet<object>();
function hasOnePoint(points: object): boolean {
  return onePointed.has(points);
}

function markManifolds(world: World): void {
  for (let contact = world.getContactList(); contact !== null; contact = contact.getNext()) {
    const manifold = contact.getManifold();
    if (manifold.pointCount === 1) onePointed.add(manifold.points);
  }
}

interface Node {
  readonly id: number;
  readonly aabb: { readonly lowerBound: Vec2; readonly upperBound: Vec2 };
  readonly child1: Node | null;
  readonly child2: Node | null;
}

/** Boxes and branches of the tree of a broad phase with the ids of leaves, and what has moved in it. */
function treeOf(world: World): unknown {
  if (world instanceof FlatWorld) {
    const { tree } = world.m_broadPhase;
    const nested = (node: number): unknown => {
      const box = [...tree.boxes.subarray(node * boxStride, (node + 1) * boxStride)];
      return [box, ...(tree.isLeaf(node) ? [tree.ids[node]] : [nested(tree.first(node)), nested(tree.second(node))])];
    };
    const moved = world.m_broadPhase.saveMoved().map((leaf) => tree.ids[leaf]);
    return [nested(tree.root), tree.lastId, moved];
  }
  const { m_tree, m_moveBuffer } = (
    world as unknown as { m_broadPhase: { m_tree: PlanckTree; m_moveBuffer: unknown[] } }
  ).m_broadPhase;
  const nested = ({ id, aabb: { lowerBound, upperBound }, child1, child2 }: Node): unknown => {
    const box = [lowerBound.x, lowerBound.y, upperBound.x, upperBound.y];
    return [box, ...(child1 === null ? [id] : [nested(child1), nested(child2!)])];
  };
  return [nested(m_tree.m_root), m_tree.m_lastProxyId, m_moveBuffer.filter((each) => each !== null)];
}

interface PlanckTree {
  readonly m_root: Node;
  readonly m_lastProxyId: number;
}

function numbersOf(world: FlatWorld): string {
  const { places: _places, ...state } = savePlanck(world);
  return JSON.stringify(state, (_, value) => (ArrayBuffer.isView(value) ? String(value) : value));
}

describe('a world made from its numbers', () => {
  test.each([0, 1, 7, 30, 60, 200])(
    'is in every member of planck what planck itself makes, after %i steps',
    (count) => {
      const [plain, flat] = [pile(World), pile()];
      steps(plain, count);
      steps(flat, count);
      markManifolds(plain);
      const copy = copyOf(flat);
      expect(inequalities(plain, copy)).toEqual([]);
      expect(treeOf(copy)).toEqual(treeOf(plain));
    },
  );

  test('the comparison sees every member', () => {
    const [plain, flat] = [pile(World), pile()];
    steps(plain, 60);
    steps(flat, 60);
    markManifolds(plain);
    const copy = copyOf(flat);
    const body = copy.getBodyList() as unknown as { m_sleepTime: number; m_sweep: { a0: number } };
    body.m_sleepTime += 1;
    body.m_sweep.a0 += 1;
    const paths = inequalities(plain, copy).map(({ path }) => path.split('/').at(-1));
    expect(paths).toEqual(expect.arrayContaining(['m_sleepTime', 'a0']));
    const { tree } = copy.m_broadPhase;
    tree.boxes[tree.root * boxStride]! += 1;
    expect(treeOf(copy)).not.toEqual(treeOf(plain));
  });

  test('makes the same steps as the original and as planck for ever, bodies coming and going', () => {
    const [plain, world] = [pile(World), pile()];
    const twins = [world];
    for (let i = 0; i < 600; i++) {
      if (i % 25 === 0) twins.splice(1, 1, copyOf(twins.at(-1)!));
      for (const each of [plain, ...twins]) {
        const first = each.getBodyList()!;
        if (i % 40 === 10) first.applyForceToCenter(new Vec2(50, -80));
        if (i % 90 === 20) {
          const body = each.createBody({
            type: 'dynamic',
            position: { x: 1, y: -3 },
            userData: 1000 + i,
            bullet: true,
          });
          body.createFixture({
            shape: new CircleShape(new Vec2(0, 0), 0.4),
            density: 2,
            filterCategoryBits: 2,
            filterMaskBits: 0xffff,
          });
        }
        if (i % 130 === 60) each.destroyBody(first as never);
        steps(each, 1);
      }
      expect(numbersOf(twins.at(-1)!), `step ${i}`).toBe(numbersOf(world));
      expect(savedNumbersOf(twins.at(-1)!), `step ${i}`).toEqual(savedNumbersOf(plain));
    }
  });

  test('what is left out of the numbers is never read: poisoned, it changes nothing', () => {
    const world = pile();
    steps(world, 40);
    const poisoned = copyOf(world);
    for (let contact = poisoned.getContactList(); contact !== null; contact = contact.getNext()) {
      const inside = contact as unknown as Record<string, unknown>;
      for (const key of Object.keys(inside)) {
        if (typeof inside[key] === 'number' && (/^[vp]_/.test(key) || key === 'm_toi' || key === 'm_toiCount'))
          inside[key] = Number.NaN;
      }
      inside['m_islandFlag'] = true;
      inside['m_toiFlag'] = true;
    }
    for (let body = poisoned.getBodyList(); body !== null; body = body.getNext()) {
      const inside = body as unknown as { m_islandFlag: boolean; c_position: { a: number }; c_velocity: { w: number } };
      inside.m_islandFlag = true;
      inside.c_position.a = Number.NaN;
      inside.c_velocity.w = Number.NaN;
    }
    for (let i = 0; i < 200; i++) {
      steps(world, 1);
      steps(poisoned, 1);
      expect(numbersOf(poisoned), `step ${i}`).toBe(numbersOf(world));
    }
  });

  test('needs the impulses, the tree and the rotation: without one of them it goes another way', () => {
    const spoil: Record<string, (state: PlanckState) => void> = {
      impulse: ({ contacts }) => contacts.normalImpulse1.fill(0),
      sine: ({ bodies }) => bodies.sine.fill(0.1),
      tree: ({ bodies, tree }) => {
        const [low, high] = [bodies.left.indexOf(Math.min(...bodies.left)), 0];
        const [one, other] = [tree.indexOf(low), tree.indexOf(high)];
        Object.assign(tree, { [one]: high, [other]: low });
      },
    };
    for (const [name, change] of Object.entries(spoil)) {
      const world = pile();
      steps(world, 40);
      const state = savePlanck(world);
      change(state);
      const copy = new FlatWorld(definition);
      restorePlanck(copy, state);
      steps(world, 5);
      steps(copy, 5);
      expect(numbersOf(copy), name).not.toBe(numbersOf(world));
    }
  });
});

describe('numbers that no world can have are refused', () => {
  /** Puts a number into the first row of a column. */
  const put = (column: Float64Array | Uint8Array, value: number): void => {
    column[0] = value;
  };
  const cases: Record<string, (state: Writable<PlanckState>) => unknown> = {
    'NaN as a position': ({ bodies }) => put(bodies.x, Number.NaN),
    'an unknown type': ({ bodies }) => put(bodies.type, 7),
    'a flag that is neither': ({ bodies }) => put(bodies.awake, 2),
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
  const refuse = (state: PlanckState): void => {
    const sizes: Record<string, number> = { body: state.bodies.entity.length };
    const isEntity = (entity: number): boolean => entity < 50;
    const scope = { sizeOf: (of: string) => sizes[of] ?? 0, isEntity, parts: { isOf: () => false } };
    const { bodies, contacts, step, tree, moved } = state;
    planckState.check({ bodies, contacts, step, tree, moved }, new Checker(scope));
    checkPlanck(state, 1000);
    restorePlanck(new FlatWorld(), state);
  };
  const made = (): Writable<PlanckState> => {
    const world = pile();
    steps(world, 20);
    return { ...savePlanck(world), moved: [0] } as unknown as Writable<PlanckState>;
  };

  test.each(Object.entries(cases))('%s', (_name, spoil) => {
    const state = made();
    spoil(state);
    expect(() => refuse(state)).toThrow(MalformedBytes);
  });

  test('more contacts than the limit allows', () => {
    expect(() => checkPlanck(made(), 3)).toThrow('no more contacts than the limit allows');
  });

  test('others are not', () => {
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

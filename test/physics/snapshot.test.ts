import { describe, expect, test } from 'vitest';
import { MalformedBytes } from '../../engine/core/bytes.ts';
import { NumberList } from '../../engine/core/number-list.ts';
import { boxStride } from '../../engine/physics/flat/tree.ts';
import { FlatWorld } from '../../engine/physics/flat/world.ts';
import { BoxShape, CircleShape, Vec2, World } from '../../engine/physics/planck/planck.ts';
import { type PlanckNumbers, planckNumbers, planckTables } from '../../engine/physics/planck-members.ts';
import { restorePlanck } from '../../engine/physics/planck-restore.ts';
import { PlanckSaver } from '../../engine/physics/planck-save.ts';
import { Checker } from '../../engine/schema/index.ts';
import { savedNumbersOf } from './flat/state.ts';

const seconds = 1 / 20;
const definition = { gravity: { x: 0, y: 10 }, continuousPhysics: true };
const { bodies: bodyTable, contacts: contactTable, step: stepTable } = planckTables;

/** Boxes and circles that pile up, roll, sleep, and one that is fast enough to need times of impact. */
function pile<W extends World = FlatWorld>(Kind: new (definition: object) => W = FlatWorld as never): W {
  const world = new Kind(definition);
  const filter = { filterCategoryBits: 2, filterMaskBits: 0xffff };
  const make = (type: 'static' | 'dynamic', x: number, y: number, shape: BoxShape | CircleShape, more = {}): void => {
    const body = world.createBody({ type, position: { x, y }, userData: entity++, allowSleep: true, ...more });
    body.createFixture({ shape, density: 1, friction: 0.3, restitution: 0.2, ...filter });
  };
  let entity = 1;
  make('static', 0, 12, new BoxShape(20, 1));
  make('static', -8, 6, new BoxShape(1, 6), { angle: 0.3 });
  make('static', 8, 6, new BoxShape(1, 6));
  for (let i = 0; i < 14; i++) {
    const shape = i % 3 === 0 ? new CircleShape(new Vec2(0.1, 0), 0.5) : new BoxShape(0.5, 0.4, new Vec2(0, 0.1), 0);
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

function saved(world: FlatWorld): PlanckNumbers {
  return new PlanckSaver(world).save();
}

function copyOf(world: FlatWorld): FlatWorld {
  const copy = new FlatWorld(definition);
  restorePlanck(copy, saved(world));
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

/** Ids, boxes and branches of the tree of a broad phase, and what has moved in it. */
function treeOf(world: World): unknown {
  if (world instanceof FlatWorld) {
    const { tree } = world.m_broadPhase;
    const nested = (node: number): unknown => {
      const box = [...tree.boxes.subarray(node * boxStride, (node + 1) * boxStride)];
      return [tree.ids[node], box, ...(tree.isLeaf(node) ? [] : [nested(tree.first(node)), nested(tree.second(node))])];
    };
    const moved = new NumberList();
    world.m_broadPhase.saveMoved(moved);
    return [nested(tree.root), tree.lastId, [...moved.view]];
  }
  const { m_tree, m_moveBuffer } = (
    world as unknown as { m_broadPhase: { m_tree: PlanckTree; m_moveBuffer: unknown[] } }
  ).m_broadPhase;
  const nested = ({ id, aabb: { lowerBound, upperBound }, child1, child2 }: Node): unknown => {
    const box = [lowerBound.x, lowerBound.y, upperBound.x, upperBound.y];
    return [id, box, ...(child1 === null ? [] : [nested(child1), nested(child2!)])];
  };
  return [nested(m_tree.m_root), m_tree.m_lastProxyId, m_moveBuffer.filter((each) => each !== null)];
}

interface PlanckTree {
  readonly m_root: Node;
  readonly m_lastProxyId: number;
}

function numbersOf(world: FlatWorld): string {
  const { step, shapes, bodies, contacts, tree, moved } = saved(world);
  return [step, shapes, bodies, contacts, tree, moved].map((list) => list.join()).join('\n');
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
    const spoil: Record<string, (numbers: PlanckNumbers) => void> = {
      impulse: ({ contacts }) => {
        for (let at = 0; at < contacts.length; at += contactTable.width)
          contacts[at + contactTable.names.indexOf('normalImpulse1')] = 0;
      },
      sine: ({ bodies }) => {
        for (let at = 0; at < bodies.length; at += bodyTable.width) bodies[at + bodyTable.names.indexOf('sine')] = 0.1;
      },
    };
    for (const [name, change] of Object.entries(spoil)) {
      const world = pile();
      steps(world, 40);
      const numbers = saved(world);
      change(numbers);
      const copy = new FlatWorld(definition);
      restorePlanck(copy, numbers);
      steps(world, 5);
      steps(copy, 5);
      expect(numbersOf(copy), name).not.toBe(numbersOf(world));
    }
  });
});

describe('numbers that no world can have are refused', () => {
  /** Puts a number into the first row of a table. */
  const put = (table: { readonly names: readonly string[] }, name: string, list: Float64Array, value: number): void => {
    list[table.names.indexOf(name)] = value;
  };
  const cases: Record<string, (numbers: PlanckNumbers) => unknown> = {
    'NaN as a position': ({ bodies }) => put(bodyTable, 'x', bodies, Number.NaN),
    'an unknown type': ({ bodies }) => put(bodyTable, 'type', bodies, 7),
    'a flag too many': ({ bodies }) => put(bodyTable, 'flags', bodies, 64),
    'an entity that is none': ({ bodies }) => put(bodyTable, 'entity', bodies, 99),
    'a proxy that is none': ({ bodies }) => put(bodyTable, 'proxy', bodies, 0.5),
    'a shape that is not there': ({ bodies }) => put(bodyTable, 'shape', bodies, 99),
    'two bodies with one proxy': ({ bodies }) => bodies.fill(bodies[0]!, bodyTable.width, bodyTable.width + 1),
    'a contact of nobody': ({ contacts }) => put(contactTable, 'firstProxy', contacts, 12345),
    'a contact with itself': ({ contacts }) => put(contactTable, 'secondProxy', contacts, contacts[0]!),
    'three points': ({ contacts }) => put(contactTable, 'count', contacts, 3),
    'a manifold of no known kind': ({ contacts }) => put(contactTable, 'manifold', contacts, -1),
    'an endless impulse': ({ contacts }) => put(contactTable, 'normalImpulse2', contacts, Number.POSITIVE_INFINITY),
    'a shape that is neither circle nor box': ({ shapes }) => put(planckTables.shapes, 'kind', shapes, 2),
    'a radius below zero': ({ shapes }) => put(planckTables.shapes, 'radius', shapes, -1),
    'a shape without an end': ({ shapes }) => put(planckTables.shapes, 'cornerX1', shapes, 1e60),
    'a tree with a node twice': ({ tree }) => tree.fill(tree[1]!, 0, 1),
    'a tree of nonsense': ({ tree }) => tree.fill(-5),
    'a tree without an end': ({ tree }) => tree.set(tree.map((_, i) => -1 - i)),
    'a node of no number': ({ tree }) => tree.fill(Number.NaN, -1),
    'a leaf at no place': ({ bodies }) => put(bodyTable, 'left', bodies, Number.NaN),
    'a tree of two roots': ({ tree }) => tree.copyWithin(0, 1),
    'a proxy after the last': ({ step }) => put(stepTable, 'lastProxy', step, 1),
    'a last proxy after which planck cannot count': ({ step }) => put(stepTable, 'lastProxy', step, 2 ** 53 - 1),
    'a moved leaf that is none': ({ moved }) => moved.fill(4711),
  };
  const scope = { sizeOf: () => 0, isEntity: (entity: number) => entity < 50, parts: { isOf: () => false } };
  const refuse = (numbers: PlanckNumbers): void => {
    planckNumbers.check(numbers, new Checker(scope));
    restorePlanck(new FlatWorld(), numbers);
  };
  const made = (): PlanckNumbers => {
    const world = pile();
    steps(world, 20);
    return { ...saved(world), moved: Float64Array.from([1]) };
  };

  test.each(Object.entries(cases))('%s', (_name, spoil) => {
    const numbers = made();
    spoil(numbers);
    expect(() => refuse(numbers)).toThrow(MalformedBytes);
  });

  test('others are not', () => {
    expect(() => refuse(made())).not.toThrow();
  });
});

import { describe, expect, test } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import { EntityRef, insideOf } from '../../engine/internal.ts';
import { stunUnit } from '../../engine/rules/combat/status-effect.ts';
import { changeLook } from '../../engine/rules/entities/appearance.ts';
import { json } from '../../engine/schema/index.ts';
import { worldState } from '../../engine/world/snapshot.ts';
import { Bots } from '../../src/bots/bots.ts';
import { sampleGame } from '../support/samples.ts';

const game = sampleGame('outbreak.json');

/** A play in which a little of everything has happened. */
function busy(): Simulation {
  const sim = new Simulation(game, { seed: 'hash' });
  const bots = new Bots(sim, { count: 6, seed: 'hash' });
  for (let i = 0; i < 300; i++) {
    bots.beforeStep();
    sim.step();
  }
  // Columns that no row has do not count.
  for (const unit of sim.entities('unit')) stunUnit(insideOf(sim).game, unit, Number.POSITIVE_INFINITY);
  return sim;
}

/** Members that the hash leaves out on purpose: those that only people read, and inputs that are not yet in effect. */
const uncounted = /^(world\/(faults|skips)|inputs|joined)(\/|$)/;
/** Members that cannot change after they were made, or follow from something that counts. */
const derived =
  /^world\/(map\/(source|layers\/\d+\/tiles)|entities\/(columns|order\/(positions|words|blocks|firstTombstone|dueMs|untilMs)))(\/|$)/;

interface Place {
  readonly path: string;
  readonly owner: Record<string, unknown>;
  readonly key: string;
}

/** Every number, word and flag of the live state with the object that holds it. */
function* places(root: object): Generator<Place> {
  const seen = new Set<object>();
  const waiting: [string, object][] = [['', root]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, object] = next;
    if (seen.has(object) || Object.isFrozen(object) || object instanceof EntityRef) continue;
    seen.add(object);
    if (object instanceof Map) {
      for (const [key, value] of object)
        if (value !== null && typeof value === 'object') waiting.push([`${path}/${key}`, value]);
      continue;
    }
    for (const [key, value] of Object.entries(object)) {
      if (key === 'runtime' || key === 'game' || key === 'layout') continue;
      const at = path === '' ? key : `${path}/${key}`;
      if (value !== null && typeof value === 'object') waiting.push([at, value]);
      else yield { path: at, owner: object as Record<string, unknown>, key };
    }
  }
}

function other(value: unknown): unknown {
  if (typeof value === 'number') return value === 0 ? 1 : Number.isFinite(value) ? value + 1 : 0;
  if (typeof value === 'string') return `${value}!`;
  if (typeof value === 'boolean') return !value;
  return 4711;
}

describe('the state hash', () => {
  test('is the same for the same world, and every tick leaves another one', () => {
    const [one, two] = [busy(), busy()];
    expect(one.hash()).toBe(two.hash());
    expect(one.hash()).toBe(one.hash());
    const hashes = new Set<string>();
    for (let i = 0; i < 100; i++) {
      one.step();
      hashes.add(one.hash());
    }
    expect(hashes.size).toBe(100);
  });

  test('counts everything that a snapshot holds of the world', () => {
    const sim = busy();
    const before = sim.hash();
    const state = insideOf(sim).state();
    const missed: string[] = [];
    let tried = 0;
    // Physics is copied out of planck; its numbers are tried below.
    for (const { path, owner, key } of places({ world: state.world })) {
      if (uncounted.test(path) || derived.test(path)) continue;
      // Copies made for the snapshot: changing them changes nothing.
      if (isCopy(path) || isEmptyRow.test(path)) continue;
      // Of large columns every seventh element will do.
      if (ArrayBuffer.isView(owner) && Number(key) % 7 !== 1) continue;
      const value = owner[key];
      owner[key] = other(value);
      tried++;
      if (owner[key] !== value && hashIfAny(sim) === before) missed.push(path);
      owner[key] = value;
    }
    expect(tried).toBeGreaterThan(1000);
    expect(missed).toEqual([]);
    expect(sim.hash()).toBe(before);
  });

  test('counts what physics starts its next step with', () => {
    const sim = busy().fork({ physics: 'flat' });
    const before = sim.hash();
    const { planck } = insideOf(sim).game.physics.parts;
    const inside = planck as unknown as {
      m_bodyList: object;
      m_contactList: object;
      s_step: object;
    };
    const body = inside.m_bodyList as Record<string, Record<string, number>>;
    const contact = inside.m_contactList as { m_manifold: { pointCount: number; points: Record<string, number>[] } };
    const touching = touchingContact(contact);
    const changes: [string, Record<string, unknown>, string][] = [
      ['velocity', body['m_linearVelocity']!, 'x'],
      ['force', body['m_force']!, 'y'],
      ['sleep time', body as never, 'm_sleepTime'],
      ['awake', body as never, 'm_awakeFlag'],
      ['sweep', body['m_sweep']!, 'a0'],
      ['rotation', (body['m_xf'] as never)['q'], 's'],
      ['step', inside.s_step as never, 'inv_dt0'],
      ['contact enabled', contact as never, 'm_enabledFlag'],
    ];
    if (touching !== undefined) changes.push(['impulse', touching, 'normalImpulse']);
    for (const [name, owner, key] of changes) {
      const value = owner[key];
      owner[key] = other(value);
      expect(sim.hash(), name).not.toBe(before);
      owner[key] = value;
    }
    expect(sim.hash()).toBe(before);
    planck.getBodyList()!.getFixtureList()!.refilter();
    expect(sim.hash(), 'moved').not.toBe(before);
  });

  test('counts what a body is told, and what its fixture is', () => {
    const sim = busy().fork({ physics: 'flat' });
    const { planck } = insideOf(sim).game.physics.parts;
    let body = planck.getBodyList()!;
    // Mass is kept of dynamic bodies only.
    while (!body.isDynamic()) body = body.getNext()!;
    const fixture = body.getFixtureList()!;
    const changes: readonly [string, () => void][] = [
      ['user data', () => body.setUserData((body.getUserData() as number) + 1)],
      ['damping', () => body.setLinearDamping(body.getLinearDamping() + 1)],
      ['angular damping', () => body.setAngularDamping(body.getAngularDamping() + 1)],
      ['gravity scale', () => body.setGravityScale(body.getGravityScale() + 1)],
      ['mass', () => body.setMassData({ mass: body.getMass() + 1, I: 9, center: { x: 0, y: 0 } })],
      ['centre', () => body.setMassData({ mass: body.getMass(), I: 9, center: { x: 0.25, y: 0 } })],
      ['friction', () => fixture.setFriction(fixture.getFriction() + 1)],
      ['restitution', () => fixture.setRestitution(fixture.getRestitution() + 1)],
      ['density', () => fixture.setDensity(fixture.getDensity() + 1)],
      ['group', () => fixture.setFilterGroupIndex(fixture.getFilterGroupIndex() + 1)],
      ['category', () => fixture.setFilterCategoryBits(fixture.getFilterCategoryBits() ^ 8)],
      ['mask', () => fixture.setFilterMaskBits(fixture.getFilterMaskBits() ^ 8)],
      ['sensor', () => fixture.setSensor(!fixture.isSensor())],
      ['bullet', () => body.setBullet(!body.isBullet())],
    ];
    let before = sim.hash();
    for (const [name, change] of changes) {
      change();
      const after = sim.hash();
      expect(after, name).not.toBe(before);
      expect(sim.hash(), name).toBe(after);
      before = after;
    }
  });

  test('tells two equal lists from one list held twice', () => {
    const sim = new Simulation(game, { seed: 1 });
    const { values } = insideOf(sim).world.globals;
    const list = [1, 2];
    values[0] = list;
    values[1] = list;
    const shared = sim.hash();
    values[1] = [1, 2];
    expect(sim.hash()).not.toBe(shared);
  });

  test('remembers a look while nothing can change it', () => {
    const sim = new Simulation(game, { seed: 1 });
    const { game: inside, world } = insideOf(sim);
    const { looks } = world.shown;
    const entity = world.allocate('wall');
    const hashes = new Set([sim.hash()]);
    for (const scale of [2, 3]) {
      changeLook(inside, entity, { scale });
      hashes.add(sim.hash());
    }
    expect(() => Object.assign(looks.get(entity)!, { scale: 4 })).toThrow(TypeError);
    const copy = insideOf(sim.fork()).world.shown.looks;
    expect(Object.isFrozen(copy.get(entity))).toBe(true);
    const loose = { ...looks.get(entity)! };
    looks.set(entity, loose);
    expect(hashes).toContain(sim.hash());
    loose.scale = 5;
    hashes.add(sim.hash());
    expect(hashes.size).toBe(4);
  });

  test('is not confused by rings and by lists in lists without end', () => {
    const sim = new Simulation(game, { seed: 1 });
    const ring: unknown[] = [];
    ring.push(ring);
    let deep: unknown[] = [];
    for (let i = 0; i < 50_000; i++) deep = [deep];
    insideOf(sim).world.globals.values[0] = ring;
    insideOf(sim).world.globals.values[1] = deep;
    expect(sim.fork().hash()).toBe(sim.hash());
  });

  test('takes every NaN for the same, whatever its bits', () => {
    const sim = busy();
    const { angle } = insideOf(sim).world.components.transform;
    angle[1] = Number.NaN;
    const before = sim.hash();
    new Uint32Array(angle.buffer, angle.byteOffset + 8, 2).set([1, 0xfff80000]);
    expect(sim.hash()).toBe(before);
  });
});

/** A state with a number in place of a text has no hash. */
function hashIfAny(sim: Simulation): string | undefined {
  try {
    return sim.hash();
  } catch {
    return undefined;
  }
}

/** Rows of entities of other kinds. */
const isEmptyRow = /^world\/components\/\w+\/\d+$/;

/** Numbers and words of the world itself, which are tried below, and what has another form in the world. */
function isCopy(path: string): boolean {
  return /^world\/([^/]+|(random|triggers)\/.*|(attributes|globals|entities|timers)\/[^/]+|lists\/\d+\/(tombstones|mask))$/.test(
    path,
  );
}

function touchingContact(first: object): Record<string, number> | undefined {
  for (
    let contact = first as {
      m_next: object | null;
      m_manifold: { pointCount: number; points: Record<string, number>[] };
    } | null;
    contact !== null;
    contact = contact.m_next as typeof contact
  ) {
    if (contact.m_manifold.pointCount > 0) return contact.m_manifold.points[0];
  }
  return undefined;
}

/** Members of a world that are no state: given when it is made, or only counted and published. */
const constantMembers = [
  'definition',
  'limits',
  'types',
  'outbox',
  'membership',
  'lists',
  'withStatusEffects',
] as const;

const declared = Object.keys(worldState(json()).fields);

test('every member of the world is declared, as state or as none', () => {
  const sim = new Simulation(game);
  const known = new Set<string>([...declared, ...constantMembers]);
  // A new member goes into `worldState` of engine/world/snapshot.ts, or to `constantMembers`.
  expect(Object.keys(insideOf(sim).world).filter((member) => !known.has(member))).toEqual([]);
  expect([...known].filter((member) => !(member in insideOf(sim).world))).toEqual([]);
});

test('members of records of the world that are a number or a word count', () => {
  const sim = new Simulation(game);
  const { world } = insideOf(sim);
  let tried = 0;
  const { clock, memory, server, shown } = world;
  for (const holder of [clock, memory, server, shown] as unknown as Record<string, unknown>[]) {
    // Between ticks, when hashes are taken, it is false.
    const names = Object.keys(holder).filter((name) => name !== 'betweenTicks');
    for (const member of names.filter((name) => typeof holder[name] !== 'object')) {
      const before = sim.hash();
      const value = holder[member];
      holder[member] = other(value);
      expect(hashIfAny(sim), member).not.toBe(before);
      holder[member] = value;
      tried++;
    }
  }
  expect(tried).toBeGreaterThanOrEqual(9);
});

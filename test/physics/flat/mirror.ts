import { type PlanckWorld, planck } from '../../../bench/planck-world.ts';
import { at, type bodyFields, bodyTypes } from '../../../engine/physics/flat/body-fields.ts';
import type { ContactListener, Space, SpaceOptions } from '../../../engine/physics/flat/space.ts';
import { sizesOf } from '../../../engine/physics/shape.ts';
import { saveSpace } from '../../../engine/physics/space-save.ts';
import { bodyTable, contactTable, manifoldColumns, type SpaceState } from '../../../engine/physics/space-state.ts';

type PlanckBody = ReturnType<PlanckWorld['createBody']>;

interface SpaceInside {
  readonly options: SpaceOptions;
  listener: ContactListener;
}

/** Members of planck's objects that its types leave out. */
// biome-ignore lint/suspicious/noExplicitAny: planck's insides.
type Inside = any;

/**
 * Keeps a planck world beside a space that has not been stepped yet. Bodies created, destroyed and moved in the space
 * change in both. Planck also makes each step of the space, from the same velocities and forces; then everything that a
 * snapshot holds must be equal bit by bit, and contacts must have begun and ended in the same order. Only for spaces
 * whose pairs are in the order of the tree.
 */
export class Mirror {
  readonly space: Space;
  readonly world: PlanckWorld;
  /** By row. */
  readonly bodies = new Map<number, PlanckBody>();
  steps = 0;
  private ours: string[] = [];
  private theirs: string[] = [];

  constructor(space: Space) {
    this.space = space;
    const inside = space as unknown as SpaceInside;
    const { gravityX, gravityY, continuous } = inside.options;
    this.world = new planck.World({ gravity: { x: gravityX, y: gravityY }, continuousPhysics: continuous });
    for (const row of space.bodies.newestFirst().reverse()) this.create(row, space.bodies.get(row, at.angle));
    const { listener } = inside;
    inside.listener = (isBegin, a, b) => {
      this.ours.push(`${isBegin ? '+' : '-'} ${space.bodies.entity[a]} ${space.bodies.entity[b]}`);
      listener(isBegin, a, b);
    };
    const hear = (sign: string) => (contact: Inside) =>
      this.theirs.push(`${sign} ${contact.m_fixtureA.m_body.m_userData} ${contact.m_fixtureB.m_body.m_userData}`);
    this.world.on('begin-contact', hear('+'));
    this.world.on('end-contact', hear('-'));
    this.wrap();
  }

  private wrap(): void {
    const { space, world } = this;
    const { createBody, destroyBody, place, step, castRay, bodiesInArea } = space;
    space.createBody = (definition) => {
      const row = createBody.call(space, definition);
      this.create(row, definition.angle);
      return row;
    };
    space.destroyBody = (row) => {
      destroyBody.call(space, row);
      world.destroyBody(this.bodies.get(row)!);
      this.bodies.delete(row);
    };
    space.place = (row, x, y, angle) => {
      place.call(space, row, x, y, angle);
      this.bodies.get(row)!.setTransform({ x, y }, angle);
    };
    space.step = (seconds) => {
      this.copyMotion();
      step.call(space, seconds);
      world.step(seconds, 8, 3);
      this.steps++;
      const found = this.difference();
      if (found !== undefined) throw new Error(`step ${this.steps}: ${found}`);
    };
    space.castRay = (x1, y1, x2, y2, visit) => {
      const one: unknown[] = [];
      const two: unknown[] = [];
      castRay.call(space, x1, y1, x2, y2, (body, x, y, fraction) => {
        one.push([space.bodies.entity[body], x, y, fraction]);
        return 1;
      });
      world.rayCast({ x: x1, y: y1 }, { x: x2, y: y2 }, (fixture, { x, y }, _normal, fraction) => {
        two.push([fixture.getBody().getUserData(), x, y, fraction]);
        return -1;
      });
      expectSame(one, two, 'a ray');
      castRay.call(space, x1, y1, x2, y2, visit);
    };
    space.bodiesInArea = (left, top, right, bottom) => {
      const found = bodiesInArea.call(space, left, top, right, bottom);
      const other: unknown[] = [];
      world.queryAABB({ lowerBound: { x: left, y: top }, upperBound: { x: right, y: bottom } } as never, (fixture) => {
        other.push(fixture.getBody().getUserData());
        return true;
      });
      expectSame(
        Array.from(found, (row) => space.bodies.entity[row]!),
        other,
        'an area',
      );
      return found;
    };
  }

  private create(row: number, angle: number): void {
    const { bodies } = this.space;
    const { circle, width, height, middleX, middleY } = sizesOf(bodies.shapeOf(row));
    const middle = { x: middleX, y: middleY };
    const body = this.world.createBody({
      type: bodyTypes[bodies.type[row]!]!,
      position: { x: bodies.get(row, at.x), y: bodies.get(row, at.y) },
      angle,
      fixedRotation: bodies.fixedRotation[row] === 1,
      bullet: bodies.bullet[row] === 1,
      allowSleep: bodies.maySleep[row] === 1,
      gravityScale: bodies.get(row, at.gravityScale),
      linearDamping: bodies.get(row, at.linearDamping),
      angularDamping: bodies.get(row, at.angularDamping),
      userData: bodies.entity[row],
    });
    body.createFixture({
      shape: circle
        ? new planck.CircleShape(middle, width)
        : // planck's boxes do not remember their sizes.
          Object.assign(new planck.BoxShape(width, height, middle, 0), { halfWidth: width, halfHeight: height }),
      density: bodies.density[row]!,
      friction: bodies.friction[row]!,
      restitution: bodies.restitution[row]!,
      isSensor: bodies.sensor[row] === 1,
      filterCategoryBits: bodies.category[row]!,
      filterMaskBits: bodies.mask[row]!,
    });
    this.bodies.set(row, body);
  }

  /** Copies what acts on bodies change directly in the store. */
  private copyMotion(): void {
    const { bodies } = this.space;
    for (const [row, body] of this.bodies) {
      const inside = body as Inside;
      inside.m_linearVelocity.x = bodies.get(row, at.velocityX);
      inside.m_linearVelocity.y = bodies.get(row, at.velocityY);
      inside.m_angularVelocity = bodies.get(row, at.angularVelocity);
      inside.m_force.x = bodies.get(row, at.forceX);
      inside.m_force.y = bodies.get(row, at.forceY);
      inside.m_torque = bodies.get(row, at.torque);
      inside.m_sleepTime = bodies.get(row, at.sleepTime);
      inside.m_awakeFlag = bodies.awake[row] === 1;
    }
  }

  /** Describes where the two differ. */
  difference(): string | undefined {
    const [ours, theirs] = [this.ours, this.theirs];
    this.ours = [];
    this.theirs = [];
    if (ours.join() !== theirs.join()) return `heard ${ours.join('; ')}; planck told ${theirs.join('; ')}`;
    return stateDifference(saveSpace(this.space), planckState(this.world));
  }
}

function expectSame(ours: unknown, theirs: unknown, what: string): void {
  const [one, two] = [JSON.stringify(ours), JSON.stringify(theirs)];
  if (one !== two) throw new Error(`${what} found ${one}, and planck ${two}`);
}

/** Describes the first number that differs; undefined if there is none. */
export function stateDifference(one: SpaceState, two: SpaceState): string | undefined {
  for (const table of ['bodies', 'contacts'] as const) {
    for (const [name, column] of Object.entries(one[table])) {
      const other = two[table][name as never] as Float64Array;
      if (column.length !== other.length) return `${table} are ${column.length} and ${other.length}`;
      for (let i = 0; i < column.length; i++)
        if (!Object.is(column[i], other[i])) return `${name} of ${table} ${i} is ${column[i]} and ${other[i]}`;
    }
  }
  for (const member of ['step', 'tree', 'moved'] as const) {
    const [a, b] = [JSON.stringify(one[member]), JSON.stringify(two[member])];
    if (a !== b) return `${member} is ${a} and ${b}`;
  }
  return undefined;
}

/** The state of a planck world, in the form in which a snapshot of a space holds it. */
export function planckState(world: PlanckWorld): SpaceState {
  const inside = world as Inside;
  const listed: Inside[] = [];
  for (let body = inside.m_bodyList; body !== null; body = body.m_next) listed.push(body);
  const places = new Map(listed.map((body, i) => [body, i]));
  const { m_tree: tree, m_moveBuffer } = inside.m_broadPhase;
  const ofProxy = new Map(listed.map((body) => [body.m_fixtureList.m_proxies[0].proxyId, places.get(body)!]));
  const nodes: number[] = [];
  const visit = (node: Inside): void => {
    nodes.push(node.child1 === null ? ofProxy.get(node.id)! : -1);
    if (node.child1 === null) return;
    visit(node.child1);
    visit(node.child2);
  };
  if (tree.m_root !== null) visit(tree.m_root);
  const { dt, inv_dt, inv_dt0, dtRatio } = inside.s_step;
  return {
    bodies: planckBodies(listed, inside.m_broadPhase),
    contacts: planckContacts(inside, places),
    step: {
      seconds: dt,
      perSecond: inv_dt,
      formerPerSecond: inv_dt0,
      ratio: dtRatio,
      hasNewFixture: inside.m_newFixture,
      lastProxy: tree.m_lastProxyId,
    },
    tree: nodes,
    moved: m_moveBuffer.filter((id: unknown) => id !== null).map((id: number) => ofProxy.get(id)!),
  };
}

function planckBodies(listed: readonly Inside[], broadPhase: Inside): SpaceState['bodies'] {
  const columns = bodyTable.create(listed.length);
  listed.forEach((body, i) => {
    const { m_xf: frame, m_sweep: sweep, m_force, m_linearVelocity, m_fixtureList: fixture } = body;
    const { m_shape: shape } = fixture;
    const { proxyId } = fixture.m_proxies[0];
    const isCircle = shape.m_type === 'circle';
    const { x: middleX, y: middleY } = isCircle ? shape.m_p : shape.m_centroid;
    const { lowerBound, upperBound } = broadPhase.getFatAABB(proxyId);
    const numbers: Record<(typeof bodyFields)[number], number> = {
      x: frame.p.x,
      y: frame.p.y,
      sine: frame.q.s,
      cosine: frame.q.c,
      centreX: sweep.c.x,
      centreY: sweep.c.y,
      angle: sweep.a,
      formerFraction: sweep.alpha0,
      formerCentreX: sweep.c0.x,
      formerCentreY: sweep.c0.y,
      formerAngle: sweep.a0,
      forceX: m_force.x,
      forceY: m_force.y,
      torque: body.m_torque,
      velocityX: m_linearVelocity.x,
      velocityY: m_linearVelocity.y,
      angularVelocity: body.m_angularVelocity,
      sleepTime: body.m_sleepTime,
      mass: body.m_mass,
      inverseMass: body.m_invMass,
      inertia: body.m_I,
      inverseInertia: body.m_invI,
      localCentreX: sweep.localCenter.x,
      localCentreY: sweep.localCenter.y,
      linearDamping: body.m_linearDamping,
      angularDamping: body.m_angularDamping,
      gravityScale: body.m_gravityScale,
    };
    const row: { [name in keyof SpaceState['bodies']]: number } = {
      ...numbers,
      proxy: proxyId,
      entity: body.m_userData,
      type: bodyTypes.indexOf(body.m_type),
      awake: Number(body.m_awakeFlag),
      maySleep: Number(body.m_autoSleepFlag),
      bullet: Number(body.m_bulletFlag),
      fixedRotation: Number(body.m_fixedRotationFlag),
      active: Number(body.m_activeFlag),
      sensor: Number(fixture.m_isSensor),
      circle: Number(isCircle),
      width: isCircle ? shape.m_radius : shape.halfWidth,
      height: isCircle ? 0 : shape.halfHeight,
      middleX,
      middleY,
      left: lowerBound.x,
      top: lowerBound.y,
      right: upperBound.x,
      bottom: upperBound.y,
      friction: fixture.m_friction,
      restitution: fixture.m_restitution,
      density: fixture.m_density,
      group: fixture.m_filterGroupIndex,
      category: fixture.m_filterCategoryBits,
      mask: fixture.m_filterMaskBits,
    };
    for (const [name, value] of Object.entries(row)) columns[name as keyof typeof columns][i] = value;
  });
  return columns;
}

function planckContacts({ m_contactList }: Inside, places: ReadonlyMap<Inside, number>): SpaceState['contacts'] {
  const listed: Inside[] = [];
  for (let contact = m_contactList; contact !== null; contact = contact.m_next) listed.push(contact);
  const columns = contactTable.create(listed.length);
  listed.forEach((contact, i) => {
    const { m_manifold: manifold } = contact;
    columns.first[i] = places.get(contact.m_fixtureA.m_body)!;
    columns.second[i] = places.get(contact.m_fixtureB.m_body)!;
    columns.enabled[i] = Number(contact.m_enabledFlag);
    columns.touching[i] = Number(contact.m_touchingFlag);
    columns.toFilter[i] = Number(contact.m_filterFlag);
    columns.points[i] = manifold.pointCount;
    if (manifold.pointCount === 0) return;
    columns.manifold[i] = manifold.type;
    const numbers = [manifold.localNormal.x, manifold.localNormal.y, manifold.localPoint.x, manifold.localPoint.y];
    for (const { localPoint, normalImpulse, tangentImpulse, id } of manifold.points.slice(0, manifold.pointCount)) {
      numbers.push(localPoint.x, localPoint.y, normalImpulse, tangentImpulse);
      numbers.push(id.indexA, id.typeA, id.indexB, id.typeB);
    }
    numbers.forEach((value, j) => {
      columns[manifoldColumns[j]!][i] = value;
    });
  });
  return columns;
}

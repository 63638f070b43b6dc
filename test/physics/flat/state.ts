import type { Contact, Fixture, World } from '../../../engine/physics/planck/planck.ts';

/** Everything of a world that its future depends on, as numbers, read through planck's own members of either kind of world. */

interface Inside {
  readonly [member: string]: Inside & number & boolean & string & null;
}

const vectors = ['m_force', 'm_linearVelocity'] as const;
const numbers = [
  'm_mass',
  'm_invMass',
  'm_I',
  'm_invI',
  'm_torque',
  'm_angularVelocity',
  'm_linearDamping',
  'm_angularDamping',
  'm_gravityScale',
  'm_sleepTime',
] as const;
const flags = ['m_awakeFlag', 'm_autoSleepFlag', 'm_bulletFlag', 'm_fixedRotationFlag', 'm_activeFlag'] as const;

/** A number, whose it is and what; names are put together only when somebody asks. */
type Push = (value: number, who: string, what: string) => void;

export interface WorldState {
  readonly numbers: number[];
  /** The meaning of each number, made only on demand. */
  readonly names: () => string[];
}

export function stateOf(world: World): WorldState {
  const to: number[] = [];
  fill(world, (value) => to.push(value));
  return {
    numbers: to,
    names: () => {
      const names: string[] = [];
      fill(world, (_value, who, what) => names.push(`${who} ${what}`));
      return names;
    },
  };
}

/** Those that a snapshot brings back: the tight box of a fixture is only read by those who ask for it. */
export function savedNumbersOf(world: World): number[] {
  const to: number[] = [];
  fill(world, (value, _who, what) => {
    if (what !== 'tight') to.push(value);
  });
  return to;
}

function fill(world: World, push: Push): void {
  for (let body = world.getBodyList(); body !== null; body = body.getNext()) {
    const inside = body as unknown as Inside;
    const who = String(body.getUserData());
    const { m_xf, m_sweep } = inside;
    push(['static', 'kinematic', 'dynamic'].indexOf(inside['m_type']!), who, 'type');
    push(m_xf!['p']!['x']!, who, 'x');
    push(m_xf!['p']!['y']!, who, 'y');
    push(m_xf!['q']!['s']!, who, 'sine');
    push(m_xf!['q']!['c']!, who, 'cosine');
    for (const member of ['localCenter', 'c', 'c0']) {
      push(m_sweep![member]!['x']!, who, member);
      push(m_sweep![member]!['y']!, who, member);
    }
    for (const member of ['a', 'a0', 'alpha0']) push(m_sweep![member]!, who, member);
    for (const member of vectors) {
      push(inside[member]!['x']!, who, member);
      push(inside[member]!['y']!, who, member);
    }
    for (const member of numbers) push(inside[member]!, who, member);
    for (const member of flags) push(inside[member] ? 1 : 0, who, member);
    for (let fixture = body.getFixtureList(); fixture !== null; fixture = fixture.getNext()) {
      fillFixture(fixture, who, push);
    }
    for (let edge = body.getContactList(); edge !== null; edge = edge.next) {
      push(edge.other!.getUserData() as number, who, 'meets');
    }
  }
  for (let contact = world.getContactList(); contact !== null; contact = contact.getNext()) fillContact(contact, push);
  const inside = world as unknown as Inside;
  push(world.getContactCount(), 'world', 'contacts');
  push(world.getProxyCount(), 'world', 'moved');
  push(world.getTreeHeight(), 'world', 'tree height');
  push(lastProxyOf(inside), 'world', 'last proxy');
}

function lastProxyOf(world: Inside): number {
  const { m_tree, tree } = world['m_broadPhase']!;
  return m_tree === undefined ? tree!['lastId']! : m_tree!['m_lastProxyId']!;
}

function fillFixture(fixture: Fixture, who: string, push: Push): void {
  const inside = fixture as unknown as Inside & { m_proxies: { proxyId: number }[]; m_body: { m_world: World } };
  push(inside['m_isSensor'] ? 1 : 0, who, 'sensor');
  const broadPhase = (inside.m_body.m_world as unknown as Inside)['m_broadPhase']! as unknown as {
    getFatAABB(id: number): { lowerBound: { x: number; y: number }; upperBound: { x: number; y: number } };
  };
  for (let child = 0; child < inside['m_proxyCount']!; child++) {
    const { proxyId } = inside.m_proxies[child]!;
    push(proxyId, who, 'proxy');
    for (const [kind, box] of [
      ['fat', broadPhase.getFatAABB(proxyId)],
      ['tight', fixture.getAABB(child)],
    ] as const) {
      push(box.lowerBound.x, who, kind);
      push(box.lowerBound.y, who, kind);
      push(box.upperBound.x, who, kind);
      push(box.upperBound.y, who, kind);
    }
  }
}

function fillContact(contact: Contact, push: Push): void {
  const inside = contact as unknown as Inside;
  const a = contact.getFixtureA().getBody().getUserData() as number;
  const b = contact.getFixtureB().getBody().getUserData() as number;
  const who = `contact ${a} ${b}`;
  push(a, who, 'a');
  push(b, who, 'b');
  push(contact.isTouching() ? 1 : 0, who, 'touches');
  push(contact.isEnabled() ? 1 : 0, who, 'enabled');
  push(inside['m_filterFlag'] ? 1 : 0, who, 'filter');
  push(contact.getFriction(), who, 'friction');
  push(contact.getRestitution(), who, 'restitution');
  const manifold = contact.getManifold();
  push(manifold.pointCount, who, 'points');
  if (manifold.pointCount === 0) return;
  push(manifold.type, who, 'type');
  push(manifold.localNormal.x, who, 'normal x');
  push(manifold.localNormal.y, who, 'normal y');
  push(manifold.localPoint.x, who, 'point x');
  push(manifold.localPoint.y, who, 'point y');
  for (let i = 0; i < manifold.pointCount; i++) {
    const point = manifold.points[i]!;
    push(point.localPoint.x, who, 'x');
    push(point.localPoint.y, who, 'y');
    push(point.normalImpulse, who, 'normal impulse');
    push(point.tangentImpulse, who, 'tangent impulse');
    push(point.id.key, who, 'id');
  }
}

import { withoutConstructor } from '../planck/bare.ts';
import { Contact, ContactEdge, ContactImpulse, Manifold, type TimeStep } from '../planck/planck.ts';
import type { Collide } from './collide.ts';
import type { ContactNode, EdgeNode, FixtureNode } from './graph.ts';

/** Bits of the flags of a contact. Solved are those that have the first two and not the third. */
export const ContactFlag = { touching: 1, enabled: 2, sensor: 4 } as const;
export const isSolved = ContactFlag.touching | ContactFlag.enabled;

/** The changes of a contact that its store gets. */
interface ContactHome {
  readonly flags: Uint8Array;
  readonly toFilter: Uint8Array;
  refresh(contact: FlatContact): void;
}

const noFixture: FixtureNode | null = null;
const noChild = -1;

type SolverMembers = Record<string, unknown>;
/** The members of a contact that planck's solver alone uses, for velocities and for positions. */
const solverMembers = Object.keys(new Contact()).filter((name) => /^[vp]_/.test(name));

/**
 * A contact of planck's with a row in the contact store of its world. Used again after it has ended, by the same world. It replaces planck's constructor,
 * most of which makes room for planck's own solver: that is made when planck first solves the contact.
 */
export class FlatContact extends withoutConstructor(Contact) implements ContactNode {
  row = -1;
  /** The walk over contacts by time of impact that `m_toi` and its flags belong to. */
  impactStamp = 0;
  readonly store: ContactHome;
  readonly m_nodeA: EdgeNode;
  readonly m_nodeB: EdgeNode;
  m_fixtureA = noFixture as FixtureNode;
  m_fixtureB = noFixture as FixtureNode;
  m_indexA = noChild;
  m_indexB = noChild;
  m_evaluateFcn: Collide | null = null;
  readonly m_manifold = new Manifold();
  m_prev: FlatContact | null = null;
  m_next: FlatContact | null = null;
  m_toi = 1;
  m_toiCount = 0;
  m_toiFlag = false;
  m_islandFlag = false;
  m_bulletHitFlag = false;
  m_friction = 0;
  m_restitution = 0;
  m_tangentSpeed = 0;
  // For planck's solver; undefined before it comes. They are declared, so that all contacts have one shape in memory.
  m_impulse: ContactImpulse | undefined;
  v_points: unknown;
  v_normal: unknown;
  v_normalMass: unknown;
  v_K: unknown;
  v_pointCount: unknown;
  v_tangentSpeed: unknown;
  v_friction: unknown;
  v_restitution: unknown;
  v_invMassA: unknown;
  v_invMassB: unknown;
  v_invIA: unknown;
  v_invIB: unknown;
  p_localPoints: unknown;
  p_localNormal: unknown;
  p_localPoint: unknown;
  p_localCenterA: unknown;
  p_localCenterB: unknown;
  p_type: unknown;
  p_radiusA: unknown;
  p_radiusB: unknown;
  p_pointCount: unknown;
  p_invMassA: unknown;
  p_invMassB: unknown;
  p_invIA: unknown;
  p_invIB: unknown;
  // planck's own, which its types leave out.
  declare initialize: (a: FixtureNode, childA: number, b: FixtureNode, childB: number, collide: Collide) => void;

  constructor(store: ContactHome) {
    super();
    this.store = store;
    this.m_nodeA = new ContactEdge(this) as unknown as EdgeNode;
    this.m_nodeB = new ContactEdge(this) as unknown as EdgeNode;
  }

  /** Everything as it was at first, but for the row. Nothing of planck's solver is read before it is written anew. */
  recycle(): void {
    forget(this.m_nodeA);
    forget(this.m_nodeB);
    this.m_fixtureA = noFixture as FixtureNode;
    this.m_fixtureB = noFixture as FixtureNode;
    this.m_indexA = noChild;
    this.m_indexB = noChild;
    this.m_evaluateFcn = null;
    this.m_manifold.recycle();
    this.m_prev = null;
    this.m_next = null;
    this.m_toi = 1;
    this.m_toiCount = 0;
    this.m_toiFlag = false;
    this.m_islandFlag = false;
    this.m_bulletHitFlag = false;
    this.m_friction = 0;
    this.m_restitution = 0;
    this.m_tangentSpeed = 0;
    this.m_enabledFlag = true;
    this.m_touchingFlag = false;
    this.m_filterFlag = false;
  }

  /** Where planck's solver begins with a contact. */
  override initConstraint(step: TimeStep): void {
    if (this.m_impulse === undefined) {
      this.m_impulse = new ContactImpulse(this);
      const made = new Contact() as unknown as SolverMembers;
      for (const name of solverMembers) (this as unknown as SolverMembers)[name] = made[name];
    }
    super.initConstraint(step);
  }

  // planck's members that the store keeps. `ContactStore.add` says what they start with.

  get m_touchingFlag(): boolean {
    return (this.store.flags[this.row]! & ContactFlag.touching) !== 0;
  }

  set m_touchingFlag(isTouching: boolean) {
    this.setFlag(ContactFlag.touching, isTouching);
  }

  get m_enabledFlag(): boolean {
    return (this.store.flags[this.row]! & ContactFlag.enabled) !== 0;
  }

  set m_enabledFlag(isEnabled: boolean) {
    this.setFlag(ContactFlag.enabled, isEnabled);
  }

  get m_filterFlag(): boolean {
    return this.store.toFilter[this.row] === 1;
  }

  set m_filterFlag(isToFilter: boolean) {
    this.store.toFilter[this.row] = isToFilter ? 1 : 0;
  }

  private setFlag(flag: number, isSet: boolean): void {
    const { store, row } = this;
    if (isSet) store.flags[row]! |= flag;
    else store.flags[row]! &= ~flag;
  }

  refresh(): void {
    this.store.refresh(this);
  }
}

function forget(edge: EdgeNode): void {
  edge.prev = null;
  edge.next = null;
  edge.other = null;
}

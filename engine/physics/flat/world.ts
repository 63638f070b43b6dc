import { assert } from '../../core/assert.ts';
import {
  type BodyDef,
  type FixtureProxy,
  type Shape,
  type Solver,
  type TimeStep,
  Vec2,
  type Vec2Value,
  World,
  type WorldDef,
} from '../planck/planck.ts';
import { FlatBody } from './body.ts';
import { dynamicType } from './body-fields.ts';
import { BodyStore } from './body-store.ts';
import { FlatBroadPhase } from './broad-phase.ts';
import { collideOf } from './collide.ts';
import type { FlatContact } from './contact.ts';
import { ContactStore } from './contact-store.ts';
import { updateContacts } from './contact-update.ts';
import type { EdgeNode, FlatProxy } from './graph.ts';
import { clearForces } from './integrate.ts';
import { Islands } from './islands.ts';
import { StepNumbers } from './step-numbers.ts';
import { Synchronizer } from './synchronize.ts';
import { ImpactSolver } from './time-of-impact.ts';

/**
 * planck's world with a step of its own over flat memory: the same results to the last bit, in a fraction of the time. Bodies, fixtures, contacts
 * and listeners are planck's and have all of planck's methods; a world of planck's beside it is not affected. Joints, sub-steps and listeners around the
 * solver are refused: no game has them.
 *
 * `test/physics/flat` compares it with planck 1.5.0; another version of planck needs another look at every file in this folder.
 */
export class FlatWorld extends World {
  readonly bodies: BodyStore;
  readonly contacts: ContactStore;
  declare readonly m_broadPhase: FlatBroadPhase;
  declare readonly m_solver: Solver;
  declare m_bodyList: FlatBody | null;
  declare private m_bodyCount: number;
  declare m_contactList: FlatContact | null;
  declare m_contactCount: number;
  declare private readonly m_gravity: Vec2;
  declare private readonly s_step: TimeStep;
  declare private readonly m_allowSleep: boolean;
  declare private readonly m_warmStarting: boolean;
  declare private readonly m_blockSolve: boolean;
  declare private readonly m_continuousPhysics: boolean;
  declare private readonly m_clearForces: boolean;
  declare private readonly m_velocityIterations: number;
  declare private readonly m_positionIterations: number;
  declare private m_newFixture: boolean;
  declare private m_locked: boolean;
  declare private readonly m_step_callback: ((world: World) => unknown)[];
  declare private readonly beginContact: (contact: FlatContact) => void;
  declare private readonly endContact: (contact: FlatContact) => void;
  private readonly numbers = new StepNumbers();
  private readonly islands: Islands;
  private readonly synchronizer: Synchronizer;
  private readonly impacts: ImpactSolver;
  private readonly pairFound = (older: FlatProxy, newer: FlatProxy): void => this.createContact(older, newer);
  private readonly pairIsNew = (older: FlatProxy, newer: FlatProxy): boolean => this.isNewPair(older, newer);

  constructor(definition?: WorldDef | Vec2Value) {
    super(definition);
    if (this.getSubStepping()) throw new Error('A FlatWorld has no sub-steps.');
    const broadPhase = this.makeBroadPhase();
    (this as { m_broadPhase: FlatBroadPhase }).m_broadPhase = broadPhase;
    this.bodies = new BodyStore();
    this.contacts = new ContactStore(this.bodies);
    this.islands = new Islands(this.bodies, this.contacts);
    this.synchronizer = new Synchronizer(this.bodies, broadPhase);
    this.impacts = new ImpactSolver(this.bodies, this.contacts, broadPhase.tree, this);
  }

  override createJoint(_joint: unknown): never {
    throw new Error('A FlatWorld has no joints.');
  }

  override setSubStepping(_is: boolean): never {
    throw new Error('A FlatWorld has no sub-steps.');
  }

  override on(event: string, listener: never): World {
    if (event === 'pre-solve' || event === 'post-solve') throw new Error(`A FlatWorld tells nobody of ${event}.`);
    return super.on(event as never, listener);
  }

  protected makeBroadPhase(): FlatBroadPhase {
    return new FlatBroadPhase();
  }

  // Bodies.

  override createBody(definition?: BodyDef | Vec2Value, angle?: number): FlatBody {
    if (this.isLocked()) return null as never;
    const made = Vec2.isValid(definition) ? { position: definition as Vec2Value, angle } : definition;
    return this.add(new FlatBody(this, (made ?? {}) as BodyDef));
  }

  /** The newest body, with one fixture. Its numbers and flags are for a snapshot to fill: planck's own way computes them all first. */
  createBlankBody(shape: Shape, isSensor: boolean): FlatBody {
    const body = new FlatBody(this);
    body.giveFixture(shape, isSensor);
    body.m_next = this.m_bodyList;
    if (this.m_bodyList !== null) this.m_bodyList.m_prev = body;
    this.m_bodyList = body;
    this.m_bodyCount++;
    return body;
  }

  private add(body: FlatBody): FlatBody {
    (this as unknown as { _addBody(body: FlatBody): void })._addBody(body);
    return body;
  }

  override destroyBody(body: FlatBody): boolean {
    const isDestroyed = super.destroyBody(body as never);
    if (isDestroyed === true) this.bodies.remove(body.row);
    return isDestroyed;
  }

  // For snapshots.

  /** As `createContact`, of two of which it is known that they can meet and have not met. No body wakes. */
  restoreContact(a: FlatProxy, b: FlatProxy): FlatContact {
    const contact = this.takeContact(a, b);
    assert(contact !== undefined, 'two that can meet have a contact');
    this.list(contact);
    return contact;
  }

  // The step.

  override step(seconds: number, velocityIterations?: number, positionIterations?: number): void {
    this.publish('pre-step', seconds);
    const step = this.s_step;
    if (this.m_newFixture) {
      this.findNewContacts();
      this.m_newFixture = false;
    }
    this.m_locked = true;
    step.reset(seconds);
    step.velocityIterations = (Number.isInteger(velocityIterations) && velocityIterations) || this.m_velocityIterations;
    step.positionIterations = positionIterations || this.m_positionIterations;
    step.warmStarting = this.m_warmStarting;
    step.blockSolve = this.m_blockSolve;
    this.updateContacts();
    if (seconds > 0) {
      this.numbers.fill(step, this.m_gravity, this.m_allowSleep);
      this.islands.solve(this.numbers);
      this.synchronizer.synchronizeMoved();
      this.findNewContacts();
      if (this.m_continuousPhysics) this.impacts.solve(step);
    }
    if (this.m_clearForces) this.clearLivelyForces();
    this.m_locked = false;
    while (this.m_step_callback.length > 0) this.m_step_callback.shift()!(this);
    this.publish('post-step', seconds);
  }

  /** Whatever sleeps has no forces, so that only what is awake is visited. */
  private clearLivelyForces(): void {
    const { bodies } = this;
    const { lives, order } = bodies;
    for (let rank = lives.below(bodies.rankCount); rank >= 0; rank = lives.below(rank))
      clearForces(bodies, order[rank]!);
  }

  // Contacts; the names are planck's, which calls them, too.

  updateContacts(): void {
    updateContacts(this.contacts, this.bodies, this.m_broadPhase, this);
  }

  findNewContacts(): void {
    this.m_broadPhase.updatePairs(this.pairFound, this.pairIsNew);
  }

  /** Nothing happens for two fixtures that cannot meet, or do already. */
  createContact(a: FixtureProxy, b: FixtureProxy): void {
    if (!this.isNewPair(a as FlatProxy, b as FlatProxy)) return;
    const contact = this.takeContact(a as FlatProxy, b as FlatProxy);
    if (contact === undefined) return;
    const { m_fixtureA, m_fixtureB } = contact;
    if (!m_fixtureA.m_isSensor && !m_fixtureB.m_isSensor) {
      (m_fixtureA.m_body as FlatBody).setAwake(true);
      (m_fixtureB.m_body as FlatBody).setAwake(true);
    }
    this.list(contact);
  }

  /** Keeps a contact as the newest. */
  private list(contact: FlatContact): void {
    const bodyA = contact.m_fixtureA.m_body as FlatBody;
    const bodyB = contact.m_fixtureB.m_body as FlatBody;
    link(contact.m_nodeA, contact, bodyA, bodyB);
    link(contact.m_nodeB, contact, bodyB, bodyA);
    contact.m_prev = null;
    contact.m_next = this.m_contactList;
    if (this.m_contactList !== null) this.m_contactList.m_prev = contact;
    this.m_contactList = contact;
    this.m_contactCount++;
    this.contacts.add(contact);
  }

  destroyContact(contact: FlatContact): void {
    if (contact.m_prev !== null) contact.m_prev.m_next = contact.m_next;
    if (contact.m_next !== null) contact.m_next.m_prev = contact.m_prev;
    if (contact === this.m_contactList) this.m_contactList = contact.m_next;
    const { m_fixtureA, m_fixtureB } = contact;
    const bodyA = m_fixtureA.m_body as FlatBody;
    const bodyB = m_fixtureB.m_body as FlatBody;
    if (contact.m_touchingFlag) this.endContact(contact);
    unlink(contact.m_nodeA, bodyA);
    unlink(contact.m_nodeB, bodyB);
    if (contact.m_manifold.pointCount > 0 && !m_fixtureA.m_isSensor && !m_fixtureB.m_isSensor) {
      bodyA.setAwake(true);
      bodyB.setAwake(true);
    }
    this.m_contactCount--;
    this.contacts.remove(contact);
  }

  /** For the update of contacts. */
  mayCollide({ m_fixtureA, m_fixtureB }: FlatContact): boolean {
    return this.areForEachOther(m_fixtureA as never, m_fixtureB as never);
  }

  updateInFull(contact: FlatContact): void {
    contact.update(this as never);
  }

  private isNewPair(a: FlatProxy, b: FlatProxy): boolean {
    const { bodies, contacts } = this;
    const rowA = (a.fixture as never as { m_body: FlatBody }).m_body.row;
    const rowB = (b.fixture as never as { m_body: FlatBody }).m_body.row;
    if (rowA === rowB) return false;
    const mayBeKnown = bodies.contactCount[rowA] !== 0 && bodies.contactCount[rowB] !== 0;
    if (mayBeKnown && contacts.has(a.leaf, b.leaf)) return false;
    return this.areForEachOther(a.fixture as never, b.fixture as never);
  }

  /** planck's filters: one of the two is dynamic, and each is in the mask of the other. */
  private areForEachOther(a: FlatFixtureInside, b: FlatFixtureInside): boolean {
    const { type } = this.bodies;
    if (type[a.m_body.row] !== dynamicType && type[b.m_body.row] !== dynamicType) return false;
    return b.shouldCollide(a as never);
  }

  /** A contact between two fixtures, in planck's order of their shapes; undefined if planck knows no contact between such shapes. */
  private takeContact(a: FlatProxy, b: FlatProxy): FlatContact | undefined {
    const typeA = a.fixture.getType();
    const typeB = b.fixture.getType();
    const collide = collideOf(typeA, typeB);
    if (collide !== undefined) {
      const contact = this.contacts.take();
      contact.initialize(a.fixture as never, a.childIndex, b.fixture as never, b.childIndex, collide);
      return contact;
    }
    const turnedRound = collideOf(typeB, typeA);
    if (turnedRound === undefined) return undefined;
    const contact = this.contacts.take();
    contact.initialize(b.fixture as never, b.childIndex, a.fixture as never, a.childIndex, turnedRound);
    return contact;
  }
}

interface FlatFixtureInside {
  readonly m_body: FlatBody;
  shouldCollide(other: never): boolean;
}

/** At the start of the list of a body, as planck does. */
function link(edge: EdgeNode, contact: FlatContact, body: FlatBody, other: FlatBody): void {
  const list = body as { m_contactList: EdgeNode | null };
  edge.contact = contact;
  edge.other = other;
  edge.prev = null;
  edge.next = list.m_contactList;
  if (list.m_contactList !== null) list.m_contactList.prev = edge;
  list.m_contactList = edge;
}

function unlink(edge: EdgeNode, body: FlatBody): void {
  const list = body as { m_contactList: EdgeNode | null };
  if (edge.prev !== null) edge.prev.next = edge.next;
  if (edge.next !== null) edge.next.prev = edge.prev;
  if (edge === list.m_contactList) list.m_contactList = edge.next;
}

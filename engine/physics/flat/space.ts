import { Transform } from '../planck.ts';
import type { Shape } from '../shape.ts';
import { clearForces, setAwake, setFrame, setMass } from './body.ts';
import { at, type bodyTypes, dynamicType, stride, surfaceFields } from './body-fields.ts';
import { BodyStore, noEdge } from './body-store.ts';
import { boundBody, boundStep } from './bounds.ts';
import { BroadPhase, type PairOrder } from './broad-phase.ts';
import { ContactFlag, ContactStore, endStride } from './contact-store.ts';
import { ImpactSolver } from './impacts.ts';
import { Islands } from './islands.ts';
import { collide, setTransform } from './manifold.ts';
import { RayPath } from './ray-path.ts';
import { Step } from './step.ts';

export interface SpaceOptions {
  readonly gravityX: number;
  readonly gravityY: number;
  /** Whether fast bodies are stopped at obstacles that they would otherwise pass through. */
  readonly continuous: boolean;
  readonly order: PairOrder;
  /**
   * Maximum number of contacts, touching or not. The number of contacts of bodies piled on one spot is quadratic and
   * would fill the memory.
   */
  readonly contactsMax: number;
  /**
   * Maximum number of pairs that a step examines: without a limit, a step of bodies piled on one spot would take
   * minutes.
   */
  readonly pairsMax: number;
}

/**
 * Called with the rows of two bodies whose contact begins or ends: during a step, and when a body is destroyed. Must
 * not change anything.
 */
export type ContactListener = (isBegin: boolean, bodyA: number, bodyB: number) => void;

/** The description of a new body, in metres, radians and seconds. The body is created at rest and awake. */
export interface BodyDefinition {
  readonly entity: number;
  readonly type: (typeof bodyTypes)[number];
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly fixedRotation: boolean;
  readonly bullet: boolean;
  readonly maySleep: boolean;
  readonly gravityScale: number;
  readonly linearDamping: number;
  readonly angularDamping: number;
  readonly shape: Shape;
  readonly isSensor: boolean;
  readonly friction: number;
  readonly restitution: number;
  readonly density: number;
  readonly category: number;
  readonly mask: number;
}

/**
 * Called with a body that a ray hits, the point, and the fraction of the ray. Returns the fraction at which the ray
 * ends from then on, 1 for its whole length.
 */
export type RayVisitor = (body: number, x: number, y: number, fraction: number) => number;

/**
 * Bodies, their contacts and the step that moves them: planck's algorithms on rows of numbers, with the same results to
 * the last bit in a fraction of the time. Contains only what games need: one shape per body, circle or box; no joints.
 * A body is identified by the number of its row.
 *
 * `test/physics/flat` compares it with planck 1.5.0. For another version of planck, each file of this folder must be
 * compared again.
 */
export class Space {
  readonly bodies = new BodyStore();
  readonly contacts = new ContactStore(this.bodies);
  readonly broadPhase: BroadPhase;
  /** The length of the last step, which determines how impulses are scaled. */
  readonly time = new Step();
  /** Whether bodies were created since the last step. Their contacts begin before they move. */
  hasNewBodies = false;
  /**
   * Whether a contact was refused because of `contactsMax`. Its bodies pass through each other until they part and meet
   * again. `Physics` resets this field when it has read it.
   */
  hasRefusedContacts = false;
  private readonly islands = new Islands(this.bodies, this.contacts);
  private readonly impacts: ImpactSolver;

  // Reused by every query.
  private readonly area = new Float64Array(4);
  private readonly ray = new RayPath();
  private readonly transform = Transform.identity();

  constructor(
    private readonly options: SpaceOptions,
    private readonly listener: ContactListener,
  ) {
    this.broadPhase = new BroadPhase(options.order);
    this.impacts = new ImpactSolver(this.bodies, this.contacts, this);
    this.time.gravityX = options.gravityX;
    this.time.gravityY = options.gravityY;
  }

  // The following methods change bodies. They must not be called during a step.

  createBody(definition: BodyDefinition): number {
    const { bodies, broadPhase } = this;
    const row = bodies.add(definition.shape, definition.isSensor);
    const i = row * stride;
    bodies.entity[row] = definition.entity;
    bodies.maySleep[row] = definition.maySleep ? 1 : 0;
    bodies.bullet[row] = definition.bullet ? 1 : 0;
    bodies.fixedRotation[row] = definition.fixedRotation ? 1 : 0;
    bodies.setType(row, definition.type);
    bodies.setAwake(row, true);
    for (const name of surfaceFields) bodies[name][row] = definition[name];
    bodies.numbers[i + at.linearDamping] = definition.linearDamping;
    bodies.numbers[i + at.angularDamping] = definition.angularDamping;
    bodies.numbers[i + at.gravityScale] = definition.gravityScale;
    setFrame(bodies, row, definition.x, definition.y, definition.angle);
    boundBody(bodies, row, broadPhase.target);
    bodies.leaf[row] = broadPhase.create(row);
    setMass(bodies, row);
    bodies.setReach(row);
    this.hasNewBodies = true;
    return row;
  }

  /** Destroys a body. Its contacts end, and the bodies that it touched wake. */
  destroyBody(row: number): void {
    const { bodies } = this;
    while (bodies.firstEdge[row] !== noEdge) this.destroyContact(bodies.firstEdge[row]! >> 1);
    this.broadPhase.destroy(bodies.leaf[row]!);
    bodies.remove(row);
  }

  /** Moves a body to a position, turns it to an angle, and wakes it. */
  place(row: number, x: number, y: number, angle: number): void {
    const { bodies, broadPhase } = this;
    setFrame(bodies, row, x, y, angle);
    boundBody(bodies, row, broadPhase.target);
    broadPhase.move(bodies.leaf[row]!);
    setAwake(bodies, row, true);
  }

  // The following methods are queries.

  areTouching(bodyA: number, bodyB: number): boolean {
    const { bodies, contacts } = this;
    for (let edge = bodies.firstEdge[bodyA]!; edge !== noEdge; edge = contacts.nextEdges[edge]!) {
      if (contacts.otherEnd(edge) === bodyB) return (contacts.flags[edge >> 1]! & ContactFlag.touching) !== 0;
    }
    return false;
  }

  /** The bodies whose boxes, including their margins, overlap an area. */
  bodiesInArea(left: number, top: number, right: number, bottom: number): Int32Array {
    this.area.set([left, top, right, bottom]);
    return this.broadPhase.findInArea(this.area);
  }

  /** The bodies whose boxes overlap the current bounding box of a body. */
  bodiesAround(row: number): Int32Array {
    const { target } = this.broadPhase;
    boundBody(this.bodies, row, target);
    return this.broadPhase.findInArea(target);
  }

  /**
   * Calls `visit` for each body that the ray hits, in no particular order. A shape that contains the start is not hit.
   */
  castRay(x1: number, y1: number, x2: number, y2: number, visit: RayVisitor): void {
    const { ray, bodies, broadPhase, transform } = this;
    ray.set(x1, y1, x2, y2);
    const input = { p1: { x: x1, y: y1 }, p2: { x: x2, y: y2 }, maxFraction: 1 };
    const hit = { fraction: 0 };
    for (const row of broadPhase.findAlong(ray)) {
      setTransform(transform, bodies, row);
      if (!bodies.shapeOf(row).rayCast(hit as never, input, transform, 0)) continue;
      const { fraction } = hit;
      const x = (1 - fraction) * x1 + fraction * x2;
      const y = (1 - fraction) * y1 + fraction * y2;
      input.maxFraction = visit(row, x, y, fraction);
    }
  }

  /**
   * The fraction, `most` or less, at which a ray hits the shape of a body; undefined if the ray does not hit the shape
   * there.
   */
  castRayAt(row: number, x1: number, y1: number, x2: number, y2: number, most: number): number | undefined {
    const hit = { fraction: 0 };
    setTransform(this.transform, this.bodies, row);
    const input = { p1: { x: x1, y: y1 }, p2: { x: x2, y: y2 }, maxFraction: most };
    return this.bodies.shapeOf(row).rayCast(hit as never, input, this.transform, 0) ? hit.fraction : undefined;
  }

  // The following methods perform the step.

  step(seconds: number): void {
    const { bodies, time } = this;
    this.broadPhase.pairsLeft = this.options.pairsMax;
    if (this.hasNewBodies) {
      this.findNewContacts();
      this.hasNewBodies = false;
    }
    time.reset(seconds);
    this.updateContacts();
    this.islands.solve(time);
    // Updates the boxes of the newest bodies first, because the shape of the tree depends on the order.
    const { movedRanks, mobileRanks, rowByRank, rankCount } = bodies;
    for (let rank = movedRanks.below(rankCount); rank >= 0; rank = movedRanks.below(rank))
      this.updateBox(rowByRank[rank]!);
    movedRanks.clear();
    this.findNewContacts();
    if (this.options.continuous) this.impacts.solve(time);
    // Sleeping bodies have no forces, so only those of mobile bodies are cleared.
    for (let rank = mobileRanks.below(rankCount); rank >= 0; rank = mobileRanks.below(rank))
      clearForces(bodies, rowByRank[rank]!);
  }

  /** Ends contacts of bodies whose boxes are apart, and updates the others; the newest contact first. */
  private updateContacts() {
    const { bodies, contacts, broadPhase } = this;
    const { mobile, leaf } = bodies;
    const { ends, order } = contacts;
    contacts.compact();
    for (let i = contacts.orderCount - 1; i >= 0; i--) {
      const row = order[i]!;
      if (row === -1) continue;
      const bodyA = ends[row * endStride]!;
      const bodyB = ends[row * endStride + 1]!;
      if (mobile[bodyA] === 0 && mobile[bodyB] === 0) continue;
      if (broadPhase.tree.overlaps(leaf[bodyA]!, leaf[bodyB]!)) this.updateContact(row);
      else this.destroyContact(row);
    }
  }

  /** Updates a contact whose bodies may have moved. Also called by the solver of impacts. */
  updateContact(row: number): void {
    const { bodies, contacts } = this;
    const { flags } = contacts;
    const wasTouching = (flags[row]! & ContactFlag.touching) !== 0;
    flags[row]! |= ContactFlag.enabled;
    const isTouching = collide(contacts, bodies, row);
    if (isTouching === wasTouching) return;
    const bodyA = contacts.ends[row * endStride]!;
    const bodyB = contacts.ends[row * endStride + 1]!;
    if ((flags[row]! & ContactFlag.sensor) === 0) {
      setAwake(bodies, bodyA, true);
      setAwake(bodies, bodyB, true);
    }
    flags[row]! ^= ContactFlag.touching;
    this.listener(isTouching, bodyA, bodyB);
  }

  updateBox(row: number): void {
    const { bodies, broadPhase } = this;
    boundStep(bodies, row, broadPhase.target);
    broadPhase.move(bodies.leaf[row]!);
  }

  findNewContacts(): void {
    this.broadPhase.updatePairs(this.mayMeet, this.createContact);
  }

  /**
   * Whether two bodies have no contact yet and may get one: at least one of them is dynamic, and the mask of each
   * contains the category of the other.
   */
  private readonly mayMeet = (bodyA: number, bodyB: number): boolean => {
    const { bodies, contacts } = this;
    const { contactCount, type, category, mask } = bodies;
    const mayBeKnown = contactCount[bodyA] !== 0 && contactCount[bodyB] !== 0;
    if (mayBeKnown && contacts.has(bodyA, bodyB)) return false;
    if (type[bodyA] !== dynamicType && type[bodyB] !== dynamicType) return false;
    return (mask[bodyA]! & category[bodyB]!) !== 0 && (mask[bodyB]! & category[bodyA]!) !== 0 && !this.isFull();
  };

  private readonly createContact = (older: number, newer: number) => {
    const { bodies, contacts } = this;
    if (this.isFull()) return;
    const row = contacts.add(older, newer);
    if ((contacts.flags[row]! & ContactFlag.sensor) !== 0) return;
    setAwake(bodies, older, true);
    setAwake(bodies, newer, true);
  };

  private isFull(): boolean {
    if (this.contacts.count < this.options.contactsMax) return false;
    this.hasRefusedContacts = true;
    return true;
  }

  private destroyContact(row: number) {
    const { bodies, contacts } = this;
    const bodyA = contacts.ends[row * endStride]!;
    const bodyB = contacts.ends[row * endStride + 1]!;
    if ((contacts.flags[row]! & ContactFlag.touching) !== 0) this.listener(false, bodyA, bodyB);
    if (contacts.pointCounts[row]! > 0) {
      setAwake(bodies, bodyA, true);
      setAwake(bodies, bodyB, true);
    }
    contacts.remove(row);
  }
}

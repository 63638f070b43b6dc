import { TimeOfImpact, TOIInput, TOIOutput, TOIOutputState } from '../planck.ts';
import { setAwake } from './body.ts';
import { at, dynamicType, staticType, stride } from './body-fields.ts';
import { type BodyStore, noEdge } from './body-store.ts';
import type { BroadPhase } from './broad-phase.ts';
import { Constraints } from './constraints.ts';
import { ContactFlag, type ContactStore, endStride, isSolved } from './contact-store.ts';
import { integratePosition, updateFrame } from './integrate.ts';
import { solvePositions } from './positions.ts';
import { epsilon, impactCorrection, linearSlop, maxImpacts } from './settings.ts';
import { Step } from './step.ts';
import { ExactSweep } from './sweep.ts';
import { type BoxTree, boxStride } from './tree.ts';
import { solveVelocities } from './velocities.ts';

/** The members of the space that the solver of impacts needs. */
interface ImpactHost {
  readonly broadPhase: BroadPhase;
  findNewContacts(): void;
  updateContact(row: number): void;
  /** Updates the box of a body in the broad phase after it has moved in a step. */
  updateBox(row: number): void;
}

/** Impacts later than this fraction of a step are left to the next step. */
const latest = 1 - 10 * epsilon;

const positionIterations = 20;

/** The numbers of a body that a movement to an impact changes. Restoring them undoes the movement. */
const { centreX, centreY, angle, formerFraction, formerCentreX, formerCentreY, formerAngle } = at;
const movement = [centreX, centreY, angle, formerFraction, formerCentreX, formerCentreY, formerAngle];

/**
 * Stops fast bodies at obstacles that they would pass through: planck's continuous collision. The pair that meets first
 * is moved to the point of its impact and continues from there for the rest of the step, until no pair meets any more.
 * planck's time of impact is computed only for pairs whose boxes overlap on their way.
 */
export class ImpactSolver {
  private readonly tree: BoxTree;
  /** The number of this step. Impact data of a contact is valid only if it has this number. */
  private stamp = 0;
  /**
   * Whether all bodies are known to be at the start of their step. This is not known for a restored space, so the
   * initial value is false.
   */
  private areFractionsZero = false;

  // Reused by every step.
  private readonly input = new TOIInput();
  private readonly output = new TOIOutput();
  private readonly sweepA = new ExactSweep();
  private readonly sweepB = new ExactSweep();
  private readonly rest = new Step();
  private readonly constraints = new Constraints();
  private readonly savedA = new Float64Array(movement.length);
  private readonly savedB = new Float64Array(movement.length);
  private readonly saved = new Float64Array(movement.length);
  private readonly island: number[] = [];
  private readonly solved: number[] = [];
  /** The boxes around the movements of two bodies; see `boxesMeet`. */
  private readonly swept = new Float64Array(2 * boxStride);

  constructor(
    private readonly bodies: BodyStore,
    private readonly contacts: ContactStore,
    private readonly host: ImpactHost,
  ) {
    this.tree = host.broadPhase.tree;
    this.input.sweepA = this.sweepA;
    this.input.sweepB = this.sweepB;
    this.input.tMax = 1;
    this.rest.ratio = 1;
    this.rest.warmStarting = false;
  }

  solve(step: Step): void {
    this.stamp++;
    this.clearFractions();
    const { broadPhase } = this.host;
    for (let isFirstWalk = true; broadPhase.pairsLeft >= 0; isFirstWalk = false) {
      broadPhase.pairsLeft -= this.contacts.count;
      const contact = this.findFirst(isFirstWalk);
      if (contact === -1) return;
      this.areFractionsZero = false;
      this.solveImpact(contact, step);
    }
  }

  private clearFractions() {
    if (this.areFractionsZero) return;
    const { numbers, rowByRank, rankCount } = this.bodies;
    for (let rank = 0; rank < rankCount; rank++) {
      if (rowByRank[rank] !== -1) numbers[rowByRank[rank]! * stride + formerFraction] = 0;
    }
    this.areFractionsZero = true;
  }

  /** The contact with the earliest impact, the newest of several equally early ones; -1 if there is none. */
  private findFirst(isFirstWalk: boolean): number {
    const { contacts, stamp } = this;
    const { flags, impacts, impactStamps, impactsKnown, impactCounts } = contacts;
    let first = -1;
    let earliest = 1;
    for (let i = contacts.orderCount - 1; i >= 0; i--) {
      const row = contacts.order[i]!;
      if (row === -1) continue;
      const mayImpact = this.mayImpact(row);
      // The result of an earlier search in this step stays valid until one of the two bodies is moved, even if the pair
      // no longer needs continuous collision detection.
      if (!mayImpact && isFirstWalk) continue;
      if ((flags[row]! & ContactFlag.enabled) === 0) continue;
      if (impactStamps[row] !== stamp) {
        impactStamps[row] = stamp;
        impactsKnown[row] = 0;
        impactCounts[row] = 0;
        impacts[row] = 1;
      }
      if (impactCounts[row]! > maxImpacts) continue;
      if (impactsKnown[row] === 0) {
        if (!mayImpact || (flags[row]! & ContactFlag.sensor) !== 0) continue;
        impacts[row] = this.impactOf(row);
        impactsKnown[row] = 1;
      }
      if (impacts[row]! < earliest) {
        first = row;
        earliest = impacts[row]!;
      }
    }
    return earliest > latest ? -1 : first;
  }

  /**
   * Whether a contact needs continuous collision detection: at least one of its bodies can move, and one is a bullet or
   * not dynamic. Dynamic bodies that are not bullets may pass through each other.
   */
  private mayImpact(row: number): boolean {
    const { ends } = this.contacts;
    const { mobile, type, bullet } = this.bodies;
    const a = ends[row * endStride]!;
    const b = ends[row * endStride + 1]!;
    if (mobile[a] === 0 && mobile[b] === 0) return false;
    return bullet[a] === 1 || bullet[b] === 1 || type[a] !== dynamicType || type[b] !== dynamicType;
  }

  /** The fraction of the step at which the two bodies of a contact meet; 1 if they do not meet. */
  private impactOf(row: number): number {
    const { bodies, input, output, sweepA, sweepB } = this;
    const { numbers: n } = bodies;
    const bodyA = this.contacts.ends[row * endStride]!;
    const bodyB = this.contacts.ends[row * endStride + 1]!;
    const fractionA = n[bodyA * stride + formerFraction]!;
    const fractionB = n[bodyB * stride + formerFraction]!;
    const start = fractionA < fractionB ? fractionB : fractionA;
    // Both bodies continue from the same instant.
    if (fractionA < fractionB) this.advanceStart(bodyA, start);
    else if (fractionB < fractionA) this.advanceStart(bodyB, start);
    if (!this.boxesMeet(bodyA, bodyB)) return 1;
    input.proxyA.set(bodies.shapeOf(bodyA), 0);
    input.proxyB.set(bodies.shapeOf(bodyB), 0);
    sweepA.read(bodies, bodyA);
    sweepB.read(bodies, bodyB);
    TimeOfImpact(output, input);
    return output.state === TOIOutputState.e_touching ? Math.min(start + (1 - start) * output.t, 1) : 1;
  }

  /**
   * Whether the boxes around the movements of both bodies overlap. If they do not, planck finds no impact, as long as
   * the radii are larger than the distance at which it stops bodies before they touch.
   */
  private boxesMeet(bodyA: number, bodyB: number): boolean {
    const { swept } = this;
    const { numbers: n } = this.bodies;
    if (!(n[bodyA * stride + at.radius]! + n[bodyB * stride + at.radius]! > 1.5 * linearSlop)) return true;
    this.sweepBox(0, bodyA);
    this.sweepBox(boxStride, bodyB);
    return !(
      swept[0]! > swept[boxStride + 2]! ||
      swept[1]! > swept[boxStride + 3]! ||
      swept[boxStride]! > swept[2]! ||
      swept[boxStride + 1]! > swept[3]!
    );
  }

  private sweepBox(to: number, row: number) {
    const { swept } = this;
    const { numbers: n, type, leaf } = this.bodies;
    if (type[row] === staticType) {
      const { boxes } = this.tree;
      for (let i = 0; i < boxStride; i++) swept[to + i] = boxes[leaf[row]! * boxStride + i]!;
      return;
    }
    const i = row * stride;
    const reach = n[i + at.reach]!;
    swept[to] = Math.min(n[i + formerCentreX]!, n[i + centreX]!) - reach;
    swept[to + 1] = Math.min(n[i + formerCentreY]!, n[i + centreY]!) - reach;
    swept[to + 2] = Math.max(n[i + formerCentreX]!, n[i + centreX]!) + reach;
    swept[to + 3] = Math.max(n[i + formerCentreY]!, n[i + centreY]!) + reach;
  }

  /**
   * Moves the two bodies of a contact to the point where they meet. Then lets these two, and the bodies that they touch
   * there, continue for the rest of the step.
   */
  private solveImpact(first: number, step: Step) {
    const { bodies, contacts, host, island, solved } = this;
    const fraction = contacts.impacts[first]!;
    const bodyA = contacts.ends[first * endStride]!;
    const bodyB = contacts.ends[first * endStride + 1]!;
    this.save(bodyA, this.savedA);
    this.save(bodyB, this.savedB);
    this.moveTo(bodyA, fraction);
    this.moveTo(bodyB, fraction);
    host.updateContact(first);
    contacts.impactsKnown[first] = 0;
    contacts.impactCounts[first]!++;
    if ((contacts.flags[first]! & isSolved) !== isSolved) {
      contacts.flags[first]! &= ~ContactFlag.enabled;
      this.undo(bodyA, this.savedA);
      this.undo(bodyB, this.savedB);
      return;
    }
    setAwake(bodies, bodyA, true);
    setAwake(bodies, bodyB, true);
    island.length = 0;
    solved.length = 0;
    island.push(bodyA, bodyB);
    solved.push(first);
    for (const body of [bodyA, bodyB]) if (bodies.type[body] === dynamicType) this.addTouching(body, fraction);
    this.solveIsland(bodyA, bodyB, fraction, step);
    for (const body of island) {
      if (bodies.type[body] !== dynamicType) continue;
      host.updateBox(body);
      for (let edge = bodies.firstEdge[body]!; edge !== noEdge; edge = contacts.nextEdges[edge]!)
        contacts.impactsKnown[edge >> 1] = 0;
    }
    host.findNewContacts();
  }

  /** Adds the bodies that a body touches at a fraction of the step to the island, except ordinary dynamic bodies. */
  private addTouching(body: number, fraction: number) {
    const { bodies, contacts, host, island, solved } = this;
    const { type, bullet } = bodies;
    for (let edge = bodies.firstEdge[body]!; edge !== noEdge; edge = contacts.nextEdges[edge]!) {
      const contact = edge >> 1;
      const other = contacts.otherEnd(edge);
      if (solved.includes(contact)) continue;
      if (type[other] === dynamicType && bullet[body] === 0 && bullet[other] === 0) continue;
      if ((contacts.flags[contact]! & ContactFlag.sensor) !== 0) continue;
      const isInIsland = island.includes(other);
      this.save(other, this.saved);
      if (!isInIsland) this.moveTo(other, fraction);
      host.updateContact(contact);
      if ((contacts.flags[contact]! & isSolved) !== isSolved) {
        this.undo(other, this.saved);
        continue;
      }
      solved.push(contact);
      if (isInIsland) continue;
      island.push(other);
      if (type[other] !== staticType) setAwake(bodies, other, true);
    }
  }

  /**
   * Separates the two bodies that meet, and moves the island for the rest of the step. The impulses are not kept for
   * the next step, because they can be large.
   */
  private solveIsland(bodyA: number, bodyB: number, fraction: number, step: Step) {
    const { bodies, contacts, constraints, rest, island, solved } = this;
    const { numbers: n } = bodies;
    rest.seconds = (1 - fraction) * step.seconds;
    constraints.clear();
    for (const contact of solved) constraints.add(contact);
    constraints.prepare(bodies, contacts, rest);
    constraints.fixOthers(bodyA, bodyB);
    solvePositions(constraints, bodies, positionIterations, impactCorrection, 1.5);
    for (const body of [bodyA, bodyB]) {
      const i = body * stride;
      n[i + formerCentreX] = n[i + centreX]!;
      n[i + formerCentreY] = n[i + centreY]!;
      n[i + formerAngle] = n[i + angle]!;
    }
    constraints.prepare(bodies, contacts, rest);
    for (let i = 0; i < step.velocityIterations; i++) solveVelocities(constraints, n);
    for (const body of island) {
      integratePosition(bodies, body, rest);
      updateFrame(bodies, body);
    }
  }

  private save(row: number, to: Float64Array) {
    for (let i = 0; i < movement.length; i++) to[i] = this.bodies.numbers[row * stride + movement[i]!]!;
  }

  private undo(row: number, from: Float64Array) {
    for (let i = 0; i < movement.length; i++) this.bodies.numbers[row * stride + movement[i]!] = from[i]!;
    updateFrame(this.bodies, row);
  }

  /** Moves a body to its position at a fraction of the step. The rest of its step starts there. */
  private moveTo(row: number, fraction: number) {
    const { numbers: n } = this.bodies;
    const i = row * stride;
    this.advanceStart(row, fraction);
    n[i + centreX] = n[i + formerCentreX]!;
    n[i + centreY] = n[i + formerCentreY]!;
    n[i + angle] = n[i + formerAngle]!;
    updateFrame(this.bodies, row);
  }

  private advanceStart(row: number, fraction: number) {
    const { numbers: n } = this.bodies;
    const i = row * stride;
    const part = (fraction - n[i + formerFraction]!) / (1 - n[i + formerFraction]!);
    n[i + formerCentreX] = part * n[i + centreX]! + (1 - part) * n[i + formerCentreX]!;
    n[i + formerCentreY] = part * n[i + centreY]! + (1 - part) * n[i + formerCentreY]!;
    n[i + formerAngle] = part * n[i + angle]! + (1 - part) * n[i + formerAngle]!;
    n[i + formerFraction] = fraction;
  }
}

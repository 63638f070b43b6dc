import {
  Settings,
  type Solver,
  Sweep,
  TimeOfImpact,
  TimeStep,
  TOIInput,
  TOIOutput,
  TOIOutputState,
} from '../planck/planck.ts';
import type { FlatBody } from './body.ts';
import { at, dynamicType, staticType, stride } from './body-fields.ts';
import type { BodyStore } from './body-store.ts';
import type { FlatContact } from './contact.ts';
import { type ContactStore, endStride } from './contact-store.ts';
import { boxStride, type FlatTree } from './tree.ts';

/** The part of the world that times of impact need. */
interface ImpactHost {
  readonly m_solver: Solver;
  findNewContacts(): void;
  updateInFull(contact: FlatContact): void;
}

const { centreX, centreY, formerCentreX, formerCentreY, formerFraction } = at;

/** Impacts in the last instant of a step are left to the next. */
const latest = 1 - 10 * 1e-9;

/**
 * Stops fast bodies at obstacles that they would pass through: planck's continuous collision. The pair that meets first is moved to where it meets,
 * and goes on from there for the rest of the step. This repeats until no pair meets any more. The time of impact is computed only for pairs that
 * count and whose boxes meet on the way; planck computes all of them.
 */
export class ImpactSolver {
  private readonly bodies: BodyStore;
  private readonly contacts: ContactStore;
  private readonly tree: FlatTree;
  private readonly host: ImpactHost;
  private walk = 0;
  /** Some body may have a fraction of its step behind it. Not known of a world that was restored. */
  private areFractionsKnown = false;

  // Reused by every step.
  private readonly input = new TOIInput();
  private readonly output = new TOIOutput();
  private readonly subStep = new TimeStep();
  private readonly backup = new Sweep();
  private readonly backupA = new Sweep();
  private readonly backupB = new Sweep();

  constructor(bodies: BodyStore, contacts: ContactStore, tree: FlatTree, host: ImpactHost) {
    this.bodies = bodies;
    this.contacts = contacts;
    this.tree = tree;
    this.host = host;
  }

  solve(step: TimeStep): void {
    this.walk++;
    this.clearFractions();
    for (let isFirstWalk = true; ; isFirstWalk = false) {
      const contact = this.findFirst(isFirstWalk);
      if (contact === undefined) return;
      this.areFractionsKnown = false;
      this.solveImpact(contact, step);
    }
  }

  private clearFractions(): void {
    if (this.areFractionsKnown) return;
    const { numbers, order, rankCount } = this.bodies;
    for (let rank = 0; rank < rankCount; rank++) {
      if (order[rank] !== -1) numbers[order[rank]! * stride + formerFraction] = 0;
    }
    this.areFractionsKnown = true;
  }

  /** The contact with the earliest impact; of equal ones the newest. */
  private findFirst(isFirstWalk: boolean): FlatContact | undefined {
    const { contacts } = this;
    let first: FlatContact | undefined;
    let earliest = 1;
    for (let i = contacts.orderCount - 1; i >= 0; i--) {
      const row = contacts.order[i]!;
      if (row === -1) continue;
      const mayImpact = this.mayImpact(row);
      // A result of an earlier walk of this step holds until one of the two is moved, even if the pair no longer counts.
      if (!mayImpact && isFirstWalk) continue;
      const contact = contacts.contacts[row]!;
      if (!contact.m_enabledFlag) continue;
      if (contact.impactStamp !== this.walk) {
        contact.impactStamp = this.walk;
        contact.m_toiFlag = false;
        contact.m_islandFlag = false;
        contact.m_toiCount = 0;
        contact.m_toi = 1;
      }
      if (contact.m_toiCount > Settings.maxSubSteps) continue;
      if (!contact.m_toiFlag) {
        if (!mayImpact || contact.m_fixtureA.m_isSensor || contact.m_fixtureB.m_isSensor) continue;
        contact.m_toi = this.impactOf(contact);
        contact.m_toiFlag = true;
      }
      if (contact.m_toi < earliest) {
        first = contact;
        earliest = contact.m_toi;
      }
    }
    return earliest > latest ? undefined : first;
  }

  /** One of the two is awake and not static, and one is no ordinary body: these may pass through each other. */
  private mayImpact(row: number): boolean {
    const { ends } = this.contacts;
    const { lively, type, bullet } = this.bodies;
    const a = ends[row * endStride]!;
    const b = ends[row * endStride + 1]!;
    if (lively[a] === 0 && lively[b] === 0) return false;
    return bullet[a] === 1 || bullet[b] === 1 || type[a] !== dynamicType || type[b] !== dynamicType;
  }

  /** The fraction of the step at which the two meet; 1 if they do not. */
  private impactOf(contact: FlatContact): number {
    const { input, output } = this;
    const bodyA = bodyOf(contact.m_fixtureA);
    const bodyB = bodyOf(contact.m_fixtureB);
    let start = bodyA.m_sweep.alpha0;
    // Both go on from the same instant.
    if (bodyA.m_sweep.alpha0 < bodyB.m_sweep.alpha0) {
      start = bodyB.m_sweep.alpha0;
      sweepOf(bodyA).advance(start);
    } else if (bodyB.m_sweep.alpha0 < bodyA.m_sweep.alpha0) {
      start = bodyA.m_sweep.alpha0;
      sweepOf(bodyB).advance(start);
    }
    if (!this.boxesMeet(contact)) return 1;
    input.proxyA.set(contact.m_fixtureA.m_shape, contact.m_indexA);
    input.proxyB.set(contact.m_fixtureB.m_shape, contact.m_indexB);
    input.sweepA.set(sweepOf(bodyA));
    input.sweepB.set(sweepOf(bodyB));
    input.tMax = 1;
    TimeOfImpact(output, input);
    return output.state === TOIOutputState.e_touching ? Math.min(start + (1 - start) * output.t, 1) : 1;
  }

  /**
   * Whether the boxes around what both sweep over meet. Outside of them no impact is found, as long as the radii are larger than the
   * distance at which planck stops bodies before they touch.
   */
  private boxesMeet({ row, m_fixtureA, m_fixtureB }: FlatContact): boolean {
    const { ends } = this.contacts;
    if (
      !(
        m_fixtureA.m_shape.m_radius + m_fixtureB.m_shape.m_radius >
        1.5 * Settings.linearSlop * Settings.lengthUnitsPerMeter
      )
    )
      return true;
    const end = row * endStride;
    this.sweepBox(0, ends[end]!, ends[end + 2]!, m_fixtureA.reach);
    this.sweepBox(boxStride, ends[end + 1]!, ends[end + 3]!, m_fixtureB.reach);
    return !(
      swept[0]! > swept[boxStride + 2]! ||
      swept[1]! > swept[boxStride + 3]! ||
      swept[boxStride]! > swept[2]! ||
      swept[boxStride + 1]! > swept[3]!
    );
  }

  private sweepBox(to: number, row: number, leaf: number, reach: number): void {
    const { numbers: n, type } = this.bodies;
    if (type[row] === staticType) {
      const { boxes } = this.tree;
      for (let i = 0; i < boxStride; i++) swept[to + i] = boxes[leaf * boxStride + i]!;
      return;
    }
    const i = row * stride;
    swept[to] = Math.min(n[i + formerCentreX]!, n[i + centreX]!) - reach;
    swept[to + 1] = Math.min(n[i + formerCentreY]!, n[i + centreY]!) - reach;
    swept[to + 2] = Math.max(n[i + formerCentreX]!, n[i + centreX]!) + reach;
    swept[to + 3] = Math.max(n[i + formerCentreY]!, n[i + centreY]!) + reach;
  }

  /** Moves the two to where they meet, and with them whatever they touch there, and lets these go on from there. */
  private solveImpact(first: FlatContact, step: TimeStep): void {
    const { host, subStep } = this;
    const { m_solver: solver } = host;
    const fraction = first.m_toi;
    const bodyA = bodyOf(first.m_fixtureA);
    const bodyB = bodyOf(first.m_fixtureB);
    this.backupA.set(sweepOf(bodyA));
    this.backupB.set(sweepOf(bodyB));
    advance(bodyA, fraction);
    advance(bodyB, fraction);
    host.updateInFull(first);
    first.m_toiFlag = false;
    first.m_toiCount++;
    if (!first.m_enabledFlag || !first.m_touchingFlag) {
      first.setEnabled(false);
      putBack(bodyA, this.backupA);
      putBack(bodyB, this.backupB);
      return;
    }
    bodyA.setAwake(true);
    bodyB.setAwake(true);
    solver.clear();
    const island = new Set<FlatBody>([bodyA, bodyB]);
    solver.addBody(bodyA);
    solver.addBody(bodyB);
    solver.addContact(first);
    const solved = new Set<FlatContact>([first]);
    for (const body of [bodyA, bodyB]) {
      if (!body.isDynamic()) continue;
      for (let edge = body.m_contactList; edge !== null; edge = edge.next) {
        const contact = edge.contact as FlatContact;
        const other = edge.other as unknown as FlatBody;
        if (solved.has(contact)) continue;
        if (other.isDynamic() && !body.isBullet() && !other.isBullet()) continue;
        if (contact.m_fixtureA.m_isSensor || contact.m_fixtureB.m_isSensor) continue;
        this.backup.set(sweepOf(other));
        if (!island.has(other)) advance(other, fraction);
        host.updateInFull(contact);
        if (!contact.m_enabledFlag || !contact.m_touchingFlag) {
          putBack(other, this.backup);
          continue;
        }
        solved.add(contact);
        solver.addContact(contact);
        if (island.has(other)) continue;
        island.add(other);
        if (!other.isStatic()) other.setAwake(true);
        solver.addBody(other);
      }
    }
    subStep.reset((1 - fraction) * step.dt);
    subStep.dtRatio = 1;
    subStep.positionIterations = 20;
    subStep.velocityIterations = step.velocityIterations;
    subStep.warmStarting = false;
    solver.solveIslandTOI(subStep, bodyA, bodyB);
    for (const body of solver.m_bodies as unknown as FlatBody[]) {
      if (!body.isDynamic()) continue;
      (body as unknown as { synchronizeFixtures(): void }).synchronizeFixtures();
      for (let edge = body.m_contactList; edge !== null; edge = edge.next)
        (edge.contact as FlatContact).m_toiFlag = false;
    }
    host.findNewContacts();
  }
}

// Reused: two boxes.
const swept = new Float64Array(2 * boxStride);

function bodyOf(fixture: { readonly m_body: object }): FlatBody {
  return fixture.m_body as FlatBody;
}

function sweepOf(body: FlatBody): Sweep {
  return body.m_sweep as unknown as Sweep;
}

function advance(body: FlatBody, fraction: number): void {
  (body as unknown as { advance(fraction: number): void }).advance(fraction);
}

function putBack(body: FlatBody, sweep: Sweep): void {
  sweepOf(body).set(sweep);
  (body as unknown as { synchronizeTransform(): void }).synchronizeTransform();
}

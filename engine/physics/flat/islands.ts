import { staticType } from './body-fields.ts';
import { type BodyStore, noEdge } from './body-store.ts';
import { Constraints } from './constraints.ts';
import { isSolved } from './contact.ts';
import { type ContactStore, endStride } from './contact-store.ts';
import { integratePosition, integrateVelocity, placeAtEnd, putToSleep, restsLongEnough } from './integrate.ts';
import { solvePositions } from './positions.ts';
import type { StepNumbers } from './step-numbers.ts';
import { solveVelocities, warmStart } from './velocities.ts';

/**
 * Moves all bodies by one step. Bodies that touch are an island, which is solved as one and falls asleep as one; a static body belongs to several. A
 * stamp with the number of the step replaces planck's flags of bodies and contacts, and needs no clearing.
 */
export class Islands {
  private readonly bodies: BodyStore;
  private readonly contacts: ContactStore;
  private readonly constraints = new Constraints();
  private step = 0;
  // Of the present island. The lists are never shortened, because that would give their memory back.
  private rows: number[] = [];
  private rowCount = 0;
  private stack: number[] = [];
  private found: number[] = [];
  private foundCount = 0;

  constructor(bodies: BodyStore, contacts: ContactStore) {
    this.bodies = bodies;
    this.contacts = contacts;
  }

  solve(step: StepNumbers): void {
    const { bodies } = this;
    const { lives, order, stamp, active, contactCount } = bodies;
    this.step++;
    for (let rank = lives.below(bodies.rankCount); rank >= 0; rank = lives.below(rank)) {
      const row = order[rank]!;
      if (stamp[row] === this.step || active[row] === 0) continue;
      if (contactCount[row] === 0) this.moveAlone(row, rank, step);
      else this.solveIsland(row, step);
    }
  }

  private moveAlone(row: number, rank: number, step: StepNumbers): void {
    const { bodies } = this;
    bodies.stamp[row] = this.step;
    bodies.moved.add(rank);
    integrateVelocity(bodies, row, step);
    integratePosition(bodies, row, step);
    placeAtEnd(bodies, row);
    if (step.allowSleep && restsLongEnough(bodies, row, step) && step.positionIterations > 0) putToSleep(bodies, row);
  }

  private solveIsland(seed: number, step: StepNumbers): void {
    const { bodies } = this;
    this.collect(seed);
    this.solveFound(step);
    for (let i = 0; i < this.rowCount; i++) {
      const row = this.rows[i]!;
      // Static bodies may be part of the next island, too.
      if (bodies.type[row] === staticType) bodies.stamp[row] = 0;
      else bodies.moved.add(bodies.rankOf(row));
    }
  }

  /** Fills the island from one of its bodies, depth first as planck does. */
  private collect(seed: number): void {
    const { bodies, contacts, rows, stack, found, step } = this;
    const { stamp, type, firstEdge } = bodies;
    const { ends, flags, stamps, nextEdges } = contacts;
    let waiting = 0;
    let rowCount = 0;
    let foundCount = 0;
    stack[waiting++] = seed;
    stamp[seed] = step;
    while (waiting > 0) {
      const row = stack[--waiting]!;
      rows[rowCount++] = row;
      if (bodies.awake[row] === 0) bodies.setAwake(row, true);
      if (type[row] === staticType) continue;
      for (let edge = firstEdge[row]!; edge !== noEdge; edge = nextEdges[edge]!) {
        const contact = edge >> 1;
        if (flags[contact] !== isSolved || stamps[contact] === step) continue;
        found[foundCount++] = contact;
        stamps[contact] = step;
        const other = ends[contact * endStride + 1 - (edge & 1)]!;
        if (stamp[other] === step) continue;
        stack[waiting++] = other;
        stamp[other] = step;
      }
    }
    this.rowCount = rowCount;
    this.foundCount = foundCount;
  }

  private solveFound(step: StepNumbers): void {
    const { bodies, contacts, constraints, rows, rowCount, found, foundCount } = this;
    const { numbers } = bodies;
    for (let i = 0; i < rowCount; i++) integrateVelocity(bodies, rows[i]!, step);
    constraints.clear();
    for (let i = 0; i < foundCount; i++) constraints.add(found[i]!);
    constraints.prepare(bodies, contacts, step);
    if (step.warmStarting) warmStart(constraints, numbers);
    for (let i = 0; i < step.velocityIterations; i++) solveVelocities(constraints, numbers, step.blockSolve);
    constraints.storeImpulses(contacts);
    for (let i = 0; i < rowCount; i++) integratePosition(bodies, rows[i]!, step);
    const isSolved = solvePositions(constraints, bodies, step);
    for (let i = 0; i < rowCount; i++) placeAtEnd(bodies, rows[i]!);
    if (step.allowSleep) this.letSleep(step, isSolved);
  }

  /** An island sleeps when all of it has been slow for long enough and nothing in it is too deep in something else. */
  private letSleep(step: StepNumbers, isSolved: boolean): void {
    const { bodies, rows, rowCount } = this;
    let isResting = true;
    for (let i = 0; i < rowCount; i++) {
      if (bodies.type[rows[i]!] === staticType) continue;
      if (!restsLongEnough(bodies, rows[i]!, step)) isResting = false;
    }
    if (!isResting || !isSolved) return;
    for (let i = 0; i < rowCount; i++) putToSleep(bodies, rows[i]!);
  }
}

import { setAwake } from './body.ts';
import { staticType } from './body-fields.ts';
import { type BodyStore, noEdge } from './body-store.ts';
import { Constraints } from './constraints.ts';
import { type ContactStore, isSolved } from './contact-store.ts';
import { integratePosition, integrateVelocity, restsLongEnough, updateFrame } from './integrate.ts';
import { solvePositions } from './positions.ts';
import { stepCorrection } from './settings.ts';
import type { Step } from './step.ts';
import { solveVelocities, warmStart } from './velocities.ts';

/**
 * Moves all bodies by one step. Bodies that touch form an island, which is solved and falls asleep as one; a static
 * body can belong to several islands. Bodies and contacts are marked with the number of the step, so that marks need
 * not be cleared.
 */
export class Islands {
  private readonly constraints = new Constraints();
  private step = 0;
  // The current island. The lists are never shortened, because that would free their memory.
  private rows: number[] = [];
  private rowCount = 0;
  private stack: number[] = [];
  private found: number[] = [];
  private foundCount = 0;

  constructor(
    private readonly bodies: BodyStore,
    private readonly contacts: ContactStore,
  ) {}

  solve(step: Step): void {
    const { bodies } = this;
    const { mobileRanks, rowByRank, stamp, contactCount } = bodies;
    this.step++;
    for (let rank = mobileRanks.below(bodies.rankCount); rank >= 0; rank = mobileRanks.below(rank)) {
      const row = rowByRank[rank]!;
      if (stamp[row] === this.step) continue;
      if (contactCount[row] === 0) this.moveAlone(row, rank, step);
      else this.solveIsland(row, step);
    }
  }

  private moveAlone(row: number, rank: number, step: Step) {
    const { bodies } = this;
    bodies.stamp[row] = this.step;
    bodies.movedRanks.add(rank);
    integrateVelocity(bodies, row, step);
    integratePosition(bodies, row, step);
    updateFrame(bodies, row);
    if (restsLongEnough(bodies, row, step)) setAwake(bodies, row, false);
  }

  private solveIsland(seed: number, step: Step) {
    const { bodies } = this;
    this.collect(seed);
    this.solveFound(step);
    for (let i = 0; i < this.rowCount; i++) {
      const row = this.rows[i]!;
      // Unmarks static bodies, which may also be part of the next island.
      if (bodies.type[row] === staticType) bodies.stamp[row] = 0;
      else bodies.movedRanks.add(bodies.rank[row]!);
    }
  }

  /** Collects the island of a body, depth first as planck does. */
  private collect(seed: number) {
    const { bodies, contacts, rows, stack, found, step } = this;
    const { stamp, type, firstEdge } = bodies;
    const { flags, stamps, nextEdges } = contacts;
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
        const other = contacts.otherEnd(edge);
        if (stamp[other] === step) continue;
        stack[waiting++] = other;
        stamp[other] = step;
      }
    }
    this.rowCount = rowCount;
    this.foundCount = foundCount;
  }

  private solveFound(step: Step) {
    const { bodies, contacts, constraints, rows, rowCount, found, foundCount } = this;
    const { numbers } = bodies;
    for (let i = 0; i < rowCount; i++) integrateVelocity(bodies, rows[i]!, step);
    constraints.clear();
    for (let i = 0; i < foundCount; i++) constraints.add(found[i]!);
    constraints.prepare(bodies, contacts, step);
    warmStart(constraints, numbers);
    for (let i = 0; i < step.velocityIterations; i++) solveVelocities(constraints, numbers);
    constraints.storeImpulses(contacts);
    for (let i = 0; i < rowCount; i++) integratePosition(bodies, rows[i]!, step);
    const isSolved = solvePositions(constraints, bodies, step.positionIterations, stepCorrection, 3);
    for (let i = 0; i < rowCount; i++) updateFrame(bodies, rows[i]!);
    this.letSleep(step, isSolved);
  }

  /**
   * Puts the island to sleep if all its bodies have been slow for long enough and no overlap is too deep (`isSolved`).
   */
  private letSleep(step: Step, isSolved: boolean) {
    const { bodies, rows, rowCount } = this;
    let isResting = true;
    for (let i = 0; i < rowCount; i++) {
      if (bodies.type[rows[i]!] === staticType) continue;
      if (!restsLongEnough(bodies, rows[i]!, step)) isResting = false;
    }
    if (!isResting || !isSolved) return;
    for (let i = 0; i < rowCount; i++) setAwake(bodies, rows[i]!, false);
  }
}

import { RowList } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import type { StateDigest } from '../schema/index.ts';
import { bodyTypes, bodyFields as motionFields, stride } from './flat/body-fields.ts';
import { boxStride } from './flat/tree.ts';
import { FlatWorld } from './flat/world.ts';
import type { World as PlanckWorld } from './planck/planck.ts';
import { type InnerBody, insideOf } from './planck-inside.ts';
import { readMember } from './planck-members.ts';
import { BodyFlag } from './planck-numbers.ts';
import { demandSingle, flagsOf, pushContacts, pushMoved, pushStep, pushTree, ShapeTable } from './planck-save.ts';

const noBoxes = new Float64Array(0);
/** Numbers of a body beside those of its motion. */
const factNumbers = 10;
/** Numbers of a motion and of the zero behind them, so that each begins at an even place. */
const motionWidth = motionFields.length + (motionFields.length % 2);

/**
 * Hashes one world, again and again. The numbers are those of a snapshot, in the same order: neither the engine matters nor where bodies lie in
 * memory. The motions of bodies are most of it, and are read where they are.
 */
export class PlanckHasher {
  private readonly planck: PlanckWorld;
  private readonly shapes = new ShapeTable();
  private readonly rows = new RowList();
  /** Leaves that hang in no tree. */
  private readonly loose = new RowList();
  // Of planck's own bodies, whose numbers lie about.
  private readonly motions = new NumberList();

  constructor(planck: PlanckWorld) {
    this.planck = planck;
  }

  /** Between two steps. */
  hash(to: StateDigest): void {
    const { planck } = this;
    const { numbers } = to;
    this.rows.clear();
    this.loose.clear();
    if (planck instanceof FlatWorld) this.hashFlatBodies(planck, to);
    else this.hashBodies(planck, to);
    const start = numbers.length;
    pushContacts(planck, numbers);
    numbers.push(numbers.length - start);
    pushStep(planck, numbers);
    pushMoved(planck, numbers);
    numbers.push(numbers.length - start);
    pushTree(planck, numbers);
    numbers.push(numbers.length - start);
    if (planck instanceof FlatWorld) to.hasher.rows(planck.m_broadPhase.tree.boxes, this.loose, boxStride, boxStride);
    else to.hasher.rows(noBoxes, this.loose, boxStride, boxStride);
  }

  private hashFlatBodies({ bodies: store, m_bodyList, m_broadPhase }: FlatWorld, to: StateDigest): void {
    const { type, awake, maySleep, bullet, fixedRotation, active } = store;
    const { rows, loose } = this;
    let i = to.numbers.length;
    const facts = to.numbers.extend(store.bodyCount * factNumbers);
    for (let body = m_bodyList; body !== null; body = body.m_next) {
      const { row } = body;
      const flags =
        (awake[row]! * BodyFlag.awake) |
        (maySleep[row]! * BodyFlag.maySleep) |
        (bullet[row]! * BodyFlag.bullet) |
        (fixedRotation[row]! * BodyFlag.fixedRotation) |
        (active[row]! * BodyFlag.active);
      rows.add(row);
      this.putFacts(body as unknown as InnerBody, type[row]!, flags, facts, i);
      const { leaf } = body.m_fixtureList!.m_proxies[0]!;
      if (m_broadPhase.isLoose(leaf)) loose.add(leaf);
      i += factNumbers;
    }
    to.hasher.rows(store.numbers, rows, stride, motionWidth);
  }

  private hashBodies(planck: PlanckWorld, to: StateDigest): void {
    const { motions, rows } = this;
    motions.clear();
    let count = 0;
    for (let body = insideOf(planck).m_bodyList; body !== null; body = body.m_next) {
      rows.add(count++);
      const i = to.numbers.length;
      this.putFacts(body, bodyTypes.indexOf(body.m_type), flagsOf(body), to.numbers.extend(factNumbers), i);
      for (const field of motionFields) motions.push(readMember(body, field));
      motions.pushZeros(motionWidth - motionFields.length);
    }
    to.hasher.rows(motions.view, rows, motionWidth, motionWidth);
  }

  private putFacts(body: InnerBody, type: number, flags: number, to: Float64Array, i: number): void {
    const fixture = body.m_fixtureList;
    demandSingle(fixture);
    to[i] = fixture.m_proxies[0]!.proxyId;
    to[i + 1] = body.m_userData as number;
    to[i + 2] = (flags | (fixture.m_isSensor ? BodyFlag.sensor : 0)) * bodyTypes.length + type;
    to[i + 3] = this.shapes.digestOf(fixture.m_shape);
    to[i + 4] = fixture.m_friction;
    to[i + 5] = fixture.m_restitution;
    to[i + 6] = fixture.m_density;
    to[i + 7] = fixture.m_filterGroupIndex;
    to[i + 8] = fixture.m_filterCategoryBits;
    to[i + 9] = fixture.m_filterMaskBits;
  }
}

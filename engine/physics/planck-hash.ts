import { grown } from '../core/grown.ts';
import { RowList, StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import type { StateDigest } from '../schema/index.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyFields, bodyTypes, movingFields, stride } from './flat/body-fields.ts';
import { boxStride } from './flat/tree.ts';
import { FlatWorld } from './flat/world.ts';
import type { World as PlanckWorld } from './planck/planck.ts';
import { type InnerBody, insideOf } from './planck-inside.ts';
import { flagsOf, members } from './planck-members.ts';
import { demandSingle, pushMoved, pushStep, pushTree, ShapeTable } from './planck-save.ts';

const noBoxes = new Float64Array(0);

/**
 * Hashes one world, again and again. The numbers are those of a snapshot, in the same order: neither the engine matters nor where bodies lie in
 * memory. The motions of bodies are most of it, and are read where they are. Mass, damping, fixture and proxy of a body over flat memory are
 * remembered as one digest until its store says that they have changed.
 */
export class PlanckHasher {
  private readonly planck: PlanckWorld;
  private readonly shapes = new ShapeTable();
  private readonly rows = new RowList();
  /** Leaves that hang in no tree. */
  private readonly loose = new RowList();
  // Of planck's own bodies, whose numbers lie about.
  private readonly motions = new NumberList();
  private readonly facts = new NumberList(16);
  private readonly factsHasher = new StateHasher();
  // By row of the store: the revision that was looked at, the digest of its facts, and its leaf.
  private seen = new Int32Array(64);
  private digests = new Float64Array(64);
  private leaves = new Int32Array(64);

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
    for (let contact = insideOf(planck).m_contactList; contact !== null; contact = contact.m_next) {
      members.contact.pass(contact, numbers);
    }
    numbers.push(numbers.length - start);
    pushStep(planck, numbers);
    pushMoved(planck, numbers);
    numbers.push(numbers.length - start);
    pushTree(planck, numbers);
    numbers.push(numbers.length - start);
    if (planck instanceof FlatWorld) to.hasher.rows(planck.m_broadPhase.tree.boxes, this.loose, boxStride, boxStride);
    else to.hasher.rows(noBoxes, this.loose, boxStride, boxStride);
  }

  private hashFlatBodies(
    { bodies: store, m_bodyList, m_broadPhase }: FlatWorld,
    { numbers, hasher }: StateDigest,
  ): void {
    const { type, awake, maySleep, bullet, fixedRotation, active, revision } = store;
    if (this.seen.length < revision.length) {
      this.seen = grown(this.seen, revision.length);
      this.digests = grown(this.digests, revision.length);
      this.leaves = grown(this.leaves, revision.length);
    }
    const { rows, loose, seen, digests, leaves } = this;
    for (let body = m_bodyList; body !== null; body = body.m_next) {
      const { row } = body;
      if (seen[row] !== revision[row]) this.look(body, revision[row]!);
      // As `flagsOf`.
      const flags =
        awake[row]! | (maySleep[row]! << 1) | (bullet[row]! << 2) | (fixedRotation[row]! << 3) | (active[row]! << 4);
      rows.add(row);
      numbers.push(digests[row]!);
      numbers.push(flags * bodyTypes.length + type[row]!);
      if (m_broadPhase.isLoose(leaves[row]!)) loose.add(leaves[row]!);
    }
    hasher.rows(store.numbers, rows, stride, movingFields);
  }

  private look(body: FlatBody, revision: number): void {
    const { row, place } = body;
    this.digests[row] = this.digestOf(body as unknown as InnerBody, (this.planck as FlatWorld).bodies.numbers, place);
    this.leaves[row] = body.m_fixtureList!.m_proxies[0]!.leaf;
    this.seen[row] = revision;
  }

  private hashBodies(planck: PlanckWorld, { numbers, hasher }: StateDigest): void {
    const { motions, rows } = this;
    motions.clear();
    let count = 0;
    for (let body = insideOf(planck).m_bodyList; body !== null; body = body.m_next) {
      const start = motions.length;
      members.motion.pass(body, motions);
      motions.pushZeros(start + stride - motions.length);
      rows.add(count++);
      numbers.push(this.digestOf(body, motions.view, start));
      numbers.push(flagsOf(body) * bodyTypes.length + bodyTypes.indexOf(body.m_type));
    }
    hasher.rows(motions.view, rows, stride, movingFields);
  }

  /** Everything of a body that no step changes; the numbers of its motion begin at `place`. */
  private digestOf(body: InnerBody, motion: Float64Array, place: number): number {
    const { facts, factsHasher } = this;
    const fixture = body.m_fixtureList;
    demandSingle(fixture);
    facts.clear();
    facts.push(fixture.m_proxies[0]!.proxyId);
    facts.push(body.m_userData as number);
    facts.push(fixture.m_isSensor ? 1 : 0);
    facts.push(this.shapes.digestOf(fixture.m_shape));
    members.fixture.pass(fixture, facts);
    facts.pushFrom(motion, place + movingFields, bodyFields.length - movingFields);
    factsHasher.reset();
    factsHasher.floats(facts.view);
    return factsHasher.number();
  }
}

import { grown } from '../core/grown.ts';
import { RowList, StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import type { StateDigest } from '../schema/index.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyFields, bodyTypes, movingFields, stride } from './flat/body-fields.ts';
import { ContactFlag } from './flat/contact.ts';
import { endStride } from './flat/contact-store.ts';
import { boxStride } from './flat/tree.ts';
import type { FlatWorld } from './flat/world.ts';
import type { InnerShape } from './planck-inside.ts';
import { flagsOf, passFixture, passMeeting, passStep } from './planck-members.ts';
import { onlyFixture, ShapeTable } from './planck-save.ts';

/**
 * Hashes one world, again and again. The numbers are those of a snapshot, in the same order: it does not matter where bodies lie in memory. The
 * motions of bodies are most of it, and are read where they are. Type, flags, mass, damping, fixture and proxy of a body are remembered as one digest
 * until its store says that they have changed.
 */
export class PlanckHasher {
  private readonly planck: FlatWorld;
  private readonly shapes = new ShapeTable();
  private readonly rows = new RowList();
  /** Of the bodies, in their order. */
  private readonly boxes = new RowList();
  private readonly facts = new NumberList(16);
  private readonly factsHasher = new StateHasher();
  // By row of the store: the revision that was looked at, the digest of its facts, and its leaf.
  private seen = new Int32Array(64);
  private digests = new Float64Array(64);
  private leaves = new Int32Array(64);
  /** `BodyStore.changes` when the lists above were made. */
  private listed = -1;
  /** The digests, in the order of the bodies. */
  private readonly ordered = new NumberList(64);

  constructor(planck: FlatWorld) {
    this.planck = planck;
  }

  /** Between two steps. */
  hash(to: StateDigest): void {
    const { planck } = this;
    const { numbers, hasher } = to;
    const { tree } = planck.m_broadPhase;
    this.hashBodies(to);
    const start = numbers.length;
    this.hashContacts(numbers);
    numbers.push(numbers.length - start);
    passStep(planck, numbers);
    planck.m_broadPhase.saveMoved(numbers);
    numbers.push(numbers.length - start);
    tree.save(numbers);
    numbers.push(numbers.length - start);
    hasher.rows(tree.boxes, this.boxes, boxStride, boxStride);
  }

  /** Newest first. The proxies are those of the leaves, because a way over fixtures costs more than all the rest. */
  private hashContacts(numbers: NumberList): void {
    const { contacts, m_broadPhase } = this.planck;
    const { ends, order, flags, toFilter } = contacts;
    const { ids } = m_broadPhase.tree;
    for (let i = contacts.orderCount - 1; i >= 0; i--) {
      const row = order[i]!;
      if (row === -1) continue;
      const end = row * endStride;
      numbers.push(ids[ends[end + 2]!]!);
      numbers.push(ids[ends[end + 3]!]!);
      // Most contacts are of boxes that meet and bodies that do not: these have no points.
      if (((flags[row]! & ContactFlag.touching) | toFilter[row]!) !== 0) passMeeting(contacts.contacts[row]!, numbers);
      else {
        numbers.push((flags[row]! & ContactFlag.enabled) === 0 ? 0 : 1);
        numbers.push(0);
      }
    }
  }

  private hashBodies({ numbers, hasher }: StateDigest): void {
    const { bodies: store } = this.planck;
    if (this.listed !== store.changes) this.list();
    numbers.pushAll(this.ordered.view);
    hasher.rows(store.numbers, this.rows, stride, movingFields);
  }

  private list(): void {
    const { bodies: store } = this.planck;
    const { order, rankCount, revision } = store;
    if (this.seen.length < revision.length) {
      this.seen = grown(this.seen, revision.length);
      this.digests = grown(this.digests, revision.length);
      this.leaves = grown(this.leaves, revision.length);
    }
    const { rows, boxes, ordered, seen, digests, leaves } = this;
    rows.clear();
    boxes.clear();
    ordered.clear();
    // In the order of planck's list.
    for (let rank = rankCount - 1; rank >= 0; rank--) {
      const row = order[rank]!;
      if (row === -1) continue;
      if (seen[row] !== revision[row]) this.look(store.bodies[row] as FlatBody, revision[row]!);
      rows.add(row);
      boxes.add(leaves[row]!);
      ordered.push(digests[row]!);
    }
    this.listed = store.changes;
  }

  /** Everything of a body that hardly any step changes. */
  private look(body: FlatBody, revision: number): void {
    const { facts, factsHasher } = this;
    const { bodies: store } = this.planck;
    const fixture = onlyFixture(body);
    const proxy = fixture.m_proxies[0]!;
    facts.clear();
    facts.push(proxy.proxyId);
    facts.push(body.m_userData as number);
    facts.push(flagsOf(store, body.row) * bodyTypes.length + store.type[body.row]!);
    facts.push(fixture.m_isSensor ? 1 : 0);
    facts.push(this.shapes.digestOf(fixture.m_shape as unknown as InnerShape));
    passFixture(fixture, facts);
    facts.pushFrom(store.numbers, body.place + movingFields, bodyFields.length - movingFields);
    factsHasher.reset();
    factsHasher.floats(facts.view);
    this.digests[body.row] = factsHasher.number();
    this.leaves[body.row] = proxy.leaf;
    this.seen[body.row] = revision;
  }
}

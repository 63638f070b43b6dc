import { assert } from '../core/assert.ts';
import { StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import { bodyFields } from './flat/body-fields.ts';
import type { FlatFixture } from './flat/fixture.ts';
import { boxStride } from './flat/tree.ts';
import type { FlatWorld } from './flat/world.ts';
import type { InnerShape } from './planck-inside.ts';
import {
  corners,
  flagsOf,
  MemberWriter,
  type PlanckNumbers,
  passContact,
  passFixture,
  passShape,
  passStep,
  planckTables,
  sensorFlag,
  shapeTypes,
} from './planck-members.ts';

const { at: ofBody } = planckTables.bodies;

/** The numbers of one world, in lists that are used again by every save. */
export class PlanckSaver {
  private readonly planck: FlatWorld;
  private readonly lists = {
    bodies: new NumberList(),
    contacts: new NumberList(),
    step: new NumberList(8),
    tree: new NumberList(),
    moved: new NumberList(64),
  };
  private readonly shapes = new ShapeTable();

  constructor(planck: FlatWorld) {
    this.planck = planck;
  }

  /** Between two steps; good until the next call. */
  save(): PlanckNumbers {
    const { planck, lists, shapes } = this;
    const { bodies, contacts, step, tree, moved } = lists;
    for (const list of Object.values(lists)) list.clear();
    shapes.start();
    this.saveBodies(bodies.room(planck.getBodyCount() * planckTables.bodies.width));
    const { m_broadPhase } = planck;
    // Newest first, as in planck's list.
    const { order, orderCount } = planck.contacts;
    for (let i = orderCount - 1; i >= 0; i--) {
      const row = order[i]!;
      if (row === -1) continue;
      const end = contacts.length + planckTables.contacts.width;
      passContact(planck.contacts.contacts[row]!, contacts);
      contacts.pushZeros(end - contacts.length);
    }
    passStep(planck, step);
    m_broadPhase.tree.save(tree);
    m_broadPhase.saveMoved(moved);
    return {
      bodies: bodies.view,
      contacts: contacts.view,
      step: step.view,
      shapes: shapes.list.view,
      tree: tree.view,
      moved: moved.view,
    };
  }

  private saveBodies(to: Float64Array): void {
    const { planck, shapes } = this;
    const { bodies: store, m_broadPhase } = planck;
    const { boxes } = m_broadPhase.tree;
    const { numbers } = store;
    const { length } = bodyFields;
    const writer = new MemberWriter(to);
    let at = 0;
    for (let body = planck.m_bodyList; body !== null; body = body.m_next) {
      const fixture = onlyFixture(body);
      const { proxyId, leaf } = fixture.m_proxies[0]!;
      const { row, place } = body;
      to[at + ofBody.proxy] = proxyId;
      to[at + ofBody.entity] = body.m_userData as number;
      to[at + ofBody.type] = store.type[row]!;
      to[at + ofBody.flags] = flagsOf(store, row) | (fixture.m_isSensor ? sensorFlag : 0);
      to[at + ofBody.shape] = shapes.listed(fixture.m_shape as unknown as InnerShape);
      const left = at + ofBody.left;
      const box = leaf * boxStride;
      for (let i = 0; i < boxStride; i++) to[left + i] = boxes[box + i]!;
      const first = at + ofBody.x;
      for (let i = 0; i < length; i++) to[first + i] = numbers[place + i]!;
      writer.at = at + ofBody.friction;
      passFixture(fixture, writer);
      at += planckTables.bodies.width;
    }
  }
}

export function onlyFixture({ m_fixtureList: fixture }: { readonly m_fixtureList: FlatFixture | null }): FlatFixture {
  assert(
    fixture !== null && fixture.m_next === null && fixture.m_proxyCount === 1,
    'a body has one fixture in one place',
  );
  return fixture;
}

/** Shapes that are equal are one in a state, because most bodies of a type have the same. They never change, so each is read once. */
class ShapeTable {
  /** The numbers of all shapes that were listed, each once. */
  readonly list = new NumberList(planckTables.shapes.width);
  private readonly digests = new WeakMap<InnerShape, number>();
  private readonly known = new Set<number>();
  private readonly hasher = new StateHasher();
  private readonly numbers = new NumberList(planckTables.shapes.width);
  private last: InnerShape | undefined;
  private lastDigest = 0;

  /** Begins a new list. */
  start(): void {
    this.list.clear();
    this.known.clear();
    this.last = undefined;
  }

  /** The digest of a shape, which is in the list from now on. */
  listed(shape: InnerShape): number {
    if (shape === this.last) return this.lastDigest;
    const digest = this.digestOf(shape);
    if (!this.known.has(digest)) {
      this.known.add(digest);
      this.list.push(digest);
      pushShape(shape, this.list);
    }
    return digest;
  }

  digestOf(shape: InnerShape): number {
    if (shape !== this.last) {
      this.last = shape;
      this.lastDigest = this.digests.get(shape) ?? this.newDigest(shape);
    }
    return this.lastDigest;
  }

  private newDigest(shape: InnerShape): number {
    const { numbers, hasher } = this;
    numbers.clear();
    pushShape(shape, numbers);
    hasher.reset();
    hasher.floats(numbers.view);
    const digest = hasher.number();
    this.digests.set(shape, digest);
    return digest;
  }
}

function pushShape(shape: InnerShape, to: NumberList): void {
  // Without the digest.
  const end = to.length + planckTables.shapes.width - 1;
  assert(shape.m_type === 'circle' || shape.m_vertices.length === corners, 'a shape is a circle or a box');
  to.push(shapeTypes.indexOf(shape.m_type));
  passShape(shape, to);
  to.pushZeros(end - to.length);
}

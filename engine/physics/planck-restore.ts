import { assert } from '../core/assert.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyFields } from './flat/body-fields.ts';
import type { FlatProxy } from './flat/graph.ts';
import { boxStride } from './flat/tree.ts';
import type { FlatWorld } from './flat/world.ts';
import { BoxShape, CircleShape, Vec2 } from './planck/planck.ts';
import { checkPlanck, type PlanckPlaces } from './planck-check.ts';
import type { InnerShape } from './planck-inside.ts';
import {
  MemberReader,
  type PlanckNumbers,
  passContact,
  passFixture,
  passShape,
  passStep,
  planckTables,
  sensorFlag,
  setFlags,
  shapeTypes,
} from './planck-members.ts';

const { bodies: bodyTable, contacts: contactTable, shapes: shapeTable } = planckTables;
type Shape = CircleShape | BoxShape;

/**
 * Fills an empty world. The numbers are those that their declaration accepts, and the places what the check
 * found in them: nothing can be wrong any more. Returns the bodies in the order of the table.
 */
export function restorePlanck(
  planck: FlatWorld,
  numbers: PlanckNumbers,
  places = checkPlanck(numbers),
): readonly FlatBody[] {
  assert(planck.m_bodyList === null, 'a snapshot is restored into an empty world');
  const { step, bodies: table, contacts } = numbers;
  const { bodies: store, m_broadPhase } = planck;
  const count = table.length / bodyTable.width;
  store.reserve(count);
  m_broadPhase.tree.reserve(count + numbers.tree.length);
  const shapes: Shape[] = [];
  for (let at = 0; at < numbers.shapes.length; at += shapeTable.width) shapes.push(makeShape(numbers.shapes, at));
  const bodies: FlatBody[] = [];
  for (let i = 0; i < count; i++) bodies.push(undefined as never);
  // The oldest first, so that the newest is the first of planck's list.
  const fixture = new MemberReader(table);
  for (let i = count - 1; i >= 0; i--)
    bodies[i] = makeBody(planck, table, i * bodyTable.width, shapes[places.shapes[i]!]!, fixture);
  restoreTree(planck, numbers.tree, places, bodies);
  // Nodes that were made so far have ids of old; others get the ids after the last.
  passStep(planck, new MemberReader(step));
  const { tree } = m_broadPhase;
  for (let i = 0; i < count; i++) {
    const leaf = leafOf(bodies[i]!);
    if (tree.isLoose(leaf)) m_broadPhase.adoptLoose(leaf);
  }
  m_broadPhase.adopted();
  const contact = new MemberReader(contacts);
  for (let i = places.ends.length / 2 - 1; i >= 0; i--) {
    contact.at = i * contactTable.width;
    const first = bodies[places.ends[2 * i]!]!;
    const second = bodies[places.ends[2 * i + 1]!]!;
    passContact(planck.restoreContact(proxyOf(first), proxyOf(second)), contact);
  }
  for (let i = 0; i < places.moved.length; i++) m_broadPhase.touch(leafOf(bodies[places.moved[i]!]!));
  return bodies;
}

function makeShape(from: Float64Array, at: number): Shape {
  const isCircle = shapeTypes[from[at + shapeTable.at.kind]!] === 'circle';
  const shape = isCircle ? new CircleShape(new Vec2(0, 0), 0) : new BoxShape(1, 1);
  passShape(shape as unknown as InnerShape, new MemberReader(from, at + shapeTable.at.radius));
  return shape;
}

/** With a leaf that hangs in no tree. */
function makeBody(planck: FlatWorld, from: Float64Array, at: number, shape: Shape, reader: MemberReader): FlatBody {
  const { m_broadPhase, bodies: store } = planck;
  const { tree } = m_broadPhase;
  const flags = from[at + bodyTable.at.flags]!;
  const body = planck.createBlankBody(shape, (flags & sensorFlag) !== 0);
  body.m_userData = from[at + bodyTable.at.entity]!;
  store.type[body.row] = from[at + bodyTable.at.type]!;
  setFlags(store, body.row, flags);
  const { numbers } = store;
  const { place } = body;
  const first = at + bodyTable.at.x;
  for (let i = 0; i < bodyFields.length; i++) numbers[place + i] = from[first + i]!;
  const fixture = body.m_fixtureList!;
  reader.at = at + bodyTable.at.friction;
  passFixture(fixture, reader);
  const proxy = fixture.m_proxies[0]!;
  const leaf = tree.allocateWith(from[at + bodyTable.at.proxy]!);
  proxy.proxyId = tree.ids[leaf]!;
  const { boxes } = tree;
  const left = at + bodyTable.at.left;
  for (let i = 0; i < boxStride; i++) boxes[leaf * boxStride + i] = from[left + i]!;
  m_broadPhase.adopt(leaf, proxy);
  return body;
}

/** Leaves that are not in it were saved from beside the tree. */
function restoreTree(
  { m_broadPhase: { tree } }: FlatWorld,
  ids: Float64Array,
  { leaves }: PlanckPlaces,
  bodies: readonly FlatBody[],
): void {
  // Backwards: when a node is met, both its branches are finished.
  const finished: number[] = [];
  for (let i = ids.length - 1; i >= 0; i--) {
    const body = leaves[i]!;
    if (body >= 0) finished.push(leafOf(bodies[body]!));
    else {
      const node = tree.allocateWith(-ids[i]!);
      tree.join(node, finished.pop()!, finished.pop()!);
      finished.push(node);
    }
  }
  tree.root = finished[0] ?? tree.root;
}

function proxyOf(body: FlatBody): FlatProxy {
  return body.m_fixtureList!.m_proxies[0]!;
}

function leafOf(body: FlatBody): number {
  return proxyOf(body).leaf;
}

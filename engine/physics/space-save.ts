import { assert } from '../core/assert.ts';
import { bodyFields, flagNames, stride, surfaceFields } from './flat/body-fields.ts';
import { ContactFlag, endStride, Manifold, manifoldPointStride, manifoldStride } from './flat/contact-store.ts';
import type { Space } from './flat/space.ts';
import { boxStride } from './flat/tree.ts';
import { type ShapeSizes, shapeOfSizes, shapeSizes, sizesOf } from './shape.ts';
import { bodyTable, contactTable, manifoldColumns, type SpaceState, sides } from './space-state.ts';

/**
 * Copies the state of a space between two steps. `places` maps each row of the body store to its row in the saved
 * table.
 */
export function saveSpace(space: Space): SpaceState & { readonly places: Int32Array } {
  const { bodies, broadPhase, time } = space;
  const { tree } = broadPhase;
  const rows = bodies.newestFirst();
  const places = new Int32Array(bodies.shapes.length);
  for (let i = 0; i < rows.length; i++) places[rows[i]!] = i;
  return {
    bodies: saveBodies(space, rows),
    contacts: saveContacts(space, places),
    step: {
      seconds: time.seconds,
      perSecond: time.perSecond,
      formerPerSecond: time.formerPerSecond,
      ratio: time.ratio,
      hasNewFixture: space.hasNewBodies,
      lastProxy: tree.lastId,
    },
    tree: tree.save().map((leaf) => (leaf < 0 ? -1 : places[broadPhase.rows[leaf]!]!)),
    moved: broadPhase.saveMoved().map((row) => places[row]!),
    places,
  };
}

function saveBodies({ bodies, broadPhase: { tree } }: Space, rows: readonly number[]): SpaceState['bodies'] {
  const columns = bodyTable.create(rows.length);
  columns.active.fill(1);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const leaf = bodies.leaf[row]!;
    columns.proxy[i] = tree.ids[leaf]!;
    const sizes = sizesOf(bodies.shapeOf(row));
    for (const name of shapeSizes) columns[name][i] = Number(sizes[name]);
    for (let side = 0; side < boxStride; side++) columns[sides[side]!][i] = tree.boxes[leaf * boxStride + side]!;
  }
  for (const name of [...flagNames, ...surfaceFields, 'entity', 'type', 'sensor'] as const) {
    const column = columns[name];
    const stored = bodies[name];
    for (let i = 0; i < rows.length; i++) column[i] = stored[rows[i]!]!;
  }
  for (let field = 0; field < bodyFields.length; field++) {
    const column = columns[bodyFields[field]!];
    for (let i = 0; i < rows.length; i++) column[i] = bodies.numbers[rows[i]! * stride + field]!;
  }
  return columns;
}

function saveContacts({ contacts }: Space, places: Int32Array): SpaceState['contacts'] {
  const rows = contacts.order.subarray(0, contacts.orderCount).filter((row) => row >= 0);
  rows.reverse();
  const columns = contactTable.create(rows.length);
  const numbers = manifoldColumns.map((name) => columns[name]);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    columns.first[i] = places[contacts.ends[row * endStride]!]!;
    columns.second[i] = places[contacts.ends[row * endStride + 1]!]!;
    columns.enabled[i] = (contacts.flags[row]! & ContactFlag.enabled) !== 0 ? 1 : 0;
    columns.touching[i] = (contacts.flags[row]! & ContactFlag.touching) !== 0 ? 1 : 0;
    const points = contacts.pointCounts[row]!;
    if (points === 0) continue;
    columns.points[i] = points;
    columns.manifold[i] = contacts.manifoldTypes[row]!;
    const used = Manifold.points + points * manifoldPointStride;
    for (let j = 0; j < used; j++) numbers[j]![i] = contacts.manifolds[row * manifoldStride + j]!;
  }
  return columns;
}

/** Fills an empty space with a state that has passed `checkSpace`. Returns the bodies in the order of the table. */
export function restoreSpace(space: Space, { bodies: columns, contacts, step, tree: nodes, moved }: SpaceState) {
  assert(space.bodies.rankCount === 0, 'a snapshot is restored into an empty space');
  const { bodies, broadPhase, time } = space;
  const { tree } = broadPhase;
  const rows = restoreBodies(space, columns);
  restoreTree(space, nodes, rows);
  time.seconds = step.seconds;
  time.perSecond = step.perSecond;
  time.formerPerSecond = step.formerPerSecond;
  time.ratio = step.ratio;
  space.hasNewBodies = step.hasNewFixture;
  tree.lastId = step.lastProxy;
  for (const row of rows) broadPhase.restoreLoose(bodies.leaf[row]!);
  restoreContacts(space, contacts, rows);
  for (const body of moved) broadPhase.touch(bodies.leaf[rows[body]!]!);
  return rows;
}

/** Creates the saved bodies, each with a leaf that is not yet part of a tree. */
function restoreBodies({ bodies, broadPhase }: Space, columns: SpaceState['bodies']): readonly number[] {
  const { tree } = broadPhase;
  const { length } = columns.proxy;
  bodies.reserve(length);
  tree.reserve(2 * length);
  const rows: number[] = [];
  // Adds the oldest body first, because each added body gets the next higher rank.
  for (let i = length - 1; i >= 0; i--) {
    const row = bodies.add(shapeOfSizes(sizesAt(columns, i)), columns.sensor[i] === 1);
    rows.push(row);
    const leaf = broadPhase.restore(row, columns.proxy[i]!);
    bodies.leaf[row] = leaf;
    for (let side = 0; side < boxStride; side++) tree.boxes[leaf * boxStride + side] = columns[sides[side]!][i]!;
  }
  rows.reverse();
  for (const name of [...flagNames, ...surfaceFields, 'entity', 'type'] as const) {
    const column = columns[name];
    const stored = bodies[name];
    for (let i = 0; i < length; i++) stored[rows[i]!] = column[i]!;
  }
  for (let field = 0; field < bodyFields.length; field++) {
    const column = columns[bodyFields[field]!];
    for (let i = 0; i < length; i++) bodies.numbers[rows[i]! * stride + field] = column[i]!;
  }
  for (let i = 0; i < length; i++) {
    bodies.setAwake(rows[i]!, columns.awake[i] === 1);
    bodies.setReach(rows[i]!);
  }
  return rows;
}

function sizesAt({ circle, width, height, middleX, middleY }: SpaceState['bodies'], row: number): ShapeSizes {
  return {
    circle: circle[row] === 1,
    width: width[row]!,
    height: height[row]!,
    middleX: middleX[row]!,
    middleY: middleY[row]!,
  };
}

function restoreTree({ bodies, broadPhase: { tree } }: Space, nodes: readonly number[], rows: readonly number[]) {
  // Walks the saved nodes backwards, so that both branches of a node are finished when the walk reaches it.
  const finished: number[] = [];
  for (let i = nodes.length - 1; i >= 0; i--) {
    const row = rows[nodes[i]!];
    if (row !== undefined) finished.push(bodies.leaf[row]!);
    else {
      // Ids of inner nodes are never read.
      const node = tree.allocate(0);
      tree.join(node, finished.pop()!, finished.pop()!);
      finished.push(node);
    }
  }
  tree.root = finished[0] ?? tree.root;
}

function restoreContacts({ contacts }: Space, columns: SpaceState['contacts'], rows: readonly number[]) {
  const numbers = manifoldColumns.map((name) => columns[name]);
  for (let i = columns.first.length - 1; i >= 0; i--) {
    const row = contacts.add(rows[columns.first[i]!]!, rows[columns.second[i]!]!);
    if (columns.enabled[i] === 0) contacts.flags[row]! &= ~ContactFlag.enabled;
    if (columns.touching[i] === 1) contacts.flags[row]! |= ContactFlag.touching;
    contacts.pointCounts[row] = columns.points[i]!;
    contacts.manifoldTypes[row] = columns.manifold[i]!;
    for (let j = 0; j < numbers.length; j++) contacts.manifolds[row * manifoldStride + j] = numbers[j]![i]!;
  }
}

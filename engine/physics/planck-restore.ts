import { assert } from '../core/assert.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyFields, flagNames } from './flat/body-fields.ts';
import type { FlatProxy } from './flat/graph.ts';
import { boxStride } from './flat/tree.ts';
import type { FlatWorld } from './flat/world.ts';
import type { Shape } from './planck/planck.ts';
import { insideOf } from './planck-inside.ts';
import { type PlanckState, passContact, passedColumns, RowPort } from './planck-state.ts';
import { makeShape } from './shape.ts';

/** Fills an empty world with a state that `checkPlanck` has passed. Returns the bodies in the order of the table. */
export function restorePlanck(planck: FlatWorld, { bodies: columns, contacts, step, tree, moved }: PlanckState) {
  assert(planck.m_bodyList === null, 'a snapshot is restored into an empty world');
  const { m_broadPhase } = planck;
  const bodies = restoreBodies(planck, columns);
  restoreTree(planck, tree, bodies);
  const { s_step } = insideOf(planck);
  s_step.dt = step.seconds;
  s_step.inv_dt = step.perSecond;
  s_step.inv_dt0 = step.formerPerSecond;
  s_step.dtRatio = step.ratio;
  insideOf(planck).m_newFixture = step.hasNewFixture;
  // Nodes that were made so far have ids of old; others get the ids after the last.
  m_broadPhase.tree.lastId = step.lastProxy;
  for (const body of bodies)
    if (m_broadPhase.tree.isLoose(proxyOf(body).leaf)) m_broadPhase.adoptLoose(proxyOf(body).leaf);
  m_broadPhase.adopted();
  const port = new RowPort(passedColumns(contacts), false);
  for (let i = contacts.first.length - 1; i >= 0; i--) {
    const contact = planck.restoreContact(proxyOf(bodies[contacts.first[i]!]!), proxyOf(bodies[contacts.second[i]!]!));
    passContact(contact, port.startRow(i));
  }
  for (const body of moved) m_broadPhase.touch(proxyOf(bodies[body]!).leaf);
  return bodies;
}

/** Each body with a leaf that hangs in no tree. */
function restoreBodies(planck: FlatWorld, columns: PlanckState['bodies']): readonly FlatBody[] {
  const { bodies: store, m_broadPhase } = planck;
  const { tree } = m_broadPhase;
  const { left, top, right, bottom } = columns;
  const { length } = columns.proxy;
  store.reserve(length);
  tree.reserve(2 * length);
  const bodies: FlatBody[] = [];
  let shape: Shape | undefined;
  // The oldest first, so that the newest is the first of planck's list.
  for (let i = length - 1; i >= 0; i--) {
    // Shapes never change, so neighbours of one type share theirs.
    if (shape === undefined || !haveSameShape(columns, i, i + 1)) shape = shapeOf(columns, i);
    const body = planck.createBlankBody(shape, columns.sensor[i] === 1);
    bodies.push(body);
    body.m_userData = columns.entity[i]!;
    const fixture = body.m_fixtureList! as Writable<NonNullable<FlatBody['m_fixtureList']>>;
    fixture.m_friction = columns.friction[i]!;
    fixture.m_restitution = columns.restitution[i]!;
    fixture.m_density = columns.density[i]!;
    fixture.m_filterGroupIndex = columns.group[i]!;
    fixture.m_filterCategoryBits = columns.category[i]!;
    fixture.m_filterMaskBits = columns.mask[i]!;
    const proxy = proxyOf(body);
    const leaf = tree.allocateWith(columns.proxy[i]!);
    proxy.proxyId = columns.proxy[i]!;
    const box = leaf * boxStride;
    tree.boxes[box] = left[i]!;
    tree.boxes[box + 1] = top[i]!;
    tree.boxes[box + 2] = right[i]!;
    tree.boxes[box + 3] = bottom[i]!;
    m_broadPhase.adopt(leaf, proxy);
  }
  bodies.reverse();
  for (let i = 0; i < length; i++) {
    const { row } = bodies[i]!;
    store.type[row] = columns.type[i]!;
    store.setAwake(row, columns.awake[i] === 1);
  }
  for (const name of flagNames) {
    const column = columns[name];
    for (let i = 0; i < length; i++) store[name][bodies[i]!.row] = column[i]!;
  }
  for (let field = 0; field < bodyFields.length; field++) {
    const column = columns[bodyFields[field]!];
    for (let i = 0; i < length; i++) store.numbers[bodies[i]!.place + field] = column[i]!;
  }
  return bodies;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function haveSameShape({ circle, width, height, middleX, middleY }: PlanckState['bodies'], a: number, b: number) {
  const areSame = circle[a] === circle[b] && width[a] === width[b] && height[a] === height[b];
  return areSame && Object.is(middleX[a], middleX[b]) && Object.is(middleY[a], middleY[b]);
}

function shapeOf({ circle, width, height, middleX, middleY }: PlanckState['bodies'], row: number): Shape {
  return makeShape({
    circle: circle[row] === 1,
    width: width[row]!,
    height: height[row]!,
    middleX: middleX[row]!,
    middleY: middleY[row]!,
  });
}

/** Bodies that are not in it were saved from beside the tree. */
function restoreTree(
  { m_broadPhase: { tree } }: FlatWorld,
  saved: readonly number[],
  bodies: readonly FlatBody[],
): void {
  // Backwards: when a node is met, both its branches are finished.
  const finished: number[] = [];
  for (let i = saved.length - 1; i >= 0; i--) {
    const body = bodies[saved[i]!];
    if (body !== undefined) finished.push(proxyOf(body).leaf);
    else {
      // Nobody asks for the id of an inner node.
      const node = tree.allocateWith(0);
      tree.join(node, finished.pop()!, finished.pop()!);
      finished.push(node);
    }
  }
  tree.root = finished[0] ?? tree.root;
}

function proxyOf(body: FlatBody): FlatProxy {
  return body.m_fixtureList!.m_proxies[0]!;
}

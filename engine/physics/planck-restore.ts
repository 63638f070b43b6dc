import { assert } from '../core/assert.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyFields, flagNames } from './flat/body-fields.ts';
import type { FlatProxy } from './flat/graph.ts';
import { boxStride } from './flat/tree.ts';
import type { FlatWorld } from './flat/world.ts';
import type { Shape } from './planck/planck.ts';
import { insideOf } from './planck-inside.ts';
import {
  boxSides,
  fixtureColumns,
  fixtureMembers,
  type PlanckState,
  passContact,
  passedColumns,
  RowPort,
} from './planck-state.ts';
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
  // The oldest first, so that the newest is the first of planck's list.
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
  const { length } = columns.proxy;
  store.reserve(length);
  tree.reserve(2 * length);
  const shapes = new ShapeCache(columns);
  const bodies: FlatBody[] = [];
  for (let i = length - 1; i >= 0; i--) {
    const body = planck.createBlankBody(shapes.at(i), columns.sensor[i] === 1);
    bodies.push(body);
    body.m_userData = columns.entity[i]!;
    const fixture = body.m_fixtureList! as Writable<NonNullable<FlatBody['m_fixtureList']>>;
    for (const name of fixtureColumns) fixture[fixtureMembers[name]] = columns[name][i]!;
    const proxy = proxyOf(body);
    const leaf = tree.allocateWith(columns.proxy[i]!);
    proxy.proxyId = columns.proxy[i]!;
    for (let side = 0; side < boxStride; side++) tree.boxes[leaf * boxStride + side] = columns[boxSides[side]!][i]!;
    m_broadPhase.adopt(leaf, proxy);
  }
  bodies.reverse();
  for (let i = 0; i < length; i++) {
    const { row } = bodies[i]!;
    store.type[row] = columns.type[i]!;
    for (const name of flagNames) store.setFlag(name, row, columns[name][i] === 1);
    store.setAwake(row, columns.awake[i] === 1);
  }
  for (let field = 0; field < bodyFields.length; field++) {
    const column = columns[bodyFields[field]!];
    for (let i = 0; i < length; i++) store.numbers[bodies[i]!.place + field] = column[i]!;
  }
  return bodies;
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The shapes of bodies. Neighbours of one type have one between them, because shapes never change and each costs as much as its body. */
class ShapeCache {
  private readonly columns: PlanckState['bodies'];
  private lastRow = -1;
  private last: Shape | undefined;

  constructor(columns: PlanckState['bodies']) {
    this.columns = columns;
  }

  at(row: number): Shape {
    const { circle, width, height, middleX, middleY } = this.columns;
    const { lastRow } = this;
    const isSame = (column: ArrayLike<number>): boolean => Object.is(column[row], column[lastRow]);
    if (this.last === undefined || ![circle, width, height, middleX, middleY].every(isSame)) {
      this.last = makeShape({
        circle: circle[row] === 1,
        width: width[row]!,
        height: height[row]!,
        middleX: middleX[row]!,
        middleY: middleY[row]!,
      });
    }
    this.lastRow = row;
    return this.last;
  }
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

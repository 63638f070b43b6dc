import { MalformedBytes } from '../core/bytes.ts';
import {
  type ColumnArray,
  type ColumnType,
  constant,
  count,
  entity,
  f64,
  flag,
  type Infer,
  index,
  list,
  record,
  table,
  u8,
  withCheck,
} from '../schema/index.ts';
import { bodyFields, bodyTypes, flagNames } from './flat/body-fields.ts';
import type { FlatContact } from './flat/contact.ts';
import type { Vec2Value } from './planck/planck.ts';

/**
 * A world over flat memory as numbers, exactly: a world restored from them makes the same steps for ever. The serializer of planck loses impulses
 * of contacts, their order, the boxes and shape of the tree, sleep times and the rotation's sine and cosine. Members are left out that planck writes
 * anew before it reads them: constraints of contacts, flags of islands, times of impact, tight boxes of fixtures. Every body has one fixture of one
 * circle or box, and there are no joints.
 */

/** planck counts on from the last one: there has to be room for more than any game makes. */
const proxiesMax = 4_503_599_627_370_496;
/** m. Products of a few larger sizes are infinite, and of what is not a number planck finds no nearest corner. */
const sizeMax = 1e50;

const finite: ColumnType<Float64Array> = {
  ...f64(),
  primitiveType: undefined,
  check: (value, at) => at.demand(Number.isFinite(value), 'not finite'),
};
const size = withCheck(f64(), 'no size', (value) => Math.abs(value) <= sizeMax);
const length = withCheck(f64(), 'no length', (value) => value >= 0 && value <= sizeMax);
const proxy = withCheck(count(), 'no proxy', (id) => id > 0 && id <= proxiesMax);
const upTo = (most: number) => withCheck(u8(), `above ${most}`, (value) => value <= most);
const each = <K, const Names extends readonly string[]>(kind: K, names: Names) =>
  Object.fromEntries(names.map((name) => [name, kind])) as { readonly [N in Names[number]]: K };

/** Newest first. Other tables name a body by its row here. */
export const bodyTable = table({
  proxy,
  entity: entity(),
  type: upTo(bodyTypes.length - 1),
  ...each(upTo(1), [...flagNames, 'sensor', 'circle']),
  // Radius of a circle, or half the sides of a box; and its middle.
  width: length,
  height: length,
  middleX: size,
  middleY: size,
  // Its box in the tree.
  ...each(finite, ['left', 'top', 'right', 'bottom']),
  ...each(finite, bodyFields),
  // Of its fixture.
  ...each(finite, ['friction', 'restitution', 'density', 'group', 'category', 'mask']),
});

/** Columns of a contact that its manifold has, in the order in which `passContact` passes them. Without points they are zeros. */
const manifoldColumns = [
  ...(['normalX', 'normalY', 'pointX', 'pointY'] as const),
  ...(['x1', 'y1', 'normalImpulse1', 'tangentImpulse1', 'indexA1', 'typeA1', 'indexB1', 'typeB1'] as const),
  ...(['x2', 'y2', 'normalImpulse2', 'tangentImpulse2', 'indexA2', 'typeA2', 'indexB2', 'typeB2'] as const),
] as const;

/** Newest first. */
export const contactTable = table({
  first: index('body'),
  second: index('body'),
  ...each(upTo(1), ['enabled', 'touching', 'toFilter']),
  ...each(upTo(2), ['points', 'manifold']),
  ...each(finite, manifoldColumns),
});

export const planckState = constant(
  record({
    bodies: bodyTable,
    contacts: contactTable,
    step: record({
      ...each(finite, ['seconds', 'perSecond', 'formerPerSecond', 'ratio']),
      hasNewFixture: flag(),
      lastProxy: withCheck(count(), 'no proxy', (id) => id <= proxiesMax),
    }),
    /** The nodes, each before both its branches: of a leaf its body, -1 for the others. Bodies that are not in it are kept beside the tree. */
    tree: list(index('body', 'or none')),
    /** Bodies whose pairs are looked for in the next step. */
    moved: list(index('body')),
  }),
);
export type PlanckState = Infer<typeof planckState>;

/** Checks beyond the declarations whether a world can have a state. Throws `MalformedBytes` where it cannot. */
export function checkPlanck({ bodies, contacts, step, tree }: PlanckState, contactsMax: number): void {
  const { proxy } = bodies;
  demand(new Set(proxy).size === proxy.length, 'each body has a proxy of its own');
  demand(
    proxy.every((id) => id <= step.lastProxy),
    'each body has a proxy that was made',
  );
  const leaves = tree.filter((body) => body >= 0);
  demand(new Set(leaves).size === leaves.length, 'a body has one leaf');
  // Backwards: when a node is met, both its branches are finished.
  let finished = 0;
  for (let i = tree.length - 1; i >= 0; i--) {
    demand(tree[i]! >= 0 || finished >= 2, 'a node of the tree has a body or two branches');
    finished += tree[i]! >= 0 ? 1 : -1;
  }
  demand(finished <= 1, 'a tree has one root');
  const { first, second } = contacts;
  demand(first.length <= contactsMax, 'there are no more contacts than the limit allows');
  const pairs = new Set<number>();
  for (let i = 0; i < first.length; i++) {
    const [low, high] = [Math.min(first[i]!, second[i]!), Math.max(first[i]!, second[i]!)];
    demand(low < high, 'a contact is between two bodies');
    pairs.add(low * proxy.length + high);
  }
  demand(pairs.size === first.length, 'two bodies have one contact');
}

function demand(holds: boolean, what: string): void {
  if (!holds) throw new MalformedBytes(`In this snapshot it does not hold that ${what}.`);
}

/** Passes the numbers of an object to columns, or those of columns to the object. */
export class RowPort {
  private readonly columns: readonly ColumnArray[];
  private readonly isSaving: boolean;
  private row = 0;
  private at = 0;

  /** The columns in the order in which their numbers are passed. */
  constructor(columns: readonly ColumnArray[], isSaving: boolean) {
    this.columns = columns;
    this.isSaving = isSaving;
  }

  /** The numbers of a row are passed next. */
  startRow(row: number): this {
    this.row = row;
    this.at = 0;
    return this;
  }

  /** Takes the number that a member has; gives the number that it is to have. */
  pass(value: number): number {
    const column = this.columns[this.at++]!;
    if (this.isSaving) column[this.row] = value;
    return column[this.row]!;
  }
}

/** All of a contact but whose it is. Of a manifold only what has points: the rest is made anew before it is read. */
export function passContact(contact: FlatContact, port: RowPort): void {
  const { m_manifold: manifold } = contact;
  contact.m_enabledFlag = port.pass(contact.m_enabledFlag ? 1 : 0) === 1;
  contact.m_touchingFlag = port.pass(contact.m_touchingFlag ? 1 : 0) === 1;
  contact.m_filterFlag = port.pass(contact.m_filterFlag ? 1 : 0) === 1;
  manifold.pointCount = port.pass(manifold.pointCount);
  if (manifold.pointCount === 0) return;
  manifold.type = port.pass(manifold.type);
  passVector(manifold.localNormal, port);
  passVector(manifold.localPoint, port);
  for (let i = 0; i < manifold.pointCount; i++) {
    const point = manifold.points[i]!;
    const { id } = point;
    passVector(point.localPoint, port);
    point.normalImpulse = port.pass(point.normalImpulse);
    point.tangentImpulse = port.pass(point.tangentImpulse);
    id.setFeatures(port.pass(id.indexA), port.pass(id.typeA), port.pass(id.indexB), port.pass(id.typeB));
  }
}

function passVector(vector: Vec2Value, port: RowPort): void {
  vector.x = port.pass(vector.x);
  vector.y = port.pass(vector.y);
}

/** The columns of a contact that `passContact` passes. */
export function passedColumns({ first: _a, second: _b, ...passed }: PlanckState['contacts']): readonly ColumnArray[] {
  return Object.values(passed);
}

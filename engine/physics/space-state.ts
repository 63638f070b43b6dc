import { MalformedBytes } from '../core/bytes.ts';
import {
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
import { bodyFields, bodyTypes } from './flat/body-fields.ts';

/**
 * The exact state of a `Space` as numbers: a space restored from them makes the same steps. Values that each step
 * computes before it reads them are left out, such as the marks of islands and times of impact.
 */

/**
 * The largest id of a node in a valid state. New ids are counted up from the last one, so there must be room for more
 * than any game makes.
 */
const proxiesMax = 4_503_599_627_370_496;
/**
 * The largest size in a valid state, in metres. Products of a few larger sizes would be infinite, and planck's search
 * for the nearest corner fails on corners that are NaN.
 */
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
/**
 * A column that has the same value in every row, for a feature of planck that games never use. Such columns are kept so
 * that hashes and snapshots stay the same.
 */
const always = <K extends ColumnType>(kind: K, only: number) =>
  withCheck<K>(kind, `not ${only}`, (value) => (value as number) === only);
const each = <K, const Names extends readonly string[]>(kind: K, names: Names) =>
  Object.fromEntries(names.map((name) => [name, kind])) as { readonly [N in Names[number]]: K };

/** The numbers of a box in the tree. */
export const sides = ['left', 'top', 'right', 'bottom'] as const;

/** The bodies, newest first. Other tables refer to a body by its row in this table. */
export const bodyTable = table({
  /** The id of the body's leaf in the tree. */
  proxy,
  entity: entity(),
  type: upTo(bodyTypes.length - 1),
  ...each(upTo(1), ['awake', 'maySleep', 'bullet', 'fixedRotation']),
  active: always(u8(), 1),
  ...each(upTo(1), ['sensor', 'circle']),
  // The radius of a circle, or half the sides of a box; and the centre of the shape, in metres.
  width: length,
  height: length,
  middleX: size,
  middleY: size,
  // The box of the body's leaf in the tree.
  ...each(finite, sides),
  ...each(finite, bodyFields),
  ...each(finite, ['friction', 'restitution', 'density']),
  group: always(f64(), 0),
  ...each(finite, ['category', 'mask']),
});

/**
 * The columns of a contact that its manifold has, in the order of `ContactStore.manifolds`. Those of absent points are
 * zeros.
 */
export const manifoldColumns = [
  ...(['normalX', 'normalY', 'pointX', 'pointY'] as const),
  ...(['x1', 'y1', 'normalImpulse1', 'tangentImpulse1', 'indexA1', 'typeA1', 'indexB1', 'typeB1'] as const),
  ...(['x2', 'y2', 'normalImpulse2', 'tangentImpulse2', 'indexA2', 'typeA2', 'indexB2', 'typeB2'] as const),
] as const;

/** The contacts, newest first. */
export const contactTable = table({
  first: index('body'),
  second: index('body'),
  ...each(upTo(1), ['enabled', 'touching']),
  toFilter: always(u8(), 0),
  ...each(upTo(2), ['points', 'manifold']),
  ...each(finite, manifoldColumns),
});

export const spaceState = constant(
  record({
    bodies: bodyTable,
    contacts: contactTable,
    step: record({
      ...each(finite, ['seconds', 'perSecond', 'formerPerSecond', 'ratio']),
      hasNewFixture: flag(),
      lastProxy: withCheck(count(), 'no proxy', (id) => id <= proxiesMax),
    }),
    /**
     * All nodes, each before its children: a leaf is written as its body, an inner node as -1. The boxes of bodies that
     * are not in the tree are in the grid.
     */
    tree: list(index('body', 'or none')),
    /** Bodies whose pairs the next step searches for. */
    moved: list(index('body')),
  }),
);
export type SpaceState = Infer<typeof spaceState>;

/** Checks what the declarations cannot express. Throws `MalformedBytes` for a state that no space can have. */
export function checkSpace({ bodies, contacts, step, tree }: SpaceState, contactsMax: number): void {
  const { proxy } = bodies;
  demand(new Set(proxy).size === proxy.length, 'two bodies share a proxy');
  demand(
    proxy.every((id) => id <= step.lastProxy),
    'a body refers to a proxy that was never created',
  );
  const leaves = tree.filter((body) => body >= 0);
  demand(new Set(leaves).size === leaves.length, 'a body has two leaves in the tree');
  // Walks the nodes backwards, so that both branches of a node are finished when the walk reaches it.
  let finished = 0;
  for (let i = tree.length - 1; i >= 0; i--) {
    demand(tree[i]! >= 0 || finished >= 2, 'an inner node of the tree lacks a branch');
    finished += tree[i]! >= 0 ? 1 : -1;
  }
  demand(finished <= 1, 'the tree has several roots');
  const { first, second } = contacts;
  demand(first.length <= contactsMax, 'there are more contacts than the limit allows');
  const pairs = new Set<number>();
  for (let i = 0; i < first.length; i++) {
    const [low, high] = [Math.min(first[i]!, second[i]!), Math.max(first[i]!, second[i]!)];
    demand(low < high, 'a body has a contact with itself');
    pairs.add(low * proxy.length + high);
  }
  demand(pairs.size === first.length, 'two bodies have two contacts with each other');
}

function demand(holds: boolean, otherwise: string) {
  if (!holds) throw new MalformedBytes(`Invalid snapshot: ${otherwise}.`);
}

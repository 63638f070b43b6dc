import { MalformedBytes } from '../core/bytes.ts';
import { dynamicType } from './flat/body-fields.ts';
import { PairTable } from './flat/pair-table.ts';
import { type PlanckNumbers, planckTables, shapeTypes } from './planck-members.ts';

const { bodies: bodyTable, contacts: contactTable, shapes: shapeTable, step: stepTable } = planckTables;
const { at: ofBody } = bodyTable;
const none = -1;
const circle = shapeTypes.indexOf('circle');

/** Where in its tables stands what the numbers of a world name: found once, by the check. */
export interface PlanckPlaces {
  /** The body of each proxy. */
  readonly bodyOf: ReadonlyMap<number, number>;
  /** By body: its shape. */
  readonly shapes: Int32Array;
  /** By node of the tree: the body whose leaf it is; -1 for inner nodes. */
  readonly leaves: Int32Array;
  /** By contact: both its bodies. */
  readonly ends: Int32Array;
  /** The bodies that have moved. */
  readonly moved: Int32Array;
}

/**
 * Checks whether a world can have numbers together that their declarations accept. Throws `MalformedBytes` for others. It makes and changes nothing, so
 * that a simulation can be kept while what is to replace it is looked at.
 */
export function checkPlanck(numbers: PlanckNumbers, contactsMax = Number.POSITIVE_INFINITY): PlanckPlaces {
  const { bodies, tree } = numbers;
  const count = bodies.length / bodyTable.width;
  const lastProxy = numbers.step[stepTable.at.lastProxy]!;
  const shapes = shapesOf(numbers, count);
  const bodyOf = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const proxy = bodies[i * bodyTable.width + ofBody.proxy]!;
    check(proxy <= lastProxy, 'a body has a proxy that was made');
    bodyOf.set(proxy, i);
  }
  check(bodyOf.size === count, 'a body has a proxy of its own');
  const moved = new Int32Array(numbers.moved.length);
  for (let i = 0; i < moved.length; i++) {
    const body = bodyOf.get(numbers.moved[i]!);
    check(body !== undefined, 'what has moved is in the tree');
    moved[i] = body;
  }
  const leaves = leavesOf(tree, lastProxy, bodyOf);
  const ends = endsOf(numbers, shapes, bodyOf, contactsMax);
  return { bodyOf, shapes, leaves, ends, moved };
}

function shapesOf({ bodies, shapes }: PlanckNumbers, count: number): Int32Array {
  // By digest: bodies share what never changes.
  const listed = new Map<number, number>();
  for (let at = 0, i = 0; at < shapes.length; at += shapeTable.width, i++) listed.set(shapes[at]!, i);
  const found = new Int32Array(count);
  let digest = Number.NaN;
  let shape: number | undefined;
  for (let i = 0; i < count; i++) {
    const its = bodies[i * bodyTable.width + ofBody.shape]!;
    if (its !== digest) shape = listed.get(its);
    check(shape !== undefined, 'a body has a shape');
    digest = its;
    found[i] = shape;
  }
  return found;
}

function leavesOf(tree: Float64Array, lastProxy: number, bodyOf: ReadonlyMap<number, number>): Int32Array {
  const leaves = new Int32Array(tree.length);
  const inner = new Set<number>();
  const met = new Uint8Array(bodyOf.size);
  // Backwards: when a node is met, both its branches are finished.
  let finished = 0;
  for (let i = tree.length - 1; i >= 0; i--) {
    const id = Math.abs(tree[i]!);
    check(Number.isInteger(id) && id > 0 && id <= lastProxy, 'a node of the tree has an id that was given');
    const body = bodyOf.get(id);
    if (tree[i]! > 0) {
      check(body !== undefined && met[body] === 0, 'a leaf of the tree has a body of its own');
      met[body] = 1;
      leaves[i] = body;
      finished++;
      continue;
    }
    check(body === undefined && !inner.has(id), 'a node of the tree has an id of its own');
    check(finished >= 2, 'a node of the tree has a body or two branches');
    inner.add(id);
    leaves[i] = none;
    finished--;
  }
  check(finished <= 1, 'a tree has one root');
  return leaves;
}

function endsOf(
  { bodies, shapes, contacts }: PlanckNumbers,
  shapeOf: Int32Array,
  bodyOf: ReadonlyMap<number, number>,
  contactsMax: number,
): Int32Array {
  const count = contacts.length / contactTable.width;
  check(count <= contactsMax, 'there are no more contacts than the limit allows');
  const { firstProxy, secondProxy } = contactTable.at;
  const ends = new Int32Array(2 * count);
  const pairs = new PairTable();
  const isCircle = (body: number): boolean => shapes[shapeOf[body]! * shapeTable.width + shapeTable.at.kind] === circle;
  for (let i = 0; i < count; i++) {
    const at = i * contactTable.width;
    const first = bodyOf.get(contacts[at + firstProxy]!);
    const second = bodyOf.get(contacts[at + secondProxy]!);
    check(first !== undefined && second !== undefined && first !== second, 'a contact is between two bodies');
    // planck turns a circle and a polygon round.
    const areInOrder = !isCircle(first) || isCircle(second);
    check(areInOrder && mayMeet(bodies, first, second), 'a contact is between two that can meet');
    check(!pairs.has(first, second), 'two have one contact');
    pairs.set(first, second, i);
    ends[2 * i] = first;
    ends[2 * i + 1] = second;
  }
  return ends;
}

/** planck's filters, over the numbers of two bodies. */
function mayMeet(bodies: Float64Array, first: number, second: number): boolean {
  const a = first * bodyTable.width;
  const b = second * bodyTable.width;
  if (bodies[a + ofBody.type] !== dynamicType && bodies[b + ofBody.type] !== dynamicType) return false;
  const group = bodies[a + ofBody.group]!;
  if (group !== 0 && group === bodies[b + ofBody.group]) return group > 0;
  const meetsFirst = (bodies[a + ofBody.mask]! & bodies[b + ofBody.category]!) !== 0;
  return meetsFirst && (bodies[a + ofBody.category]! & bodies[b + ofBody.mask]!) !== 0;
}

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new MalformedBytes(`In this snapshot it does not hold that ${what}.`);
}

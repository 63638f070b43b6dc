import { assert } from '../core/assert.ts';
import type { FlatBody } from './flat/body.ts';
import { bodyFields, flagNames } from './flat/body-fields.ts';
import { endStride } from './flat/contact-store.ts';
import type { FlatFixture } from './flat/fixture.ts';
import { boxStride } from './flat/tree.ts';
import type { FlatWorld } from './flat/world.ts';
import { insideOf } from './planck-inside.ts';
import { bodyTable, contactTable, type PlanckState, passContact, passedColumns, RowPort } from './planck-state.ts';
import { sizesOf } from './shape.ts';

/** A world between two steps, copied; and by row of the body store the row of the body in the table. */
export function savePlanck(planck: FlatWorld): PlanckState & { readonly places: Int32Array } {
  const listed: FlatBody[] = [];
  for (let body = planck.m_bodyList; body !== null; body = body.m_next) listed.push(body);
  const places = new Int32Array(planck.bodies.bodies.length);
  for (let i = 0; i < listed.length; i++) places[listed[i]!.row] = i;
  const { s_step, m_newFixture } = insideOf(planck);
  const { tree, proxies } = planck.m_broadPhase;
  const placeOf = (leaf: number): number => {
    const fixture = proxies[leaf]?.fixture as FlatFixture | undefined;
    return fixture === undefined ? -1 : places[fixture.m_body.row]!;
  };
  return {
    bodies: saveBodies(planck, listed),
    contacts: saveContacts(planck, places),
    step: {
      seconds: s_step.dt,
      perSecond: s_step.inv_dt,
      formerPerSecond: s_step.inv_dt0,
      ratio: s_step.dtRatio,
      hasNewFixture: m_newFixture,
      lastProxy: tree.lastId,
    },
    tree: tree.save().map(placeOf),
    moved: planck.m_broadPhase.saveMoved().map(placeOf),
    places,
  };
}

function saveBodies({ bodies: store, m_broadPhase }: FlatWorld, listed: readonly FlatBody[]): PlanckState['bodies'] {
  const columns = bodyTable.create(listed.length);
  const { boxes } = m_broadPhase.tree;
  for (let i = 0; i < listed.length; i++) {
    const { row, m_userData } = listed[i]!;
    const fixture = onlyFixture(listed[i]!);
    const { proxyId, leaf } = fixture.m_proxies[0]!;
    columns.proxy[i] = proxyId;
    columns.entity[i] = m_userData as number;
    columns.type[i] = store.type[row]!;
    columns.sensor[i] = fixture.m_isSensor ? 1 : 0;
    const { circle, width, height, middleX, middleY } = sizesOf(fixture.m_shape);
    columns.circle[i] = circle ? 1 : 0;
    columns.width[i] = width;
    columns.height[i] = height;
    columns.middleX[i] = middleX;
    columns.middleY[i] = middleY;
    columns.friction[i] = fixture.m_friction;
    columns.restitution[i] = fixture.m_restitution;
    columns.density[i] = fixture.m_density;
    columns.group[i] = fixture.m_filterGroupIndex;
    columns.category[i] = fixture.m_filterCategoryBits;
    columns.mask[i] = fixture.m_filterMaskBits;
    const box = leaf * boxStride;
    columns.left[i] = boxes[box]!;
    columns.top[i] = boxes[box + 1]!;
    columns.right[i] = boxes[box + 2]!;
    columns.bottom[i] = boxes[box + 3]!;
  }
  for (const name of flagNames) {
    const column = columns[name];
    for (let i = 0; i < listed.length; i++) column[i] = store[name][listed[i]!.row]!;
  }
  for (let field = 0; field < bodyFields.length; field++) {
    const column = columns[bodyFields[field]!];
    for (let i = 0; i < listed.length; i++) column[i] = store.numbers[listed[i]!.place + field]!;
  }
  return columns;
}

function saveContacts({ contacts: store }: FlatWorld, places: Int32Array): PlanckState['contacts'] {
  const rows = store.order.subarray(0, store.orderCount).filter((row) => row >= 0);
  // Newest first, as in planck's list.
  rows.reverse();
  const columns = contactTable.create(rows.length);
  const port = new RowPort(passedColumns(columns), true);
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    columns.first[i] = places[store.ends[row * endStride]!]!;
    columns.second[i] = places[store.ends[row * endStride + 1]!]!;
    passContact(store.contacts[row]!, port.startRow(i));
  }
  return columns;
}

function onlyFixture({ m_fixtureList: fixture }: FlatBody): FlatFixture {
  assert(
    fixture !== null && fixture.m_next === null && fixture.m_proxyCount === 1,
    'a body has one fixture in one place',
  );
  return fixture;
}

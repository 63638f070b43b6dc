import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';
import { shared } from '../schema/index.ts';
import { EntityRef, kinds } from './entity.ts';

/** Scripts hold entities by references that are compared by identity: one reference stays one reference. */
export const refAdapter: GraphAdapter<EntityRef> = {
  owns: (value): value is EntityRef => value instanceof EntityRef,
  save: ({ entity, kind, name }) => [entity, kinds.indexOf(kind), name],
  restore([entity, number, name]) {
    const isEntity = typeof entity === 'number' && Number.isSafeInteger(entity) && entity >= 0;
    const kind = kinds[number as number];
    if (!isEntity || kind === undefined || name === undefined) throw new MalformedBytes('A handle names no entity.');
    return new EntityRef(entity, kind, name);
  },
  show: ({ id }) => `@${id}`,
};

export const ref = shared(refAdapter, 'handle');

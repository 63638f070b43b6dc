import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';
import { shared } from '../schema/index.ts';
import { EntityRef, type Kind, kinds } from './entity.ts';

/** Scripts hold entities by references that are compared by identity: one reference stays one reference. */
export const refAdapter: GraphAdapter<EntityRef> = {
  owns: (value): value is EntityRef => value instanceof EntityRef,
  save: ({ entity, kind, id }) => [entity, kind, id],
  restore([entity, kind, id]) {
    const isEntity = typeof entity === 'number' && Number.isSafeInteger(entity) && entity >= 0;
    if (!isEntity || !kinds.includes(kind as Kind) || typeof id !== 'string') {
      throw new MalformedBytes('A handle names no entity.');
    }
    return new EntityRef(entity, kind as Kind, id);
  },
  show: ({ id }) => `@${id}`,
};

export const ref = shared(refAdapter, 'handle');

import { tag } from '../ecs/component.ts';

/**
 * Marks an entity whose name scripts have cleared: scripts see no name, clients still show the last one. Only in
 * dialects without `namesNeedValues`.
 */
export const Unnamed = tag('unnamed');

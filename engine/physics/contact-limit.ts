import { inYoungGeneration } from '../core/young.ts';
import type { World } from './planck/planck.ts';
import { insideOf } from './planck-inside.ts';

/**
 * Keeps a world from having more contacts than the limit. Bodies piled on one spot have as many as the square of their number, and would fill the
 * memory within one step. Pairs beyond the limit pass through each other until they part and meet again. `refused` is called with pairs that are
 * found while there is no room. A pair that has its contact already may be among them: to find that out would cost more than the contact.
 */
export function limitContacts(planck: World, most: number, refused: () => void): void {
  const inside = insideOf(planck);
  const create = inside.createContact;
  inside.createContact = inYoungGeneration((a, b) => {
    if (inside.m_contactCount < most) create.call(inside, a, b);
    else refused();
  });
}

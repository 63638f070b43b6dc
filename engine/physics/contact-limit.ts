import type { FixtureProxy, World } from './planck/planck.ts';
import { type InnerWorld, insideOf } from './planck-inside.ts';

interface LimitedWorld extends InnerWorld {
  contactsMost: number;
  areContactsRefused: boolean;
}

/**
 * Keeps a world from having more contacts than the limit. Bodies piled on one spot have as many as the square of their number, and would fill the
 * memory within one step. Pairs beyond the limit pass through each other until they part and meet again.
 */
export function limitContacts(planck: World, most: number): void {
  const world = insideOf(planck) as LimitedWorld;
  world.contactsMost = most;
  world.areContactsRefused = false;
  // One function for all worlds. A closure that is put on an object like this outlives small collections of garbage, and so would the whole game.
  world.createContact = createWithinLimit;
}

/**
 * Whether pairs were found while there was no room, since this was last asked. Pairs that have their contact already may be among them: to find that out
 * would cost more than the contact.
 */
export function tookRefusal(planck: World): boolean {
  const world = insideOf(planck) as LimitedWorld;
  const { areContactsRefused } = world;
  world.areContactsRefused = false;
  return areContactsRefused;
}

function createWithinLimit(this: LimitedWorld, a: FixtureProxy, b: FixtureProxy): void {
  if (this.m_contactCount >= this.contactsMost) this.areContactsRefused = true;
  else (Object.getPrototypeOf(this) as InnerWorld).createContact.call(this, a, b);
}

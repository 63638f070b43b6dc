import type { CatalogueTrigger } from '../../engine/index.ts';

const getters: Readonly<Record<string, string>> = {
  unit: 'getTriggeringUnit',
  item: 'getTriggeringItem',
  projectile: 'getTriggeringProjectile',
  player: 'getTriggeringPlayer',
  region: 'getTriggeringRegion',
  sensor: 'getTriggeringSensor',
  attribute: 'getTriggeringAttribute',
  debris: 'getTriggeringDebris',
  entity: 'getTriggeringEntity',
};

/** The functions that return parts of a trigger's payload, always or only for some kinds of entity. */
export function payloadFunctionsOf({ tells, tellsSometimes }: Pick<CatalogueTrigger, 'tells' | 'tellsSometimes'>): {
  always: string[];
  sometimes: string[];
} {
  const named = (members: readonly string[]): string[] => members.flatMap((member) => getters[member] ?? []);
  return { always: named(tells), sometimes: named(tellsSometimes) };
}

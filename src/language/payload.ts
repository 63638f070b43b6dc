import type { CatalogueTrigger } from '../../engine/index.ts';

const givers: Readonly<Record<string, string>> = {
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

/** The functions that say what a trigger is about, always or for some kinds of entity. */
export function payloadFunctionsOf({ tells, tellsSometimes }: CatalogueTrigger): {
  always: string[];
  sometimes: string[];
} {
  const named = (members: readonly string[]): string[] => members.flatMap((member) => givers[member] ?? []);
  return { always: named(tells), sometimes: named(tellsSometimes) };
}

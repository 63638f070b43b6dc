import type { Definition } from '../../engine/index.ts';
import { projectileTypesOf, scriptsOf } from '../../engine/internal.ts';
import { constantOf } from '../run/script-lines.ts';
import type { Counts } from '../scenario/counts.ts';
import { type CoverageReport, coverageOf, type Share } from '../scenario/coverage.ts';
import { enumeratedTexts, kindOfTarget, type TargetKind, targetKey, targetKinds } from './targets.ts';

/** What plays have seen of a game, and how much there is. */
export interface ExploredCoverage {
  readonly scripts: CoverageReport;
  readonly targets: Readonly<Record<TargetKind, Share>>;
  /** Keys of targets that no play has seen. */
  readonly unseen: readonly string[];
}

export function exploredCoverage(
  game: string,
  definition: Definition,
  counts: Counts,
  seen: ReadonlySet<string>,
): ExploredCoverage {
  const all = allTargets(definition);
  const shares = Object.fromEntries(
    targetKinds.map((kind) => {
      const ofKind = all.filter((key) => kindOfTarget(key) === kind);
      return [kind, { ran: ofKind.filter((key) => seen.has(key)).length, total: ofKind.length }];
    }),
  ) as Record<TargetKind, Share>;
  return {
    scripts: coverageOf(game, definition, counts),
    targets: shares,
    unseen: all.filter((key) => !seen.has(key)),
  };
}

function allTargets(definition: Definition): string[] {
  const keys: string[] = [];
  const types = {
    unit: definition.unitTypes,
    item: definition.itemTypes,
    projectile: projectileTypesOf(definition),
  };
  for (const kind of ['unit', 'item', 'projectile'] as const)
    for (const [type, { states }] of types[kind])
      for (const state of states.keys()) keys.push(targetKey.state(kind, type, state));
  for (const { key, dataType } of definition.variables.values())
    if (dataType === 'region') keys.push(targetKey.region(key));
  for (const [name, texts] of enumeratedTexts(definition))
    for (const text of texts) keys.push(targetKey.text(name, text));
  for (const key of definition.dialogues.keys()) keys.push(targetKey.dialogue(key));
  for (const key of definition.shops.keys()) keys.push(targetKey.shop(key));
  for (const { place, conditions } of scriptsOf(definition).scripts)
    if (constantOf(conditions) === undefined) keys.push(targetKey.idle(place));
  return keys;
}

import { type Action, literalText, type Operand } from '../../engine/index.ts';
import type { UnitType } from '../../engine/tools.ts';
import { changesOf, creationsBy, readerOf, readOf, typesGivenBy } from '../model/index.ts';
import type { GameFacts } from './facts.ts';
import { listIn } from './nodes.ts';

/** Facts about AI that follow from the scripts of a game. */
export interface AiScripts {
  /** Whether scripts enable AI. */
  readonly enable: boolean;
  /** The actions that give orders to units. */
  readonly orders: readonly Action[];
  /** Whether scripts ask for the relationships between players. If they do, they may choose targets themselves. */
  readonly askRelations: boolean;
  /** The owners of the units that scripts create, by unit type; '' stands for a computed type. */
  readonly owners: ReadonlyMap<string, readonly Operand[]>;
  /**
   * The player types that scripts assign to each player, by the JSON of the operand that names the player. An undefined
   * type is a computed one.
   */
  readonly types: ReadonlyMap<string, readonly (string | undefined)[]>;
}

export function aiScriptsOf({ actions, changes, uses }: GameFacts): AiScripts {
  const owners = new Map<string, Operand[]>();
  const types = new Map<string, (string | undefined)[]>();
  for (const node of actions) {
    for (const { of, type } of typesGivenBy(node, 'player')) listIn(types, textOf(of)).push(literalText(type));
    for (const { kind, type, owner } of creationsBy(node))
      if (kind === undefined) listIn(owners, '');
      else if (kind === 'unit' && type !== undefined && owner !== undefined)
        listIn(owners, literalText(type) ?? '').push(owner);
  }
  return {
    enable: changes('aiEnabled').some(({ value }) => value === true),
    orders: actions.filter((node) => changesOf(node, 'ai').length > 0),
    askRelations: uses('relation').length > 0,
    owners,
    types,
  };
}

/**
 * The player types that the owners of units of a type can have. An undefined element stands for an owner without a
 * type; an undefined result means that the types are not known.
 */
export function ownerTypesOf({ once, changes }: GameFacts, type: string): ReadonlySet<string | undefined> | undefined {
  const { owners, types } = once(aiScriptsOf);
  const all = owners.get(type) ?? [];
  // A unit created with a computed type can have any owner.
  if (all.length === 0 || owners.has('') || changes('owner').length > 0) return undefined;
  const assigned = [...types.values()].flat();
  const found = new Set<string | undefined>();
  for (const owner of all) {
    // The triggering player can be any player, with any type that scripts assign.
    const isAnybody = isTriggering(textOf(owner));
    const known = isAnybody ? assigned : (types.get(textOf(owner)) ?? []);
    if (known.includes(undefined) || (known.length === 0 && ![...types.keys()].every(isTriggering))) return undefined;
    for (const each of known.length === 0 ? [undefined] : known) found.add(each);
  }
  return found;
}

/** The types that scripts give to computer players; undefined if they are not known. */
export function computerTypesOf({ actions }: GameFacts): ReadonlySet<string> | undefined {
  const found = new Set<string | undefined>();
  for (const node of actions)
    for (const { of, type } of typesGivenBy(node, 'player')) {
      // Only people join.
      const isJoining = node.script.source.triggers.join() === 'playerJoinsGame' && readOf(of, 'payload') !== undefined;
      if (!isJoining) found.add(literalText(type));
    }
  return found.has(undefined) ? undefined : (found as ReadonlySet<string>);
}

function textOf({ json }: Operand) {
  return JSON.stringify(json) ?? '';
}

/** Whether the AI of a type reacts to units of hostile players. */
export function reacts({ ai }: UnitType): boolean {
  return [ai?.sensorResponse, ai?.attackResponse].includes('fight') || ai?.sensorResponse === 'flee';
}

const triggering = `"${readerOf('player')}"`;

/** Whether the JSON of an operand names the triggering player. */
function isTriggering(text: string) {
  return text.includes(triggering);
}

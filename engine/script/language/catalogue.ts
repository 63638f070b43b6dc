import { type Dictionary, defined } from '../../core/plain-object.ts';
import type { Definition } from '../../definition/definition.ts';
import { type Delivery, triggerAliases, triggersOf } from '../../world/triggers.ts';
import { type About, type OpRow, type Status, statusOf } from '../op.ts';
import { vocabularyOf } from './host.ts';

export interface CatalogueParam {
  readonly key: string;
  /** Name of the operand's kind: `number`, `unit`, `item type`, `actions` … */
  readonly type: string;
  /** Description of the operand, if the operation has one. */
  readonly about?: string;
  readonly optional: boolean;
  /**
   * Whether a missing entity is recorded as a fault. For all other entity operands it is only recorded as a skip. In
   * both cases, the action does nothing.
   */
  readonly demanded: boolean;
  /** Older or alternative keys. */
  readonly aliases: readonly string[];
}

/** Description of an action or a function, for people and tools. */
export interface CatalogueOperation {
  readonly type: string;
  /** Describes the effect of an action or the value of a function. */
  readonly about: string;
  readonly status: Status;
  readonly family: string;
  readonly params: readonly CatalogueParam[];
  /** The type of a function's value; absent for actions. */
  readonly returns?: string;
  readonly aliases: readonly string[];
  /** The reason why an inert operation does nothing. */
  readonly why?: string;
  /**
   * Example operands. Given only if the examples that are derived from the kinds of the operands would not be
   * instructive.
   */
  readonly example?: Dictionary;
}

export interface CatalogueTrigger {
  readonly type: string;
  /** When the trigger fires. */
  readonly about: string;
  /** The owners of the scripts that can listen to the trigger: the game (global scripts), or entities of a kind. */
  readonly scopes: readonly TriggerScope[];
  readonly delivery: Delivery;
  /** Members that the payload always has. */
  readonly tells: readonly string[];
  /** Members that the payload has only for some kinds of entity. */
  readonly tellsSometimes: readonly string[];
  readonly aliases: readonly string[];
}
type TriggerScope = 'global' | 'unit' | 'item' | 'projectile';

export interface Catalogue {
  readonly actions: readonly CatalogueOperation[];
  readonly functions: readonly CatalogueOperation[];
  readonly triggers: readonly CatalogueTrigger[];
}

type Described = Exclude<About, string>;

const scopeNames: Dictionary<TriggerScope> = { g: 'global', u: 'unit', i: 'item', p: 'projectile' };

/**
 * All operations and triggers as plain data, in the order of their tables. If `game` has a host, its operations and
 * triggers are included.
 */
export function catalogue(game: Pick<Definition, 'host'> = {}): Catalogue {
  const vocabulary = vocabularyOf(game);
  const { types, rows } = triggersOf(game);
  return {
    actions: operations(vocabulary.actions),
    functions: operations(vocabulary.values),
    triggers: types.map((type) => {
      const { about, scopes, delivery, required, optional } = rows[type];
      return {
        type,
        about,
        scopes: [...scopes].map((letter) => scopeNames[letter]!),
        delivery,
        tells: [...required],
        tellsSometimes: [...optional],
        aliases: Object.keys(triggerAliases).filter((alias) => triggerAliases[alias] === type),
      };
    }),
  };
}

function operations(rows: ReadonlyMap<string, OpRow>): CatalogueOperation[] {
  const listed: CatalogueOperation[] = [];
  for (const [type, row] of rows) {
    if (row.aliases.includes(type)) continue;
    const { about, family, aliases, returns, why } = row;
    const { sentence, example, operands }: Described = typeof about === 'string' ? { sentence: about } : about;
    listed.push({
      type,
      about: sentence,
      status: statusOf(row),
      family,
      params: Object.entries(row.params).map(([key, { name, optional, faultsIfMissing, aliases: others }]) => ({
        key,
        type: name,
        ...defined({ about: operands?.[key] }),
        optional,
        demanded: faultsIfMissing,
        aliases: [...others],
      })),
      ...defined({ returns }),
      aliases: [...aliases],
      ...defined({ why, example }),
    });
  }
  return listed;
}

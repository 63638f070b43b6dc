import { type Delivery, triggerAliases, triggers, triggerTypes } from '../../world/triggers.ts';
import type { OpRow, Status } from '../op.ts';
import { vocabulary } from './vocabulary.ts';

export interface CatalogueParam {
  readonly key: string;
  /** Name of the operand's kind: `number`, `unit`, `item type`, `actions` … */
  readonly type: string;
  readonly optional: boolean;
  /** None is a fault. Of other operands that name an entity it is a skip: the action does nothing. */
  readonly demanded: boolean;
  /** Older or alternative keys. */
  readonly aliases: readonly string[];
}

/** An action or a function, as people and tools read about it. */
export interface CatalogueOperation {
  readonly type: string;
  readonly status: Status;
  readonly family: string;
  readonly params: readonly CatalogueParam[];
  /** The type of a function's value; absent for actions. */
  readonly returns?: string;
  readonly aliases: readonly string[];
  /** Of inert operations: why there is nothing to do. */
  readonly why?: string;
}

export interface CatalogueTrigger {
  readonly type: string;
  /** Scripts that can listen to it: of which kinds of entity, or global. */
  readonly scopes: readonly TriggerScope[];
  readonly delivery: Delivery;
  /** Members that its payload always has. */
  readonly tells: readonly string[];
  /** Members that its payload has for some kinds of entity. */
  readonly tellsSometimes: readonly string[];
  readonly aliases: readonly string[];
}
export type TriggerScope = 'global' | 'unit' | 'item' | 'projectile';

export interface Catalogue {
  readonly actions: readonly CatalogueOperation[];
  readonly functions: readonly CatalogueOperation[];
  readonly triggers: readonly CatalogueTrigger[];
}

const scopeNames: Readonly<Record<string, TriggerScope>> = { g: 'global', u: 'unit', i: 'item', p: 'projectile' };

/** All operations and triggers: plain data, families and names in the order of their tables. */
export function catalogue(): Catalogue {
  return {
    actions: operations(vocabulary.actions),
    functions: operations(vocabulary.values),
    triggers: triggerTypes.map((type) => {
      const { scopes, delivery, required, optional } = triggers[type];
      return {
        type,
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
    const { status, family, aliases, returns, why } = row;
    listed.push({
      type,
      status,
      family,
      params: Object.entries(row.params).map(([key, { name, optional, isLoud, aliases: others }]) => ({
        key,
        type: name,
        optional,
        demanded: isLoud,
        aliases: [...others],
      })),
      ...(returns === undefined ? {} : { returns }),
      aliases: [...aliases],
      ...(why === undefined ? {} : { why }),
    });
  }
  return listed;
}

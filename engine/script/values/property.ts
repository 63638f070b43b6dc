import type { Read } from '../../rules/effects.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { type About, compiledValue, type ValueRow } from '../op.ts';
import type { ParamKind } from '../param-kind.ts';
import type { ScriptContext } from '../running/context.ts';

/** Whether an entity has a body. True or undefined, because scripts can do nothing else with a body. */
export function hasBody(entity: Entity, _row: number, { game }: ScriptContext): true | undefined {
  return game.physics.hasBody(entity) || undefined;
}

/**
 * Makes a constructor of functions that read a property of an entity. Each function has one operand, of the kind
 * `operand`. The key of this operand is the member `of` of the first read in `what`, or `usual` if no read has this
 * member. The value is undefined if there is no entity.
 */
export function propertyOf(operand: ParamKind<Entity>, usual: string) {
  return (
    about: About,
    returns: string,
    read: (entity: Entity, row: number, context: ScriptContext) => unknown,
    ...what: readonly Read[]
  ): ValueRow => {
    const key = what[0]?.of ?? usual;
    return compiledValue(
      about,
      { [key]: operand },
      returns,
      (operands) => {
        const entity = operands[key]!;
        return (context) => {
          const of = entity(context);
          return of === noEntity ? undefined : read(of, rowOf(of), context);
        };
      },
      ...what,
    );
  };
}

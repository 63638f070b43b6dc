import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { type About, type ValueRow, value } from '../op.ts';
import type { ParamKind } from '../param-kind.ts';
import type { ScriptContext } from '../running/context.ts';

type Read = (entity: Entity, row: number, context: ScriptContext) => unknown;

/**
 * Makes a constructor of functions that read a property of an entity. Each function has one operand of this kind, under
 * the key `usual` unless `key` is given. The value is undefined if there is no entity.
 */
export function propertyOf(operand: ParamKind<Entity>, usual: string) {
  return (about: About, returns: string, read: Read, key = usual): ValueRow =>
    value({
      about,
      params: { [key]: operand },
      returns,
      compile: (operands) => {
        const entity = operands[key]!;
        return (context) => {
          const of = entity(context);
          return of === noEntity ? undefined : read(of, rowOf(of), context);
        };
      },
    });
}

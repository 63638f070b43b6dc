import type { FieldType } from '../../engine/schema/index.ts';

/** Values that cannot be derived from a declaration. */
export interface Fillings {
  /** An entity; each call returns a different one. */
  entity(): number;
  part(group: string): object;
  /** An object of a class that is compared by identity. */
  shared(what: string): object | undefined;
}

/** A value of a kind with every member. Each list and map has one element, and no field has its initial value. */
export function filled<T>(kind: FieldType<T>, fillings: Fillings): T {
  let numbers = 10;
  const one = ({ form, initial: first }: FieldType<unknown>): unknown => {
    switch (form.is) {
      case 'f64':
      case 'count':
      case 'i32':
      case 'u32':
      case 'u8':
        return ++numbers;
      case 'index':
        return 0;
      case 'entity':
        return fillings.entity();
      case 'flag':
        return first() === false;
      case 'text':
        return `text ${++numbers}`;
      case 'word':
        return form.words!.at(-1);
      case 'json':
        return { list: [++numbers, { deep: null }], text: `text ${++numbers}` };
      case 'part':
        return fillings.part(form.words![0]!);
      case 'shared':
        return fillings.shared(form.words![0]!);
      case 'optional':
        return one(form.of!);
      case 'list':
        return [one(form.of!)];
      case 'runs':
        // Row 0 has no entity.
        return [undefined, one(form.of!)];
      case 'map':
        return new Map([[one(form.key!), one(form.of!)]]);
      case 'record':
        return Object.fromEntries(Object.entries(form.fields!).map(([name, member]) => [name, one(member)]));
      default:
        throw new Error(`Nobody has said how a ${form.is} is filled.`);
    }
  };
  return one(kind) as T;
}

import type { FieldType } from './field-type.ts';

/**
 * Overwrites a live value with a decoded one, in place, because other code holds references to the live one. Declared
 * lists, maps, typed arrays and records keep their identity and get new members. Everything else is replaced, including
 * frozen records, because scripts may hold other references to an object. The caller must store the result in place of
 * `live`.
 */
export function fill({ form }: FieldType<unknown>, live: unknown, value: unknown): unknown {
  if (live === null || typeof live !== 'object' || value === null || typeof value !== 'object') return value;
  if (Object.isFrozen(live)) return value;
  switch (form.is) {
    case 'record': {
      const members = live as Record<string, unknown>;
      for (const name in form.fields)
        members[name] = fill(form.fields[name]!, members[name], (value as Record<string, unknown>)[name]);
      return live;
    }
    case 'table': {
      for (const name in form.fields)
        (live as Record<string, Float64Array>)[name]!.set((value as Record<string, Float64Array>)[name]!);
      return live;
    }
    case 'list': {
      const list = live as unknown[];
      const elements = value as unknown[];
      for (let i = 0; i < elements.length; i++) list[i] = elements[i];
      list.length = elements.length;
      return live;
    }
    case 'map': {
      const map = live as Map<unknown, unknown>;
      map.clear();
      for (const [key, member] of value as Map<unknown, unknown>) map.set(key, member);
      return live;
    }
    case 'floats':
    case 'bytes': {
      if ((live as Uint8Array).length !== (value as Uint8Array).length) return value;
      (live as Uint8Array).set(value as Uint8Array);
      return live;
    }
    default:
      return value;
  }
}

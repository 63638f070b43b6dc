import { describe, expectTypeOf, test } from 'vitest';
import type { OutputEvent } from '../../engine/index.ts';
import type { ClientEvent } from '../../src/net/index.ts';

// Checked by the compiler; nothing runs.
describe.each(['output', 'client'])('an %s event', () => {
  test('has the members of its kind, with their types', () => {
    expectTypeOf<OutputEvent<'sound'>['soundId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<OutputEvent<'ui.modal'>['dismissible']>().toEqualTypeOf<boolean | undefined>();
    expectTypeOf<ClientEvent<'map.tiles'>['gid']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ClientEvent<'client.script'>['scriptId']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<ClientEvent['kind']>().not.toEqualTypeOf<OutputEvent['kind']>();
  });

  test('is narrowed by its kind, and has no other members', () => {
    const read = (event: OutputEvent | ClientEvent) => {
      // @ts-expect-error Not every kind has a position.
      void event.position;
      if (event.kind !== 'sound') return undefined;
      // @ts-expect-error A sound has no text.
      void event.text;
      return event.position?.x;
    };
    expectTypeOf(read).returns.toEqualTypeOf<number | undefined>();
    // @ts-expect-error The recipient is for the host.
    expectTypeOf<ClientEvent<'sound'>['to']>().toBeUndefined();
  });
});

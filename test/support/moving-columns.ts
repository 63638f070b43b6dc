import { onTestFinished } from 'vitest';
import { AwakeList } from '../../engine/ecs/awake.ts';
import { Bodies } from '../../engine/physics/bodies.ts';
import { BodyStore } from '../../engine/physics/flat/body-store.ts';
import { ContactStore } from '../../engine/physics/flat/contact-store.ts';
import { Grid } from '../../engine/physics/flat/grid.ts';
import { BoxTree } from '../../engine/physics/flat/tree.ts';
import { AttributeTable } from '../../engine/world/attribute.ts';
import { World } from '../../engine/world/world.ts';

// biome-ignore lint/suspicious/noExplicitAny: reaches into private members.
type Any = any;

type Column = Float64Array | Int32Array | Uint32Array | Uint8Array;

const poison = 0x7f;

/** Replaces all columns of an object by copies, and fills the old ones with nonsense. */
function move(owner: Any): void {
  for (const [name, column] of Object.entries(owner)) {
    if (!ArrayBuffer.isView(column)) continue;
    const old = column as Column;
    owner[name] = old.slice();
    old.fill(poison);
  }
}

function moveComponents(world: World): void {
  for (const store of Object.values(world.components)) if (!Array.isArray(store)) move(store);
}

/**
 * Until the test ends, whatever may make columns grow replaces them: a new entity those of all components, new
 * attributes those of all attributes, a new body or contact those of all bodies or contacts. The old ones hold nonsense
 * from then on, so that code which still reads or writes them plays another game.
 */
export function columnsMove(): void {
  after(World, 'reserve', (world) => {
    moveComponents(world);
    // Physics, which makes itself known while the world is being built.
    for (const table of world.rowTables as Any[]) {
      move(table.byRow);
      move(table.commandQueues);
    }
  });
  after(AwakeList, 'reserve', move);
  after(Bodies, 'reserve', ({ byRow }) => move(byRow));
  after(AttributeTable, 'allocate', move);
  after(BodyStore, 'add', move);
  after(ContactStore, 'add', move);
  after(BoxTree, 'allocate', move);
  after(Grid, 'insert', move);
}

function after(owner: Any, name: string, then: (self: Any) => void): void {
  const { prototype } = owner;
  const original = prototype[name];
  prototype[name] = function (this: unknown, ...values: unknown[]): unknown {
    const result = original.apply(this, values);
    then(this);
    return result;
  };
  onTestFinished(() => {
    prototype[name] = original;
  });
}

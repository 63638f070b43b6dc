import { assert } from './assert.ts';
import { ByteReader, ByteWriter, MalformedBytes } from './bytes.ts';

/**
 * Object graphs as bytes: what JSON cannot carry is kept, above all which members are one and the same object. Values are undefined, null,
 * booleans, numbers (all bits), texts, arrays, Maps, plain objects, typed arrays, and objects of the classes that an adapter is given for.
 * Objects are written one after the other, never one inside the other, so that neither depth nor rings matter.
 */
export interface GraphAdapter<T extends object> {
  /** Whether the adapter is for this object; asked in order, before objects are taken for plain. */
  owns(value: object): value is T;
  /** What makes the object again: a few values, none of which may refer back to it. */
  save(value: T): readonly unknown[];
  /** Called with the saved values; those that are objects of other adapters or plain ones may not have their members yet. */
  restore(parts: readonly unknown[]): T;
  /** The members that are filled in once all objects exist; undefined for an object that `restore` completes. */
  readonly members?: readonly (keyof T & string)[];
}

/** Adapters of any classes; each method is only ever given what its own `owns` accepted. */
// biome-ignore lint/suspicious/noExplicitAny: a list of adapters of different classes has no common parameter type.
export type GraphAdapters = readonly GraphAdapter<any>[];

const Tag = { undefined: 0, null: 1, false: 2, true: 3, int: 4, negative: 5, float: 6, text: 7, object: 8 } as const;

const Form = { array: 0, plain: 1, map: 2, bytes: 3, words: 4, unsigned: 5, floats: 6, adapted: 7 } as const;
const frozenBit = 128;
const noMembers: readonly string[] = [];

export function encodeGraph(root: unknown, adapters: GraphAdapters): Uint8Array<ArrayBuffer> {
  return new GraphEncoder(adapters).encode(root);
}

class GraphEncoder {
  private readonly adapters: GraphAdapters;
  private readonly ids = new Map<object, number>();
  private readonly objects: object[] = [];
  private readonly texts = new Map<string, number>();
  private readonly shapes = new Map<string, number>();
  private readonly textBytes = new ByteWriter();
  private readonly shapeBytes = new ByteWriter();
  private readonly headBytes = new ByteWriter();
  private readonly bodyBytes = new ByteWriter(16_384);

  constructor(adapters: GraphAdapters) {
    this.adapters = adapters;
  }

  encode(root: unknown): Uint8Array<ArrayBuffer> {
    this.value(root);
    for (let i = 0; i < this.objects.length; i++) this.object(this.objects[i]!);
    const whole = new ByteWriter(this.bodyBytes.length + this.textBytes.length + this.headBytes.length + 64);
    whole.count(this.texts.size);
    whole.raw(this.textBytes.take());
    whole.count(this.shapes.size);
    whole.raw(this.shapeBytes.take());
    whole.count(this.objects.length);
    whole.raw(this.headBytes.take());
    whole.raw(this.bodyBytes.take());
    return whole.take();
  }

  private value(value: unknown): void {
    const to = this.bodyBytes;
    switch (typeof value) {
      case 'undefined':
        to.byte(Tag.undefined);
        return;
      case 'boolean':
        to.byte(value ? Tag.true : Tag.false);
        return;
      case 'number':
        // A minus zero is no integer here, so that its sign survives.
        if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
          to.byte(value < 0 ? Tag.negative : Tag.int);
          to.count(Math.abs(value));
        } else {
          to.byte(Tag.float);
          to.float(value);
        }
        return;
      case 'string':
        to.byte(Tag.text);
        to.count(this.text(value));
        return;
      case 'object':
        if (value === null) to.byte(Tag.null);
        else {
          to.byte(Tag.object);
          to.count(this.idOf(value));
        }
        return;
      default:
        assert(false, `a ${typeof value} is no part of a state`);
    }
  }

  private text(text: string): number {
    let id = this.texts.get(text);
    if (id === undefined) {
      id = this.texts.size;
      this.texts.set(text, id);
      this.textBytes.text(text);
    }
    return id;
  }

  private shape(keys: readonly string[]): number {
    const ids = keys.map((key) => this.text(key));
    const name = ids.join();
    let id = this.shapes.get(name);
    if (id === undefined) {
      id = this.shapes.size;
      this.shapes.set(name, id);
      this.shapeBytes.count(ids.length);
      for (const each of ids) this.shapeBytes.count(each);
    }
    return id;
  }

  private idOf(object: object): number {
    let id = this.ids.get(object);
    if (id === undefined) {
      id = this.objects.length;
      this.ids.set(object, id);
      this.objects.push(object);
    }
    return id;
  }

  /** The head says what the object is, so that all can be made before any is filled; the body holds its members. */
  private object(object: object): void {
    const { headBytes: head, bodyBytes: body } = this;
    const frozen = Object.isFrozen(object) ? frozenBit : 0;
    const adapter = this.adapters.findIndex((each) => each.owns(object));
    if (adapter >= 0) {
      head.byte(Form.adapted);
      head.count(adapter);
      const { members, save } = this.adapters[adapter]!;
      const parts = save(object);
      body.count(parts.length);
      for (const part of parts) this.value(part);
      for (const member of members ?? noMembers) this.value((object as Record<string, unknown>)[member]);
    } else if (Array.isArray(object)) {
      head.byte(Form.array | frozen);
      body.count(object.length);
      for (let i = 0; i < object.length; i++) this.value(object[i]);
    } else if (object instanceof Map) {
      // Of a frozen Map only the mark comes back: to change it is a mistake, but no longer an error.
      head.byte(Form.map | frozen);
      body.count(object.size);
      for (const [key, value] of object) {
        this.value(key);
        this.value(value);
      }
    } else if (ArrayBuffer.isView(object)) this.typed(object);
    else {
      const prototype: unknown = Object.getPrototypeOf(object);
      assert(prototype === Object.prototype || prototype === null, 'a state is made of plain objects');
      const keys = Object.keys(object);
      head.byte(Form.plain | frozen);
      head.count(this.shape(keys));
      for (const key of keys) this.value((object as Record<string, unknown>)[key]);
    }
  }

  private typed(array: ArrayBufferView): void {
    const { headBytes: head, bodyBytes: body } = this;
    if (array instanceof Uint8Array) {
      head.byte(Form.bytes);
      writePacked(body, array, (value) => body.byte(value));
    } else if (array instanceof Int32Array) {
      head.byte(Form.words);
      writePacked(body, array, (value) => body.word(value));
    } else if (array instanceof Uint32Array) {
      head.byte(Form.unsigned);
      writePacked(body, array, (value) => body.word(value));
    } else {
      assert(array instanceof Float64Array, 'typed arrays of a state hold bytes, words or floats');
      head.byte(Form.floats);
      writePacked(body, array, (value) => body.float(value));
    }
  }
}

type Numbers = Uint8Array | Int32Array | Uint32Array | Float64Array;

/** Columns are mostly zeros: one bit for each element says whether it is there. */
function writePacked(to: ByteWriter, array: Numbers, write: (value: number) => void): void {
  const { length } = array;
  to.count(length);
  for (let start = 0; start < length; start += 8) {
    let present = 0;
    const end = Math.min(length, start + 8);
    for (let i = start; i < end; i++) if (!Object.is(array[i], 0)) present |= 1 << (i - start);
    to.byte(present);
    for (let i = start; i < end; i++) if ((present & (1 << (i - start))) !== 0) write(array[i]!);
  }
}

function readPacked<T extends Numbers>(from: ByteReader, make: (length: number) => T, read: () => number): T {
  const length = from.count();
  if (length / 8 > from.rest) throw new MalformedBytes(`${length} elements do not fit into ${from.rest} bytes.`);
  const array = make(length);
  for (let start = 0; start < length; start += 8) {
    const present = from.byte();
    if (present === 0) continue;
    const end = Math.min(length, start + 8);
    for (let i = start; i < end; i++) if ((present & (1 << (i - start))) !== 0) array[i] = read();
  }
  return array;
}

/** Throws `MalformedBytes` for anything that `encodeGraph` did not write; whether it means anything is for the caller to check. */
export function decodeGraph(bytes: Uint8Array, adapters: GraphAdapters): unknown {
  return new GraphDecoder(bytes, adapters).decode();
}

/** Stands where an object will be that cannot be made before its own parts have been read. */
const unmade: object = Object.freeze({});

class GraphDecoder {
  private readonly from: ByteReader;
  private readonly adapters: GraphAdapters;
  private texts: string[] = [];
  private shapes: string[][] = [];
  // One entry for each object.
  private readonly objects: object[] = [];
  private readonly heads: number[] = [];
  /** Number of the shape of a plain object, of the adapter of an adapted one. */
  private readonly details: number[] = [];
  /** The object that the value read last will be, once it is made. */
  private awaited = 0;
  private readonly late: { readonly id: number; readonly put: (object: object) => void }[] = [];

  constructor(bytes: Uint8Array, adapters: GraphAdapters) {
    this.from = new ByteReader(bytes);
    this.adapters = adapters;
  }

  decode(): unknown {
    const { from, objects, heads } = this;
    this.texts = this.list(() => from.text());
    this.shapes = this.list(() => this.list(() => this.textAt(from.count())));
    for (const shape of this.shapes) {
      if (new Set(shape).size < shape.length) throw new MalformedBytes('An object has a member twice.');
    }
    for (let count = from.countOf(1); count > 0; count--) this.head();
    let root = this.value();
    if (root === unmade) {
      this.later((object) => {
        root = object;
      });
    }
    for (let id = 0; id < objects.length; id++) this.fill(id);
    for (const { id, put } of this.late) put(objects[id]!);
    for (let id = 0; id < objects.length; id++) if ((heads[id]! & frozenBit) !== 0) Object.freeze(objects[id]);
    if (from.rest > 0) throw new MalformedBytes(`${from.rest} bytes are left over.`);
    return root;
  }

  private list<T>(read: () => T): T[] {
    const count = this.from.countOf(1);
    const list: T[] = [];
    for (let i = 0; i < count; i++) list.push(read());
    return list;
  }

  private textAt(id: number): string {
    const text = this.texts[id];
    if (text === undefined) throw new MalformedBytes(`There is no text ${id}.`);
    return text;
  }

  /** Makes the object, empty, where it can be made. */
  private head(): void {
    const head = this.from.byte();
    this.heads.push(head);
    switch (head & ~frozenBit) {
      case Form.array:
        this.add([], 0);
        return;
      case Form.plain: {
        const shape = this.from.count();
        if (shape >= this.shapes.length) throw new MalformedBytes('An object has no known members.');
        this.add({}, shape);
        return;
      }
      case Form.map:
        this.add(new Map(), 0);
        return;
      case Form.bytes:
      case Form.words:
      case Form.unsigned:
      case Form.floats:
        this.add(unmade, 0);
        return;
      case Form.adapted: {
        const adapter = this.from.count();
        if (adapter >= this.adapters.length) throw new MalformedBytes('An object is of no known class.');
        this.add(unmade, adapter);
        return;
      }
      default:
        throw new MalformedBytes(`There is no form ${head}.`);
    }
  }

  private add(object: object, detail: number): void {
    this.objects.push(object);
    this.details.push(detail);
  }

  private fill(id: number): void {
    const { from, objects } = this;
    switch (this.heads[id]! & ~frozenBit) {
      case Form.array:
        this.elements(objects[id] as unknown[]);
        return;
      case Form.plain:
        for (const key of this.shapes[this.details[id]!]!) this.member(objects[id]!, key);
        return;
      case Form.map:
        this.entries(objects[id] as Map<unknown, unknown>);
        return;
      case Form.bytes:
        objects[id] = readPacked(
          from,
          (length) => new Uint8Array(length),
          () => from.byte(),
        );
        return;
      case Form.words:
        objects[id] = readPacked(
          from,
          (length) => new Int32Array(length),
          () => from.word(),
        );
        return;
      case Form.unsigned:
        objects[id] = readPacked(
          from,
          (length) => new Uint32Array(length),
          () => from.word(),
        );
        return;
      case Form.floats:
        objects[id] = readPacked(
          from,
          (length) => new Float64Array(length),
          () => from.float(),
        );
        return;
      default:
        this.adapted(id);
    }
  }

  private elements(array: unknown[]): void {
    for (let count = this.from.countOf(1); count > 0; count--) {
      const value = this.value();
      array.push(value);
      if (value !== unmade) continue;
      const at = array.length - 1;
      this.later((object) => {
        array[at] = object;
      });
    }
  }

  private entries(map: Map<unknown, unknown>): void {
    const count = this.from.countOf(2);
    for (let i = 0; i < count; i++) {
      const key = this.value();
      if (typeof key === 'object') throw new MalformedBytes('The keys of a Map are no objects.');
      const value = this.value();
      map.set(key, value);
      if (value === unmade) this.later((object) => map.set(key, object));
    }
    if (map.size !== count) throw new MalformedBytes('A Map has a key twice.');
  }

  private adapted(id: number): void {
    const adapter = this.adapters[this.details[id]!]!;
    const parts: unknown[] = [];
    this.elements(parts);
    const object: object = adapter.restore(parts);
    this.objects[id] = object;
    if (adapter.members !== undefined) for (const member of adapter.members) this.member(object, member);
  }

  private member(object: object, key: string): void {
    const value = this.value();
    put(object, key, value);
    if (value === unmade) this.later((late) => put(object, key, late));
  }

  /** `put` gets the object that the value read just now names. */
  private later(put: (object: object) => void): void {
    this.late.push({ id: this.awaited, put });
  }

  /** `unmade` for an object that is not there yet. */
  private value(): unknown {
    const { from } = this;
    const tag = from.byte();
    switch (tag) {
      case Tag.undefined:
        return undefined;
      case Tag.null:
        return null;
      case Tag.false:
        return false;
      case Tag.true:
        return true;
      case Tag.int:
        return from.count();
      case Tag.negative:
        return -from.count();
      case Tag.float:
        return from.float();
      case Tag.text:
        return this.textAt(from.count());
      case Tag.object: {
        const id = from.count();
        const object = this.objects[id];
        if (object === undefined) throw new MalformedBytes(`There is no object ${id}.`);
        this.awaited = id;
        return object;
      }
      default:
        throw new MalformedBytes(`There is no tag ${tag}.`);
    }
  }
}

function put(object: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    // A member of that name is data like any other; assigned, it would be the prototype.
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else (object as Record<string, unknown>)[key] = value;
}

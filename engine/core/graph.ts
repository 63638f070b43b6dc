import { assert } from './assert.ts';
import { type ByteReader, ByteWriter, MalformedBytes, TooManyBytes } from './bytes.ts';
import { cached } from './cached.ts';
import { hashText } from './hash.ts';

// This file serialises object graphs to bytes. Unlike JSON, this preserves the identity of shared objects. Values are
// undefined, null, booleans, numbers (all bits), strings, arrays, Maps, plain objects, and objects of classes that have
// an adapter. Objects are written one after another rather than nested, so graphs may be cyclic and of any depth.

/** Saves and restores the objects of one class. */
export interface GraphAdapter<T extends object> {
  /** Whether the adapter handles this object. Adapters are tried in order, before objects are treated as plain. */
  owns(value: object): value is T;
  /** The numbers and strings from which `restore` recreates the object. */
  save(value: T): readonly (number | string)[];
  /** Recreates the object. The list of parts is reused: do not keep it. Throws `MalformedBytes` for invalid parts. */
  restore(parts: readonly (number | string)[]): T;
  /** A readable form of the object. */
  show(value: T): string;
}

/** Adapters of any classes; each method is only called with objects that its own `owns` has accepted. */
// biome-ignore lint/suspicious/noExplicitAny: a list of adapters of different classes has no common parameter type.
export type GraphAdapters = readonly GraphAdapter<any>[];

const Tag = { undefined: 0, null: 1, false: 2, true: 3, number: 4, text: 5, object: 6 } as const;
const Form = { array: 0, plain: 1, map: 2, adapted: 3 } as const;
const frozenBit = 128;

/**
 * V8 hashes strings longer than this by their length alone, so a Map with many such strings of equal length would
 * compare each of them with all others. Longer strings are therefore first looked up by a hash of their content.
 */
const hashedLengthMax = 16_383;

/**
 * Writes values to byte writers that the caller provides. `whole` then assembles the complete bytes, in which the
 * objects that the values refer to come first.
 */
export class GraphWriter {
  private readonly ids = new Map<object, number>();
  private readonly objects: object[] = [];
  private readonly texts = new Map<string, number>();
  private readonly longTexts = new Map<string, Map<string, number>>();
  private textCount = 0;
  private readonly shapes = new Map<string, number>();
  private readonly textBytes: ByteWriter;
  private readonly shapeBytes: ByteWriter;
  private readonly headBytes: ByteWriter;
  private lastOwner = -1;
  private readonly bodyBytes: ByteWriter;
  /** The total length of all strings so far; a string that occurs several times counts each time. */
  private letters = 0;

  /**
   * `isHash`: the bytes will be hashed. Frozen objects are then written once per reference, because programs cannot
   * tell whether two references are to one frozen object or to two equal ones. Throws `TooManyBytes` soon after
   * `bytesMax` bytes.
   */
  constructor(
    private readonly adapters: GraphAdapters,
    private readonly isHash = false,
    private readonly bytesMax: number = Infinity,
  ) {
    this.textBytes = new ByteWriter(1024, bytesMax);
    this.shapeBytes = new ByteWriter(1024, bytesMax);
    this.headBytes = new ByteWriter(1024, bytesMax);
    this.bodyBytes = new ByteWriter(1024, bytesMax);
  }

  value(value: unknown, to: ByteWriter): void {
    switch (typeof value) {
      case 'undefined':
        to.byte(Tag.undefined);
        return;
      case 'boolean':
        to.byte(value ? Tag.true : Tag.false);
        return;
      case 'number':
        to.byte(Tag.number);
        to.number(value);
        return;
      case 'string':
        to.byte(Tag.text);
        this.text(value, to);
        return;
      case 'object':
        if (value === null) to.byte(Tag.null);
        else {
          to.byte(Tag.object);
          to.count(this.idOf(value));
        }
        return;
      default:
        assert(false, `a state contains no ${typeof value}`);
    }
  }

  /** Writes a string; each distinct string is stored only once. */
  text(text: string, to: ByteWriter): void {
    to.count(this.textId(text));
  }

  /**
   * The complete bytes: the objects and strings, followed by `rest`. A view of the writer `whole`, valid until its next
   * write.
   */
  whole(rest: ByteWriter, whole = new ByteWriter(rest.length)): Uint8Array<ArrayBuffer> {
    for (let i = 0; i < this.objects.length; i++) this.object(this.objects[i]!);
    whole.count(this.textCount);
    whole.append(this.textBytes);
    whole.count(this.shapes.size);
    whole.append(this.shapeBytes);
    whole.count(this.objects.length);
    whole.append(this.headBytes);
    whole.append(this.bodyBytes);
    whole.append(rest);
    return whole.written;
  }

  private textId(text: string) {
    // Charged for every string, because looking up a string takes time proportional to its length even if it has been
    // written before.
    this.letters += text.length;
    if (this.letters > this.bytesMax) throw new TooManyBytes(this.bytesMax);
    const ids = text.length > hashedLengthMax ? this.longTextsLike(text) : this.texts;
    let id = ids.get(text);
    if (id === undefined) {
      id = this.textCount++;
      ids.set(text, id);
      this.textBytes.text(text);
    }
    return id;
  }

  private longTextsLike(text: string): Map<string, number> {
    return cached<string, Map<string, number>>(this.longTexts, hashText(text), () => new Map());
  }

  private shape(keys: readonly string[]) {
    const ids = keys.map((key) => this.textId(key));
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

  private idOf(object: object) {
    let id = this.isHash && Object.isFrozen(object) ? undefined : this.ids.get(object);
    if (id === undefined) {
      id = this.objects.length;
      this.ids.set(object, id);
      this.objects.push(object);
    }
    return id;
  }

  /**
   * Writes an object in two parts: a head, from which the reader creates all objects before it fills any, and a body
   * with the members.
   */
  private object(object: object) {
    const { headBytes: head, bodyBytes: body, adapters } = this;
    // Tries the adapter of the previous object first, because objects of one class are mostly adjacent. No object has
    // two adapters, so the order does not matter.
    let owner = this.lastOwner;
    if (adapters[owner]?.owns(object) !== true) owner = adapters.findIndex((each) => each.owns(object));
    if (owner >= 0) {
      this.lastOwner = owner;
      head.byte(Form.adapted);
      head.count(owner);
      const parts = adapters[owner]!.save(object);
      head.count(parts.length);
      for (let j = 0; j < parts.length; j++) this.value(parts[j], head);
      return;
    }
    const frozen = Object.isFrozen(object) ? frozenBit : 0;
    if (Array.isArray(object)) {
      head.byte(Form.array | frozen);
      body.count(object.length);
      for (let i = 0; i < object.length; i++) this.value(object[i], body);
    } else if (object instanceof Map) {
      // A restored frozen Map is only marked as frozen; changing it does not throw.
      head.byte(Form.map | frozen);
      body.count(object.size);
      for (const [key, value] of object) {
        this.value(key, body);
        this.value(value, body);
      }
    } else {
      const prototype: unknown = Object.getPrototypeOf(object);
      assert(prototype === Object.prototype || prototype === null, 'objects of a state are plain objects');
      const keys = Object.keys(object);
      head.byte(Form.plain | frozen);
      head.count(this.shape(keys));
      for (const key of keys) this.value((object as Record<string, unknown>)[key], body);
    }
  }
}

/** Reads what a `GraphWriter` wrote. Throws `MalformedBytes` for anything else; the caller must validate the values. */
export class GraphReader {
  private readonly texts: readonly string[];
  private readonly objects: object[] = [];
  /** Reused for each object. */
  private readonly parts: (number | string)[] = [];

  constructor(
    /** Positioned at the first byte after the objects and strings. */
    readonly from: ByteReader,
    adapters: GraphAdapters,
  ) {
    this.texts = this.list(() => from.text());
    const shapes = this.list(() => this.list(() => this.text()));
    for (const shape of shapes) {
      if (new Set(shape).size < shape.length)
        throw new MalformedBytes('Damaged data: an object has the same member twice.');
    }
    const heads: Head[] = [];
    for (let count = from.countOf(1); count > 0; count--) this.head(adapters, shapes, heads);
    for (const { object, form, shape } of heads) this.fill(object, form, shape);
    for (const { object, frozen } of heads) if (frozen) Object.freeze(object);
  }

  value(): unknown {
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
      case Tag.number:
        return from.number();
      case Tag.text:
        return this.text();
      case Tag.object: {
        const id = from.count();
        const object = this.objects[id];
        if (object === undefined)
          throw new MalformedBytes(`Damaged data: there is no object ${id}, but a value refers to it.`);
        return object;
      }
      default:
        throw new MalformedBytes(`Damaged data: a value has the unknown tag ${tag}.`);
    }
  }

  text(): string {
    const id = this.from.count();
    const text = this.texts[id];
    if (text === undefined)
      throw new MalformedBytes(`Damaged data: there is no string ${id}, but a value refers to it.`);
    return text;
  }

  private list<T>(read: () => T): T[] {
    const count = this.from.countOf(1);
    const list: T[] = [];
    for (let i = 0; i < count; i++) list.push(read());
    return list;
  }

  /**
   * Creates the next object. An adapter restores it completely; any other object is created without members and added
   * to `empty`, so that its members can be filled in later.
   */
  private head(adapters: GraphAdapters, shapes: readonly (readonly string[])[], empty: Head[]) {
    const { from } = this;
    const byte = from.byte();
    const form = byte & ~frozenBit;
    let shape = noShape;
    let object: object;
    if (form === Form.array) object = [];
    else if (form === Form.map) object = new Map();
    else if (form === Form.plain) {
      const known = shapes[from.count()];
      if (known === undefined)
        throw new MalformedBytes(
          'Damaged data: an object refers to a list of member names that the data does not contain.',
        );
      shape = known;
      object = {};
    } else if (form === Form.adapted) {
      const adapter = adapters[from.count()];
      if (adapter === undefined) throw new MalformedBytes('Damaged data: an object has an unknown class.');
      const count = from.countOf(1);
      const { parts } = this;
      for (let i = 0; i < count; i++) parts[i] = this.part();
      if (parts.length !== count) parts.length = count;
      object = adapter.restore(parts);
    } else throw new MalformedBytes(`Damaged data: an object has the unknown form ${byte}.`);
    this.objects.push(object);
    if (form !== Form.adapted) empty.push({ object, form, shape, frozen: byte !== form });
  }

  private part(): number | string {
    const part = this.value();
    if (typeof part !== 'number' && typeof part !== 'string')
      throw new MalformedBytes('Damaged data: a saved object contains something other than numbers and strings.');
    return part;
  }

  private fill(object: object, form: number, shape: readonly string[]) {
    if (form === Form.array) {
      for (let count = this.from.countOf(1); count > 0; count--) (object as unknown[]).push(this.value());
    } else if (form === Form.plain) {
      for (const key of shape) put(object, key, this.value());
    } else if (form === Form.map) {
      const map = object as Map<unknown, unknown>;
      const count = this.from.countOf(2);
      for (let i = 0; i < count; i++) {
        const key = this.value();
        if (typeof key === 'object') throw new MalformedBytes('Damaged data: a Map has an object as a key.');
        map.set(key, this.value());
      }
      if (map.size !== count) throw new MalformedBytes('Damaged data: a Map has the same key twice.');
    }
  }
}

interface Head {
  readonly object: object;
  readonly form: number;
  readonly shape: readonly string[];
  readonly frozen: boolean;
}

const noShape: readonly string[] = [];

/** Sets a member of an object, even one named `__proto__`. */
export function put(object: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    // An assignment would set the prototype of the object instead.
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else (object as Record<string, unknown>)[key] = value;
}

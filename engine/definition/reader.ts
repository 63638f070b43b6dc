import type { IssueDetails, Issues } from '../core/issue.ts';
import type { IssueCode } from '../core/issue-codes.ts';
import { type Dictionary, defined, isObject, isRecord } from '../core/plain-object.ts';
import { joinPointer } from '../core/pointer.ts';
import { FrozenMap } from './frozen-map.ts';
import { inReference } from './reference-reading.ts';
import {
  type FieldRule,
  type Infer,
  type Json,
  type JsonType,
  type ReadLocation,
  ruleOf,
  type Schema,
  type SchemaRule,
} from './schema.ts';

type ObjectRule = Extract<SchemaRule, { kind: 'object' }>;
type MapRule = Extract<SchemaRule, { kind: 'map' }>;
type NumberRule = Extract<SchemaRule, { kind: 'number' }>;
type JsonObject = Dictionary<Json>;

/** An object and its path. A field is read from the first layer that has it. */
export interface Layer {
  readonly value: JsonObject;
  readonly path: readonly string[];
  /** Keys of this object that another schema reads. They are not reported as unknown fields. */
  readonly foreign?: ReadonlySet<string>;
}

/** A legacy spelling that is accepted without an issue. */
export interface Spelling {
  /** `number`: a number written as a string. `name`: an old field name. */
  readonly kind: 'number' | 'name';
  /** RFC 6901 pointer into the document as it is. */
  readonly pointer: string;
  /** The correct spelling: the number, or the current field name. */
  readonly right: number | string;
}

type Kept = Record<string, unknown> & { [inReference]?: Record<string, unknown> };

/** Maximum nesting of JSON values that are copied. */
const copyDepthMax = 100;

const numericText = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;

/**
 * Reads a document in one walk, driven by the schemas: returns its normal form and reports what is wrong. Invalid
 * values are reported and count as absent. Never throws. The path is kept as a stack of keys; pointers are built only
 * when needed.
 */
export class Reader implements ReadLocation {
  private readonly path: (string | number)[] = [];

  /** Adds accepted legacy spellings to `spellings`, if given. */
  constructor(
    private readonly issues: Issues,
    private readonly spellings?: Spelling[],
  ) {}

  /** Reads `raw`, whose path in the document is `path`. */
  readAt<T>(schema: Schema<T>, raw: Json, path: readonly string[]): T | undefined {
    this.path.length = 0;
    for (const key of path) this.path.push(key);
    return this.value(schema[ruleOf], raw) as T | undefined;
  }

  /**
   * Reads one object whose fields are spread over several objects of the document. The first object that has a field
   * wins.
   */
  readLayers<S extends Schema<object>>(schema: S, layers: readonly Layer[]): Infer<S> {
    return this.layered(schema[ruleOf] as ObjectRule, layers) as Infer<S>;
  }

  // The members of `ReadLocation`, which conversions use.

  get key(): string {
    return String(this.path[this.path.length - 1] ?? '');
  }

  pointer(...below: (string | number)[]): string {
    let pointer = '';
    for (const key of this.path) pointer = joinPointer(pointer, key);
    for (const key of below) pointer = joinPointer(pointer, key);
    return pointer;
  }

  read<T>(schema: Schema<T>, raw: Json, ...below: (string | number)[]): T | undefined {
    for (const key of below) this.path.push(key);
    const value = this.value(schema[ruleOf], raw);
    this.path.length -= below.length;
    return value as T | undefined;
  }

  wrongType(expected: string, raw: Json, ...below: (string | number)[]): void {
    const found = describe(raw);
    this.report('wrong-type', `Expected ${expected}, found ${found}.`, { expected, found }, ...below);
  }

  report(code: IssueCode, message: string, details: IssueDetails, ...below: (string | number)[]): void {
    this.issues.add(code, () => this.pointer(...below), message, details);
  }

  // The following methods walk through the document.

  private value(rule: SchemaRule, raw: Json): unknown {
    switch (rule.kind) {
      case 'number':
        if (typeof raw === 'number' && raw >= rule.min && raw <= rule.max && (!rule.integer || Number.isInteger(raw))) {
          if (Number.isFinite(raw)) return raw;
        }
        return this.number(rule, raw);
      case 'boolean':
        if (typeof raw === 'boolean') return raw;
        if (raw === 'true' || raw === 1 || raw === '1') return true;
        if (raw === 'false' || raw === 0 || raw === '0') return false;
        return this.other('true or false', raw);
      case 'string':
        return typeof raw === 'string' ? raw : this.other('a string', raw);
      case 'key':
        if (typeof raw === 'string') return raw === '' || (rule.none && raw === 'none') ? undefined : raw;
        return this.other('a string', raw);
      case 'enum':
        return this.enumWord(rule, raw);
      case 'raw':
        if (raw === null || raw === undefined) return undefined;
        if (rule.only.length === 0 || rule.only.includes(jsonType(raw))) return raw;
        return this.other(`an ${rule.only.join(' or an ')}`, raw);
      case 'json':
        return raw === null || raw === undefined ? undefined : this.copy(raw, 0);
      case 'object':
        return isRecord(raw) ? this.object(rule, raw) : this.other('an object', raw);
      case 'array':
        return Array.isArray(raw) ? this.array(rule.of, raw) : this.other('an array', raw);
      case 'map':
        if (isRecord(raw)) return this.map(rule, raw);
        if (!rule.arrays || !Array.isArray(raw)) return this.other('an object', raw);
        if (raw.length > 0) this.wrongType('an object', raw);
        return this.map(rule, raw as unknown as JsonObject);
      case 'constant':
        return rule.value;
      case 'shapes': {
        if (raw === undefined) return undefined;
        const of = rule.byJsonType[jsonType(raw)];
        return of === undefined ? this.other(rule.expected, raw) : this.value(of, raw);
      }
      case 'convert': {
        const value = this.value(rule.of, raw);
        return value === undefined ? undefined : rule.convert(value as never, this, raw);
      }
    }
  }

  /** Reports a value of an unexpected type, unless the value counts as absent. */
  private other(expected: string, raw: Json): undefined {
    if (!isNothing(raw)) this.wrongType(expected, raw);
  }

  /** Reads a value that is not simply a valid number: a numeric string, an absent value, or an invalid one. */
  private number(rule: NumberRule, raw: Json): number | undefined {
    let value = raw;
    if (typeof raw === 'string') {
      if (raw === '') return undefined;
      if (numericText.test(raw)) value = Number(raw);
    }
    if (typeof value !== 'number') return this.other(rule.expected, raw);
    if (!Number.isFinite(value) || value < rule.min || value > rule.max) {
      const { expected, isKept } = rule;
      const found = describe(raw);
      if (!isKept || !Number.isFinite(value)) {
        this.report('wrong-value', `Expected ${expected}, found ${found}.`, { expected, found });
        return undefined;
      }
      const name = this.path.findLast((each) => typeof each === 'string');
      this.report('out-of-range', `\`${name}\` is ${found}, not ${expected}.`, {
        expected,
        found,
        ...(value < 0 && { suggestion: String(-value) }),
      });
    }
    if (rule.integer && !Number.isInteger(value)) {
      this.wrongType(rule.expected, raw);
      return undefined;
    }
    if (typeof raw === 'string' && !rule.isTextKept)
      this.spellings?.push({ kind: 'number', pointer: this.pointer(), right: value });
    return value;
  }

  private enumWord(rule: Extract<SchemaRule, { kind: 'enum' }>, raw: Json): string | undefined {
    if (typeof raw !== 'string') return this.other(rule.expected, raw);
    if (rule.words.has(raw)) return raw;
    if (raw === '') return undefined;
    const suggestion = this.issues.near(rule.open ? 'unknown-value' : 'wrong-value', raw, rule.words);
    const details = {
      expected: rule.expected,
      found: describe(raw),
      ...defined({ suggestion }),
    };
    if (rule.open) this.report('unknown-value', `${describe(raw)} is not a known value.`, details);
    else this.report('wrong-value', `Expected ${rule.expected}, found ${describe(raw)}.`, details);
    return undefined;
  }

  private object(rule: ObjectRule, raw: JsonObject): unknown {
    const out: Record<string, unknown> = { ...rule.template };
    if (rule.located) {
      out['key'] = this.key;
      out['pointer'] = this.pointer();
    }
    this.fields(rule, raw, out, undefined, undefined);
    for (const name of rule.required) if (!holds(raw, name)) this.missing(name);
    return Object.freeze(out);
  }

  /**
   * Reads the fields of `raw` into `out`, except fields in `taken`. Adds the names of the fields it reads to `taken`.
   */
  private fields(
    rule: ObjectRule,
    raw: JsonObject,
    out: Record<string, unknown>,
    foreign: ReadonlySet<string> | undefined,
    taken: Set<string> | undefined,
  ) {
    for (const key of Object.keys(raw)) {
      const feeds = rule.byKey.get(key);
      if (feeds === undefined) {
        if (!foreign?.has(key)) this.unknownField(rule, raw, key);
        continue;
      }
      const given = raw[key];
      this.path.push(key);
      for (const feed of feeds) {
        // Legacy spellings that another spelling overrides are read, too, so that mistakes in their values are
        // reported.
        const value = this.value(feed.of, given);
        if (feed.of.inReference !== undefined && feed.after.length === 0 && !taken?.has(feed.name))
          this.readOtherwise(out, feed, given, value);
        if (value === undefined || taken?.has(feed.name)) continue;
        if (this.spellings !== undefined && feeds.length === 1) this.olderName(rule, raw, feed);
        if (feed.after.length === 0 || !feed.after.some((each) => holds(raw, each))) out[feed.name] = value;
      }
      this.path.pop();
    }
    if (taken === undefined) return;
    for (const [key, feeds] of rule.byKey) if (holds(raw, key)) for (const feed of feeds) taken.add(feed.name);
  }

  private readOtherwise(out: Kept, { name, of }: FieldRule, given: Json, value: unknown) {
    const there = of.inReference!(given);
    if (there === undefined || there === (value ?? out[name])) return;
    out[inReference] = { ...out[inReference], [name]: there };
  }

  /**
   * Records the use of an old field name, unless the schema under the current name differs, because renaming the field
   * would then not be enough.
   */
  private olderName({ byKey }: ObjectRule, raw: JsonObject, { name, of, after }: FieldRule) {
    const [right] = after;
    if (right === undefined || after.some((each) => Object.hasOwn(raw, each))) return;
    if (byKey.get(right)?.some((each) => each.name === name && each.of === of))
      this.spellings?.push({ kind: 'name', pointer: this.pointer(), right });
  }

  private missing(name: string) {
    this.report('missing-field', `\`${name}\` is missing.`, { expected: name });
  }

  private unknownField(rule: ObjectRule, raw: JsonObject, key: string) {
    if (key === '__proto__') {
      this.report('forbidden-key', 'The key `__proto__` is not allowed.', {}, key);
      return;
    }
    if (key.includes('DestroyedOnCollisionWithWall/unit')) return;
    const suggestion = this.issues.near('unknown-field', key, rule.byKey.keys());
    const details = suggestion === undefined || Object.hasOwn(raw, suggestion) ? {} : { suggestion };
    this.report('unknown-field', `Unknown field \`${key}\`.`, details, key);
  }

  private layered(rule: ObjectRule, layers: readonly Layer[]): unknown {
    const out: Record<string, unknown> = { ...rule.template };
    const taken = new Set<string>();
    for (const { value, path, foreign } of layers) {
      this.goto(path);
      this.fields(rule, value, out, foreign, taken);
    }
    return Object.freeze(out);
  }

  private goto(path: readonly string[]) {
    this.path.length = 0;
    for (const key of path) this.path.push(key);
  }

  private array(of: SchemaRule, raw: readonly Json[]): readonly unknown[] {
    const out: unknown[] = [];
    for (let i = 0; i < raw.length; i++) {
      this.path.push(i);
      const value = this.value(of, raw[i]);
      this.path.pop();
      if (value !== undefined) out.push(value);
    }
    return Object.freeze(out);
  }

  private map(rule: MapRule, raw: JsonObject): ReadonlyMap<string, unknown> {
    const entries: [string, unknown][] = [];
    for (const key of Object.keys(raw)) {
      if (key === '__proto__') {
        this.report('forbidden-key', 'The key `__proto__` is not allowed.', {}, key);
        continue;
      }
      const given = raw[key];
      if (rule.accepts !== undefined && !rule.accepts(given)) continue;
      const right = rule.renamed?.get(key);
      if (right !== undefined && Object.hasOwn(raw, right)) continue;
      this.path.push(key);
      const value = this.value(rule.of, given);
      this.path.pop();
      if (value !== undefined) entries.push([right ?? key, value]);
    }
    return new FrozenMap(entries);
  }

  /** A frozen deep copy, which shares nothing with the document, because the document must stay mutable. */
  private copy(raw: Json, depth: number): Json {
    if (!isObject(raw)) return raw;
    if (depth === copyDepthMax) {
      const expected = `at most ${copyDepthMax} levels of nesting`;
      this.report('wrong-value', `Expected ${expected}.`, { expected });
      return null;
    }
    if (Array.isArray(raw)) return Object.freeze(raw.map((each, i) => this.copyMember(each, i, depth)));
    const out: Record<string, Json> = {};
    for (const key of Object.keys(raw)) {
      if (key === '__proto__') this.report('forbidden-key', 'The key `__proto__` is not allowed.', {}, key);
      else out[key] = this.copyMember((raw as JsonObject)[key], key, depth);
    }
    return Object.freeze(out);
  }

  private copyMember(raw: Json, key: string | number, depth: number): Json {
    this.path.push(key);
    const copied = this.copy(raw, depth + 1);
    this.path.pop();
    return copied;
  }
}

/** Whether `raw` has a value under `key` that does not count as absent. */
function holds(raw: JsonObject, key: string) {
  return Object.hasOwn(raw, key) && !isNothing(raw[key]);
}

/** Whether a value counts as absent. For fields that are not strings. */
function isNothing(raw: Json) {
  return raw === undefined || raw === null || raw === '';
}

function jsonType(raw: Json): JsonType {
  if (raw === null) return 'null';
  if (Array.isArray(raw)) return 'array';
  const type = typeof raw;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

/** A short description of a value, for messages. */
export function describe(raw: Json): string {
  switch (jsonType(raw)) {
    case 'null':
      return 'null';
    case 'array':
      return 'an array';
    case 'object':
      return 'an object';
    case 'string': {
      const text = raw as string;
      return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
    }
    default:
      return String(raw);
  }
}

import { describe, expect, test } from 'vitest';
import { type DialectName, dialectNamed } from '../../../engine/definition/dialect.ts';
import { readOperand } from '../../../engine/script/ast.ts';
import { Compiler } from '../../../engine/script/compiling/compiler.ts';
import { vocabulary } from '../../../engine/script/language/vocabulary.ts';
import type { Family, ValueRow } from '../../../engine/script/op.ts';
import { newContext, OperandFault, type ScriptContext } from '../../../engine/script/running/context.ts';
import type { Simulation } from '../../../engine/sim/simulation.ts';
import { internalsOf } from '../../../engine/tools.ts';
import { EntityRef } from '../../../engine/world/entity.ts';
import type { Limits } from '../../../engine/world/limits.ts';
import { lazily } from '../../support/lazily.ts';
import { play } from '../../support/play.ts';
import { readsOf, recordReads } from '../effects/recorded-reads.ts';

type Json = Record<string, unknown>;

export interface SceneOptions {
  readonly dialect?: DialectName | undefined;
  readonly limits?: Partial<Limits> | undefined;
  readonly epochMs?: number | undefined;
}

/** The script context: the entity whose script it is, what started it, what loops have selected. */
export type Asking = Partial<Omit<ScriptContext, 'runtime' | 'game'>>;

export interface Answer {
  readonly value: unknown;
  /** Codes of the faults, one for each occurrence. */
  readonly faults: readonly string[];
  /** Code of the fault that aborted the action. */
  readonly aborted: string | undefined;
  /** The aspects of the world that were read. */
  readonly reads: ReadonlySet<string>;
}

/** A game in which expressions can be evaluated as in a script. */
export class Scene {
  readonly sim: Simulation;

  constructor(data: Json = {}, { dialect = 'standard', limits, epochMs }: SceneOptions = {}) {
    this.sim = play(data, {
      dialect,
      ...(limits === undefined ? {} : { limits }),
      ...(epochMs === undefined ? {} : { epochMs }),
    }).sim;
  }

  get game() {
    return internalsOf(this.sim).game;
  }

  get world() {
    return internalsOf(this.sim).world;
  }

  /** Compiles an expression once, and returns a function that evaluates it. */
  compile(node: unknown): { readonly issues: readonly string[]; ask(asking?: Asking): Answer } {
    const compiler = new Compiler(this.game.definition, dialectNamed(this.sim.dialect), vocabulary);
    const evaluate = compiler.value(readOperand(undefined, '', structuredClone(node), vocabulary));
    return {
      issues: compiler.issues.map(({ code }) => code),
      ask: (asking = {}) => {
        const context = Object.assign(newContext(internalsOf(this.sim).runtime), asking);
        const before = this.faults();
        let value: unknown;
        let reads: ReadonlySet<string> = new Set();
        let aborted: string | undefined;
        try {
          ({ result: value, reads } = recordReads(this.world, context, evaluate));
        } catch (error) {
          if (!(error instanceof OperandFault)) throw error;
          aborted = error.code;
        }
        const faults = [...this.faults()].flatMap(([code, count]) =>
          new Array<string>(count - (before.get(code) ?? 0)).fill(code),
        );
        return { value, faults, aborted, reads };
      },
    };
  }

  ask(node: unknown, asking: Asking = {}): Answer {
    return this.compile(node).ask(asking);
  }

  /** The value as tests compare it; see `readable`. */
  value(node: unknown, asking: Asking = {}): unknown {
    return readable(this.ask(node, asking).value);
  }

  private faults(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { code, count } of this.world.faults.list()) counts.set(code, (counts.get(code) ?? 0) + count);
    return counts;
  }
}

/** Entities as `@u1`; -0 as 0. */
export function readable(value: unknown): unknown {
  if (value instanceof EntityRef) return `@${value.id}`;
  if (typeof value === 'number') return value + 0;
  if (Array.isArray(value)) return value.map(readable);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, readable(member)]));
}

/** A value close to a number. */
export function near(number: number): unknown {
  return expect.closeTo(number, 9);
}

/** An operand that evaluates to undefined. */
export const nothing = { function: 'undefinedValue' };

/** An operand that is not known at load. */
export function computed(value: string | number | boolean): unknown {
  return { function: 'elementFromObject', object: { it: value }, key: 'it' };
}

/** Operands and the result; `fault` is the fault that is reported, `aborts` one that aborts the action. */
export interface Case {
  readonly give: Json;
  readonly expect?: unknown;
  /** Its result in `moddio`, if different. */
  readonly moddio?: unknown;
  /** In `moddio` only: the fault that aborts the action, and one that does not. */
  readonly moddioAborts?: string;
  readonly moddioFault?: string | undefined;
  readonly fault?: string;
  readonly aborts?: string;
  readonly asking?: (scene: Scene) => Asking;
  /** Depends on what other cases have evaluated, so it has a scene of its own. */
  readonly alone?: boolean;
}

/** `[operands, value]`, `[operands, value, fault]` or the long form. */
export type CaseLike = Case | readonly [give: Json, expect: unknown, fault?: string];

export type Cases = Readonly<Record<string, readonly CaseLike[]>>;

function caseOf(given: CaseLike): Case {
  if (!Array.isArray(given)) return given as Case;
  const [give, expected, fault] = given as readonly [Json, unknown, string?];
  return { give, expect: expected, ...(fault === undefined ? {} : { fault }) };
}

/** Aspects whose reads show by themselves. Others are read from physics, or with the entity to which they belong. */
const recorded: ReadonlySet<string> = new Set([
  'variable',
  'attribute',
  'attributeMin',
  'attributeMax',
  'attributeRate',
  'type',
  'name',
  'items',
  'quantity',
  'time',
  'chance',
  'last',
  'payload',
  'element',
  'self',
  'pointer',
  'answers',
  'quests',
  'chat',
  'ai',
]);

/** Their values are tested with saved data, and the name of a region is a part of its component. */
const elsewhere: ReadonlySet<string> = new Set(['getPlayerData', 'getUnitData', 'nameOfRegion']);

export interface TableOptions {
  readonly data?: Json | undefined;
  /** Prepares the scene in which all cases of the table run. */
  readonly prepare?: ((scene: Scene) => void) | undefined;
  readonly limits?: Partial<Limits> | undefined;
}

/**
 * Tests every case of a table of functions in both dialects, and that each function of the table has a case. Undefined
 * operands are tested for all functions in `nothing.test.ts`.
 */
export function testValues(name: string, table: Family<ValueRow>, cases: Cases, options: TableOptions = {}): void {
  const operations = Object.entries(table).flatMap(([type, { aliases }]) => [type, ...aliases]);

  test(`every function about ${name} has a case`, () => {
    expect(operations.filter((type) => (cases[type]?.length ?? 0) === 0)).toEqual([]);
    expect(Object.keys(cases).filter((type) => !operations.includes(type))).toEqual([]);
  });

  const seen = new Map<string, Set<string>>();
  describe.each(['standard', 'moddio'] as const)(`functions about ${name}, %s`, (dialect) => {
    const scene = (): Scene => {
      const made = new Scene(options.data, { dialect, limits: options.limits });
      options.prepare?.(made);
      return made;
    };
    const rows = Object.entries(cases).flatMap(([type, list]) => list.map((each) => [type, caseOf(each)] as const));
    const shared = lazily(scene);
    test.each(rows)('%s %j', (type, each) => {
      const asked = each.alone === true ? scene() : shared();
      const answer = asked.ask({ function: type, ...each.give }, each.asking?.(asked));
      if (dialect === 'moddio' && each.moddioAborts !== undefined) {
        expect(answer.aborted).toBe(each.moddioAborts);
        return;
      }
      expect(readable(answer.value)).toEqual(dialect === 'moddio' && 'moddio' in each ? each.moddio : each.expect);
      expect(answer.aborted).toBe(each.aborts);
      const read = seen.get(type) ?? seen.set(type, new Set()).get(type)!;
      for (const aspect of answer.reads) read.add(aspect);
      // A fault looks at the clock and names entities.
      if (answer.faults.length === 0) {
        const declared = readsOf({ function: type, ...each.give });
        expect(
          [...answer.reads].filter((aspect) => !declared.has(aspect)),
          'reads that are not declared',
        ).toEqual([]);
      }
      expect([...new Set(answer.faults)]).toEqual(
        [dialect === 'moddio' && 'moddioFault' in each ? each.moddioFault : each.fault].filter(
          (code) => code !== undefined,
        ),
      );
    });
  });

  test(`every function about ${name} reads what it declares`, () => {
    const never = operations
      .filter((type) => !elsewhere.has(type))
      .flatMap((type) =>
        vocabulary.values
          .get(type)!
          .reads.filter(({ aspect }) => recorded.has(aspect) && seen.get(type)?.has(aspect) !== true)
          .map(({ aspect }) => `${type}: ${aspect}`),
      );
    expect(never).toEqual([]);
  });
}

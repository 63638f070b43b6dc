import type { Issues } from '../../engine/core/issue.ts';
import { type Action, literalText, type Operand } from '../../engine/index.ts';
import { type CompiledScript, type Program, readOf, type ScriptSet } from '../../engine/internal.ts';
import { leaves } from './flow.ts';
import { nodesThatRun } from './walk.ts';

/** Reports endless recursion: scripts that call themselves or each other unconditionally. `setOf` returns the script set that contains a script. */
export function checkRecursion(
  program: Program,
  setOf: (script: CompiledScript) => ScriptSet | undefined,
  issues: Issues,
): void {
  new RingCheck(program, setOf, issues).check();
}

/** A call that is made whenever the calling script runs. */
interface CertainCall {
  readonly callee: CompiledScript;
  readonly pointer: string;
}

class RingCheck {
  private readonly program: Program;
  private readonly setOf: (script: CompiledScript) => ScriptSet | undefined;
  private readonly issues: Issues;
  private readonly certain = new Map<CompiledScript, readonly CertainCall[]>();

  constructor(program: Program, setOf: (script: CompiledScript) => ScriptSet | undefined, issues: Issues) {
    this.program = program;
    this.setOf = setOf;
    this.issues = issues;
  }

  /** Each cycle is reported once, at its first script. */
  check(): void {
    const known = new Set<CompiledScript>();
    for (const script of this.program.scripts) {
      if (known.has(script)) continue;
      const cycle = this.ringThrough(script);
      if (cycle === undefined) continue;
      for (const { callee } of cycle) known.add(callee);
      const [{ pointer, callee }] = cycle as readonly [CertainCall];
      const names = cycle.map((call) => `"${call.callee.name}"`);
      const message =
        cycle.length === 1
          ? `"${script.name}" calls itself every time it runs, so it never ends.`
          : `"${script.name}" calls ${names.join(', which calls ')}, every time they run, so they never end.`;
      this.issues.add('endless-recursion', pointer, message, { found: callee.key });
    }
  }

  /** The shortest chain of certain calls from a script back to itself. */
  private ringThrough(start: CompiledScript): readonly CertainCall[] | undefined {
    const reached = new Set<CompiledScript>();
    let chains: (readonly CertainCall[])[] = [[]];
    while (chains.length > 0) {
      const longer: (readonly CertainCall[])[] = [];
      for (const chain of chains) {
        for (const call of this.certainCalls(chain.at(-1)?.callee ?? start)) {
          if (call.callee === start) return [...chain, call];
          if (reached.has(call.callee)) continue;
          reached.add(call.callee);
          longer.push([...chain, call]);
        }
      }
      chains = longer;
    }
    return undefined;
  }

  /** Calls that are always reached: not guarded by a condition, a delay or a loop that may be empty, and not after an action that ends the script. */
  private certainCalls(script: CompiledScript): readonly CertainCall[] {
    let calls = this.certain.get(script);
    if (calls === undefined) {
      calls = [...this.callsAtOnce(script)];
      this.certain.set(script, calls);
    }
    return calls;
  }

  private *callsAtOnce(script: CompiledScript): Iterable<CertainCall> {
    const { conditions, actions } = script.node;
    const set = this.setOf(script);
    if (set === undefined || !(conditions.isEmpty || conditions.isDefaultGuard)) return;
    // Most scripts call none, and actions after the last call do not matter.
    const last = actions.actions.findLastIndex((action) => this.startedBy(action, set));
    for (const action of actions.actions.slice(0, last + 1)) {
      const operand = this.startedBy(action, set);
      if (operand !== undefined) {
        const key = literalText(operand);
        const callee = key === undefined ? undefined : (set.byKey.get(key) ?? this.program.global.byKey.get(key));
        if (callee !== undefined) yield { callee, pointer: operand.pointer };
      }
      for (const each of nodesThatRun(action)) if (each.kind === 'action' && leaves(each)) return;
    }
  }

  /**
   * The operand that names a script of the same set or of the game that an action is certain to run; undefined if it runs none. The script of an entity
   * counts only for the script's own entity: any other may be missing.
   */
  private startedBy(action: Action, set: ScriptSet): Operand | undefined {
    for (const effect of action.effects) {
      if (effect.does !== 'starts' || effect.may) continue;
      const isOwn = effect.of === undefined || readOf(action.operand(effect.of), 'self') !== undefined;
      if (isOwn && (effect.of === undefined || set !== this.program.global)) return action.operand(effect.script);
    }
    return undefined;
  }
}

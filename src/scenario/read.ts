import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { closestWord } from '../text/near.ts';
import { isRecord } from './is-record.ts';
import { type FilePlan, scenario, scenarioFile, steps } from './schema.ts';
import { checkAgainst, type Path, type Report } from './schema-errors.ts';
import { filled, rowsOf } from './table.ts';

/** Something wrong with a scenario file. */
export interface Flaw {
  readonly file: string;
  /** From 1; undefined where the file as a whole is meant. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
}

export class FlawedFile extends Error {
  readonly flaws: readonly Flaw[];

  constructor(flaws: readonly Flaw[]) {
    super(flaws.map(flawText).join('\n'));
    this.flaws = flaws;
  }
}

export function flawText({ file, line, column, message }: Flaw): string {
  return line === undefined ? `${file}: ${message}` : `${file}:${line}:${column}: ${message}`;
}

/** A scenario file with the places of its parts. */
export interface ReadFile {
  readonly file: string;
  readonly plan: FilePlan;
  /** Where a part stands. */
  flaw(path: Path, message: string): Flaw;
  lineOf(path: Path): number | undefined;
}

/** Reads `*.scenario.yaml` and `*.scenario.json`. Throws `FlawedFile` with everything that is wrong. */
export function readScenarioFile(file: string): ReadFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new FlawedFile([
      { file, line: undefined, column: undefined, message: `cannot be read (${code ?? String(error)}).` },
    ]);
  }
  return readScenarioText(file, text);
}

export function readScenarioText(file: string, text: string): ReadFile {
  const lines = new LineCounter();
  // JSON is YAML, so one parser with places serves both.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const at = (offset: number, message: string): Flaw => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, message };
  };
  if (document.errors.length > 0) throw new FlawedFile(document.errors.map((error) => at(error.pos[0], error.message)));
  const plan: unknown = document.toJS({ maxAliasCount: 1000 });
  const offsetOf = (path: Path): number | undefined => {
    for (let length = path.length; length >= 0; length--) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return undefined;
  };
  const flaw = (path: Path, message: string): Flaw => {
    const offset = offsetOf(path);
    return offset === undefined ? { file, line: undefined, column: undefined, message } : at(offset, message);
  };
  const flaws: Flaw[] = [];
  const reported = new Set<string>();
  checkFile(plan, (path, message) => {
    // A fault in every row of a table is one mistake.
    const key = `${path.join('/')} ${message}`;
    if (!reported.has(key)) flaws.push(flaw(path, message));
    reported.add(key);
    return undefined;
  });
  if (flaws.length > 0) throw new FlawedFile(flaws);
  const lineOf = (path: Path): number | undefined => flaw(path, '').line;
  return { file, plan: plan as FilePlan, flaw, lineOf };
}

function checkFile(plan: unknown, report: Report): undefined {
  if (!isRecord(plan)) return report([], 'A scenario file is a map with `scenarios`.');
  if (!Array.isArray(plan['scenarios'])) {
    return report('scenarios' in plan ? ['scenarios'] : [], 'Expected `scenarios`, a list.');
  }
  const { scenarios, ...shared } = plan;
  checkAgainst(scenarioFile, { ...shared, scenarios: [] }, [], report);
  for (const [i, each] of (scenarios as unknown[]).entries()) checkScenario(each, ['scenarios', i], report);
}

/** A scenario with a table is as each row makes it: `<column>` may stand where a number belongs. */
function checkScenario(plan: unknown, path: Path, report: Report): undefined {
  if (!isRecord(plan)) return report(path, 'A scenario is a map with a `name`.');
  const rows = rowsOf(plan);
  if (rows === undefined) return checkFilled(plan, path, report);
  for (const row of rows) {
    const columns = new Set<string>();
    checkFilled(filled(plan, row, columns), path, report);
    for (const column of columns) {
      const meant = closestWord(column, Object.keys(row));
      const hint = meant === undefined ? ` For the text, write <<${column}>.` : ` Did you mean "${meant}"?`;
      report(path, `The table has no column "${column}".${hint}`);
    }
  }
}

function checkFilled(plan: Readonly<Record<string, unknown>>, path: Path, report: Report): undefined {
  const { steps: inTurn, when, then, ...rest } = plan;
  checkAgainst(scenario, rest, path, report);
  if (inTurn !== undefined && (when !== undefined || then !== undefined)) {
    report([...path, 'steps'], 'Either `steps`, or `when` and `then`.');
  }
  for (const [key, list] of Object.entries({ steps: inTurn, when, then })) {
    if (list === undefined || list === null) continue;
    if (!Array.isArray(list)) report([...path, key], 'Expected a list of steps.');
    else for (const [i, each] of list.entries()) checkStep(each, [...path, key, i], report);
  }
}

function checkStep(step: unknown, path: Path, report: Report): undefined {
  const words = Object.keys(steps);
  if (!isRecord(step)) return report(path, 'A step is a map such as `wait: 5 s`.');
  const kind = kindOf(step);
  if (kind !== undefined) return checkAgainst(steps[kind], step, path, report);
  const keys = Object.keys(step);
  const meant = keys.map((key) => closestWord(key, words)).find((word) => word !== undefined);
  const hint = meant === undefined ? `Steps begin with one of ${words.join(', ')}.` : `Did you mean \`${meant}\`?`;
  report(path, `\`${keys.join(', ')}\` is no step. ${hint}`);
}

/** `to`, `by` and `for` belong to many steps; the word that no other has distinguishes them, and comes first in the table. */
export function kindOf(step: Readonly<Record<string, unknown>>): keyof typeof steps | undefined {
  // `until` and `wait` before `expect`; `ran` has no rival. Of a step with two such words the first counts.
  return Object.keys(step).find((key): key is keyof typeof steps => Object.hasOwn(steps, key));
}

import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { isRecord } from '../../../engine/core/index.ts';
import { checkAgainst, type Path, type Report } from '../../schema/index.ts';
import { closestHint, closestWord } from '../../text/index.ts';
import { type FilePlan, scenario, scenarioFile, steps } from './schema.ts';
import { rowsOf, withRow } from './table.ts';

/** A problem in a scenario file. */
export interface FileProblem {
  readonly file: string;
  /** The position of the problem, counted from 1; undefined for the file as a whole. */
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
}

/** Words of test frameworks, and the words of scenario files with the same meaning. */
const habits: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sleep: 'wait',
    timeout: 'budget: { wall: 5 s }',
    retry: 'seeds',
    todo: 'skip',
    beforeEach: 'given',
    setup: 'given',
    test: 'name',
    it: 'name',
    describe: 'scenarios',
  }),
);

export class InvalidFile extends Error {
  constructor(readonly flaws: readonly FileProblem[]) {
    super(flaws.map(problemText).join('\n'));
  }
}

export function problemText({ file, line, column, message }: FileProblem): string {
  return line === undefined ? `${file}: ${message}` : `${file}:${line}:${column}: ${message}`;
}

/** A parsed scenario file that knows the position of its parts. */
export interface ReadFile {
  readonly file: string;
  readonly plan: FilePlan;
  /** Creates a problem at the position of a part. */
  flaw(path: Path, message: string): FileProblem;
  lineOf(path: Path): number | undefined;
}

/** Reads `*.scenario.yaml` and `*.scenario.json`. Throws `InvalidFile` with all problems found. */
export function readScenarioFile(file: string): ReadFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidFile([
      { file, line: undefined, column: undefined, message: `cannot be read (${code ?? String(error)}).` },
    ]);
  }
  return readScenarioText(file, text);
}

export function readScenarioText(file: string, text: string): ReadFile {
  const lines = new LineCounter();
  // JSON is valid YAML, so one parser that knows positions serves both.
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, prettyErrors: false });
  const at = (offset: number, message: string): FileProblem => {
    const { line, col } = lines.linePos(offset);
    return { file, line, column: col, message };
  };
  if (document.errors.length > 0)
    throw new InvalidFile(
      document.errors.map(({ code, pos, message }) =>
        at(pos[0], code === 'BAD_SCALAR_START' ? `${message}. Put the value in single quotes: '…'.` : message),
      ),
    );
  const plan: unknown = document.toJS({ maxAliasCount: 1000 });
  const offsetOf = (path: Path) => {
    for (let length = path.length; length >= 0; length--) {
      const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
      if (isNode(node) && node.range) return node.range[0];
    }
    return undefined;
  };
  const flaw = (path: Path, message: string): FileProblem => {
    const offset = offsetOf(path);
    return offset === undefined ? { file, line: undefined, column: undefined, message } : at(offset, message);
  };
  const flaws: FileProblem[] = [];
  const reported = new Set<string>();
  checkFile(plan, (path, said) => {
    const word = String(path.at(-1));
    // A step has a timeout, too, but of simulated time.
    const meant = word === 'timeout' && path.length > 3 ? 'within' : habits.get(word);
    const message = meant && said.endsWith('not allowed here.') ? `${said} Did you mean \`${meant}\`?` : said;
    // The same problem in every row of a table is reported once.
    const key = `${path.join('/')} ${message}`;
    if (!reported.has(key)) flaws.push(flaw(path, message));
    reported.add(key);
    return undefined;
  });
  if (flaws.length > 0) throw new InvalidFile(flaws);
  const lineOf = (path: Path) => flaw(path, '').line;
  return { file, plan: plan as FilePlan, flaw, lineOf };
}

function checkFile(plan: unknown, report: Report) {
  if (!isRecord(plan)) return report([], 'A scenario file must be an object with `scenarios`.');
  if (!Array.isArray(plan['scenarios'])) {
    return report('scenarios' in plan ? ['scenarios'] : [], 'Expected a list `scenarios`.');
  }
  const { scenarios, ...shared } = plan;
  checkAgainst(scenarioFile, { ...shared, scenarios: [] }, [], report);
  for (const [i, each] of (scenarios as unknown[]).entries()) checkScenario(each, ['scenarios', i], report);
}

/**
 * Checks a scenario once per table row, with the row filled in, because `<column>` may stand where a number belongs.
 */
function checkScenario(plan: unknown, path: Path, report: Report) {
  if (!isRecord(plan)) return report(path, 'A scenario must be an object with a `name`.');
  const rows = rowsOf(plan);
  if (rows === undefined) return checkFilled(plan, path, report);
  for (const row of rows) {
    const columns = new Set<string>();
    checkFilled(withRow(plan, row, columns), path, report);
    for (const column of columns) {
      const hint = closestHint(column, Object.keys(row), ` To get this text literally, write <<${column}>.`);
      report(path, `The table has no column "${column}".${hint}`);
    }
  }
}

function checkFilled(plan: Readonly<Record<string, unknown>>, path: Path, report: Report) {
  const { steps: inTurn, when, then, ...rest } = plan;
  checkAgainst(scenario, rest, path, report);
  if (inTurn !== undefined && (when !== undefined || then !== undefined)) {
    report([...path, 'steps'], 'A scenario must have either `steps`, or `when` and `then`.');
  }
  for (const [key, list] of Object.entries({ steps: inTurn, when, then })) {
    if (list === undefined || list === null) continue;
    if (!Array.isArray(list)) report([...path, key], 'Expected a list of steps.');
    else for (const [i, each] of list.entries()) checkStep(each, [...path, key, i], report);
  }
}

function checkStep(step: unknown, path: Path, report: Report) {
  const words = Object.keys(steps);
  if (!isRecord(step)) return report(path, 'A step must be an object such as `wait: 5 s`.');
  const kind = stepKindOf(step);
  if (kind !== undefined) return checkAgainst(steps[kind], step, path, report);
  const keys = Object.keys(step);
  // The suggestion for words of test frameworks, such as `assert` and `toBe`, is `expect`.
  const wordFor = (key: string) =>
    /^(?:assert|expect|to[A-Z])/.test(key) ? 'expect' : (habits.get(key) ?? closestWord(key, words));
  const meant = keys.map(wordFor).find((word) => word !== undefined);
  const hint =
    meant === undefined ? `A step needs one of the fields ${words.join(', ')}.` : `Did you mean \`${meant}\`?`;
  report(path, `\`${keys.join(', ')}\` is not a step. ${hint}`);
}

/**
 * The kind of a step, from the one key that no other kind has; `to`, `by` and `for` belong to several kinds. Undefined
 * if there is no such key.
 */
export function stepKindOf(step: Readonly<Record<string, unknown>>): keyof typeof steps | undefined {
  // If a step has two such keys, the first one in the file counts.
  return Object.keys(step).find((key): key is keyof typeof steps => Object.hasOwn(steps, key));
}

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { compareCase } from './compare.ts';
import { playCase } from './play.ts';
import { type CaseResult, report } from './report.ts';
import type { TraceFile } from './trace.ts';

/** From the root of the project, where npm starts its scripts. */
const semanticsPath = 'docs/semantics.md';

interface Options {
  readonly verbose?: boolean;
  readonly only?: string;
}

const command = new Command('traces')
  .description(
    'Plays recorded games with this engine and says where it does something else. A measure, not a gate: it ends with 0.',
  )
  .argument('[folder]', 'where the recordings are', '../shared/traces')
  .option('--verbose', 'all differences, not only the first of each case')
  .option('--only <name>', 'cases whose name contains this')
  .action((folder: string, options: Options) => run(folder, options));

function run(folder: string, { verbose = false, only = '' }: Options): void {
  const path = resolve(folder);
  if (!existsSync(path)) {
    console.log(`skipped: no traces at ${path}`);
    return;
  }
  const names = readdirSync(path)
    .filter((name) => name.endsWith('.json') && name.includes(only))
    .sort();
  const semantics = existsSync(semanticsPath) ? readFileSync(semanticsPath, 'utf8') : '';
  const results = names.map((name) => judge(readTrace(join(path, name)), semantics));
  console.log(report(results, { verbose }));
}

/** A recording of a known defect may differ, if the project's document of its meaning names the case. */
function judge(trace: TraceFile, semantics: string): CaseResult {
  const { name, family, knownBug } = trace;
  try {
    const recording = playCase(trace);
    const differences = compareCase(trace, recording);
    const onPurpose = knownBug !== undefined && new RegExp(`\\b${name}\\b`).test(semantics);
    const outcome = differences.length === 0 ? 'passed' : onPurpose ? 'onPurpose' : 'failed';
    return { name, family, outcome, knownBug, differences, faults: recording.faults };
  } catch (error) {
    const got = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const difference = { timeSeconds: 0, path: 'engine', expected: 'a game', got };
    return { name, family, outcome: 'failed', knownBug, differences: [difference], faults: [] };
  }
}

function readTrace(path: string): TraceFile {
  return JSON.parse(readFileSync(path, 'utf8')) as TraceFile;
}

command.parse();

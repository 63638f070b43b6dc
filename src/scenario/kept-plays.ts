import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isRecord } from '../../engine/core/index.ts';
import type { Input } from '../../engine/index.ts';
import { ScenarioError } from './failure.ts';

/** The inputs that reach a goal from a moment of a scenario. Ticks are counted from there, the first is 1. */
export interface KeptPlay {
  readonly ticks: number;
  readonly inputs: readonly (readonly [tick: number, input: Input])[];
}

/** By the title of the case and the goal. */
type KeptPlays = Readonly<Record<string, KeptPlay>>;

export interface ReachWanted {
  readonly goal: string;
  readonly key: string;
  readonly seconds: number;
}

/** The file of the plays that the `reach` steps of a scenario file use. */
export function playsFile(scenarioFile: string): string {
  return `${scenarioFile.replace(/(\.scenario)?\.(ya?ml|json)$/, '')}.reach.json`;
}

/** Throws `ScenarioError` for a damaged file. */
export function readPlays(scenarioFile: string): KeptPlays {
  const path = playsFile(scenarioFile);
  if (!existsSync(path)) return {};
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    content = undefined;
  }
  if (isRecord(content) && Object.values(content).every(isPlay)) return content as unknown as KeptPlays;
  throw new ScenarioError(`${path} is damaged; remove it, and renew it by \`reenact test --update\`.`);
}

export function writePlays(scenarioFile: string, plays: KeptPlays): void {
  const lines = Object.keys(plays)
    .sort()
    .map((key) => `  ${JSON.stringify(key)}: ${JSON.stringify(plays[key])}`);
  writeFileSync(playsFile(scenarioFile), `{\n${lines.join(',\n')}\n}\n`);
}

function isPlay(value: unknown): boolean {
  return isRecord(value) && Number.isSafeInteger(value['ticks']) && Array.isArray(value['inputs']);
}

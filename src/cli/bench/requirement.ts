import { figureNames, type Requirement } from '../../bench/index.ts';
import { closestHint } from '../../text/index.ts';
import { Failure } from '../failure.ts';

const number = String.raw`\d+(?:\.\d+)?`;
const figure = String.raw`[a-z][\w.]*`;
const pattern = new RegExp(
  String.raw`^(?<left>${figure})\s*(?<operator>[<>]=?|[=!]=)\s*(?:(?<limit>${number})(?:\s*ms)?|(?:(?<factor>${number})\s*\*\s*)?(?<other>${figure}))$`,
);

/**
 * Parses a requirement such as `p99 < 8 ms`, `actions <= 1.05 * before.actions` or `same`. Throws `Failure` for
 * anything else.
 */
export function requirementOf(text: string): Requirement {
  const trimmed = text.trim();
  const parts = pattern.exec(trimmed === 'same' ? 'same == 1' : trimmed)?.groups;
  if (parts === undefined)
    throw new Failure(
      'bad-requirement',
      `Expected a comparison of a figure with a number or with another figure, such as "p99 < 8 ms" or "actions <= 1.05 * before.actions", not "${trimmed}".`,
    );
  const { left, operator, limit, factor, other } = parts;
  for (const name of [left, other]) if (name !== undefined && !figureNames.includes(name)) refuse(name);
  return {
    text: trimmed,
    figure: left!,
    operator: operator as Requirement['operator'],
    factor: Number(limit ?? factor ?? 1),
    other,
  };
}

function refuse(name: string): never {
  const hint = closestHint(name, figureNames, ` The figures are ${figureNames.join(', ')}.`);
  throw new Failure('bad-requirement', `No figure is called "${name}".${hint}`);
}

import type { Node } from '../../../engine/index.ts';
import { readOf } from '../../model/index.ts';
import type { Reports, Rule } from '../rule.ts';

export const crossedRange: Rule = {
  about: 'A minimum that is greater than its maximum, in a field or as a literal operand.',
  because: 'No number lies in the range, or random numbers almost never equal its bounds. Swap the values.',
  wrong: `{
  "variables": { "dice": { "dataType": "number", "default": 1 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "dice", "value": { "function": "getRandomNumberBetween", "min": 6, "max": 1 } }] } }
}`,
  right: `{
  "variables": { "dice": { "dataType": "number", "default": 1 } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "setVariable", "variableName": "dice", "value": { "function": "getRandomNumberBetween", "min": 1, "max": 6 } }] } }
}`,
  check({ definition, report }) {
    const { buffTypes, defaultData, pointer } = definition;
    const { minLobbySize, maxLobbySize } = defaultData;
    const pairs = [
      [`${pointer}/defaultData/minLobbySize`, minLobbySize, maxLobbySize] as const,
      ...[...buffTypes.values()].map((each) => [`${each.pointer}/minBonus`, each.minBonus, each.maxBonus] as const),
    ];
    // A bonus that takes something away is written from 0 to a negative number.
    for (const [at, min = 0, max = min] of pairs) if (min > 0) crossed(report, at, min, max);
  },
  visit: ({ numbers, report }) => ({
    call(node) {
      const { from, to } = readOf(node, 'chance') ?? {};
      if (from === undefined || to === undefined) return;
      const [min, max] = [numbers.fixed(node.operand(from)), numbers.fixed(node.operand(to))];
      if (min !== undefined && max !== undefined) crossed(report, node, min, max);
    },
  }),
};

function crossed(report: Reports['report'], at: Node | string, min: number, max: number) {
  if (min > max)
    report(at, `The minimum, ${min}, is greater than the maximum, ${max}.`, 'min <= max', `${min} to ${max}`);
}

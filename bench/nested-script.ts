/**
 * A script of 200 actions, nested three levels deep, over all units: eighteen blocks of calculations, comparisons and
 * assignments with different numbers. It uses only operations that every interpreter has, so that only their execution
 * is compared.
 */

export type Json = Readonly<Record<string, unknown>>;

const blocks = 18;

const selected: Json = { function: 'getSelectedUnit' };
const hp: Json = { function: 'getEntityAttribute', attribute: 'hp', entity: selected };
const steps: Json = {
  function: 'getValueOfEntityVariable',
  variable: { function: 'getEntityVariable', variable: { key: 'steps' } },
  entity: selected,
};

function global(variableName: string): Json {
  return { function: 'getVariable', variableName };
}

function reckon(operator: string, left: unknown, right: unknown): Json {
  return { function: 'calculate', items: [{ operator }, left, right] };
}

function compareNumbers(operator: string, left: unknown, right: unknown): unknown[] {
  return [{ operandType: 'number', operator }, left, right];
}

function both(left: unknown, right: unknown): unknown[] {
  return [{ operandType: 'and', operator: 'AND' }, left, right];
}

function either(left: unknown, right: unknown): unknown[] {
  return [{ operandType: 'or', operator: 'OR' }, left, right];
}

function setVariable(variableName: string, value: unknown): Json {
  return { type: 'setVariable', variableName, value };
}

function setHp(value: unknown): Json {
  return { type: 'setEntityAttribute', attribute: 'hp', entity: selected, value };
}

function setSteps(value: unknown): Json {
  const variable = { function: 'getEntityVariable', variable: { key: 'steps' } };
  return { type: 'setEntityVariable', entity: selected, variable, value };
}

/** Eleven actions. */
function block(k: number): Json[] {
  return [
    setVariable('sum', reckon('+', global('sum'), [{ operator: '*' }, hp, k + 1])),
    {
      type: 'condition',
      conditions: both(compareNumbers('<', hp, 500), compareNumbers('!=', global('mode'), k)),
      then: [setHp(reckon('+', hp, 1)), { type: 'increaseVariableByNumber', variable: 'count', number: 1 }],
      else: [
        setHp(reckon('-', hp, 400)),
        {
          type: 'condition',
          conditions: compareNumbers('>', global('count'), 1_000_000),
          then: [setVariable('count', 0)],
          else: [setSteps(reckon('+', steps, 1))],
        },
      ],
    },
    setVariable('mode', reckon('%', [{ operator: '+' }, global('mode'), 1], 20)),
    {
      type: 'condition',
      conditions: either(compareNumbers('==', steps, k + 2), compareNumbers('>', steps, 1000)),
      then: [setSteps(0)],
      else: [],
    },
  ];
}

/** 200 actions: the loop, eighteen blocks of eleven, and one after the loop. */
export const nestedActions: readonly Json[] = [
  {
    type: 'forAllUnits',
    unitGroup: { function: 'allUnits' },
    actions: Array.from({ length: blocks }, (_, k) => block(k)).flat(),
  },
  setVariable('rounds', reckon('+', global('rounds'), 1)),
];

function number(value: number): Json {
  return { dataType: 'number', default: value };
}

export const definition = {
  data: {
    defaultData: { frameRate: 20 },
    map: { width: 10, height: 10, tilewidth: 64, tileheight: 64, layers: [], tilesets: [] },
    playerTypes: { human: { name: 'human', attributes: {}, relationships: {} } },
    unitTypes: {
      walker: {
        name: 'walker',
        attributes: {
          speed: { name: 'speed', value: 10, min: 0, max: 100, regenerateSpeed: 0 },
          hp: { name: 'hp', value: 100, min: 0, max: 1000, regenerateSpeed: 0 },
        },
        variables: { steps: number(0) },
        states: {},
        bodies: {},
      },
    },
    variables: { sum: number(0), mode: number(0), count: number(0), rounds: number(0) },
    scripts: { work: { name: 'work', triggers: [], conditions: [], actions: nestedActions } },
  },
};

/** The values that the script produces, equal for all implementations. */
export interface Outcome {
  readonly sum: number;
  readonly mode: number;
  readonly count: number;
  readonly rounds: number;
  readonly hp: number;
  readonly steps: number;
}

/** The same in TypeScript on plain objects: the best that a machine can do. */
export class HandWritten {
  private readonly units: { hp: number; steps: number }[];
  private sum = 0;
  private mode = 0;
  private count = 0;
  private rounds = 0;

  constructor(units: number) {
    this.units = Array.from({ length: units }, () => ({ hp: 100, steps: 0 }));
  }

  run(): void {
    for (const unit of this.units) {
      for (let k = 0; k < blocks; k++) {
        this.sum += unit.hp * (k + 1);
        if (unit.hp < 500 && this.mode !== k) {
          unit.hp = Math.max(0, Math.min(1000, unit.hp + 1));
          this.count++;
        } else {
          unit.hp = Math.max(0, Math.min(1000, unit.hp - 400));
          if (this.count > 1_000_000) this.count = 0;
          else unit.steps++;
        }
        this.mode = (this.mode + 1) % 20;
        if (unit.steps === k + 2 || unit.steps > 1000) unit.steps = 0;
      }
    }
    this.rounds++;
  }

  outcome(): Outcome {
    const { sum, mode, count, rounds } = this;
    const total = (key: 'hp' | 'steps') => this.units.reduce((all, unit) => all + unit[key], 0);
    return { sum, mode, count, rounds, hp: total('hp'), steps: total('steps') };
  }
}

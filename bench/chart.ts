/** The suites that are plotted: the file in docs/, and what it says. */
export const plots: Readonly<Record<string, Plot>> = {
  'moving-units': {
    file: 'cost-by-bodies',
    title: 'Time of a tick by number of moving units',
    axis: 'units, all moving',
  },
  'sleeping-units': {
    file: 'cost-asleep',
    title: 'Time of a tick by number of units, 19 of 20 asleep',
    axis: 'units, 19 of 20 asleep',
  },
};

interface Plot {
  readonly file: string;
  readonly title: string;
  readonly axis: string;
}

/** A result of a plotted suite for one number of units and one broad phase. */
export interface ChartPoint {
  readonly units: number;
  readonly pairs: 'grid' | 'tree';
  readonly 'tick ms': number;
  readonly 'planck ms': number;
}

type Theme = 'light' | 'dark';

const themes = {
  light: { text: '#1f2328', faint: '#59636e', line: '#d1d9e0', series: ['#59636e', '#0969da', '#1a7f37'] },
  dark: { text: '#f0f6fc', faint: '#9198a1', line: '#3d444d', series: ['#9198a1', '#4493f8', '#3fb950'] },
} as const satisfies Record<Theme, object>;

const width = 720;
const height = 360;
const left = 56;
const right = 700;
const top = 56;
const bottom = 310;

/**
 * A chart of tick time by number of units: a planck step alone, and our whole tick with tree and grid. An SVG with a
 * transparent background.
 */
export function chart(points: readonly ChartPoint[], theme: Theme, { title, axis }: Plot): string {
  const { text, faint, line, series } = themes[theme];
  const counts = [...new Set(points.map(({ units }) => units))].sort((a, b) => a - b);
  const at = (pairs: string, units: number): ChartPoint => {
    const found = points.find((point) => point.pairs === pairs && point.units === units);
    if (found === undefined) throw new Error(`No tick of ${units} units with the ${pairs} was measured.`);
    return found;
  };
  // planck was measured next to each; the smaller value is less disturbed.
  const floor = (units: number): number => Math.min(at('tree', units)['planck ms'], at('grid', units)['planck ms']);
  const lines: readonly [string, (units: number) => number][] = [
    ['a step of planck alone', floor],
    ['whole tick, dialect moddio', (units) => at('tree', units)['tick ms']],
    ['whole tick, dialect standard', (units) => at('grid', units)['tick ms']],
  ];
  const most = Math.max(...lines.flatMap(([, value]) => counts.map(value)));
  const unit = stepOf(most);
  const ceiling = Math.ceil(most / unit) * unit;
  const x = (units: number): number => left + ((right - left) * units) / counts.at(-1)!;
  const y = (ms: number): number => bottom - ((bottom - top) * ms) / ceiling;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${title}</title>`,
  ];
  for (let ms = 0; ms <= ceiling + unit / 2; ms += unit) {
    parts.push(`<path d="M${left} ${fixed(y(ms))}H${right}" stroke="${line}"/>`);
    parts.push(`<text x="${left - 8}" y="${fixed(y(ms) + 4)}" fill="${faint}" text-anchor="end">${fixed(ms)}</text>`);
  }
  parts.push(`<text x="${left - 8}" y="${top - 14}" fill="${faint}" text-anchor="end">ms</text>`);
  for (const units of counts) {
    const label = `<text x="${fixed(x(units))}" y="${bottom + 20}" fill="${faint}" text-anchor="middle">${units}</text>`;
    if (units / counts.at(-1)! > 0.06) parts.push(label);
  }
  parts.push(`<text x="${right}" y="${bottom + 40}" fill="${faint}" text-anchor="end">${axis}</text>`);
  lines.forEach(([name, value], i) => {
    const color = series[i]!;
    const path = counts.map((units) => `${fixed(x(units))} ${fixed(y(value(units)))}`);
    parts.push(`<path d="M${path.join('L')}" fill="none" stroke="${color}" stroke-width="2.5"/>`);
    for (const units of counts)
      parts.push(`<circle cx="${fixed(x(units))}" cy="${fixed(y(value(units)))}" r="4" fill="${color}"/>`);
    const entry = left + 8 + i * 215;
    parts.push(`<circle cx="${entry}" cy="20" r="5" fill="${color}"/>`);
    parts.push(`<text x="${entry + 12}" y="25" fill="${text}">${name}</text>`);
  });
  return `${[...parts, '</svg>'].join('\n')}\n`;
}

/** The step of the scale: 1, 2 or 5 times a power of ten, for at most six lines. */
function stepOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 5));
  return power * ([1, 2, 5, 10].find((times) => most / (power * times) <= 6) ?? 10);
}

function fixed(value: number): string {
  return String(Number(value.toFixed(1)));
}

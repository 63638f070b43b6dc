import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);
const fileOf = (name: string) => readFileSync(resolve(`uplot/dist/${name}`), 'utf8');

/** The code of uPlot, which pages embed so that they need no network. `tools/bundle.mjs` puts it into the packages. */
export const plotLibrary = {
  script: fileOf('uPlot.iife.min.js'),
  style: fileOf('uPlot.min.css'),
};

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A file of uPlot, embedded in pages so that they need no network. */
export function plotLibrary(name: 'uPlot.iife.min.js' | 'uPlot.min.css'): string {
  const require = createRequire(import.meta.url);
  return readFileSync(require.resolve(`uplot/dist/${name}`), 'utf8').replaceAll('</script', '<\\/script');
}

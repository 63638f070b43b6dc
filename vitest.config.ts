import { defineConfig } from 'vitest/config';
import { runsFactor } from './test/support/property.ts';

const timeoutMs = 60_000 * Math.max(1, runsFactor);

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    reporters: ['default', './test/support/reporter.ts'],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    pool: 'threads',
  },
});

import { readdirSync } from 'node:fs';
import { configDefaults, defineConfig } from 'vitest/config';
import { runsFactor } from './test/support/property.ts';
import { apartFromFolder, sharedFolders } from './test/support/shared.ts';

const timeoutMs = 60_000 * Math.max(1, runsFactor);
const otherFolders = readdirSync(new URL('test/', import.meta.url)).filter((name) => !sharedFolders.includes(name));

export default defineConfig({
  test: {
    reporters: ['default', './test/support/reporter.ts'],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    pool: 'threads',
    // One group after the other: a thread is kept only while the next file is of the same project.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: [`test/{${sharedFolders.join(',')}}/**/*.test.ts`],
          exclude: [...configDefaults.exclude, ...apartFromFolder],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: [`test/{${otherFolders.join(',')}}/**/*.test.ts`, ...apartFromFolder],
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

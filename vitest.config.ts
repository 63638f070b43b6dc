import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { runsFactor } from './test/support/property.ts';
import { apartFromFolder, sharedFolders } from './test/support/shared.ts';

/** Ten times what the slowest test takes alone, for machines that do other things beside it. */
const timeoutMs = 120_000 * Math.max(1, runsFactor);
const otherFolders = readdirSync(new URL('test/', import.meta.url)).filter((name) => !sharedFolders.includes(name));

/**
 * Files beside each other. The default leaves a core to the program that starts them, which does little: of two cores one would be idle. Nothing that
 * two files use has a fixed port, name or folder. `VITEST_MAX_WORKERS=1` runs one file after the other.
 */
const workers = Math.max(2, availableParallelism() - 1);

export default defineConfig({
  test: {
    reporters: ['default', './test/support/reporter.ts'],
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    // A second, which is the default, is a matter of the machine; a test that fails waits for its own end.
    expect: { poll: { timeout: timeoutMs / 2 } },
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
          maxWorkers: workers,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: [`test/{${otherFolders.join(',')}}/**/*.test.ts`, ...apartFromFolder],
          // Half of the time of these files is waiting for processes, leases and browsers.
          maxWorkers: workers + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

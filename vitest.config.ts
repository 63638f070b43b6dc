import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { filesOf, onPlatform, type Project, startedFirst } from './test/support/projects.ts';
import { runsFactor } from './test/support/property.ts';

/** Ten times what the slowest test takes alone, for machines that do other things beside it. */
const timeoutMs = 120_000 * Math.max(1, runsFactor);

/**
 * Files beside each other. The default leaves a core to the program that starts them, which does little: of two cores one would be idle. Nothing that
 * two files use has a fixed port, name or folder. `VITEST_MAX_WORKERS=1` runs one file after the other.
 */
const workers = Math.max(2, availableParallelism() - 1);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => startedFirst.some((file) => moduleId.endsWith(`/test/${file}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

function project(
  name: Project,
  groupOrder: number,
  options: { isolate?: boolean; maxWorkers: number; retry?: number },
) {
  const { include, exclude } = filesOf(name);
  const test = {
    name,
    include,
    exclude: [...configDefaults.exclude, ...exclude],
    sequence: { groupOrder },
    ...options,
  };
  return { extends: true as const, test };
}

/**
 * How often CI repeats a failed test of processes, sockets or browsers: on a busy machine one of 15,000 tests loses a
 * race now and then. Such tests are named before the closing line.
 */
const retry = process.env['CI'] === undefined ? 0 : 1;

export default defineConfig(({ mode }) => ({
  test: {
    reporters: ['default', './test/support/reporter.ts'],
    env: ['all', 'image'].includes(mode) ? { REENACT_TESTS: mode } : mode === 'update' ? { REENACT_UPDATE: '1' } : {},
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    // A second, which is the default, is a matter of the machine; a test that fails waits for its own end.
    expect: { poll: { timeout: timeoutMs / 2 } },
    pool: 'threads',
    sequence: { sequencer: LongestFirst },
    // One group after the other: a thread is kept only while the next file is of the same project.
    projects: [
      project('shared', 0, { isolate: false, maxWorkers: workers }),
      // Half of the time of the long files is waiting for processes, leases and browsers.
      project('apart', 1, { maxWorkers: workers + 1, retry }),
      project('long', 1, { isolate: false, maxWorkers: workers + 1, retry }),
      // The same tests again, with rooms that are Durable Objects.
      {
        extends: true as const,
        test: {
          name: 'workerd',
          include: onPlatform.map((file) => `test/${file}`),
          env: { REENACT_ROOMS: 'workerd' },
          setupFiles: ['test/server/durable-object/setup.ts'],
          sequence: { groupOrder: 2 },
          isolate: false,
          maxWorkers: workers,
          retry,
        },
      },
    ],
  },
}));

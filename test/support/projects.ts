/**
 * Which project of `vitest.config.ts` a folder or file of `test/` belongs to; the longest entry that fits decides. `npm
 * test` runs `shared` and `apart`, `npm run test:all` runs everything.
 *
 * - `shared`: the files of a thread share their modules, so the engine is loaded once. They start no processes,
 *   sockets, browsers or workers, and change no environment, working directory, globals, prototypes or timers.
 * - `apart`: each file loads modules of its own, because it changes what other files would see.
 * - `long`: needs processes, sockets, browsers or databases, or takes minutes. These files share modules too, and
 *   restore what they spy on.
 */
export const projects = {
  shared: [
    'bench',
    'bots',
    'check',
    'cli',
    'core',
    'definition',
    'derived',
    'determinism',
    'ecs',
    'explore',
    'expression',
    'graph',
    'html',
    'journal',
    'language',
    'load',
    'lsp',
    'conformance',
    'model',
    'physics',
    'picture',
    'review',
    'rules',
    'run',
    'scenario',
    'scenarios',
    'schema',
    'script',
    'modd-client',
    'net',
    'sim',
    'statistics',
    'store',
    'text',
    'tidy',
    'why',
    'world',
    'report/outputs.test.ts',
    // The parts of the server that a virtual clock drives.
    'cluster/hand-over.test.ts',
    'server/audience.test.ts',
    'server/clock.test.ts',
    'server/lobby',
    'server/pace.test.ts',
    'server/room.test.ts',
  ],
  apart: [
    'bench/profile.test.ts',
    'bench/text.test.ts',
    'cli/no-renderer.test.ts',
    'explore/minutes.test.ts',
    'cli/watch.test.ts',
    'machine',
    'physics/planck.test.ts',
    'playground/app.test.ts',
    'playground/session.test.ts',
    'scenario/event-members.test.ts',
    'scenario/explaining.test.ts',
    'scenario/places.test.ts',
    'scenario/play.test.ts',
    'scenario/refused.test.ts',
    'server/accounts.test.ts',
    'server/cheating.test.ts',
    'net/client/room-client.test.ts',
    'server/hosts.test.ts',
    'server/logging.test.ts',
    'server/outgoing.test.ts',
    'server/secrets.test.ts',
    'server/watch.test.ts',
    'sim/handles.test.ts',
    'sim/two-simulations.test.ts',
    'store/persistence-service.test.ts',
    'tidy/test-files.test.ts',
    'viewer/admin-page.test.ts',
    'viewer/room-page.test.ts',
    'viewer/stage.test.ts',
    'viewer/viewer.test.ts',
  ],
  long: [
    // Explores for a minute and a half.
    'explore/explore.test.ts',
    'cluster',
    'modd-client/client-page.test.ts',
    'modd-client/existing-clients.test.ts',
    'net/client/bundle.test.ts',
    'net/client/outage.test.ts',
    'deploy',
    'fuzz',
    'packed',
    'playground',
    'readme',
    'report',
    'server',
    'simulation',
    'soak',
    'viewer',
    'bench/capacity.test.ts',
    'cli/action.test.ts',
    'cli/completion.test.ts',
    'cli/deno.test.ts',
    'cli/git.test.ts',
    'cli/init-git.test.ts',
    'cli/host-words-in-threads.test.ts',
    'cli/own-rules-apart.test.ts',
    'cli/process.test.ts',
    'derived/executed.test.ts',
    'determinism/golden-elsewhere.test.ts',
    'determinism/long-play.test.ts',
    'explore/jobs.test.ts',
    'lsp/extension.test.ts',
    'lsp/lsp.test.ts',
    'scenario/in-vitest.test.ts',
    'sim/snapshot-elsewhere.test.ts',
  ],
} as const satisfies Record<string, readonly string[]>;

/**
 * The tests of the session layer. The project `workerd` runs them a second time, with the rooms in the runtime of the
 * platform of Durable Objects. A test that is not possible there is skipped with its reason.
 */
export const onPlatform: readonly string[] = [
  'modd-client/existing-clients.test.ts',
  'server/accounts.test.ts',
  'server/chat.test.ts',
  'server/community.test.ts',
  'server/limits.test.ts',
  'server/newcomers.test.ts',
  'server/play.test.ts',
  'server/private-rooms.test.ts',
  'server/sessions.test.ts',
  'server/silent-clients.test.ts',
  'server/watch.test.ts',
];

export type Project = keyof typeof projects;

/**
 * Files that take more than half a minute, and which vitest would start late, because without earlier results it starts
 * larger files first. Started first, they do not leave one core idle at the end.
 */
export const startedFirst: readonly string[] = [
  'playground/playground.test.ts',
  'server/durable-object/rooms.test.ts',
  'determinism/golden-elsewhere.test.ts',
  'packed/manual.test.ts',
  'viewer/failure-page.test.ts',
  'cli/init-git.test.ts',
  'cluster/failover.test.ts',
  'net/client/outage.test.ts',
];

const entries = Object.entries(projects).flatMap(([project, paths]) =>
  paths.map((path) => ({ project: project as Project, path: `test/${path}` })),
);

const contains = (outer: string, inner: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

/** The project of a file of tests (`test/rules/events.test.ts`); undefined if no entry fits. */
export function projectOf(file: string): Project | undefined {
  const fitting = entries.filter(({ path }) => contains(path, file));
  return fitting.sort((a, b) => b.path.length - a.path.length)[0]?.project;
}

/**
 * The paths that vitest includes in a project, and those that it excludes because another project lists them more
 * specifically.
 */
export function filesOf(project: Project): { readonly include: string[]; readonly exclude: string[] } {
  const glob = (path: string): string => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`);
  const own = entries.filter((entry) => entry.project === project);
  const others = entries.filter(
    (entry) => entry.project !== project && own.some(({ path }) => contains(path, entry.path)),
  );
  return { include: own.map(({ path }) => glob(path)), exclude: others.map(({ path }) => glob(path)) };
}

/**
 * Folders of `test/` whose files share their modules in a thread: the engine is loaded once, and not for each file. They start no processes, sockets, browsers
 * or workers. They change no environment, working directory, globals, prototypes or timers.
 */
export const sharedFolders: readonly string[] = [
  ...[
    'bots',
    'conformance',
    'core',
    'definition',
    'ecs',
    'expression',
    'language',
    'moddio',
    'physics',
    'picture',
    'protocol',
  ],
  ...['rules', 'scenarios', 'schema', 'script', 'sim', 'statistics', 'sweep', 'text', 'tidy', 'world'],
];

/** Files of these folders that start processes or change flags of V8, or have texts that say so: each loads modules of its own. */
export const apartFromFolder: readonly string[] = [
  'test/physics/planck.test.ts',
  'test/sim/handles.test.ts',
  'test/sim/snapshot.test.ts',
  'test/sim/two-simulations.test.ts',
  'test/tidy/test-files.test.ts',
];

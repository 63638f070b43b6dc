/**
 * Folders of `test/` whose files share their modules in a thread: the engine is loaded once, and not for each file. They start no processes, sockets, browsers
 * or workers. They change no environment, working directory, globals, prototypes or timers.
 */
export const sharedFolders: readonly string[] = [
  ...['bots', 'core', 'definition', 'ecs', 'expression', 'language', 'moddio', 'physics', 'picture', 'protocol'],
  ...['rules', 'schema', 'script', 'sim', 'statistics', 'sweep', 'world'],
];

/** Files of these folders that start processes or change flags of V8: each loads modules of its own. */
export const apartFromFolder: readonly string[] = [
  'test/physics/planck.test.ts',
  'test/sim/handles.test.ts',
  'test/sim/snapshot.test.ts',
];

import { messageOf } from '../../../engine/core/index.ts';
import { Simulation } from '../../../engine/index.ts';
import { programsOfGame } from '../../../engine/tools.ts';
import { Bots, botIds, countBots, loadObjectives } from '../../bots/index.ts';
import { loadRecording, type RecordingOptions } from '../../journal/index.ts';
import { packGame } from '../../load/index.ts';
import { loadJournalPage } from '../../report/index.ts';
import {
  EventList,
  EventPrinter,
  EventTap,
  loadSummary,
  loadSummaryText,
  play,
  type Summary,
} from '../../run/index.ts';
import { countsOf } from '../../statistics/index.ts';
import { loadAccountStore, loadPersistenceService } from '../../store/index.ts';
import {
  amount,
  gameTitle,
  printAnswer,
  StatusLine,
  type Terminal,
  ticksOf,
  titleOfFile,
  widthOf,
} from '../../text/index.ts';
import { exitCodes, Failure } from '../failure.ts';
import { changesOf, readGame, requireGame } from '../read-game.ts';
import type { RunOptions, StatePart } from './command.ts';

export async function run(path: string, options: RunOptions, terminal: Terminal) {
  if (!options.watch) return once(path, options, terminal);
  if (path === '-')
    throw new Failure('nothing-to-watch', '--watch cannot watch standard input. Give the path of a file.');
  const { watchFiles } = await import('../watch.ts');
  const watched = { files: [path], folders: [], concerns: () => false };
  return watchFiles(
    () => watched,
    () => once(path, options, terminal),
    terminal,
  );
}

async function once(path: string, options: RunOptions, terminal: Terminal) {
  const modulesMs = performance.now();
  const { seed, bots: groups, tries, dialect, json = false } = options;
  const count = countBots(groups);
  // The condition is parsed first, so that a typo is reported before the game is loaded. Modules that few runs need are
  // imported on demand.
  const bindUntil = options.until === undefined ? undefined : (await import('../until.ts')).untilOf(options.until);
  const viewer = options.html === undefined ? '' : (await import('../viewer-script.ts')).viewerScript();
  if (options.png !== undefined) await (await import('../moments.ts')).requireRenderer(options);
  const file = await readGame(path, terminal, options.set && changesOf(options.set));
  const game = requireGame(file, terminal);

  const compileStart = performance.now();
  programsOfGame(game).program(dialect);
  const compileMs = performance.now() - compileStart;

  const events = options.events ? eventOutput(json, (text) => terminal.stdout.write(text)) : undefined;
  const winning = groups.every(({ objective }) => objective === undefined)
    ? { count }
    : (await loadObjectives()).optionsOf(groups, game, dialect);
  const until = bindUntil?.(game, dialect, botIds(count), () => sim);
  // Errors thrown by listeners are reported after the run, because they must not disturb the game.
  const failures: unknown[] = [];
  const sim: Simulation = new Simulation(game, {
    seed,
    dialect,
    onError: ({ error }) => failures.push(error),
    ...(events && { observer: events.tap.observer, onOutput: events.tap.output }),
  });
  const recording =
    options.record !== undefined || options.html !== undefined
      ? await startRecording(sim, {
          record: options.record,
          source: path,
          hashesEveryTick: options.hashEvery === 'tick',
          keepsInMemory: options.html !== undefined,
        })
      : undefined;
  const refused = new Map<string, number>();
  sim.on('refused', ({ input, reason, why = reason }) => {
    const what = `${input.kind} ${why}`;
    refused.set(what, (refused.get(what) ?? 0) + 1);
  });
  const startMs = performance.now() - compileStart - compileMs;
  const persistence = options.store === undefined ? undefined : await persistenceIn(options.store, sim);
  for (const account of persistence === undefined ? [] : Bots.accounts(game.definition, count))
    await persistence!.fetch(account);
  const bots = new Bots(sim, {
    ...winning,
    seed,
    tries,
    savedData: persistence && ((userId) => persistence.joinData(userId)),
  });

  const ticks = ticksOf(options.for, sim.rate);
  // Events and progress on the same terminal would overwrite each other.
  const status = new StatusLine(
    events !== undefined && !json && terminal.stdout.isTTY === true ? { write() {} } : terminal.stderr,
  );
  let interrupted = false;
  const stopListening = terminal.onInterrupt(() => {
    interrupted = true;
  });
  const played = await play(sim, {
    ticks,
    bots,
    until: until?.holds,
    interrupted: () => interrupted,
    progress: (tick) => {
      events?.flush();
      status.showProgress(`${(tick / sim.rate).toFixed(1)} of ${ticks / sim.rate} s`, tick / ticks);
    },
  });
  stopListening();
  status.clear();
  const recorded = recording?.end();
  await persistence?.settled();
  for (const error of persistence?.errors ?? []) {
    terminal.stderr.write(`notice: player data not saved: ${messageOf(error)}\n`);
  }
  events?.flush();
  if (failures.length > 0) throw failures[0];

  const { ending, wallMs, partsMs, firstTickMs } = played;
  const { summarise } = await loadSummary();
  const { stdout } = terminal;
  const summary: Summary = {
    file: file.name,
    ...summarise(sim, game, dialect, file.issues),
    dialect,
    seed,
    bots: count,
    ending,
    wallMs,
    speed: wallMs > 0 ? sim.nowMs / wallMs : 0,
    refused: countsOf(refused),
    time: partsMs,
    startup: {
      modulesMs,
      readMs: file.readMs,
      parseMs: file.parseMs,
      loadMs: file.loadMs,
      compileMs,
      startMs,
      firstTickMs: firstTickMs ?? null,
    },
    ...(bots.decisions.count > 0 && { decisions: bots.decisions }),
    ...events?.listed(),
    ...(recorded && { recorded: { file: recorded.file, bytes: recorded.bytes } }),
    ...(until && { until: until.summary() }),
  };
  const { error: errors } = summary.issues;
  // Only a notice, because real games contain errors and can be run nevertheless.
  if (errors > 0)
    terminal.stderr.write(`notice: the definition has ${amount(errors, 'error')}; see: reenact check ${path}\n`);
  if (options.state !== undefined) printAnswer(terminal, true, stateOf(sim, options.state), () => '');
  else {
    const text = json ? '' : (await loadSummaryText()).summaryText(summary, widthOf(stdout));
    printAnswer(terminal, json, summary, () => text);
  }
  if (recorded?.file !== undefined && !json) {
    const { file: journal, bytes } = recorded;
    stdout.write(`recorded ${journal}: ${bytes} bytes; watch it with: reenact view ${journal} --open\n`);
  }
  if (options.html !== undefined) {
    const { journalPage } = await loadJournalPage();
    const { writeText } = await import('../write-text.ts');
    const journal = recorded!.journal!;
    const title = gameTitle(game.definition) ?? titleOfFile(file.name);
    writeText(
      options.html,
      journalPage({ title, script: viewer, definition: packGame(file.text, game.definition.host), journal }),
    );
    if (!json) stdout.write(`page ${options.html}: open the file in a browser\n`);
  }
  if (options.svg !== undefined || options.png !== undefined) {
    const { savePictures } = await import('../moments.ts');
    await savePictures(sim, options);
    if (!json) for (const file of [options.svg, options.png]) if (file !== undefined) stdout.write(`picture ${file}\n`);
  }
  if (ending === 'interrupted') return exitCodes.interrupted;
  return until !== undefined && ending !== 'until' ? exitCodes.neverTrue : exitCodes.ok;
}

function stateOf(sim: Simulation, parts: readonly StatePart[]) {
  const { tick, timeMs, ...state } = sim.view();
  return { tick, timeMs, ...Object.fromEntries(parts.map((part) => [part, state[part]])) };
}

async function persistenceIn(folder: string, sim: Simulation) {
  const { accountsIn } = await loadAccountStore();
  const { PersistenceService } = await loadPersistenceService();
  return new PersistenceService(sim, accountsIn(folder));
}

async function startRecording(sim: Simulation, options: RecordingOptions) {
  const { Recording } = await loadRecording();
  try {
    return new Recording(sim, options);
  } catch (error) {
    throw new Failure('unwritable-file', messageOf(error));
  }
}

function eventOutput(json: boolean, write: (text: string) => unknown) {
  if (json) {
    const list = new EventList();
    const listed = () => ({ events: list.events, eventsOmitted: list.omitted });
    return { tap: new EventTap((event) => list.add(event)), flush() {}, listed };
  }
  const printer = new EventPrinter(write);
  return { tap: new EventTap((event) => printer.add(event)), flush: () => printer.flush(), listed: () => ({}) };
}

import { readFileSync } from 'node:fs';
import { arrangeJournal, type JournalRecord, loadDefinition, Simulation } from '../engine/index.ts';
import { Bots } from '../src/bots/index.ts';
import { RecordedPlay } from '../src/why/index.ts';
import { spread } from './measure.ts';
import { type Report, rounded } from './report.ts';

interface WhyWishes {
  readonly seconds: number;
  readonly units: number;
  /** Answered in order at the end of the play; the first one replays it, the others reuse its forks. */
  readonly questions: readonly string[];
  readonly rounds: number;
}

/** Measures how long `RecordedPlay` takes to answer questions. */
export function whyAnswers(file: string, { seconds, units, questions, rounds }: WhyWishes): Report {
  const document = JSON.parse(readFileSync(file, 'utf8'));
  document.gameJson.data.defaultData.defaultMaxPlayers = units;
  const { game } = loadDefinition(document);
  if (game === undefined) throw new Error(`${file} is no definition.`);
  const sim = new Simulation(game, { seed: 1 });
  const records: JournalRecord[] = [];
  const recorder = sim.journal((record) => records.push(record), { source: file });
  const bots = new Bots(sim, { count: units, seed: '1' });
  while (sim.tick < seconds * sim.rate) {
    bots.beforeStep();
    sim.step();
  }
  recorder.end();
  const journal = arrangeJournal(records)!;
  const times = questions.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    const play = new RecordedPlay(game, journal);
    for (const [i, question] of questions.entries()) {
      const start = performance.now();
      play.why(question);
      times[i]!.push(performance.now() - start);
    }
  }
  return {
    head: ['question, in this order', 'ms'],
    rows: questions.map((question, i) => [question, rounded(spread(times[i]!).median, 0)]),
    notes: [`${seconds} s of ${file} with ${sim.entities('unit').length} units at the end; medians of ${rounds} plays`],
  };
}

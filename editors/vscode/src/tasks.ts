import * as vscode from 'vscode';
import { environment, type Program } from './program';

const verbs = ['check', 'test', 'run'] as const;
type Verb = (typeof verbs)[number];

interface ReenactTask extends vscode.TaskDefinition {
  readonly command: Verb;
  /** Options and files. */
  readonly args?: readonly string[];
}

const defaults: Readonly<Record<Verb, readonly string[]>> = {
  check: ['game.json', '--format', 'unix'],
  test: [],
  run: ['game.json', '--bots', '4'],
};

/** `reenact check`, `test` and `run` as tasks, with their problems in the Problems view. */
export function tasks(program: () => Program | undefined): vscode.Disposable {
  return vscode.tasks.registerTaskProvider('reenact', {
    provideTasks() {
      const found = program();
      return found === undefined ? [] : verbs.map((command) => taskOf({ type: 'reenact', command }, found));
    },
    resolveTask({ definition }) {
      const found = program();
      return found && taskOf(definition as ReenactTask, found);
    },
  });
}

export function taskOf(definition: ReenactTask, { main }: Program): vscode.Task {
  const { command, args = defaults[command] } = definition;
  const execution = new vscode.ProcessExecution(process.execPath, [main, command, ...args], { env: environment });
  const matchers = command === 'run' ? [] : [`$reenact-${command}`];
  const task = new vscode.Task(definition, vscode.TaskScope.Workspace, command, 'reenact', execution, matchers);
  if (command === 'test') task.group = vscode.TaskGroup.Test;
  return task;
}

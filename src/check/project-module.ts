import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Dictionary, defined, messageOf, UserError } from '../../engine/core/index.ts';
import { type HostWords, type Issue, loadDefinition } from '../../engine/index.ts';

type ProjectCode = 'bad-rules' | 'bad-host';

/** An error in code of a project, which cannot be used. The message says where it is, and why. */
export class ProjectError extends UserError {
  override readonly name = 'ProjectError';

  constructor(
    message: string,
    readonly code: ProjectCode = 'bad-rules',
  ) {
    super(message);
  }

  get issue(): Issue {
    const { code, message } = this;
    return { code, severity: 'error', pointer: '', message };
  }
}

/** Time limit for loading a module, because a module that waits for ever would end the command without a message. */
const loadingMs = 5000;

/** Runs a module of a project and returns its exports. Throws `ProjectError` if that fails or takes too long. */
export async function runModule(file: string, code?: ProjectCode): Promise<Dictionary> {
  try {
    // Node caches modules by URL, so a changed file needs another URL.
    const url = `${pathToFileURL(file).href}?${statSync(file).mtimeMs}`;
    let timer: ReturnType<typeof setTimeout>;
    const late = new Promise<never>((_done, failed) => {
      timer = setTimeout(() => failed(new Error('it took longer than 5 s to load')), loadingMs);
    });
    return await Promise.race([import(url), late]).finally(() => clearTimeout(timer));
  } catch (error) {
    const isTypeScript = (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_UNKNOWN_FILE_EXTENSION';
    const hint = ' Use Node 22.18 or newer, or write the module in JavaScript (.mjs).';
    throw new ProjectError(`${file} cannot be run: ${messageOf(error)}${isTypeScript ? hint : ''}`, code);
  }
}

/**
 * The words of the host of a project: the exports `operations` and `triggers` of a module. Runs the module. Throws
 * `ProjectError` if the module cannot be used.
 */
export async function hostWordsIn(file: string): Promise<HostWords> {
  const { operations, triggers } = await hostModuleIn(file);
  return defined({ operations, triggers });
}

/** All exports of the module of a host. Throws `ProjectError` if its words cannot be used. */
export async function hostModuleIn(file: string): Promise<HostWords> {
  const module = await runModule(file, 'bad-host');
  const { operations, triggers } = module;
  if (operations === undefined && triggers === undefined)
    throw new ProjectError(`${file} exports neither \`operations\` nor \`triggers\`.`, 'bad-host');
  const words = defined({ operations, triggers }) as HostWords;
  try {
    loadDefinition({}, words);
  } catch (error) {
    throw new ProjectError(`${file}: ${messageOf(error)}`, 'bad-host');
  }
  return module;
}

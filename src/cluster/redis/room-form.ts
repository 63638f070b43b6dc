import { engineVersion } from '../../../engine/core/index.ts';

/** The format of stored rooms. Rooms of another format or engine version are left to processes of that version. */
export const roomForm = `1/${engineVersion}`;

/** The engine version in the format of a room. */
export function versionOf(form: string): string {
  return form.split('/')[1] ?? '';
}

/**
 * Whether the engine version in a format is newer than that of this process. Only the numbers are compared: a suffix
 * such as `-beta` does not count.
 */
export function isNewerForm(form: string): boolean {
  const numbers = (version: string) => (/^[\d.]+/.exec(version)?.[0] ?? '').split('.').map(Number);
  const own = numbers(engineVersion);
  const differing = numbers(versionOf(form)).map((number, i) => number - (own[i] ?? 0));
  return (differing.find((difference) => difference !== 0) ?? 0) > 0;
}

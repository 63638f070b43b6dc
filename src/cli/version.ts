import { ownPackage } from './package-root.ts';

/** The version of the package this file belongs to. */
export function packageVersion(): string {
  return ownPackage()?.version ?? 'unknown';
}

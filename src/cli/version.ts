import { ownPackage } from '../machine/own-package.ts';

export function packageVersion(): string {
  return ownPackage()?.version ?? 'unknown';
}

import { ownPackage } from '../machine/index.ts';

export function packageVersion(): string {
  return ownPackage()?.version ?? 'unknown';
}

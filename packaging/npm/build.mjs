// Makes the npm packages of a release: one for each platform, which holds the program, and `cnflint`, which starts the one that
// npm chose. Nothing runs at installation.
//   node packaging/npm/build.mjs VERSION OWNER/REPOSITORY DIRECTORY-OF-ARCHIVES OUT
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const platforms = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
};

const [version, repository, archives, out] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const common = {
  version,
  description: 'Lints MySQL and MariaDB option files the way the server reads them',
  license: 'MIT OR Apache-2.0',
  repository: `github:${repository}`,
};

function describe(directory, fields) {
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ ...fields, ...common }, null, 2) + '\n');
}

for (const [platform, target] of Object.entries(platforms)) {
  const archive = join(archives, `cnflint-${version}-${target}.tar.gz`);
  // A release has them all; a trial on one machine has its own.
  if (!existsSync(archive)) continue;
  const directory = join(out, `cnflint-${platform}`);
  mkdirSync(directory, { recursive: true });
  execFileSync('tar', ['-xzf', '-'], { cwd: directory, input: readFileSync(archive) });
  const [os, cpu] = platform.split('-');
  describe(directory, { name: `cnflint-${platform}`, os: [os], cpu: [cpu] });
}

const directory = join(out, 'cnflint');
mkdirSync(directory, { recursive: true });
copyFileSync(join(here, 'cnflint.js'), join(directory, 'cnflint.js'));
copyFileSync(join(here, '../../README.md'), join(directory, 'README.md'));
describe(directory, {
  name: 'cnflint',
  bin: { cnflint: 'cnflint.js' },
  engines: { node: '>=18' },
  optionalDependencies: Object.fromEntries(Object.keys(platforms).map((name) => [`cnflint-${name}`, version])),
});

#!/usr/bin/env node
// Starts the program that npm installed for this platform, and ends as it ends.
'use strict';
const { spawnSync } = require('node:child_process');
const { constants } = require('node:os');

const platform = `${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`cnflint-${platform}/cnflint${process.platform === 'win32' ? '.exe' : ''}`);
} catch {
  console.error(`cnflint: the package cnflint-${platform} is not installed: npm was told to leave out optional dependencies, or there is no program for this platform`);
  process.exit(2);
}
const { error, status, signal } = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' });
if (error) {
  console.error(`cnflint: ${program}: ${error.message}`);
  process.exit(2);
}
process.exit(signal ? 128 + constants.signals[signal] : status);

#!/bin/sh
# Builds the site and looks at every page of it in a headless Chromium. Needs mdbook, npm and chromium (or CHROMIUM, its path);
# the client that drives the browser is installed in a directory that is removed again.
set -eu
cd "$(dirname "$0")/../.."
mdbook build
client=$(mktemp -d)
trap 'rm -rf "$client"' EXIT
cp tests/site/check.mjs "$client"
npm install --silent --no-audit --no-fund --prefix "$client" puppeteer-core@25.16.0
node "$client/check.mjs" target/book "${CHROMIUM:-$(command -v chromium)}" target/book-pictures

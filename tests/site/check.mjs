// check.mjs SITE CHROMIUM PICTURES
//
// Opens every page of the site. Fails on an error in a console, a request that fails, a link without a target, a page that
// is wider than a telephone, and a search that does not find what it should.
import { createServer } from 'node:http';
import { mkdir, readFile, readdir } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import puppeteer from 'puppeteer-core';

const [site, executablePath, pictures] = process.argv.slice(2);
const problems = [];

const types = {
  '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png',
  '.woff2': 'font/woff2', '.json': 'application/json',
};
const server = createServer(async (request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, 'http://site').pathname));
  try {
    const body = await readFile(join(site, path.endsWith('/') ? path + 'index.html' : path));
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage();
  const at = () => page.url().replace(origin, '');
  page.on('console', (message) => message.type() === 'error' && problems.push(`${at()}: console: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`${at()}: ${error.message}`));
  page.on('requestfailed', (request) => problems.push(`${at()}: ${request.url()} failed`));
  page.on('response', (response) => response.status() >= 400 && problems.push(`${at()}: ${response.url()}: ${response.status()}`));

  const files = (await readdir(site, { recursive: true })).filter((file) => file.endsWith('.html'));
  const pages = files.filter((file) => !['404.html', 'toc.html'].includes(file)).sort();
  const anchors = new Map();
  const links = [];
  await page.setViewport({ width: 390, height: 844 });
  for (const file of pages) {
    await page.goto(`${origin}/${file}`, { waitUntil: 'load' });
    const seen = await page.evaluate(() => ({
      heading: document.querySelector('main h1')?.textContent ?? '',
      ids: [...document.querySelectorAll('[id]')].map((element) => element.id),
      links: [...document.querySelectorAll('main a[href]')].map((link) => link.href),
      // The content scrolls by itself, so that it would hide what is too wide from the window.
      width: Math.max(...['html', '.content'].map((name) => document.querySelector(name).scrollWidth)),
    }));
    if (!seen.heading) problems.push(`/${file}: no heading`);
    if (seen.width > 390) problems.push(`/${file}: ${seen.width} pixels wide on a telephone`);
    anchors.set(`/${file}`, new Set(seen.ids));
    links.push(...seen.links.filter((link) => link.startsWith(origin)).map((link) => [file, new URL(link)]));
  }
  for (const [file, link] of links) {
    const path = link.pathname.endsWith('/') ? link.pathname + 'index.html' : link.pathname;
    const ids = anchors.get(path);
    if (!ids && !(await readFile(join(site, path)).catch(() => null))) problems.push(`/${file}: ${path} is not there`);
    if (ids && link.hash && !ids.has(decodeURIComponent(link.hash.slice(1)))) problems.push(`/${file}: ${path} has no ${link.hash}`);
  }

  await page.setViewport({ width: 1280, height: 900 });
  const searches = {
    'doublewrite-off': 'rules/doublewrite-off.html',
    innodb_redo_log_capacity: 'options/innodb.html',
    baseline: 'leaving-out.html',
    gitlab: 'in-ci.html',
  };
  for (const [words, wanted] of Object.entries(searches)) {
    await page.goto(`${origin}/index.html?search=${words}`, { waitUntil: 'networkidle0' });
    await page.waitForSelector('#mdbook-searchresults a, #searchresults a', { timeout: 10000 }).catch(() => {});
    const found = await page.$$eval('#mdbook-searchresults a, #searchresults a', (all) => all.map((link) => link.href));
    if (!found.slice(0, 10).some((link) => link.includes(wanted))) problems.push(`a search for ${words} does not find ${wanted}`);
  }

  await mkdir(pictures, { recursive: true });
  for (const [name, path] of [['start', 'index.html'], ['rule', 'rules/doublewrite-off.html'], ['search', 'index.html?search=redo']]) {
    await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle0' });
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  }
  console.log(`${pages.length} pages, ${links.length} links, ${Object.keys(searches).length} searches; pictures in ${pictures}`);
} finally {
  await browser.close();
  server.close();
}
problems.forEach((problem) => console.error(problem));
process.exit(problems.length ? 1 : 0);

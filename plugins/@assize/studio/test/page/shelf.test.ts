import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportStudio } from '@assize/studio';
import { allowedImage, isHost } from '../../src/data/image-hosts.js';
import { fieldsOf } from '../../src/page/list/fields.js';
import { chooseFields } from '../../src/page/shelf/card-fields.js';
import { Lines } from '../../src/page/shelf/shelf-order.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio, listOnly, shownTitles, violationsIn, widerThanThePage } from './in-studio.js';
import { products, SHOP } from './shop.js';

test('cards show the fields whose names or values say what they are', () => {
  const chosen = (candidates: readonly object[]) => chooseFields(candidates, fieldsOf(candidates));
  expect(chosen(products(20, (k) => `https://cdn.example.com/${k}.jpg`))).toEqual({
    title: 'name',
    subtitle: ['brand', 'price'],
    image: 'image',
  });
  expect(chosen([{ id: 'a', pic: 'https://x.example.com/a.png', info: { title: 'A' } }])).toEqual({
    title: 'info.title',
    subtitle: [],
    image: 'pic',
  });
  expect(chosen([{ id: 'a', size: 3 }])).toEqual({ title: undefined, subtitle: [], image: undefined });
});

test('lines of cards: the cut starts a new line', () => {
  const lines = new Lines(12, 5, 3);
  expect(Array.from({ length: lines.count }, (_, line) => lines.itemsOf(line))).toEqual([
    [0, 3],
    [3, 5],
    [5, 8],
    [8, 11],
    [11, 12],
  ]);
  expect([4, 5, 11].map((item) => lines.lineOf(item))).toEqual([1, 2, 4]);
  expect([lines.below(2, 1), lines.below(4, 1), lines.below(7, 2), lines.below(0, -1)]).toEqual([4, 6, 11, 0]);
});

test('images load only from allowed hosts', () => {
  const hosts = ['cdn.example.com', '*.shop.example', 'localhost:8080'];
  const allowed = (address: string) => allowedImage(address, hosts) !== undefined;
  expect(['https://cdn.example.com/a.png', 'https://a.shop.example/b', 'http://localhost:8080/c'].every(allowed)).toBe(
    true,
  );
  expect(
    [
      'https://example.com/a',
      'https://evilshop.example/',
      'http://localhost/c',
      'javascript:1',
      '//cdn.example.com/a',
      'https://cdn.example.com@evil.example/',
    ].some(allowed),
  ).toBe(false);
  expect(['cdn.example.com', '*.example.com', '127.0.0.1:80'].every(isHost)).toBe(true);
  expect(['', 'a b', "x; script-src 'unsafe-inline'", 'https://a.example', '*'].some(isHost)).toBe(false);
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('the shelf of the studio [chromium]', () => {
  const open = inStudio('simple');
  const profile = newFolder().write('shop.yaml', SHOP);
  let images: Server;
  let host: string;
  const requested: string[] = [];
  beforeAll(async () => {
    images = createServer(({ url = '' }, response) => {
      requested.push(url);
      if (url.includes('broken')) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': 'image/svg+xml' });
      return void response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"><rect width="4" height="3"/></svg>',
      );
    });
    await new Promise<void>((done) => void images.listen(0, '127.0.0.1', done));
    host = `127.0.0.1:${(images.address() as AddressInfo).port}`;
  });
  afterAll(() => images.close());

  test('cards show rank, title, place before and grade; the cut is visible', async () => {
    const candidates = products();
    const grades = candidates.map((_, k) => (k % 4 === 0 ? 2 : undefined));
    const { page, errors } = await open({ profile, candidates, context: {}, grades });
    const before = await shownTitles(page);
    await page.getByLabel('Weight of Newer', { exact: true }).fill('9');
    await page.locator('.card .was').first().waitFor();
    const moved = page
      .locator('.card')
      .filter({ hasText: /was (?:[2-9]|1\d)(?:nd|rd|th)/ })
      .first();
    const place = before.indexOf(await moved.locator('.card-title').innerText()) + 1;
    expect(await moved.innerText()).toContain(`was ${place}`);
    expect(await page.locator('.card', { hasText: 'grade 2' }).count()).toBeGreaterThan(0);
    expect(await page.getByText('Below the line: not shown to users').count()).toBe(1);
    expect(await page.locator('.card', { hasText: '3 of 4' }).count()).toBeGreaterThan(0);
    expect(await violationsIn(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test('a list without items says so, and is not a listbox', async () => {
    const { page } = await open(
      { profile, candidates: products(), context: {} },
      { viewport: { width: 390, height: 844 } },
    );
    await listOnly(page, 'nowhere');
    await page.getByText('No item matches.').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    expect(await page.getByRole('listbox', { name: 'Items' }).count()).toBe(0);
  });

  test('keys move through twenty thousand items, of which few are in the document; Enter opens one', async () => {
    const { page, errors } = await open({ profile, candidates: products(20_000), context: {} });
    const active = page.locator('.card.active');
    await page.getByRole('listbox', { name: 'Items' }).focus();
    for (const key of ['j', 'j', 'k', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    const columns = await page.locator('.cards').first().locator('.card').count();
    expect(await active.getAttribute('aria-posinset')).toBe(String(2 + columns));
    await page.keyboard.press('End');
    await expect.poll(() => active.getAttribute('aria-posinset')).toBe('17500');
    expect(await active.isVisible()).toBe(true);
    expect(await page.locator('.card').count()).toBeLessThan(80);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('region', { name: /^Why/ }).innerText()).toMatch(/17,500th of 17,500/);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('region', { name: /^Why/ }).count()).toBe(0);
    expect(await page.evaluate<string>('document.activeElement.role')).toBe('listbox');
    expect(errors).toEqual([]);
  });

  test('shows the last item if End follows another key before the next frame', async () => {
    const { page, errors } = await open({ profile, candidates: products(20_000), context: {} });
    const active = page.locator('.card.active');
    await page.getByRole('listbox', { name: 'Items' }).focus();
    await page.keyboard.press('Home');
    await page.evaluate(`(async () => {
      const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
      press('ArrowDown');
      for (let turn = 0; turn < 10; turn++) await undefined; // renders, and does not paint
      press('End');
    })()`);
    await expect.poll(() => active.count()).toBe(1);
    expect(await active.getAttribute('aria-posinset')).toBe('17500');
    expect(errors).toEqual([]);
  });

  test('images load from allowed hosts alone; others are initials', async () => {
    const addresses = [
      `http://${host}/a.svg`,
      `http://${host}/broken.svg`,
      'https://elsewhere.example/c.png',
      undefined,
    ];
    const candidates = products(8, (k) => addresses[k % 4]);
    const elsewhere: string[] = [];
    const { page, errors } = await open(
      { profile, candidates, context: {} },
      { viewport: { width: 1366, height: 900 }, images: [host] },
    );
    page.on('request', (request) => void (request.url().includes('elsewhere') && elsewhere.push(request.url())));
    await page.reload();
    await page.getByRole('listbox').waitFor();
    const counts = async () => [await page.locator('.card img').count(), await page.locator('.card .initials').count()];
    await expect.poll(counts).toEqual([2, 5]);
    expect(requested.toSorted()).toContain('/a.svg');
    expect(elsewhere).toEqual([]);
    expect(errors.filter((text) => !text.includes('404'))).toEqual([]);
    expect(await page.locator('.card .initials').first().innerText()).toMatch(/^[A-Z]{1,2}$/);
  });

  test('without --images the policy of the page refuses every remote image', async () => {
    const { page, studio } = await open({
      profile,
      candidates: products(8, () => `http://${host}/b.svg`),
      context: {},
    });
    const response = await fetch(new URL('/', studio.url));
    expect(response.headers.get('content-security-policy')).toContain("img-src 'self' data:;");
    expect(await page.locator('.card img').count()).toBe(0);
    const refused = await page.evaluate<boolean>(
      `new Promise((done) => { const image = new Image(); image.onerror = () => done(true); image.onload = () => done(false); image.src = 'http://${host}/c.svg'; })`,
    );
    expect(refused).toBe(true);
    expect(requested).not.toContain('/c.svg');
  });

  test('an exported page has the same policy, and refuses text that is not a host', async () => {
    const out = newFolder();
    const source = { profile, candidates: products(8), context: {} };
    const path = await exportStudio(source, out.path, { images: ['cdn.example.com'] });
    expect(readFileSync(path, 'utf8')).toContain('content="img-src data: cdn.example.com"');
    const plain = await exportStudio(source, out.path);
    expect(readFileSync(plain, 'utf8')).toContain('content="img-src data:"');
    await expect(exportStudio(source, out.path, { images: ['"><script>'] })).rejects.toThrow('is not a host');
  });

  test('a person chooses the fields of the cards, and they are kept', async () => {
    const { page } = await open({ profile, candidates: products(), context: {} });
    await page.getByText('Card', { exact: true }).click();
    await page.getByLabel('Title', { exact: true }).selectOption('brand');
    await page.getByLabel('Subtitle', { exact: true }).selectOption('rating');
    await page.keyboard.press('Escape');
    const isBrand = async () => (await shownTitles(page)).every((title) => /Nordhem|Lund|Viva|Fjord/.test(title));
    await expect.poll(isBrand).toBe(true);
    await page.reload();
    await page.getByRole('listbox').waitFor();
    expect(await isBrand()).toBe(true);
  });

  test('in a narrow window the recipe is a sheet, the shelf stays, and nothing is wider than the page', async () => {
    const { page } = await open(
      { profile, candidates: products(), context: {} },
      { viewport: { width: 390, height: 844 } },
    );
    expect(await page.getByRole('slider', { name: 'Weight of Newer' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Open', exact: true }).click();
    await page.getByLabel('Weight of Newer', { exact: true }).fill('9');
    expect(await page.locator('.card').first().isVisible()).toBe(true);
    expect(await widerThanThePage(page)).toEqual([]);
    for (const name of ['Undo', 'Reset', 'Review and save…', 'Close']) {
      expect(await page.getByRole('button', { name, exact: true }).isVisible()).toBe(true);
    }
    expect(await violationsIn(page)).toEqual([]);
    await page.setViewportSize({ width: 640, height: 360 }); // 1280 × 720 at 200 %
    expect(await widerThanThePage(page)).toEqual([]);
    await page.getByRole('button', { name: 'Review and save…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  });
});

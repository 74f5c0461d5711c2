import { defineConfig } from '@playwright/test'
import { toLaunchOptions } from '../../tools/product/chromium.ts'
import { PRODUCT_URLS } from './support/product-url.ts'

/** Tag of the tests that `npm test` leaves to `npm run test:slow`. */
const SLOW = /@slow/

export default defineConfig({
  /**
   * journeys: the main tasks of each kind of user. own-product: tests that start a product of their own. slow: tests with the
   * tag @slow: long ones, and journeys repeated on a phone or in dark colours. shell: the frame around the pages. oldest: the
   * main pages in the oldest browser that is available as a package. firefox: the same pages in the Firefox of the machine, if
   * it has one. `npm test` runs journeys with three workers, `npm run test:slow` the others with four. They begin in this order:
   * long tests that run one after the other first, the many short ones last, so that the workers end at about the same time.
   */
  projects: [
    // The next free worker takes the next test, also of the same file, so no worker is idle while the other has many left.
    { name: 'journeys', testDir: 'journeys', grepInvert: SLOW, fullyParallel: true },
    // They mostly wait, so they begin first, beside the tests of the other workers. One at a time: a product takes a gigabyte.
    { name: 'own-product', testDir: 'own-product', workers: 1 },
    { name: 'oldest', testDir: 'oldest' },
    { name: 'firefox', testDir: 'firefox' },
    { name: 'slow', testMatch: '{journeys,slow}/*.spec.ts', grep: SLOW, fullyParallel: true },
    { name: 'shell', testDir: 'shell', fullyParallel: true },
  ],
  outputDir: '../../test-results',
  globalSetup: './support/start-product.setup.ts',
  // Two workers for a few files while writing tests. A whole run also waits for strokes, waves, rollups and the ends of holds, so
  // `npm test` and `npm run test:slow` ask for more (docs/performance/checks.md). Each worker has a product of its own, so a test
  // does not see changes of accounts, devices and limits by another test.
  workers: process.env[PRODUCT_URLS] ? 1 : 2,
  forbidOnly: process.env.CI !== undefined,
  // A trace of every test is a fifth of the whole run. So a test that failed is tried once more to record one. If it
  // passes then, the summary names it as flaky (ADR 105).
  retries: 1,
  timeout: 120_000,
  expect: { timeout: 30_000 },
  reporter: [['list']],
  use: {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    // Decorative animations are disabled: the processor draws them frame by frame, and a click may miss a moving
    // element.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: toLaunchOptions(),
  },
})

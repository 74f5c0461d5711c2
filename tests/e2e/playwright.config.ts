import { defineConfig } from '@playwright/test'
import { toLaunchOptions } from '../../tools/product/chromium.ts'
import { PRODUCT_URLS } from './support/product-url.ts'

export default defineConfig({
  /**
   * journeys: what each user comes for. shell: the frame around the pages. slow: long proofs, see `test:slow`. oldest: the
   * main pages in the oldest browser that can be had as a package.
   */
  projects: ['journeys', 'shell', 'slow', 'oldest'].map((name) => ({ name, testDir: name })),
  outputDir: '../../test-results',
  globalSetup: './support/start-product.setup.ts',
  // A worker waits for its browser half of the time, so two of them use both cores of a small machine. Each has a
  // product of its own: what tests do to accounts, devices and limits is not seen by those that run beside them.
  workers: process.env[PRODUCT_URLS] ? 1 : 2,
  forbidOnly: process.env.CI !== undefined,
  // A trace of every test is a fifth of the whole run. So a test that failed is tried once more to record one; the
  // run has failed all the same.
  retries: 1,
  failOnFlakyTests: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    // What moves for its own sake is drawn frame by frame by the processor, and a click may miss what moves.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: toLaunchOptions(),
  },
})

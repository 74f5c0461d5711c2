import { defineConfig } from '@playwright/test'
import { toLaunchOptions } from '../../tools/product/chromium.ts'

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  globalSetup: './support/start-product.setup.ts',
  // One product, one machine of two cores: tests that share it run one after another.
  workers: 1,
  forbidOnly: process.env.CI !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: {
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    viewport: { width: 1440, height: 900 },
    // Not with a film of every test: painting its frames is a sixth of the whole run. The tree of the page is there.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
    launchOptions: toLaunchOptions(),
  },
})

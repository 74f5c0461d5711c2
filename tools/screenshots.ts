/** Takes the README's pictures from a running demo: `npm run screenshots`. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { toLaunchOptions } from './product/chromium.ts'
import { type Product, startProduct } from './product/start-product.ts'

interface Picture {
  readonly file: string
  readonly path: string
  readonly colorScheme: 'light' | 'dark'
  readonly locale: 'zh-CN' | 'en-GB'
}

const pictures: readonly Picture[] = [
  { file: 'valves.png', path: '/ewph/fmreal', colorScheme: 'light', locale: 'zh-CN' },
  { file: 'valves-dark.png', path: '/ewph/fmreal', colorScheme: 'dark', locale: 'en-GB' },
]

const folder = join(import.meta.dirname, '../docs/images')

async function take(browser: Browser, product: Product, picture: Picture): Promise<void> {
  const context = await browser.newContext({
    baseURL: product.url,
    viewport: { width: 1440, height: 900 },
    colorScheme: picture.colorScheme,
    locale: picture.locale,
    timezoneId: 'Asia/Shanghai',
  })
  const page = await context.newPage()
  await page.goto(picture.path)
  await page.locator('input[autocomplete="username"]').fill('dispatcher')
  await page.locator('input[type="password"]').fill('isotherm-demo')
  await page.locator('button[type="submit"]').click()
  await page.locator('[data-testid^="valve-row-"]').first().waitFor()
  // After this time every valve has reported once; an earlier picture would show devices without readings.
  await page.waitForTimeout(15_000)
  await page.screenshot({ path: join(folder, picture.file) })
  await context.close()
}

mkdirSync(folder, { recursive: true })
const product = await startProduct()
try {
  const browser = await chromium.launch(toLaunchOptions())
  for (const picture of pictures) await take(browser, product, picture)
  await browser.close()
} finally {
  await product.stop()
}

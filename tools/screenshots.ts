/**
 * Takes the pictures of the README and of the manual: `npm run screenshots -- [WORD...]`. Starts a demo, unless
 * ISOTHERM_E2E_URL is the address of a running one. With words it takes only the pictures whose file names contain one.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Browser, chromium, type Page } from '@playwright/test'
import { toLaunchOptions } from './product/chromium.ts'
import { startProduct } from './product/start-product.ts'

interface Picture {
  /** Below docs; a file that ends with .webp is converted. */
  readonly file: string
  readonly path: string
  readonly colorScheme: 'light' | 'dark'
  readonly locale: 'zh-CN' | 'en-GB'
  readonly size: { readonly width: number; readonly height: number }
  /** What to click after the page has opened. */
  readonly click?: string
  /** Shown when the page has its data. */
  readonly wanted: string
}

const README_SIZE = { width: 1440, height: 900 }
/** Small enough to be read in the panel of the manual. */
const MANUAL_SIZE = { width: 1100, height: 680 }

const ofManual = ['zh-CN', 'en-GB'] as const
const manualPages = [
  { name: 'fmreal', path: '/ewph/fmreal', wanted: '[data-testid^="valve-row-"]' },
  {
    name: 'eqmonitor',
    path: '/ewph/eqmonitor',
    click: '[data-testid="stations"] a',
    wanted: '[data-testid="loop"]',
  },
  { name: 'rtreal', path: '/rtjc/rtreal', wanted: '[data-testid="room-pass-share"]' },
] as const

const pictures: readonly Picture[] = [
  {
    file: 'images/valves.png',
    path: '/ewph/fmreal',
    colorScheme: 'light',
    locale: 'zh-CN',
    size: README_SIZE,
    wanted: '[data-testid^="valve-row-"]',
  },
  {
    file: 'images/valves-dark.png',
    path: '/ewph/fmreal',
    colorScheme: 'dark',
    locale: 'en-GB',
    size: README_SIZE,
    wanted: '[data-testid^="valve-row-"]',
  },
  ...manualPages.flatMap(({ name, ...page }) =>
    ofManual.map((locale) => ({
      ...page,
      file: `manual/images/${name}-${locale.slice(0, 2)}.webp`,
      colorScheme: 'light' as const,
      locale,
      size: MANUAL_SIZE,
    })),
  ),
]

const docs = join(import.meta.dirname, '../docs')

/** Converts a picture in the browser, whose screenshots are PNG or JPEG only. */
async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  await page.goto('about:blank')
  // As a text, because the tools are checked without the types of browsers.
  const url = await page.evaluate<string>(`(async () => {
    const image = new Image()
    image.src = 'data:image/png;base64,${png.toString('base64')}'
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    canvas.getContext('2d').drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.8)
  })()`)
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')
}

async function takePicture(browser: Browser, baseURL: string, picture: Picture): Promise<void> {
  const { file, path, colorScheme, locale, size, click, wanted } = picture
  const context = await browser.newContext({
    baseURL,
    viewport: size,
    colorScheme,
    locale,
    timezoneId: 'Asia/Shanghai',
  })
  const page = await context.newPage()
  await page.goto(path)
  await page.locator('input[autocomplete="username"]').fill('dispatcher')
  await page.locator('input[type="password"]').fill('isotherm-demo')
  await page.locator('button[type="submit"]').click()
  if (click) await page.locator(click).first().click()
  await page.locator(wanted).first().waitFor()
  // After this time every valve has reported once; an earlier picture would show devices without readings.
  await page.waitForTimeout(15_000)
  const png = await page.screenshot()
  writeFileSync(join(docs, file), file.endsWith('.webp') ? await toWebp(page, png) : png)
  await context.close()
}

const words = process.argv.slice(2)
const running = process.env.ISOTHERM_E2E_URL
const product = running === undefined ? await startProduct() : { url: running, stop: async () => undefined }
try {
  const browser = await chromium.launch(toLaunchOptions())
  for (const picture of pictures) {
    if (words.length > 0 && !words.some((word) => picture.file.includes(word))) continue
    mkdirSync(dirname(join(docs, picture.file)), { recursive: true })
    await takePicture(browser, product.url, picture)
  }
  await browser.close()
} finally {
  await product.stop()
}

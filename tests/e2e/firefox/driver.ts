import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { z } from 'zod'
import { expect } from '../support/test.ts'

/** A JavaScript expression of an element of the page; null or undefined while it is absent. */
export type Part = string

const quote = (text: string): string => JSON.stringify(text)

export const byCss = (css: string): Part => `document.querySelector(${quote(css)})`
export const byTestId = (id: string): Part => byCss(`[data-testid="${id}"]`)
/** The first visible element with exactly this text. */
export const byText = (css: string, text: string): Part =>
  `[...document.querySelectorAll(${quote(css)})].find((one) => one.textContent.trim() === ${quote(text)} && one.checkVisibility())`

/** Where a part can be clicked: its centre, if nothing covers it. */
const toPoint = (part: Part): string => `(() => {
  const element = ${part}
  if (!element || element.disabled) return null
  element.scrollIntoView({ block: 'nearest' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const [x, y] = [left + width / 2, top + height / 2]
  const hit = document.elementFromPoint(x, y)
  return width > 0 && hit && (element.contains(hit) || hit.contains(element)) ? { x, y } : null
})()`

const point = z.object({ x: z.number(), y: z.number() })
type Point = z.infer<typeof point>
const text = z.string().nullable()

interface Wait {
  readonly timeout?: number
}

/**
 * Drives a page over WebDriver BiDi. Does not use Puppeteer's locators: they compile their code in the page with
 * `eval`, which the console's Content-Security-Policy refuses. The policy does not apply to expressions that the
 * browser evaluates for the driver.
 */
export function createDriver(page: Page) {
  const read = (part: Part, name = 'textContent'): Promise<string | null> =>
    page.evaluate(`String(${part}?.${name} ?? '')`).then((value) => text.parse(value))

  /** Waits until a part can be clicked and does not move. Returns its centre. */
  async function findPoint(part: Part, { timeout }: Wait): Promise<Point> {
    let last: Point | undefined
    const isStill = async (): Promise<boolean> => {
      const found = point.nullable().parse(await page.evaluate(toPoint(part)))
      const still = found !== null && found.x === last?.x && found.y === last.y
      last = found ?? undefined
      return still
    }
    await expect.poll(isStill, { message: `click ${part}`, ...(timeout && { timeout }) }).toBe(true)
    if (!last) throw new Error(`${part} is not there`)
    return last
  }

  return {
    read,
    async open(url: string): Promise<void> {
      await page.goto(url, { waitUntil: 'load' })
    },
    async click(part: Part, { button, ...wait }: Wait & { readonly button?: 'right' } = {}): Promise<void> {
      const { x, y } = await findPoint(part, wait)
      await page.mouse.click(x, y, { button: button ?? 'left' })
    },
    /** Replaces the text of a field. */
    async fill(part: Part, value: string): Promise<void> {
      const { x, y } = await findPoint(part, {})
      await page.mouse.click(x, y, { count: 3 })
      await page.keyboard.type(value)
      await expect.poll(() => read(part, 'value'), { message: part }).toBe(value)
    },
    /** Waits until an attribute of a part, or with `textContent` its text, contains this. */
    async see(part: Part, name: string, value: string | RegExp, wait: Wait = {}): Promise<void> {
      const expected =
        typeof value === 'string' ? expect.stringContaining(value) : expect.stringMatching(value)
      await expect.poll(() => read(part, name), { message: `${part} ${name}`, ...wait }).toEqual(expected)
    },
  }
}

export type Driver = ReturnType<typeof createDriver>

/** Starts Firefox without a window. Errors of its pages, among them refusals by the Content-Security-Policy, go to `errors`. */
export async function startFirefox(
  executablePath: string,
): Promise<{ readonly browser: Browser; readonly driver: Driver; readonly errors: readonly string[] }> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    defaultViewport: { width: 1440, height: 900 },
    extraPrefsFirefox: { 'intl.accept_languages': 'zh-CN', 'ui.prefersReducedMotion': 1 },
  })
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(`thrown: ${String(error)}`))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`error: ${message.text()}`)
  })
  return { browser, driver: createDriver(page), errors }
}

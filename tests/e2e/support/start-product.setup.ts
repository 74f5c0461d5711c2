import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeScratchFolder } from '@isotherm/engines/scratch-folder'
import type { FullConfig } from '@playwright/test'
import { type Product, startProduct } from '../../../tools/product/start-product.ts'
import { PRODUCT_URLS } from './product-url.ts'

const results = join(import.meta.dirname, '../../../test-results')

/** Ends the products and writes their output into test-results. */
async function stopAll(products: readonly Product[]): Promise<void> {
  await Promise.all(
    products.map(async (product) => {
      await product.stop()
      rmSync(product.dataDir, { recursive: true, force: true })
    }),
  )
  mkdirSync(results, { recursive: true })
  for (const [index, product] of products.entries())
    writeFileSync(join(results, `product-${index}.txt`), product.output())
}

/**
 * Starts the whole product once for each worker. Returns the function that ends them after the run. With ISOTHERM_E2E_URL
 * the tests use a running demo instead, which is faster while writing a test.
 */
export default async function startOnce({ workers }: FullConfig): Promise<(() => Promise<void>) | undefined> {
  if (process.env[PRODUCT_URLS]) return undefined
  // They start together: one of them builds the console, and the others wait for it.
  const starts = await Promise.allSettled(
    Array.from({ length: workers }, () => startProduct({ dataDir: makeScratchFolder('isotherm-e2e-') })),
  )
  const products = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
  const failed = starts.find((start) => start.status === 'rejected')
  if (failed) {
    await stopAll(products)
    throw failed.reason
  }
  process.env[PRODUCT_URLS] = products.map(({ url }) => url).join(' ')
  for (const { url, startS } of products) console.log(`Product ready at ${url} after ${startS.toFixed(1)} s`)
  return () => stopAll(products)
}

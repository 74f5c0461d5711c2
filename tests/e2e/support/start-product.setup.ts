import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startProduct } from '../../../tools/product/start-product.ts'
import { PRODUCT_URL } from './product-url.ts'

/**
 * Starts the whole product once for the run and ends it afterwards; what it printed lies in test-results. With
 * ISOTHERM_E2E_URL a demo that already runs is used instead, which is quicker while writing a test.
 */
export default async function startOnce(): Promise<(() => Promise<void>) | undefined> {
  if (process.env[PRODUCT_URL]) return undefined
  const product = await startProduct()
  process.env[PRODUCT_URL] = product.url
  console.log(`Product ready at ${product.url} after ${product.startS.toFixed(1)} s`)
  return async () => {
    await product.stop()
    const folder = join(import.meta.dirname, '../../../test-results')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'product.txt'), product.output())
  }
}

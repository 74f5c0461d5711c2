import { rmSync } from 'node:fs'
import { makeScratchFolder } from '@isotherm/engines/scratch-folder'
import { type Product, type ProductOptions, startProduct } from '../../../tools/product/start-product.ts'

/**
 * Starts a product for one test file, with its data in memory where the machine has room (docs/performance/checks.md). stop() also
 * removes the data.
 */
export async function startOwnProduct(options: Omit<ProductOptions, 'dataDir'> = {}): Promise<Product> {
  const dataDir = makeScratchFolder('isotherm-e2e-')
  const removeFolder = (): void => rmSync(dataDir, { recursive: true, force: true })
  try {
    const product = await startProduct({ ...options, dataDir })
    return {
      ...product,
      async stop() {
        const code = await product.stop()
        removeFolder()
        return code
      },
    }
  } catch (error) {
    removeFolder()
    throw error
  }
}

/** Variable that carries the addresses of the products under test: one for each worker, with spaces between. */
export const PRODUCT_URLS = 'ISOTHERM_E2E_URL'

/** Address of the product that the tests of this worker have for themselves, without a slash at the end. */
export function getProductUrl(): string {
  const urls = process.env[PRODUCT_URLS]?.split(' ') ?? []
  const url = urls[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]
  if (!url) throw new Error(`The setup has not set ${PRODUCT_URLS} for this worker`)
  return url
}

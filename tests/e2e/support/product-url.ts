/** Environment variable with the addresses of the tested products, separated by spaces: one per worker. */
export const PRODUCT_URLS = 'ISOTHERM_E2E_URL'

/** Address of the product that only this worker uses, without a trailing slash. */
export function getProductUrl(): string {
  const urls = process.env[PRODUCT_URLS]?.split(' ') ?? []
  const url = urls[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]
  if (!url) throw new Error(`The setup has not set ${PRODUCT_URLS} for this worker`)
  return url
}

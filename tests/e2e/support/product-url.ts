/** Variable that carries the product's address from the setup to the tests. */
export const PRODUCT_URL = 'ISOTHERM_E2E_URL'

/** Address of the product under test, without a slash at the end. */
export function getProductUrl(): string {
  const url = process.env[PRODUCT_URL]
  if (!url) throw new Error(`The setup has not set ${PRODUCT_URL}`)
  return url
}

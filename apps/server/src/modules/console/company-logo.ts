import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { ConfigError } from '../../platform/config.ts'
import { isSvg } from './is-svg.ts'

/** The company's logo. Read once at the start. */
export interface CompanyLogo {
  readonly bytes: Buffer
  readonly contentType: string
  /** Changes with the image. */
  readonly etag: string
}

const MAX_BYTES = 512 * 1024

const startsWith = (bytes: Buffer, signature: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + signature.length) === signature

/** The image type by content, not by file name; undefined if it is none of the accepted types. */
export function findImageType(bytes: Buffer): string | undefined {
  if (startsWith(bytes, '\x89PNG\r\n\x1A\n')) return 'image/png'
  if (startsWith(bytes, '\xFF\xD8\xFF')) return 'image/jpeg'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'image/webp'
  return isSvg(bytes.toString('utf8')) ? 'image/svg+xml' : undefined
}

async function readBytes(path: string | URL): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new ConfigError('ISOTHERM_COMPANY_LOGO is larger than 512 kB')
    return await readFile(path)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new ConfigError(`ISOTHERM_COMPANY_LOGO cannot be read${code}`, { cause: error })
  }
}

/** Reads an SVG, PNG, WebP or JPEG file of at most 512 kB. Throws ConfigError. */
export async function readCompanyLogo(path: string | URL): Promise<CompanyLogo> {
  const bytes = await readBytes(path)
  const contentType = findImageType(bytes)
  if (contentType === undefined) {
    throw new ConfigError('ISOTHERM_COMPANY_LOGO is not an SVG, PNG, WebP or JPEG image')
  }
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { bytes, contentType, etag: `"${hash}"` }
}

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|svg|html|json)$/
/** Below this a file gains nothing, bytes. */
const SMALLEST = 1024
/** Nearly the smallest result, at a tenth of the time of 11. */
const BROTLI_QUALITY = 9

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/** Writes a .br and a .gz beside every text of the build: the server sends them as they are. */
export function precompress(): Plugin {
  return {
    name: 'isotherm-precompress',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        const source = file.type === 'chunk' ? file.code : file.source
        const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source
        if (!COMPRESSIBLE.test(file.fileName) || bytes.length < SMALLEST) continue
        const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
        const [brotli, zipped] = await Promise.all([toBrotli(bytes, { params }), toGzip(bytes, { level: 9 })])
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotli })
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: zipped })
      }
    },
  }
}

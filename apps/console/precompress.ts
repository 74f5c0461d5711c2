import { readdir, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(m?js|css|svg|html|json)$/
/** Smaller files are not compressed, bytes: they gain nothing. */
const SMALLEST = 1024
/** Nearly the smallest result, at a tenth of the time of 11. */
const BROTLI_QUALITY = 9

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

/**
 * Writes a .br and a .gz file beside every text file of the build; the server sends them unchanged. Runs after the
 * whole build is written, because until then Vite still changes the chunks.
 */
export function precompress(): Plugin {
  let failed = false
  return {
    name: 'isotherm-precompress',
    apply: 'build',
    buildEnd(error?: Error) {
      failed = error !== undefined
    },
    async closeBundle() {
      // A failed build has nothing to compress; its own error must be shown.
      if (failed) return
      const directory = this.environment.config.build.outDir
      const root = this.environment.config.root
      for (const name of await readdir(resolve(root, directory), { recursive: true })) {
        if (COMPRESSIBLE.test(name)) await compress(resolve(root, directory, name))
      }
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < SMALLEST) return
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  await writeFile(`${path}.br`, await toBrotli(bytes, { params }))
  await writeFile(`${path}.gz`, await toGzip(bytes, { level: 9 }))
}

/**
 * Unpacks the packaged browser into the temporary folder (TMPDIR). chromium.ts starts it as a separate process, because the
 * package reads the path of that folder only once.
 *
 *   node tools/product/unpack-chromium.ts BIN
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inflate } from '@sparticuz/chromium'

const bin = process.argv[2]
if (bin === undefined) throw new Error('Name the folder which holds the packed browser')
// Its fonts are Latin only; fonts.ts provides Chinese fonts.
const packed = readdirSync(bin).filter((name) => !name.startsWith('fonts'))
await Promise.all(packed.map((name) => inflate(join(bin, name))))
